//! What is promised of linear regression.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod averaged;
mod edges;
mod golden;
mod multi_output;
mod posteriordb;
mod properties;
mod sequential;
mod unknown_noise;

use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_regression::linear::WeightPrior;
use rand::RngExt;

/// Relative to the larger number, or to 1.
#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    let scale = a.abs().max(b.abs()).max(1.0);
    assert!((a - b).abs() <= tolerance * scale, "{a} and {b} differ by {:e}", (a - b).abs() / scale);
}

#[track_caller]
fn all_close<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>, tolerance: f64) {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).for_each(|(a, b)| close(**a, **b, tolerance));
}

/// A random regression: features, responses, a prior with its covariance.
struct Case {
    design: DMatrix<f64>,
    response: Vec<f64>,
    prior: WeightPrior,
    covariance: DMatrix<f64>,
    noise_variance: f64,
}

fn case(seed: u64, rows: usize, features: usize) -> Case {
    let mut rng = stream(seed, &[rows as u64, features as u64]);
    let mut number = || rng.random::<f64>() * 2.0 - 1.0;
    let design = DMatrix::from_fn(rows, features, |_, _| 2.0 * number());
    let root = DMatrix::from_fn(features, features, |i, j| number() + if i == j { 2.0 } else { 0.0 });
    let covariance = &root * root.transpose();
    let covariance = (&covariance + covariance.transpose()) * 0.5;
    let mean: Vec<f64> = (0..features).map(|_| number()).collect();
    let response = (0..rows).map(|_| 3.0 * number()).collect();
    let noise_variance = 0.2 + number().abs();
    let prior = WeightPrior::gaussian(&mean, &covariance).unwrap();
    Case { design, response, prior, covariance, noise_variance }
}

/// The posterior and the evidence by dense textbook formulas on nalgebra's LU: another route, with explicit
/// inverses.
struct Dense {
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
    ln_evidence: f64,
}

fn dense(case: &Case, variances: &[f64], offset: &[f64]) -> Dense {
    let noise = DMatrix::from_diagonal(&DVector::from_column_slice(variances));
    let g = &case.design * &case.covariance * case.design.transpose() + noise;
    let y = DVector::from_column_slice(&case.response) - DVector::from_column_slice(offset);
    let residual = y - &case.design * case.prior.mean();
    let inverse = g.clone().try_inverse().unwrap();
    let gain = &case.covariance * case.design.transpose() * &inverse;
    let mean = case.prior.mean() + &gain * &residual;
    let covariance = &case.covariance - &gain * &case.design * &case.covariance;
    let distance = residual.dot(&(&inverse * &residual));
    let ln_determinant: f64 = g.lu().u().diagonal().iter().map(|pivot| pivot.abs().ln()).sum();
    let n = variances.len() as f64;
    let ln_evidence = -0.5 * (n * std::f64::consts::TAU.ln() + ln_determinant + distance);
    Dense { mean, covariance, ln_evidence }
}
