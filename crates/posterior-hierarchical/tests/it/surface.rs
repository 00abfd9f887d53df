//! Smooth surfaces: tensor products of R's mgcv by REML, and what rows see.

use posterior_dist::stream::stream;
use posterior_hierarchical::{
    EmbeddedLaplace, FamilyResponse, HierarchicalModel, HierarchicalOptions, HyperEstimate,
    LatentEffect as _, SmoothSurface,
};
use posterior_math::linalg::{DMatrix, SymmetricEigen};

const ROWS: u32 = 120;
const KNOTS: [usize; 2] = [6, 5];

/// Points and responses in which no wave is a multiple of another one.
fn data() -> ([Vec<f64>; 2], Vec<f64>) {
    let x = |i: u32| f64::from(i * 37 % 120) / 12.0;
    let z = |i: u32| f64::from((i * i * 7 + 3 * i) % 113) / 565.0;
    let noise = |i: u32| 0.8 * (f64::from((i * i * 29 + 7) % 101) / 101.0 - 0.5);
    let y = |i: u32| (0.7 * x(i)).sin() * (12.0 * z(i)).cos() + 0.5 * x(i) * z(i) + noise(i);
    ([(0..ROWS).map(x).collect(), (0..ROWS).map(z).collect()], (0..ROWS).map(y).collect())
}

fn model([x, z]: [&[f64]; 2], y: &[f64]) -> HierarchicalModel {
    let surface = SmoothSurface::at_quantiles("te", ["x", "z"], [x, z], KNOTS).unwrap();
    let product: Vec<f64> = x.iter().zip(z).map(|(x, z)| x * z).collect();
    HierarchicalModel::new(FamilyResponse::gaussian(0.4).unwrap(), y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", x)
        .unwrap()
        .column("z", z)
        .unwrap()
        .column("x z", &product)
        .unwrap()
        .effect(surface.through_points([x, z]).unwrap())
        .unwrap()
}

/// Weights of draws that differ by rounding alone have no tail.
#[test]
fn exact_fits_have_no_tail() {
    let ([x, z], y) = data();
    let model = model([&x, &z], &y);
    let fit = model.fit(&HierarchicalOptions::default()).unwrap();
    let check = fit.check(200, &mut stream(1, &[])).unwrap();
    assert!(!(check.weights.shape > 0.0) && check.ln_correction.abs() < 1e-6, "{}", check.weights.shape);
}

/// `gam(y ~ te(x, z, bs = "cr", k = c(6, 5)), method = "REML")` of mgcv 1.8-41, and the change of its REML
/// score when the first smoothing parameter is four times as large and the variance the best one for it.
#[test]
fn surfaces_are_those_of_mgcv() {
    let ([x, z], y) = data();
    let model = model([&x, &z], &y);
    let estimate = HyperEstimate::RestrictedLikelihood;
    let fit = model.fit(&HierarchicalOptions { estimate, ..HierarchicalOptions::default() }).unwrap();
    let mode = fit.mode();
    let names: Vec<&str> = mode.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["sd", "sd(te: x)", "sd(te: z)"]);
    let sd = mode[0].1;
    assert!((sd * sd / 0.050_417_349_734_6 - 1.0).abs() < 1e-6, "{}", sd * sd);
    let predictors = fit.predictors();
    let parameters: f64 = predictors.iter().map(|own| (own.sd() / sd).powi(2)).sum();
    assert!((parameters - 16.554_008_766_2).abs() < 1e-5, "{parameters}");
    let fitted = [-0.162_972_101_292, 0.687_820_215_874, 0.181_829_530_801, -0.370_237_832_872];
    for (row, fitted) in [0, 40, 80, 119].into_iter().zip(fitted) {
        let own = predictors[row].mean();
        assert!((own - fitted).abs() < 1e-6, "{row}: {own} {fitted}");
    }
    let embedded = EmbeddedLaplace::new(&model).unwrap();
    let best: Vec<f64> = mode.iter().map(|(_, value)| *value).collect();
    let variance = 0.059_385_349_468_1_f64;
    let larger = variance.sqrt() / sd;
    let other = [variance.sqrt(), 0.5 * best[1] * larger, best[2] * larger];
    let fall = embedded.ln_likelihood(&best).unwrap() - embedded.ln_likelihood(&other).unwrap();
    assert!((fall - 4.476_075_271_96).abs() < 1e-6, "{fall}");
}

/// ln |Q| on the subspace of the constraints is that of the eigenvalues, and slopes are those of differences.
#[test]
fn precisions_are_those_of_eigenvalues() {
    let ([x, z], _) = data();
    let surface = SmoothSurface::at_quantiles("te", ["x", "z"], [&x, &z], [4, 5]).unwrap();
    assert_eq!(surface.size(), 20);
    assert_eq!(surface.constraints().len(), 4);
    let dense = |parameters: [f64; 2]| {
        let precision = surface.precision(&parameters).unwrap();
        let mut dense = DMatrix::zeros(20, 20);
        for ((i, j), value) in surface.pattern().into_iter().zip(&precision.values) {
            dense[(i, j)] = *value;
            dense[(j, i)] = *value;
        }
        (dense, precision)
    };
    let (matrix, precision) = dense([0.7, 0.2]);
    let mut eigenvalues: Vec<f64> = SymmetricEigen::new(&matrix).unwrap().values().iter().copied().collect();
    eigenvalues.sort_by(f64::total_cmp);
    assert!(eigenvalues[3].abs() < 1e-9 * eigenvalues[19] && eigenvalues[4] > 1e-3);
    let sum: f64 = eigenvalues[4..].iter().map(|value| value.ln()).sum();
    assert!((sum - precision.ln_determinant).abs() < 1e-8, "{sum} {}", precision.ln_determinant);
    for constraint in surface.constraints() {
        let mut row = DMatrix::zeros(20, 1);
        for (place, value) in constraint {
            row[(place, 0)] = value;
        }
        assert!((&matrix * &row).amax() < 1e-9 * matrix.amax());
    }
    for (axis, (slopes, slope)) in precision.derivatives.iter().enumerate() {
        let step = 1e-6;
        let at = |change: f64| {
            let mut parameters = [0.7, 0.2];
            parameters[axis] += change;
            dense(parameters).1
        };
        let (up, down) = (at(step), at(-step));
        let difference = (up.ln_determinant - down.ln_determinant) / (2.0 * step);
        assert!((difference / slope - 1.0).abs() < 1e-7, "{difference} {slope}");
        for ((up, down), slope) in up.values.iter().zip(&down.values).zip(slopes) {
            assert!(((up - down) / (2.0 * step) - slope).abs() < 1e-6 * slope.abs().max(1.0));
        }
    }
}

/// At a knot of both axes a row sees the value there; a product of lines stays one everywhere.
#[test]
fn rows_see_products_of_curves() {
    let ([x, z], _) = data();
    let surface = SmoothSurface::at_quantiles("te", ["x", "z"], [&x, &z], [4, 5]).unwrap();
    let [along_x, along_z] = surface.knots();
    let seen: Vec<_> = surface.rows([&[along_x[2]], &[along_z[3]]]).unwrap().triplets().collect();
    assert_eq!(seen.iter().filter(|entry| entry.2.abs() > 1e-14).collect::<Vec<_>>(), [&(0, 13, 1.0)]);
    let values: Vec<f64> =
        along_x.iter().flat_map(|x| along_z.iter().map(move |z| (1.0 + x) * (2.0 - z))).collect();
    for point in [(3.3, 0.07), (-4.0, 0.1), (20.0, 1.0)] {
        let rows = surface.rows([&[point.0], &[point.1]]).unwrap();
        let sum: f64 = rows.triplets().map(|(_, place, weight)| weight * values[place]).sum();
        assert!((sum - (1.0 + point.0) * (2.0 - point.1)).abs() < 1e-12 * 21.0, "{sum}");
    }
    assert!(surface.rows([&[1.0, 2.0], &[1.0]]).is_err());
    assert!(surface.rows([&[f64::NAN], &[1.0]]).is_err());
    assert!(SmoothSurface::new("te", ["x", "z"], [&[0.0, 1.0], &[0.0, 1.0, 2.0]]).is_err());
}
