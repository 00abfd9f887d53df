//! Known distributions from whole runs, within their Monte Carlo errors.

use posterior_dist::target::{FromGradFn, GradTarget};
use posterior_math::linalg::DMatrix;
use posterior_sampling::hamiltonian::{Hmc, MetricChoice, Nuts};
use posterior_sampling::{Adapt, Draws, Run, Start, Transition};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};

use super::{Normal, autoregression, standard};

/// Standard errors: of a normal estimate, beyond these once in ten million.
const ERRORS: f64 = 5.4;

fn sample<T, A>(target: &T, sampler: &A, draws: usize) -> Draws
where
    T: GradTarget + Sync,
    A: Adapt<T, Progress: Send, Tuned: Transition<T, State: Send> + Send> + Sync,
{
    let run = Run { draws, seed: 3, ..Run::default() };
    run.sample(target, sampler, &Start::default()).unwrap().draws
}

/// The mean of a function of the draws, in standard errors from what is expected, by the means of 40 batches.
fn in_errors(draws: &Draws, expected: f64, f: impl Fn(&[f64]) -> f64) -> f64 {
    let batch = draws.len() / 10;
    let means: Vec<f64> = (0..draws.chains() * 10)
        .map(|i| {
            let (chain, from) = (i / 10, i % 10 * batch);
            (from..from + batch).map(|k| f(draws.draw(chain, k))).sum::<f64>() / batch as f64
        })
        .collect();
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean - expected) / (variance / count).sqrt()
}

/// Means, variances and neighbouring covariances of a normal distribution with mean 0; the errors themselves
/// are checked to be small.
fn check_normal(draws: &Draws, covariance: &DMatrix<f64>, accuracy: f64) {
    for i in 0..covariance.nrows() {
        let mean = in_errors(draws, 0.0, |x| x[i]);
        let variance = in_errors(draws, covariance[(i, i)], |x| x[i] * x[i]);
        let j = (i + 1) % covariance.nrows();
        let product = in_errors(draws, covariance[(i, j)], |x| x[i] * x[j]);
        assert!(
            mean.abs() < ERRORS && variance.abs() < ERRORS && product.abs() < ERRORS,
            "coordinate {i}: {mean} {variance} {product} standard errors"
        );
        let spread = draws.parameter(i).concat().iter().map(|x| x * x).sum::<f64>()
            / (draws.len() * draws.chains()) as f64;
        assert!((spread / covariance[(i, i)] - 1.0).abs() < accuracy, "coordinate {i}: {spread}");
    }
}

fn autoregression_covariance(dim: usize, r: f64) -> DMatrix<f64> {
    DMatrix::from_fn(dim, dim, |i, j| r.powf(i.abs_diff(j) as f64))
}

#[test]
fn a_standard_normal_distribution_of_a_hundred_coordinates() {
    check_normal(&sample(&standard(100), &Nuts::default(), 1000), &DMatrix::identity(100, 100), 0.2);
}

#[test]
fn a_normal_distribution_with_correlations_and_scales() {
    let covariance = DMatrix::from_row_slice(3, 3, &[1e4, 60.0, 0.0, 60.0, 1.0, 0.005, 0.0, 0.005, 1e-4]);
    let target = Normal::new(&covariance);
    for metric in
        [MetricChoice::Diagonal, MetricChoice::DiagonalDraws, MetricChoice::Dense, MetricChoice::LOW_RANK]
    {
        let draws = sample(&target, &Nuts { metric: metric.clone(), ..Nuts::default() }, 2000);
        check_normal(&draws, &covariance, 0.15);
        let draws = sample(&target, &Hmc { metric, ..Hmc::default() }, 2000);
        check_normal(&draws, &covariance, 0.3);
    }
}

#[test]
fn an_autoregression_with_dense_and_low_rank_metrics() {
    let target = autoregression(50, 0.95);
    let covariance = autoregression_covariance(50, 0.95);
    let gradients = |metric| {
        let draws = sample(&target, &Nuts { metric, ..Nuts::default() }, 1000);
        check_normal(&draws, &covariance, 0.4);
        draws.statistic("n_steps").unwrap().concat().iter().sum::<f64>() / 4000.0
    };
    let [diagonal, dense, low_rank] =
        [MetricChoice::Diagonal, MetricChoice::Dense, MetricChoice::LOW_RANK].map(gradients);
    // The diagonal metric leaves a condition of about 1,500, the others about 1.
    assert!(dense < 12.0 && low_rank < 12.0 && diagonal > 40.0, "{diagonal} {dense} {low_rank} steps a draw");
}

#[test]
fn thinned_draws_have_a_distribution_that_is_not_normal() {
    // ln of a gamma variate of shape 3: skewed.
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = 3.0 - x[0].exp();
        3.0 * x[0] - x[0].exp()
    });
    let run = Run { draws: 3000, thin: 5, seed: 8, ..Run::default() };
    let sampled = run.sample(&target, &Nuts::default(), &Start::default()).unwrap();
    let cdf = |x: f64| {
        let t = x.exp();
        1.0 - (-t).exp() * (1.0 + t + 0.5 * t * t)
    };
    let p_value = kolmogorov_smirnov_p_value(&sampled.draws.parameter(0).concat(), cdf);
    assert!(p_value > LEVEL, "{p_value}");
}

#[test]
fn a_banana() {
    // x₀ ~ N(0, 1), x₁ ~ N(x₀², 1): mean (0, 1), variances 1 and 3, and E x₀² x₁ = 3.
    let target = FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let residual = x[1] - x[0] * x[0];
        gradient.copy_from_slice(&[2.0 * x[0] * residual - x[0], -residual]);
        -0.5 * (x[0] * x[0] + residual * residual)
    });
    let draws = sample(&target, &Nuts::default(), 5000);
    let errors = [
        in_errors(&draws, 0.0, |x| x[0]),
        in_errors(&draws, 1.0, |x| x[1]),
        in_errors(&draws, 1.0, |x| x[0] * x[0]),
        in_errors(&draws, 3.0, |x| (x[1] - 1.0).powi(2)),
        in_errors(&draws, 3.0, |x| x[0] * x[0] * x[1]),
    ];
    assert!(errors.iter().all(|error| error.abs() < ERRORS), "{errors:?}");
}
