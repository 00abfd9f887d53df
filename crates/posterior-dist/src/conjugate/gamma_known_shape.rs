//! Gamma prior of the rate of a gamma distribution with a known shape.

use super::gamma_exponential::{ln_evidence, positive_mode, update};
use super::{Conjugate, ExpectedDensity};
use crate::continuous::{BetaPrime, Gamma, GammaKnownShape};
use crate::prelude::*;

impl Conjugate<Gamma> for GammaKnownShape {
    type Predictive = BetaPrime;

    /// Gamma(a + n k, b + Σ x) for the known shape k.
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        update(prior, stats.weight() * stats.fixed(), stats.sum()[0])
    }

    /// The beta prime distribution with α = k, β = a and the scale b.
    fn predictive(prior: &Gamma, &shape: &f64) -> Result<BetaPrime, ParamError> {
        BetaPrime::new(shape, prior.shape(), prior.rate())
    }

    /// Σ ln h(x) + ln Γ(a + n k) - ln Γ(a) + a ln b - (a + n k) ln(b + Σ x).
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        Ok(ln_evidence(prior, stats.weight() * stats.fixed(), stats.sum()[0])? + stats.ln_base())
    }

    /// E w = -a/b and E ln Z = -k E ln λ.
    fn expected_density(prior: &Gamma, &shape: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(shape, vec![-prior.shape() / prior.rate()]);
        Ok(ExpectedDensity::new(natural, -shape * prior.expected_ln()))
    }

    /// `None` for a ≤ 1: the mode is no rate.
    fn most_probable(prior: &Gamma, &shape: &f64) -> Result<Option<Self>, ParamError> {
        positive_mode(prior).map(|rate| Self::new(shape, rate)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, &shape: &f64, rng: &mut R) -> Result<Self, ParamError> {
        Self::new(shape, prior.sample_ln(rng).exp())
    }
}
