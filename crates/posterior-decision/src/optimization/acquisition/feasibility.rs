//! How probably a point satisfies constraints that are known from trials only.

use posterior_gp::GaussianProcessPosterior;
use posterior_gp::regression::Prediction;
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_normal_cdf;

use super::{AcquisitionScore, TrialState, moments};
use crate::Error;

/// What is known of an outcome that must be at most a bound, in units of its surrogate.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ConstraintState<'a> {
    /// What is known of the outcome.
    pub posterior: &'a GaussianProcessPosterior,
    /// The most that it may be.
    pub bound: f64,
}

impl ConstraintState<'_> {
    /// ln P(outcome ≤ bound) at each row of some inputs, of the function without the noise of a trial.
    ///
    /// # Errors
    /// If the inputs do not fit the surrogate.
    pub fn ln_probability(&self, inputs: &DMatrix<f64>) -> Result<Vec<f64>, Error> {
        let Prediction { mean, variance } = self.posterior.latent(inputs)?;
        let of = |(mean, variance): (&f64, &f64)| {
            let distance = self.bound - mean;
            // What is exactly at the bound satisfies it.
            if distance == 0.0 && *variance == 0.0 { 0.0 } else { ln_normal_cdf(distance / variance.sqrt()) }
        };
        Ok(mean.iter().zip(&variance).map(of).collect())
    }
}

/// The logarithm of the probability that all constraints are satisfied, independent of each other; 0 without
/// any.
pub(super) fn ln_feasible<'a>(round: &TrialState<'a>) -> AcquisitionScore<'a> {
    let constraints = round.constraints;
    Box::new(move |inputs| {
        let mut sums = vec![0.0; inputs.nrows()];
        for constraint in constraints {
            for (sum, ln_p) in sums.iter_mut().zip(constraint.ln_probability(inputs)?) {
                *sum += ln_p;
            }
        }
        Ok(sums)
    })
}

/// The logarithm of a gain times the probability that all constraints are satisfied; of the latter alone
/// while no point is known that satisfies them.
pub(super) fn weighted<'a>(
    round: &TrialState<'a>,
    ln_gain: impl Fn(f64, f64) -> f64 + 'a,
) -> AcquisitionScore<'a> {
    let (ln_gain, ln_feasible) = (moments(round, ln_gain), ln_feasible(round));
    let known = round.best < f64::INFINITY;
    Box::new(move |inputs| {
        let ln_p = ln_feasible(inputs)?;
        if !known {
            return Ok(ln_p);
        }
        Ok(ln_gain(inputs)?.iter().zip(ln_p).map(|(gain, ln_p)| gain + ln_p).collect())
    })
}

#[cfg(test)]
mod tests;
