//! Draws of a proposal with the weights of a target.

use posterior_dist::target::{EvalError, Target};
use posterior_math::check;
use rand::Rng;

use super::{ImportanceWeights, NormalizedTarget, Resampling, SmoothedWeights, pareto_smoothed};
use crate::estimate::Estimate;
use crate::{Draws, Error};

/// Draws of a proposal, and their weights under a target.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedDraws {
    dim: usize,
    points: Vec<f64>,
    weights: ImportanceWeights,
    rejected: usize,
}

impl WeightedDraws {
    pub(crate) fn new(dim: usize, points: Vec<f64>, weights: ImportanceWeights, rejected: usize) -> Self {
        Self { dim, points, weights, rejected }
    }

    /// The draws.
    pub fn points(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        let dim = self.dim;
        (0..self.weights.len()).map(move |s| &self.points[s * dim..(s + 1) * dim])
    }

    /// Their weights.
    pub const fn weights(&self) -> &ImportanceWeights {
        &self.weights
    }

    /// How many draws have no weight because the target has no value there
    /// ([`EvalError::Reject`](posterior_dist::target::EvalError::Reject), NaN), not because it is zero.
    pub const fn rejected(&self) -> usize {
        self.rejected
    }

    /// The expectation of a function under the target, whose constant need not be known; see
    /// [`ImportanceWeights::mean`].
    ///
    /// # Errors
    /// A value that is not finite where the target is positive.
    pub fn expectation(&self, mut function: impl FnMut(&[f64]) -> f64) -> Result<Estimate, Error> {
        let values: Vec<f64> = self.points().map(&mut function).collect();
        self.weights.mean(&values)
    }

    /// The integral of a function times the target's density as it is given: the expectation if the density
    /// is normalised; see [`ImportanceWeights::plain_mean`].
    ///
    /// # Errors
    /// A value that is not finite where the target is positive.
    pub fn integral(&self, mut function: impl FnMut(&[f64]) -> f64) -> Result<Estimate, Error> {
        let values: Vec<f64> = self.points().map(&mut function).collect();
        self.weights.plain_mean(&values)
    }

    /// The weights smoothed, with k̂; see [`pareto_smoothed`].
    ///
    /// # Errors
    /// As [`pareto_smoothed`].
    pub fn smoothed(&self, relative_efficiency: f64) -> Result<SmoothedWeights, Error> {
        pareto_smoothed(self.weights.ln().to_vec(), relative_efficiency)
    }

    /// The same draws with other weights, as smoothed ones.
    ///
    /// # Errors
    /// Other than one weight for each draw.
    pub fn with_weights(self, weights: ImportanceWeights) -> Result<Self, Error> {
        check::dimension("weights", self.weights.len(), weights.len())?;
        Ok(Self { weights, ..self })
    }

    /// So many draws of equal weight, as one chain.
    ///
    /// # Errors
    /// None that these weights can cause.
    pub fn resample<R: Rng + ?Sized>(
        &self,
        scheme: Resampling,
        count: usize,
        rng: &mut R,
    ) -> Result<Draws, Error> {
        let places = scheme.indices(self.weights.normalised(), count, rng)?;
        let dim = self.dim;
        let rows = places.into_iter().flat_map(|s| &self.points[s * dim..(s + 1) * dim]);
        Draws::new((0..dim).map(|i| format!("x[{i}]")).collect(), vec![rows.copied().collect()])
    }
}

/// Independent draws of a proposal, weighted by target over proposal.
///
/// The proposal must be positive wherever the target is, and should have the heavier tails: look at
/// [`smoothed`](WeightedDraws::smoothed), whose k̂ says whether it has.
///
/// # Errors
/// Different dimensions; no draws asked for; a proposal whose density has no value at its own draw;
/// [`Error::NoWeight`] if the target is zero at all draws; a target that ends the run.
pub fn importance_sampling<T, Q, R>(
    target: &T,
    proposal: &Q,
    draws: usize,
    rng: &mut R,
) -> Result<WeightedDraws, Error>
where
    T: Target + ?Sized,
    Q: NormalizedTarget + ?Sized,
    R: Rng + ?Sized,
{
    let dim = target.dim();
    check::dimension("coordinates of the proposal", dim, proposal.dim())?;
    let mut points = vec![0.0; dim * draws];
    let mut ln_weights = Vec::with_capacity(draws);
    let mut rejected = 0;
    for s in 0..draws {
        let x = &mut points[s * dim..(s + 1) * dim];
        proposal.draw(rng, x);
        let ln_proposal = proposal.ln_density(x)?;
        let ln_target = ln_density_or_zero(target.ln_density(x), &mut rejected)?;
        ln_weights.push(ln_target - ln_proposal);
    }
    Ok(WeightedDraws::new(dim, points, ImportanceWeights::from_ln(ln_weights)?, rejected))
}

/// A density that has no value here is zero, and counted.
pub(crate) fn ln_density_or_zero(
    value: Result<f64, EvalError>,
    rejected: &mut usize,
) -> Result<f64, EvalError> {
    match value {
        Ok(value) if value < f64::INFINITY => Ok(value),
        Err(why) if why.is_fatal() => Err(why),
        _ => {
            *rejected += 1;
            Ok(f64::NEG_INFINITY)
        }
    }
}
