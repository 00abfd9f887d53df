//! The table of exact regression: 25 cases with all kinds of kernels.

use posterior_gp::{GaussianProcess, GaussianProcessPosterior, Kernel, Noise};
use posterior_math::linalg::DMatrix;
use posterior_testkit::reference::{list, load, number, numbers, rows};
use serde_json::Value;

/// The kernel of a case, with its parameters in the order of the table.
fn kernel(name: &str, p: &[f64]) -> Kernel {
    let kernel = match name {
        "rbf" => Kernel::rbf(p[1]),
        "rbf_ard" => Kernel::rbf_ard(&p[1..]),
        "matern12" => Kernel::matern12(p[1]),
        "matern32" => Kernel::matern32(p[1]),
        "matern52" => Kernel::matern52(p[1]),
        "rational_quadratic" => Kernel::rational_quadratic(p[1], p[2]),
        "periodic" => Kernel::periodic(p[1], p[2]),
        "polynomial2" => Kernel::polynomial(2, p[1]),
        "polynomial3" => Kernel::polynomial(3, p[1]),
        "wiener" => Ok(Kernel::wiener()),
        "cubic_spline" => Ok(Kernel::integrated_wiener()),
        "linear" => return p[0] * Kernel::linear() + Kernel::constant(p[1]).unwrap(),
        "rbf_plus_linear" => {
            let rest = p[2] * Kernel::linear() + Kernel::constant(p[3]).unwrap();
            return p[0] * Kernel::rbf(p[1]).unwrap() + rest;
        }
        "rbf_times_periodic" => {
            return Kernel::rbf(p[0]).unwrap() * (p[1] * Kernel::periodic(p[2], p[3]).unwrap());
        }
        _ => unreachable!("a kernel of the table"),
    };
    p[0] * kernel.unwrap()
}

fn matrix(value: &Value) -> DMatrix<f64> {
    let rows = rows(value);
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

/// 10⁻⁹ where the condition number of the covariance of the outputs is below 10⁵, and 10⁻⁷ else; of the
/// largest number of its kind.
fn tolerance(posterior: &GaussianProcessPosterior) -> f64 {
    if posterior.condition_estimate() < 1e5 { 1e-9 } else { 1e-7 }
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance * scale, "{what}: {found} instead of {expected}");
    }
}

#[test]
fn all_cases_of_the_table() {
    let table = load("gp_regression");
    let cases = list(&table["cases"]);
    assert_eq!(cases.len(), 25);
    for case in cases {
        let name = case["kernel"].as_str().unwrap();
        let kernel = kernel(name, &numbers(&case["hyperparameters"]));
        let noise = Noise::variance(number(&case["noise_variance"])).unwrap();
        let (x, y, at) = (matrix(&case["x"]), numbers(&case["y"]), matrix(&case["x_test"]));
        let posterior = GaussianProcess::new(kernel).condition(&x, &y, &noise).unwrap();
        assert_eq!(posterior.jitter(), None);
        let tolerance = tolerance(&posterior);
        let scalar = |what, found, field| close(what, &[found], &[number(&case[field])], tolerance);
        scalar("ln evidence", posterior.ln_evidence(), "log_marginal_likelihood");
        let mut slopes = numbers(&case["grad_log_hyperparameters"]);
        slopes.push(number(&case["grad_log_noise_variance"]));
        close("gradient", &posterior.gradient(), &slopes, tolerance);
        let prediction = posterior.latent(&at).unwrap();
        close("means", prediction.mean.as_slice(), &numbers(&case["posterior_mean"]), tolerance);
        let covariance = matrix(&case["posterior_cov"]);
        close("covariance", posterior.covariance(&at).unwrap().as_slice(), covariance.as_slice(), tolerance);
        close("variances", prediction.variance.as_slice(), covariance.diagonal().as_slice(), tolerance);
        let left_out = posterior.leave_one_out();
        close("left-out means", left_out.prediction.mean.as_slice(), &numbers(&case["loo_mean"]), tolerance);
        let variances = numbers(&case["loo_variance"]);
        close("left-out variances", left_out.prediction.variance.as_slice(), &variances, tolerance);
        scalar("left-out score", left_out.ln_score, "loo_log_predictive");
    }
}
