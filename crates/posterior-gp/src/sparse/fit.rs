//! Inducing inputs, moved to where the evidence is largest.

#![expect(clippy::too_many_arguments, reason = "the state of one search")]

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{LbfgsOptions, minimize};

use super::{SparseApproximation, SparsePosterior};
use crate::{Error, GaussianProcess, Noise};

/// Moves inducing inputs from `start` to where the evidence of the approximation is largest, by L-BFGS;
/// kernel, mean and noise stay as they are.
///
/// The variational bound is never above ln p(y), so that a higher one is a better approximation; the evidence
/// of FITC can be raised by inputs that explain less. There are local optima: [`inducing_by_variance`] is a
/// start from which few inducing inputs gain most. To fit kernel and noise too, do both in turn.
///
/// ```
/// use posterior_gp::sparse::{SparseApproximation, SparsePosterior, fit_inducing, inducing_by_variance};
/// use posterior_gp::{GaussianProcess, Kernel, Noise};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_math::optimize::LbfgsOptions;
///
/// let inputs = DMatrix::from_fn(200, 1, |i, _| i as f64 / 20.0);
/// let outputs: Vec<f64> = inputs.iter().map(|x| x.sin()).collect();
/// let (prior, noise) = (GaussianProcess::new(Kernel::rbf(1.0)?), Noise::variance(0.01)?);
/// let start = inducing_by_variance(prior.kernel(), &inputs, 8);
/// let kind = SparseApproximation::Variational;
/// let before = SparsePosterior::new(&prior, (&inputs, &outputs), &noise, &start, kind)?;
/// let fitted =
///     fit_inducing(&prior, (&inputs, &outputs), &noise, &start, kind, &LbfgsOptions::default(), &mut Silent)?;
/// assert!(fitted.model.ln_evidence() > before.ln_evidence() + 1.0);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
///
/// # Errors
/// As [`SparsePosterior::new`] of the start, or if the kernel does not know its derivative in its inputs.
///
/// # References
/// M. Titsias, Variational learning of inducing variables in sparse Gaussian processes, AISTATS 2009.
///
/// [`inducing_by_variance`]: super::inducing_by_variance
pub fn fit_inducing(
    process: &GaussianProcess,
    data: (&DMatrix<f64>, &[f64]),
    noise: &Noise,
    start: &DMatrix<f64>,
    approximation: SparseApproximation,
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<SparsePosterior>, Error> {
    check::dimension("coordinates of inducing inputs", data.0.ncols(), start.ncols())?;
    let (count, width) = start.shape();
    let at = |places: &[f64]| {
        let inducing = DMatrix::from_column_slice(count, width, places);
        SparsePosterior::new(process, data, noise, &inducing, approximation)
    };
    at(start.as_slice())?.inducing_gradient()?;
    let objective = |places: &[f64], gradient: &mut [f64]| {
        // Outside of the domain of the kernel, or where it is not positive: a shorter step.
        let Ok(posterior) = at(places) else { return f64::NAN };
        let Ok(slope) = posterior.inducing_gradient() else { return f64::NAN };
        gradient.iter_mut().zip(&slope).for_each(|(gradient, slope)| *gradient = -slope);
        -posterior.ln_evidence()
    };
    let found = minimize(objective, start.as_slice(), options, observer);
    Ok(Fitted { model: at(&found.model.point)?, report: found.report })
}
