//! Exact regression: worked numbers and laws.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_gp::{GaussianProcess, Kernel, Mean, Noise, Posterior};
use posterior_math::linalg::DMatrix;

fn column(x: &[f64]) -> DMatrix<f64> {
    DMatrix::from_column_slice(x.len(), 1, x)
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= tolerance * expected.abs().max(1.0),
            "{found} instead of {expected}"
        );
    }
}

/// Three observations of a process with a squared exponential kernel.
fn worked_example() -> Posterior {
    let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0).unwrap());
    prior.condition(&column(&[-1.0, 0.0, 2.0]), &[0.5, 1.0, -0.3], &Noise::variance(0.1).unwrap()).unwrap()
}

#[test]
fn the_worked_example_has_its_numbers() {
    let posterior = worked_example();
    assert!((posterior.ln_marginal_likelihood() + 3.2494398794920425).abs() < 1e-14);
    let at = column(&[-0.5, 1.0, 3.0]);
    let prediction = posterior.predict(&at).unwrap();
    close(prediction.mean.as_slice(), &[0.788295246465, 0.360482788475, -0.229177795464], 1e-12);
    close(prediction.variance.as_slice(), &[0.086332467143, 0.367395293389, 0.660683520959], 1e-12);
    close(posterior.mean(&at).unwrap().as_slice(), prediction.mean.as_slice(), 1e-15);
    close(posterior.covariance(&at).unwrap().diagonal().as_slice(), prediction.variance.as_slice(), 1e-14);
    assert_eq!(posterior.jitter(), None);
    // The table has derivatives by ln of the length and of two standard deviations.
    let names: Vec<String> = posterior.parameters().into_iter().map(|parameter| parameter.name).collect();
    assert_eq!(names.last().map(String::as_str), Some("noise.variance"));
    let gradient = posterior.gradient();
    let length = names.iter().position(|name| name.contains("length_scale")).unwrap_or(9);
    close(&[gradient[length]], &[0.2469470852891], 1e-12);
    close(&[2.0 * gradient[1 - length], 2.0 * gradient[2]], &[-1.6801440209432, -0.2379571095117], 1e-12);
}

#[test]
fn the_worked_example_has_its_leave_one_out_numbers() {
    let left_out = worked_example().leave_one_out();
    close(left_out.prediction.mean.as_slice(), &[0.576192689631, 0.23985990491, 0.127295684948], 1e-12);
    close(left_out.prediction.variance.as_slice(), &[0.761840513065, 0.750385148731, 1.078080110457], 1e-12);
    assert!((left_out.ln_score + 2.9883131777514107).abs() < 1e-13);
}

#[test]
fn without_observations_it_is_the_prior() {
    let prior = GaussianProcess::new(3.0 * Kernel::rbf(1.0).unwrap()).with_mean(Mean::constant(2.0).unwrap());
    let posterior = prior.condition(&DMatrix::zeros(0, 1), &[], &Noise::variance(0.1).unwrap()).unwrap();
    let at = column(&[0.0, 1.0]);
    assert_eq!(posterior.ln_marginal_likelihood(), 0.0);
    assert_eq!(posterior.predict(&at).unwrap().mean.as_slice(), [2.0, 2.0]);
    assert_eq!(posterior.predict(&at).unwrap().variance.as_slice(), [3.0, 3.0]);
    assert_eq!(posterior.law(&at).unwrap(), prior.law(&at).unwrap());
    assert_eq!(posterior.gradient(), [0.0; 4]);
}
