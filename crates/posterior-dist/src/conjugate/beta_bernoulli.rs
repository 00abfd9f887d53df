//! Beta prior of the probability of success of a Bernoulli distribution.

use posterior_math::special::{digamma_difference, ln_pochhammer};

use super::{Conjugate, ExpectedDensity};
use crate::continuous::Beta;
use crate::discrete::Bernoulli;
use crate::prelude::*;

impl Conjugate<Beta> for Bernoulli {
    type Predictive = Self;

    /// Beta(α + successes, β + failures).
    fn posterior(prior: &Beta, stats: &Stats<Self>) -> Result<Beta, ParamError> {
        let [successes, failures] = outcomes(stats.sum()[0], stats.weight())?;
        update(prior, successes, failures)
    }

    /// p = α / (α + β).
    fn predictive(prior: &Beta, (): &()) -> Result<Self, ParamError> {
        let (alpha, beta) = (prior.alpha(), prior.beta());
        // Next to one the probability of failure keeps its digits in the logit only.
        if beta < 0.25 * alpha {
            Self::from_logit(alpha.ln() - beta.ln())
        } else {
            Self::new(alpha / (alpha + beta))
        }
    }

    /// ln B(α + successes, β + failures) - ln B(α, β).
    fn ln_evidence(prior: &Beta, stats: &Stats<Self>) -> Result<f64, ParamError> {
        let [successes, failures] = outcomes(stats.sum()[0], stats.weight())?;
        Ok(ln_sequence(prior, successes, failures) + stats.ln_base())
    }

    /// E logit p = ψ(α) - ψ(β) and E ln Z = ψ(α + β) - ψ(β).
    fn expected_density(prior: &Beta, (): &()) -> Result<ExpectedDensity<Self>, ParamError> {
        Ok(ExpectedDensity::new(
            Natural::of((), vec![expected_logit(prior)]),
            -prior.expected_ln_complement(),
        ))
    }

    fn most_probable(prior: &Beta, (): &()) -> Result<Option<Self>, ParamError> {
        prior.mode().map(Self::new).transpose()
    }

    fn draw<R: Rng + ?Sized>(prior: &Beta, (): &(), rng: &mut R) -> Result<Self, ParamError> {
        let (ln_success, ln_failure) = prior.sample_ln(rng);
        Self::from_logit(ln_success - ln_failure)
    }
}

/// Successes and failures among so many trials.
pub(super) fn outcomes(successes: f64, trials: f64) -> Result<[f64; 2], ParamError> {
    let failures = trials - successes;
    Ok([
        check::non_negative("Stats", "successes", successes)?,
        check::non_negative("Stats", "failures", failures)?,
    ])
}

pub(super) fn update(prior: &Beta, successes: f64, failures: f64) -> Result<Beta, ParamError> {
    Beta::new(prior.alpha() + successes, prior.beta() + failures)
}

/// The log-probability of a sequence of trials.
pub(super) fn ln_sequence(prior: &Beta, successes: f64, failures: f64) -> f64 {
    ln_pochhammer(prior.alpha(), successes) + ln_pochhammer(prior.beta(), failures)
        - ln_pochhammer(prior.alpha() + prior.beta(), successes + failures)
}

/// ψ(α) - ψ(β).
pub(super) fn expected_logit(prior: &Beta) -> f64 {
    let (alpha, beta) = (prior.alpha(), prior.beta());
    if alpha >= beta {
        digamma_difference(beta, alpha - beta)
    } else {
        -digamma_difference(alpha, beta - alpha)
    }
}
