//! Binary classification by Laplace's method: modes, evidences, gradients, predictions.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use posterior_gp::classification::{ModeOptions, ObservationModel, laplace};
use posterior_gp::likelihood::{Likelihood, LogisticLikelihood, Probit};
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::reference::{list, load, number, numbers, rows};
use serde_json::Value;

/// Measured: 2e-13 for the worst number of all, in relative terms or against 1.
const TOLERANCE: f64 = 1e-12;

#[test]
fn table() {
    let table = load("gp_laplace");
    let cases = list(&table["cases"]);
    assert_eq!(cases.len(), 7);
    for case in cases {
        match case["likelihood"].as_str() {
            Some("logit") => check(case, &LogisticLikelihood),
            Some("probit") => check(case, &Probit),
            other => panic!("likelihood {other:?}"),
        }
    }
}

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
}

fn prior(case: &Value) -> GaussianProcess {
    let parameters = numbers(&case["hyperparameters"]);
    let correlation = match case["kernel"].as_str() {
        Some("rbf") => Kernel::rbf(parameters[1]),
        Some("matern32") => Kernel::matern32(parameters[1]),
        Some("matern52") => Kernel::matern52(parameters[1]),
        other => panic!("kernel {other:?}"),
    };
    GaussianProcess::new(parameters[0] * correlation.unwrap())
}

fn check<L: Likelihood<Output = f64>>(case: &Value, likelihood: &L) {
    let close = |what: &str, value: f64, expected: f64| {
        let error = (value - expected).abs() / expected.abs().max(1.0);
        assert!(error <= TOLERANCE, "{what}: {value} is not {expected}, by {error:e}, in {case}");
    };
    let observations =
        ObservationModel::new(matrix(&rows(&case["x"])), &numbers(&case["labels"]), likelihood.clone())
            .unwrap();
    let fitted = laplace(&observations, &prior(case), &ModeOptions::default(), &mut Silent).unwrap();
    assert!(fitted.report.converged());
    let posterior = fitted.model;
    for (&mode, expected) in posterior.mode().iter().zip(numbers(&case["mode"])) {
        close("mode", mode, expected);
    }
    close("ln p(y | mode)", posterior.ln_likelihood_at_mode(), number(&case["log_likelihood_at_mode"]));
    close("evidence", posterior.ln_evidence(), number(&case["approx_log_marginal_likelihood"]));
    for (slope, expected) in
        posterior.gradient().kernel.into_iter().zip(numbers(&case["grad_log_hyperparameters"]))
    {
        close("gradient", slope, expected);
    }
    let latent = posterior.latent(&matrix(&rows(&case["x_test"]))).unwrap();
    let averaged = latent.mean_response(likelihood);
    let plugged_in = latent.plug_in_response(likelihood);
    for (i, prediction) in list(&case["predictions"]).iter().enumerate() {
        close("mean", latent.mean[i], number(&prediction["latent_mean"]));
        close("variance", latent.variance[i], number(&prediction["latent_variance"]));
        close("averaged", averaged[i], number(&prediction["averaged_probability"]));
        close("plugged in", plugged_in[i], number(&prediction["plug_in_probability"]));
    }
}
