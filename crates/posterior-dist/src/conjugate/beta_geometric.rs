//! Beta prior of the probability of success of a geometric distribution.

use super::beta_negative_binomial::ln_beta_growth;
use super::{Conjugate, ExpectedDensity};
use crate::continuous::Beta;
use crate::discrete::{BetaNegativeBinomial, Geometric};
use crate::prelude::*;

impl Conjugate<Beta> for Geometric {
    type Predictive = BetaNegativeBinomial;

    /// Beta(α + n, β + Σ k).
    fn posterior(prior: &Beta, stats: &Stats<Self>) -> Result<Beta, ParamError> {
        Beta::new(prior.alpha() + stats.weight(), prior.beta() + stats.sum()[0])
    }

    /// Beta-negative-binomial with one success.
    fn predictive(prior: &Beta, (): &()) -> Result<BetaNegativeBinomial, ParamError> {
        BetaNegativeBinomial::new(1.0, prior.alpha(), prior.beta())
    }

    /// ln B(α + n, β + Σ k) - ln B(α, β).
    fn ln_evidence(prior: &Beta, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let sum = check::non_negative("Stats", "sum", stats.sum()[0])?;
        Ok(ln_beta_growth(prior, stats.weight(), sum) + stats.ln_base())
    }

    /// E ln(1 - p), and -E ln p.
    fn expected_density(prior: &Beta, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        let natural = Natural::of((), vec![prior.expected_ln_complement()]);
        Ok(ExpectedDensity::new(natural, -prior.expected_ln()))
    }

    /// An error if the mode is p = 0, which is no distribution.
    fn most_probable(prior: &Beta, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Beta, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (ln_success, ln_failure) = prior.sample_ln(rng);
        // The smaller of the two keeps its digits.
        if ln_success < ln_failure { Self::new(ln_success.exp()) } else { Self::from_ln_failure(ln_failure) }
    }
}
