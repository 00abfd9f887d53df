//! Logistic regression by the variational bound of Jaakkola and Jordan.
//!
//! Each factor σ(±η) lies above a Gaussian that touches it at η = ±ξ. With one ξ for each row the posterior
//! is Gaussian and ln p(y) has a lower bound in closed form; raising the bound in ξ by EM never lowers it.
//! (The same as mean field for the precisions of [`polya_gamma`](crate::polya_gamma): E ω = 2 n λ(ξ).)
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//! use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
//! use posterior_regression::variational_logistic::{VariationalOptions, variational_logistic};
//!
//! let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
//! let successes = [0.0, 0.0, 1.0, 0.0, 1.0];
//! let data = GlmData::new(&design, &successes)?;
//! let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
//! let fitted = variational_logistic(&model, &VariationalOptions::default(), &mut Silent)?;
//! assert!(fitted.report.converged());
//! // Below the truth, which is -3.632910154146.
//! assert!((fitted.model.ln_evidence_bound - -3.760925115751).abs() < 1e-9);
//! # Ok::<(), posterior_regression::Error>(())
//! ```
//!
//! # References
//! T. Jaakkola, M. Jordan, Bayesian parameter estimation via variational methods, Statistics and Computing
//! 10, 2000; C. Bishop, Pattern recognition and machine learning, section 10.6.

use posterior_gaussian::Gaussian;
use posterior_math::iteration::{Fall, Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::ln_logistic;

use crate::Error;
use crate::glm::{Family, Glm, Predictor, weighted_gram};

/// How the bound is raised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VariationalOptions {
    /// The run has converged when a step raises the bound by less than this. 10⁻¹² by default.
    pub tolerance: f64,
    /// The most steps: 10,000 by default.
    pub max_iterations: usize,
}

impl Default for VariationalOptions {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 10_000 }
    }
}

/// The Gaussian of the best bound.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VariationalPosterior {
    /// The distribution of the coefficients.
    pub distribution: Gaussian,
    /// A lower bound of ln p(y).
    pub ln_evidence_bound: f64,
    /// ξ of each row, where the bound of its factor is exact.
    pub touching: Vec<f64>,
}

/// λ(ξ) = tanh(ξ/2) / (4ξ), 1/8 at 0.
fn curvature(xi: f64) -> f64 {
    let half = 0.5 * xi.abs();
    if half < 1e-5 { 0.125 * (1.0 - half * half / 3.0) } else { 0.125 * half.tanh() / half }
}

/// The Gaussian posterior that maximises the bound, and the bound.
///
/// n p² + p³ operations for each step; steps gain a constant proportion, 10 to 100 are usual. A rounding
/// error may lower the bound in its last digits when it is reached; anything more is reported as a fall.
///
/// # Errors
/// Another family than the logit, or a dispersion other than 1; a prior that is flat somewhere, without which
/// there is no evidence.
pub fn variational_logistic(
    model: &Glm<'_, Family>,
    options: &VariationalOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<VariationalPosterior>, Error> {
    if *model.distribution() != Family::Logit || model.dispersion() != Some(1.0) {
        return Err(Error::NoFit { why: "the bound is for binomial responses with a logit link" });
    }
    if !model.prior().is_proper() {
        return Err(Error::NoFit { why: "the bound needs a proper prior of every coefficient" });
    }
    let mut touching = vec![0.0; model.data().rows()];
    let (mut distribution, mut bound) = update(model, &touching)?;
    let mut progress = Progress::new(bound, options.max_iterations, observer);
    let mut falls = Vec::new();
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let data = model.data();
        for (row, predictor) in Predictor::of_rows(&distribution, data.design())?.into_iter().enumerate() {
            touching[row] = (predictor.mean + data.offset(row)).hypot(predictor.variance.sqrt());
        }
        let last = bound;
        (distribution, bound) = update(model, &touching)?;
        let stopped = progress.stopped_after(bound);
        if bound < last - 1e-11 * last.abs().max(1.0) {
            falls.push(Fall::new(progress.iterations(), last - bound));
        }
        if stopped {
            break Stop::Observer;
        }
        if bound - last <= options.tolerance * last.abs().max(1.0) {
            break Stop::Converged;
        }
    };
    let model = VariationalPosterior { distribution, ln_evidence_bound: bound, touching };
    Ok(Fitted { model, report: posterior_math::iteration::Report { falls, ..progress.finish(stop) } })
}

/// The Gaussian for these ξ, and the bound.
fn update(model: &Glm<'_, Family>, touching: &[f64]) -> Result<(Gaussian, f64), Error> {
    let (data, prior) = (model.data(), model.prior());
    let weights: Vec<f64> =
        touching.iter().enumerate().map(|(row, xi)| 2.0 * data.weight(row) * curvature(*xi)).collect();
    let mut precision: DMatrix<f64> = weighted_gram(data, &weights);
    let mut linear = vec![0.0; data.columns()];
    // ½ ln |P₀| - ½ m₀ᵀ P₀ m₀ and what the rows have without β.
    let mut constant = 0.0;
    for (j, (mean, tau)) in prior.mean().iter().zip(prior.precision()).enumerate() {
        precision[(j, j)] += tau;
        linear[j] = mean * tau;
        constant += 0.5 * (tau.ln() - tau * mean * mean);
    }
    for row in 0..data.rows() {
        let (n, y, offset, xi) = (data.weight(row), data.response()[row], data.offset(row), touching[row]);
        if n == 0.0 {
            continue;
        }
        let signed = n * (y - 0.5);
        constant += n * (ln_logistic(xi) - 0.5 * xi)
            + 0.5 * weights[row] * (xi * xi - offset * offset)
            + signed * offset;
        let slope = signed - weights[row] * offset;
        for (column, sum) in linear.iter_mut().enumerate() {
            *sum += slope * data.design()[(row, column)];
        }
    }
    // The binomial coefficients.
    constant += ln_coefficients(model);
    let factor = Cholesky::new(&precision)?;
    factor.half_solve_slice_in_place(&mut linear);
    let square: f64 = linear.iter().map(|x| x * x).sum();
    let bound = constant + 0.5 * (square - factor.ln_determinant());
    factor.half_solve_transpose_slice_in_place(&mut linear);
    Ok((Gaussian::from_precision(&linear, &precision)?, bound))
}

/// Σ ln (n choose n y): what ln p(y | β) has beside Σ n (y ln μ + (1 - y) ln(1 - μ)), at β = 0 for instance.
fn ln_coefficients(model: &Glm<'_, Family>) -> f64 {
    use crate::glm::ResponseDistribution;
    use posterior_math::log_space::x_ln_x;
    let data = model.data();
    let mut sum = 0.0;
    for (row, &y) in data.response().iter().enumerate() {
        let n = data.weight(row);
        if n > 0.0 {
            sum += model.distribution().ln_best(y, n, 1.0).unwrap_or(0.0) - n * (x_ln_x(y) + x_ln_x(1.0 - y));
        }
    }
    sum
}
