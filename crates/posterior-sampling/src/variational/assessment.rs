//! How good an approximation is.

use posterior_math::streaming::MeanVariance;

use crate::Error;
use crate::estimate::{Estimate, LnEstimate};
use crate::importance::{SmoothedWeights, WeightedDraws};

/// How good an approximation q of a target p is, from draws of q.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApproximationAssessment {
    /// L(q) = E_q ln p / q, below ln Z by KL(q ‖ p); -∞, without an error, if q has mass where the target is
    /// zero.
    pub elbo: Estimate,
    /// ln Z by the weights p / q, to be trusted if k̂ is small.
    pub ln_evidence: LnEstimate,
    /// The smoothed weights p / q. Their k̂ up to 0.5: q is close; up to 0.7: its draws serve with these
    /// weights; above: q is not to be used.
    pub smoothed: SmoothedWeights,
    /// The draws with the smoothed weights: their expectations are nearer to the target's than those of q.
    pub draws: WeightedDraws,
}

impl ApproximationAssessment {
    pub(super) fn new(draws: WeightedDraws) -> Result<Self, Error> {
        let ln_ratios = draws.weights().ln();
        let terms: MeanVariance = ln_ratios.iter().copied().filter(|ln| ln.is_finite()).collect();
        let count = ln_ratios.len();
        let elbo = if terms.weight() < count as f64 {
            Estimate { value: f64::NEG_INFINITY, standard_error: f64::NAN, draws: count }
        } else {
            let standard_error = (terms.sample_variance() / count as f64).sqrt();
            Estimate { value: terms.mean(), standard_error, draws: count }
        };
        let ln_evidence = draws.weights().ln_mean()?;
        let smoothed = draws.smoothed(1.0)?;
        let draws = draws.with_weights(smoothed.weights.clone())?;
        Ok(Self { elbo, ln_evidence, smoothed, draws })
    }
}
