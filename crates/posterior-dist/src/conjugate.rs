//! Conjugate priors: what data do to a prior, in closed form.

use posterior_math::check::ParamError;

use crate::density::Density;
use crate::exponential_family::ExponentialFamily;
use crate::stats::Stats;

/// A likelihood with a conjugate prior.
///
/// The functions speak of the family, hence `Categorical::posterior(&prior, &stats)`.
///
/// # Laws
/// Checked by `posterior_testkit::law`: updating with one part of the data after the other is updating with all of them,
/// in any order; the evidence of a sequence is the product of its predictive probabilities.
pub trait Conjugate: ExponentialFamily {
    /// The law of the parameters.
    type Prior;
    /// The law of the next point, the parameters integrated out: a value, made once and used for many points.
    type Predictive: Density<Point = Self::Point>;

    /// The prior updated by data.
    ///
    /// # Errors
    /// If the data are of another dimension than the prior, or more was popped than pushed.
    fn posterior(prior: &Self::Prior, stats: &Stats<Self>) -> Result<Self::Prior, ParamError>;

    /// The law of the next point under `prior`.
    fn predictive(prior: &Self::Prior) -> Self::Predictive;

    /// ln p(data) = ln ∫ Π p(xᵢ | w) p(w) dw, of the points in their order.
    ///
    /// # Errors
    /// As for [`posterior`](Self::posterior).
    fn ln_evidence(prior: &Self::Prior, stats: &Stats<Self>) -> Result<f64, ParamError>;
}
