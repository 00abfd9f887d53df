//! Numbers from elsewhere: formulas by hand, the tables of 30 digits.

use posterior_gp::Kernel;
use posterior_math::linalg::DMatrix;
use posterior_testkit::reference::{load, number, numbers};

#[track_caller]
fn is_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance * expected.abs(), "{value} and {expected}");
}

#[test]
fn values_at_distance_one() {
    let at_one = [
        ("matern12(1)", 0.36787944117144233),
        ("matern32(1)", 0.4833577245965077),
        ("matern52(1)", 0.5239941088318203),
        ("rbf(1)", 0.6065306597126334),
        ("rational_quadratic(1, 1)", 2.0 / 3.0),
        ("matern(0.5, 1)", 0.36787944117144233),
        ("matern(1.5, 1)", 0.4833577245965077),
        ("matern(2.5, 1)", 0.5239941088318203),
        // √(2ν) r = 1: K₁(1) for ν = 1/2·2 of r = 1/√2 below; here ν = 1, t = √2, t K₁(t) by mpmath.
        ("matern(1, 1)", 0.44434252363223755),
    ];
    for (kernel, expected) in at_one {
        is_close(kernel.parse::<Kernel>().unwrap().value(&[2.0], &[1.0]), expected, 4e-15);
    }
    is_close(Kernel::periodic(1.0, 2.0).unwrap().value(&[0.0], &[0.5]), 0.3678794411714424, 4e-16);
    is_close(Kernel::integrated_wiener().value(&[1.0], &[2.0]), 5.0 / 6.0, 4e-16);
    assert_eq!(Kernel::wiener().value(&[1.5], &[1.0]), 1.0);
    assert_eq!(Kernel::white().value(&[1.5, 2.0], &[1.5, 2.0]), 1.0);
    assert_eq!(Kernel::white().value(&[1.5, 2.0], &[1.5, 2.1]), 0.0);
}

/// Integrals over normal weights w ~ N(0, diag(b, 1)), by polar coordinates: 2 E[(w·u)₊ⁿ (w·u')₊ⁿ].
#[test]
fn arc_cosine_kernels_are_expected_products_of_units() {
    let (bias, x, y) = (0.7_f64, 1.3, -0.4);
    for order in 0..3 {
        // w = r (cos φ, sin φ): E r^(2n) = 2ⁿ n!, and the mean over the angle.
        let steps = 2_000_000;
        let mean = (0..steps)
            .map(|i| {
                let angle = (f64::from(i) + 0.5) / f64::from(steps) * std::f64::consts::TAU;
                let unit = |x: f64| bias.sqrt() * angle.cos() + x * angle.sin();
                let power = |z: f64| if z > 0.0 { z.powi(order) } else { 0.0 };
                power(unit(x)) * power(unit(y))
            })
            .sum::<f64>()
            / f64::from(steps);
        let radial = [1.0, 2.0, 8.0][order as usize];
        let kernel = Kernel::arc_cosine(order as u32, bias).unwrap();
        let tolerance = if order == 0 { 2e-6 } else { 1e-10 };
        is_close(kernel.value(&[x], &[y]), 2.0 * radial * mean, tolerance);
    }
}

/// E[erf(w·u) erf(w·u')] for w ~ N(0, diag(b, w)), by the trapezoidal rule on both weights.
#[test]
fn the_neural_network_kernel_is_the_expected_product_of_error_functions() {
    let (weight, bias, x, y) = (0.6_f64, 1.2_f64, 0.8, -1.9);
    let step = 0.05;
    let mut sum = 0.0;
    for i in -180..=180 {
        for j in -180..=180 {
            let (a, b) = (f64::from(i) * step, f64::from(j) * step);
            let unit = |x: f64| posterior_math::special::erf(a * bias.sqrt() + b * weight.sqrt() * x);
            sum += (-0.5 * (a * a + b * b)).exp() * unit(x) * unit(y);
        }
    }
    let expected = sum * step * step / std::f64::consts::TAU;
    is_close(Kernel::neural_network(weight, bias).unwrap().value(&[x], &[y]), expected, 1e-12);
}

#[test]
fn the_spectral_mixture_is_its_formula() {
    let (weights, means, variances) = ([0.4, 1.5], [0.3, 0.0], [0.02, 0.5]);
    let kernel = Kernel::spectral_mixture(&weights, &means, &variances).unwrap();
    let tau = 0.83_f64;
    let pi = std::f64::consts::PI;
    let expected: f64 = (0..2)
        .map(|q| {
            weights[q] * (-2.0 * pi * pi * tau * tau * variances[q]).exp() * (2.0 * pi * tau * means[q]).cos()
        })
        .sum();
    is_close(kernel.value(&[2.0], &[2.0 + tau]), expected, 1e-14);
}

#[test]
fn rational_quadratic_kernels_tend_to_the_rbf_kernel() {
    let rbf = Kernel::rbf(0.8).unwrap().value(&[0.0], &[1.1]);
    for (alpha, tolerance) in [(1e3, 2e-3), (1e6, 2e-6), (1e12, 1e-11)] {
        let kernel = Kernel::rational_quadratic(0.8, alpha).unwrap();
        is_close(kernel.value(&[0.0], &[1.1]), rbf, tolerance);
    }
}

/// The kernel of a case of the table `gp_regression`, whose parameters are the table's in their order.
fn kernel_of(case: &serde_json::Value) -> Kernel {
    let expressions = [
        ("rbf", "{0}*rbf({1})"),
        ("matern12", "{0}*matern12({1})"),
        ("matern32", "{0}*matern32({1})"),
        ("matern52", "{0}*matern52({1})"),
        ("rational_quadratic", "{0}*rational_quadratic({1}, {2})"),
        ("periodic", "{0}*periodic({1}, {2})"),
        ("linear", "{0}*linear() + constant({1})"),
        ("polynomial2", "{0}*polynomial(2, {1})"),
        ("polynomial3", "{0}*polynomial(3, {1})"),
        ("wiener", "{0}*wiener()"),
        ("cubic_spline", "{0}*cubic_spline()"),
        ("rbf_ard", "{0}*rbf({rest})"),
        ("rbf_plus_linear", "{0}*rbf({1}) + {2}*linear() + constant({3})"),
        ("rbf_times_periodic", "rbf({0})*({1}*periodic({2}, {3}))"),
    ];
    let name = case["kernel"].as_str().unwrap();
    let (_, expression) = expressions.iter().find(|(other, _)| *other == name).unwrap();
    let values = numbers(&case["hyperparameters"]);
    let mut text = expression.replace("{rest}", &format!("{:?}", &values[1..]));
    for (i, value) in values.iter().enumerate() {
        text = text.replace(&format!("{{{i}}}"), &value.to_string());
    }
    text.parse().unwrap()
}

#[test]
fn kernels_are_those_of_the_table() {
    let table = load("gp_regression");
    let mut seen = 0;
    for case in table["cases"].as_array().unwrap() {
        let kernel = kernel_of(case);
        let inputs: Vec<Vec<f64>> = case["x"].as_array().unwrap().iter().map(numbers).collect();
        let gram = kernel.gram(&DMatrix::from_fn(inputs.len(), inputs[0].len(), |i, j| inputs[i][j]));
        let scale = number(&case["kernel_row0"][0]).abs();
        for (j, expected) in numbers(&case["kernel_row0"]).into_iter().enumerate() {
            // Rounding of the exponent costs digits of small values; sums may cancel.
            let tolerance = 4e-15 * expected.abs().max(1e-3 * scale);
            let value = kernel.value(&inputs[0], &inputs[j]);
            assert!((value - expected).abs() <= tolerance, "{kernel} {j}: {value} {expected}");
            assert!((gram[(0, j)] - expected).abs() <= tolerance, "{kernel} {j}");
            seen += 1;
        }
        assert_eq!(kernel.parameters().len(), numbers(&case["hyperparameters"]).len());
    }
    assert!(seen > 300, "{seen}");
}
