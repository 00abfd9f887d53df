//! Gamma prior of the rate of an exponential distribution.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::continuous::{Exponential, Gamma, Lomax};
use crate::prelude::*;

impl Conjugate<Gamma> for Exponential {
    type Predictive = Lomax;

    /// Gamma(a + n, b + Σ x).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, stats.weight(), stats.sum()[0])
    }

    /// Lomax with shape a and scale b.
    fn predictive(prior: &Gamma, (): &()) -> Result<Lomax, ParamError> {
        Lomax::new(prior.shape(), prior.rate())
    }

    /// ln Γ(a + n) - ln Γ(a) + a ln b - (a + n) ln(b + Σ x).
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(ln_evidence(prior, stats.weight(), stats.sum()[0])? + stats.ln_base())
    }

    /// E w = -a/b and E ln Z = -E ln λ.
    fn expected_density(prior: &Gamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of((), vec![-prior.shape() / prior.rate()]);
        Ok(ExpectedDensity::new(natural, -prior.expected_ln()))
    }

    /// `None` for a ≤ 1: the mode is no rate.
    fn most_probable(prior: &Gamma, (): &()) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        Self::new(prior.sample_ln(rng).exp())
    }
}

/// The rate of largest density, if it is positive.
pub(super) fn positive_mode(prior: &Gamma) -> Option<f64> {
    prior.mode().filter(|&rate| rate > 0.0)
}

/// The distribution of a rate after `events` in the time `duration`.
pub(super) fn update(prior: &Gamma, events: f64, duration: f64) -> Result<Gamma, ParamError> {
    check::non_negative("Stats", "sum", duration)?;
    Gamma::shape_rate(prior.shape() + events, prior.rate() + duration)
}

/// ln ∫ λⁿ e^(-λ t) p(λ) dλ for n events in the time t.
pub(super) fn ln_evidence(prior: &Gamma, events: f64, duration: f64) -> Result<f64, ParamError> {
    check::non_negative("Stats", "sum", duration)?;
    let (shape, rate) = (prior.shape(), prior.rate());
    let growth = (duration / rate).ln_1p();
    Ok(ln_pochhammer(shape, events) - shape * growth - events * (rate + duration).ln())
}
