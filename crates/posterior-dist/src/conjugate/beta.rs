//! Beta prior of the probability of success of Bernoulli, binomial, geometric and negative binomial
//! distributions.

use posterior_math::special::{digamma_difference, ln_pochhammer};

use super::{Conjugate, ExpectedDensity};
use crate::continuous::Beta;
use crate::discrete::{Bernoulli, BetaBinomial, BetaNegativeBinomial, Binomial, Geometric, NegativeBinomial};
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
fn outcomes(successes: f64, trials: f64) -> Result<[f64; 2], ParamError> {
    let failures = trials - successes;
    Ok([
        check::non_negative("Stats", "successes", successes)?,
        check::non_negative("Stats", "failures", failures)?,
    ])
}

fn update(prior: &Beta, successes: f64, failures: f64) -> Result<Beta, ParamError> {
    Beta::new(prior.alpha() + successes, prior.beta() + failures)
}

/// The log-probability of a sequence of trials.
fn ln_sequence(prior: &Beta, successes: f64, failures: f64) -> f64 {
    ln_pochhammer(prior.alpha(), successes) + ln_pochhammer(prior.beta(), failures)
        - ln_pochhammer(prior.alpha() + prior.beta(), successes + failures)
}

/// ψ(α) - ψ(β).
fn expected_logit(prior: &Beta) -> f64 {
    let (alpha, beta) = (prior.alpha(), prior.beta());
    if alpha >= beta {
        digamma_difference(beta, alpha - beta)
    } else {
        -digamma_difference(alpha, beta - alpha)
    }
}

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
        Ok(ln_sequence(prior, stats.weight(), sum) + stats.ln_base())
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
        Ok(ln_sequence(prior, stats.fixed() * stats.weight(), sum) + stats.ln_base())
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
