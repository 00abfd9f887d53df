//! Beta prior of the probability of success of a binomial distribution with a known number of trials.

use super::beta_bernoulli::{expected_logit, ln_sequence, outcomes, update};
use super::{Conjugate, ExpectedDensity};
use crate::continuous::Beta;
use crate::discrete::{BetaBinomial, Binomial};
use crate::prelude::*;

impl Conjugate<Beta> for Binomial {
    type Predictive = BetaBinomial;

    /// Beta(α + successes, β + failures).
    fn posterior(prior: &Beta, stats: &Stats<Self>) -> Result<Beta, ParamError> {
        let [successes, failures] = outcomes(stats.sum()[0], trials(stats))?;
        update(prior, successes, failures)
    }

    /// The beta-binomial distribution with these trials, α and β.
    fn predictive(prior: &Beta, &trials: &u64) -> Result<BetaBinomial, ParamError> {
        BetaBinomial::new(trials, prior.alpha(), prior.beta())
    }

    /// Σ ln(n choose k) + ln B(α + successes, β + failures) - ln B(α, β).
    fn ln_evidence(prior: &Beta, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let [successes, failures] = outcomes(stats.sum()[0], trials(stats))?;
        Ok(ln_sequence(prior, successes, failures) + stats.ln_base())
    }

    /// E logit p = ψ(α) - ψ(β) and E ln Z = n (ψ(α + β) - ψ(β)).
    fn expected_density(prior: &Beta, &trials: &u64) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of(trials, vec![expected_logit(prior)]);
        Ok(ExpectedDensity::new(natural, -(trials as f64) * prior.expected_ln_complement()))
    }

    fn most_probable(prior: &Beta, &trials: &u64) -> Result<Option<Self>, ParamError> {
        prior.mode().map(|success| Self::new(trials, success)).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Beta, &trials: &u64, rng: &mut R) -> Result<Self, ParamError> {
        let (ln_success, ln_failure) = prior.sample_ln(rng);
        Self::from_logit(trials, ln_success - ln_failure)
    }
}

/// The number of trials behind all points.
fn trials(stats: &Stats<Binomial>) -> f64 {
    stats.weight() * *stats.fixed() as f64
}
