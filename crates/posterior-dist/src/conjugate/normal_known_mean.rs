//! Priors of the spread of a normal distribution with a known mean: inverse gamma of the variance, gamma of
//! the precision.

use posterior_math::special::HALF_LN_TAU;

use super::gamma_exponential::{ln_evidence, positive_mode, update};
use super::{Conjugate, ExpectedDensity};
use crate::continuous::{Gamma, InverseGamma, NormalKnownMean, StudentT};
use crate::prelude::*;

/// The precision τ = 1/σ² is the rate of half a point each, in the time Σ (x - μ)²/2.
impl Conjugate<Gamma> for NormalKnownMean {
    type Predictive = StudentT;

    /// Gamma(a + n/2, b + Σ (x - μ)²/2).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, 0.5 * stats.weight(), 0.5 * stats.sum()[0])
    }

    /// Student's t with 2a degrees of freedom, location μ and squared scale b/a.
    fn predictive(prior: &Gamma, &mean: &f64) -> Result<StudentT, ParamError> {
        StudentT::new(2.0 * prior.shape(), mean, (prior.rate() / prior.shape()).sqrt())
    }

    /// ln Γ(a + n/2) - ln Γ(a) + a ln b - (a + n/2) ln(b + Σ (x - μ)²/2) - n/2 ln 2π.
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let of_precision = ln_evidence(prior, 0.5 * stats.weight(), 0.5 * stats.sum()[0])?;
        Ok(of_precision - stats.weight() * HALF_LN_TAU)
    }

    /// E w = -a/(2b) and E ln Z = ½ ln 2π - ½ E ln τ.
    fn expected_density(prior: &Gamma, &mean: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(mean, vec![-0.5 * (prior.shape() / prior.rate())]);
        Ok(ExpectedDensity::new(natural, HALF_LN_TAU - 0.5 * prior.expected_ln()))
    }

    /// At the most probable precision; `None` for a ≤ 1.
    fn most_probable(prior: &Gamma, &mean: &f64) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(|precision| Self::new(mean, precision.recip())).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, &mean: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::new(mean, (-prior.sample_ln(rng)).exp())
    }
}

impl Conjugate<InverseGamma> for NormalKnownMean {
    type Predictive = StudentT;

    /// InverseGamma(a + n/2, b + Σ (x - μ)²/2).
    fn posterior(prior: &InverseGamma, stats: &Stats<Self>) -> Result<InverseGamma, ParamError> {
        let precision = Self::posterior(&prior.reciprocal(), stats)?;
        InverseGamma::new(precision.shape(), precision.rate())
    }

    /// Student's t with 2a degrees of freedom, location μ and squared scale b/a.
    fn predictive(prior: &InverseGamma, mean: &f64) -> Result<StudentT, ParamError> {
        Self::predictive(&prior.reciprocal(), mean)
    }

    /// That of the gamma prior of the precision, which is the same distribution of another variable.
    fn ln_evidence(prior: &InverseGamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Self::ln_evidence(&prior.reciprocal(), stats)
    }

    /// E w = -a/(2b) and E ln Z = ½ ln 2π + ½ E ln σ².
    fn expected_density(prior: &InverseGamma, mean: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        Self::expected_density(&prior.reciprocal(), mean)
    }

    /// At the most probable variance, which is not the reciprocal of the most probable precision.
    fn most_probable(prior: &InverseGamma, &mean: &f64) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|variance| Self::new(mean, variance)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &InverseGamma, mean: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::draw(&prior.reciprocal(), mean, rng)
    }
}
