//! Beta prior of the probability of success of a negative binomial distribution.

use posterior_math::special::ln_pochhammer;

use super::{Conjugate, ExpectedDensity};
use crate::continuous::Beta;
use crate::discrete::{BetaNegativeBinomial, NegativeBinomial};
use crate::prelude::*;

impl Conjugate<Beta> for NegativeBinomial {
    type Predictive = BetaNegativeBinomial;

    /// Beta(α + r n, β + Σ k).
    fn posterior(prior: &Beta, stats: &Stats<Self>) -> Result<Beta, ParamError> {
        Beta::new(prior.alpha() + stats.fixed() * stats.weight(), prior.beta() + stats.sum()[0])
    }

    fn predictive(prior: &Beta, &successes: &f64) -> Result<BetaNegativeBinomial, ParamError> {
        BetaNegativeBinomial::new(successes, prior.alpha(), prior.beta())
    }

    /// ln B(α + r n, β + Σ k) - ln B(α, β) + Σ ln (Γ(r + k)/(Γ(r) k!)).
    fn ln_evidence(prior: &Beta, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let sum = check::non_negative("Stats", "sum", stats.sum()[0])?;
        Ok(ln_beta_growth(prior, stats.fixed() * stats.weight(), sum) + stats.ln_base())
    }

    /// E ln(1 - p), and -r E ln p.
    fn expected_density(prior: &Beta, &successes: &f64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(successes, vec![prior.expected_ln_complement()]);
        Ok(ExpectedDensity::new(natural, -successes * prior.expected_ln()))
    }

    /// An error if the mode is p = 0, which is no distribution.
    fn most_probable(prior: &Beta, &successes: &f64) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|success| Self::new(successes, success)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Beta, &successes: &f64, rng: &mut R) -> Result<Self, ParamError> {
        let (ln_success, ln_failure) = prior.sample_ln(rng);
        Self::with_failure(successes, ln_success.exp(), ln_failure.exp())
    }
}

/// ln B(α + a, β + b) - ln B(α, β), without the cancellation of the two.
pub(super) fn ln_beta_growth(prior: &Beta, a: f64, b: f64) -> f64 {
    let (alpha, beta) = (prior.alpha(), prior.beta());
    ln_pochhammer(alpha, a) + ln_pochhammer(beta, b) - ln_pochhammer(alpha + beta, a + b)
}
