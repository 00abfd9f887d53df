//! Gamma prior of the rate of a Poisson distribution.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::continuous::Gamma;
use crate::discrete::{NegativeBinomial, Poisson};
use crate::prelude::*;

impl Conjugate<Gamma> for Poisson {
    type Predictive = NegativeBinomial;

    /// Gamma(a + Σ k, b + n).
    fn posterior(prior: &Gamma, stats: &Stats<Self>) -> Result<Gamma, ParamError> {
        Gamma::shape_rate(prior.shape() + stats.sum()[0], prior.rate() + stats.weight())
    }

    /// Negative binomial with r = a and p = b/(b + 1).
    fn predictive(prior: &Gamma, (): &()) -> Result<NegativeBinomial, ParamError> {
        let (rate, whole) = (prior.rate(), prior.rate() + 1.0);
        NegativeBinomial::with_failure(prior.shape(), rate / whole, whole.recip())
    }

    /// ln Γ(a + Σ k)/Γ(a) - Σ k ln(b + n) - a ln(1 + n/b) - Σ ln k!.
    fn ln_evidence(prior: &Gamma, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let (n, sum) = (stats.weight(), check::non_negative("Stats", "sum", stats.sum()[0])?);
        let growth = n / prior.rate();
        let ln_growth =
            if growth < f64::INFINITY { growth.ln_1p() } else { (prior.rate() + n).ln() - prior.rate().ln() };
        let ln_rate = if sum > 0.0 { sum * (prior.rate() + n).ln() } else { 0.0 };
        Ok(ln_pochhammer(prior.shape(), sum) - ln_rate - prior.shape() * ln_growth + stats.ln_base())
    }

    /// E ln λ, and E λ = a/b.
    fn expected_density(prior: &Gamma, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        Ok(ExpectedDensity::new(Natural::of((), vec![prior.expected_ln()]), prior.shape() / prior.rate()))
    }

    fn most_probable(prior: &Gamma, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Gamma, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        Self::new(prior.sample(rng))
    }
}
