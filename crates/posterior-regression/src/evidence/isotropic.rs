//! One precision for all weights, and that of the noise.

use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::MatrixError;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::EvidenceOptions;
use super::spectrum::Spectrum;
use crate::Error;
use crate::linear::{LinearData, LinearPosterior, WeightPrior, known_noise};

/// α is not followed beyond this multiple of the mean of β λ: the weights are zero then.
const LARGEST_RATIO: f64 = 1e10;

/// β is not followed beyond this multiple of 1/mean y²: the noise is zero then.
const LARGEST_PRECISION: f64 = 1e14;

/// Hyperparameters that maximise the evidence, and the posterior under them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EmpiricalBayes {
    /// α: the weights that are not free are N(0, I/α).
    pub prior_precision: f64,
    /// σ² = 1/β.
    pub noise_variance: f64,
    /// γ, from 0 to the number of weights that are not free.
    pub effective_parameters: f64,
    /// ln p(y | α, β), with a density of 1 for free weights.
    pub ln_evidence: f64,
    /// The posterior under these hyperparameters.
    pub posterior: LinearPosterior,
    /// The end of the scale that was reached, if one was: the evidence has its supremum there.
    pub limit: Option<EvidenceLimit>,
}

/// Where the evidence grows to an end of the scale of a hyperparameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvidenceLimit {
    /// α grows without bound: the features say nothing, and the weights are zero.
    NoSignal,
    /// β grows without bound: the features say everything.
    NoNoise,
}

/// The hyperparameters by MacKay's fixed points: α = γ/|m|², β = (n - γ)/|y - Φ m|².
///
/// n F² and F³ operations at the start, then F a step. The trace is ln p(y).
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::evidence::{EvidenceOptions, fixed_points};
/// use posterior_regression::linear::LinearData;
///
/// // A line, and four powers too many.
/// let design = DMatrix::from_fn(20, 6, |i, j| (0.1 * i as f64 - 1.0).powi(j as i32));
/// let y: Vec<f64> = (0..20).map(|i| 1.0 + 2.0 * design[(i, 1)] + 0.1 * (i as f64 * 2.3).sin()).collect();
/// let data = LinearData::new(&design, &y)?;
/// let found = fixed_points(&data, &[0], &EvidenceOptions::default(), &mut Silent)?;
/// assert!(found.report.converged());
/// assert!((found.model.posterior.mean()[1] - 2.0).abs() < 0.2);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # Errors
/// If a free column is not there or is a combination of other free ones, there are no more rows than free
/// columns, no column that is not free, all responses are on the function of the free columns, or numbers
/// overflow.
pub fn fixed_points(
    data: &LinearData<'_>,
    free: &[usize],
    options: &EvidenceOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<EmpiricalBayes>, Error> {
    let spectrum = prepared(data, free)?;
    let (mut alpha, mut beta) = start(&spectrum);
    let mut at = spectrum.at(alpha, beta);
    let mut progress = Progress::new(at.ln_evidence, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let next = bounded(&spectrum, at.determined / at.weights, at.undetermined / at.residuals);
        let change = (next.0 / alpha).ln().abs().max((next.1 / beta).ln().abs());
        (alpha, beta) = next;
        at = spectrum.at(alpha, beta);
        if progress.stopped_after(at.ln_evidence) {
            break Stop::Observer;
        }
        if change <= options.tolerance {
            break Stop::Converged;
        }
    };
    let report = progress.finish(stop);
    Ok(Fitted { model: finish(data, free, &spectrum, alpha, beta)?, report })
}

/// The hyperparameters by L-BFGS on ln α and ln β. The trace is -ln p(y).
///
/// # Errors
/// As [`fixed_points`].
pub fn fit(
    data: &LinearData<'_>,
    free: &[usize],
    options: &EvidenceOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<EmpiricalBayes>, Error> {
    let spectrum = prepared(data, free)?;
    let (alpha, beta) = start(&spectrum);
    let objective = |x: &[f64], gradient: &mut [f64]| {
        let wanted = (x[0].exp(), x[1].exp());
        let (alpha, beta) = bounded(&spectrum, wanted.0, wanted.1);
        let at = spectrum.at(alpha, beta);
        // Flat beyond the bounds, where nothing is left to gain.
        gradient[0] = if alpha == wanted.0 { 0.5 * (alpha * at.weights - at.determined) } else { 0.0 };
        gradient[1] = if beta == wanted.1 { 0.5 * (beta * at.residuals - at.undetermined) } else { 0.0 };
        -at.ln_evidence
    };
    // The tolerance of L-BFGS is relative to the value.
    let size = spectrum.at(alpha, beta).ln_evidence.abs().max(1.0);
    let lbfgs = LbfgsOptions {
        gradient_tolerance: options.tolerance / size,
        max_iterations: options.max_iterations,
        ..LbfgsOptions::default()
    };
    let found = minimize(objective, &[alpha.ln(), beta.ln()], &lbfgs, observer);
    let (alpha, beta) = bounded(&spectrum, found.model.point[0].exp(), found.model.point[1].exp());
    Ok(Fitted { model: finish(data, free, &spectrum, alpha, beta)?, report: found.report })
}

fn prepared(data: &LinearData<'_>, free: &[usize]) -> Result<Spectrum, Error> {
    check::dimension("outputs", 1, data.outputs)?;
    let spectrum = Spectrum::new(data, free)?;
    if !(spectrum.rows > 0.0) {
        let (expected, found) = (free.len() + 1, data.informative());
        return Err(DimensionError::new("rows (at least)", expected, found).into());
    }
    check::enough("columns that are not free (at least)", 1, spectrum.weights())?;
    let (value, square) = spectrum.scales();
    if !(value.is_finite() && square.is_finite()) {
        return Err(MatrixError::NotFinite.into());
    }
    check::positive("evidence", "mean square of the responses", square)?;
    check::positive("evidence", "mean square of the features", value)?;
    Ok(spectrum)
}

/// Half of the responses' variance is noise, and the other half is spread over the weights.
fn start(spectrum: &Spectrum) -> (f64, f64) {
    let (value, square) = spectrum.scales();
    let per_row = value * spectrum.weights() as f64 / spectrum.rows;
    bounded(spectrum, 2.0 * per_row / square, 2.0 / square)
}

/// α and β inside of the range in which they matter.
fn bounded(spectrum: &Spectrum, alpha: f64, beta: f64) -> (f64, f64) {
    let (value, square) = spectrum.scales();
    let beta = if beta.is_nan() { LARGEST_PRECISION / square } else { beta.min(LARGEST_PRECISION / square) };
    let largest = LARGEST_RATIO * beta * value;
    (if alpha.is_nan() { largest } else { alpha.min(largest) }, beta)
}

fn finish(
    data: &LinearData<'_>,
    free: &[usize],
    spectrum: &Spectrum,
    alpha: f64,
    beta: f64,
) -> Result<EmpiricalBayes, Error> {
    let (value, square) = spectrum.scales();
    let limit = if beta >= LARGEST_PRECISION / square {
        Some(EvidenceLimit::NoNoise)
    } else if alpha >= LARGEST_RATIO * beta * value {
        Some(EvidenceLimit::NoSignal)
    } else {
        None
    };
    let at = spectrum.at(alpha, beta);
    let mut variances = vec![alpha.recip(); data.features()];
    for &column in free {
        variances[column] = f64::INFINITY;
    }
    let prior = WeightPrior::independent(&vec![0.0; data.features()], &variances)?;
    Ok(EmpiricalBayes {
        prior_precision: alpha,
        noise_variance: beta.recip(),
        effective_parameters: at.determined,
        ln_evidence: at.ln_evidence,
        posterior: known_noise(data, &prior, beta.recip())?,
        limit,
    })
}
