//! Random kernels, and all of them.

use posterior_gp::Kernel;
use posterior_gp::kernel::FeatureFunctions;
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;

/// Every kernel of one coordinate that an expression can name, with parameters from a list of factors
/// around 1.
pub(super) fn every_kernel([a, b, c]: [f64; 3]) -> Vec<Kernel> {
    let kernel = |text: String| text.parse::<Kernel>().unwrap();
    let mut kernels = every_kernel_of(1, [a, b, c]);
    kernels.extend(
        [
            format!("cosine({a})"),
            "wiener()".to_owned(),
            "integrated_wiener()".to_owned(),
            format!("spectral_mixture([{a}, {b}], [0, {c}], [{c}, {a}])"),
            format!("change_point({a}*rbf({b}), wiener(), {c}, {b})"),
            format!("bells([0, 1, 2.5], {a})"),
            format!("sigmoids([0, 1, 2.5], {a})"),
            "steps([0, 1, 2.5])".to_owned(),
            "rectifiers([0, 1, 2.5])".to_owned(),
            format!("fourier({b}, 3)"),
            "monomials(3)".to_owned(),
        ]
        .map(kernel),
    );
    kernels.push(Kernel::gibbs("growing", move |x| a + x[0].abs()));
    let theta = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 1.0]);
    kernels.push(Kernel::features_with(FeatureFunctions::monomials(1), &theta).unwrap());
    kernels
}

/// Every kernel that takes inputs of any dimension.
pub(super) fn every_kernel_of(dimension: usize, [a, b, c]: [f64; 3]) -> Vec<Kernel> {
    let scales: Vec<f64> = (0..dimension).map(|i| if i % 2 == 0 { a } else { b }).collect();
    let mut texts = vec![
        format!("rational_quadratic({a}, {b})"),
        format!("rational_quadratic({scales:?}, {c})"),
        format!("matern({}, {b})", 0.3 + a),
        format!("matern(2.2, {scales:?})"),
        format!("periodic({a}, {b})"),
        "linear()".to_owned(),
        format!("linear({scales:?})"),
        format!("polynomial(3, {c})"),
        format!("constant({a})"),
        "white()".to_owned(),
        format!("neural_network({a}, {b})"),
        format!("{c}*rbf({a})"),
        format!("fix(rbf({a}))*matern32({b})"),
    ];
    texts.extend((0..3).map(|order| format!("arc_cosine({order}, {b})")));
    for name in ["rbf", "matern12", "matern32", "matern52"] {
        texts.push(format!("{name}({a})"));
        texts.push(format!("{name}({scales:?})"));
    }
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Random expressions of kernels of one coordinate.
pub(super) fn expression() -> impl Strategy<Value = Kernel> {
    let parameter = || (-1.5..1.5_f64).prop_map(f64::exp);
    let leaf = (0..30_usize, [parameter(), parameter(), parameter()]).prop_map(|(index, parameters)| {
        let kernels: Vec<Kernel> = every_kernel(parameters).into_iter().filter(is_readable).collect();
        kernels[index % kernels.len()].clone()
    });
    leaf.prop_recursive(3, 8, 2, move |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(left, right)| left + right),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| left * right),
            (parameter(), inner.clone()).prop_map(|(variance, kernel)| variance * kernel),
            inner.clone().prop_map(Kernel::fixed),
            inner.clone().prop_map(|kernel| kernel.on(&[0]).unwrap()),
            (inner.clone(), inner, parameter(), parameter()).prop_map(|(before, after, location, width)| {
                Kernel::change_point(before, after, location, width).unwrap()
            }),
        ]
    })
}

fn is_readable(kernel: &Kernel) -> bool {
    kernel.to_string().parse::<Kernel>().is_ok()
}

/// Inputs in [0, 4), some of them equal.
pub(super) fn inputs(rows: usize, dimension: usize) -> impl Strategy<Value = DMatrix<f64>> {
    let coordinate = prop_oneof![0.0..4.0_f64, (0..4_u32).prop_map(f64::from)];
    prop::collection::vec(coordinate, rows * dimension)
        .prop_map(move |coordinates| DMatrix::from_vec(rows, dimension, coordinates))
}

/// The rows of a matrix.
pub(super) fn rows(inputs: &DMatrix<f64>) -> Vec<Vec<f64>> {
    inputs.row_iter().map(|row| row.iter().copied().collect()).collect()
}
