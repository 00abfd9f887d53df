//! Distributions of truth values, categories and counts.

use posterior_math::autodiff::{Real, ln_sum_exp};
use posterior_math::special::{ln_binomial, ln_factorial};

use super::edges::{positive, probability, times_ln, where_possible};
use super::gamma_ratio::ln_gamma_ratio;

/// ln P(x) of [`Bernoulli`](crate::Bernoulli).
pub fn bernoulli<R: Real>(x: bool, probability: impl Into<R>) -> R {
    binomial(u64::from(x), 1, probability)
}

/// ln P(x) of [`Bernoulli`](crate::Bernoulli) by the logit of its probability: no digits are lost near 0 and
/// 1.
pub fn bernoulli_logit<R: Real>(x: bool, logit: impl Into<R>) -> R {
    let logit = logit.into();
    if x { logit.ln_logistic() } else { (-logit).ln_logistic() }
}

/// ln P(k) of [`Binomial`](crate::Binomial).
pub fn binomial<R: Real>(k: u64, trials: u64, success: impl Into<R>) -> R {
    let p = success.into();
    where_possible(probability(p), k <= trials, || {
        let failures = (trials - k) as f64;
        let of_failures = if failures == 0.0 { R::from(0.0) } else { (-p).ln_1p() * failures };
        times_ln(k as f64, p) + of_failures + ln_binomial(trials, k)
    })
}

/// ln P(k) of [`Binomial`](crate::Binomial) by the logit of its probability.
pub fn binomial_logit<R: Real>(k: u64, trials: u64, logit: impl Into<R>) -> R {
    let logit = logit.into();
    where_possible(true, k <= trials, || {
        logit.ln_logistic() * k as f64 + (-logit).ln_logistic() * (trials - k) as f64 + ln_binomial(trials, k)
    })
}

/// ln P(k) of [`Poisson`](crate::Poisson).
pub fn poisson<R: Real>(k: u64, rate: impl Into<R>) -> R {
    let rate = rate.into();
    where_possible(rate.value() >= 0.0, true, || times_ln(k as f64, rate) - rate - ln_factorial(k))
}

/// ln P(k) of [`Poisson`](crate::Poisson) by the logarithm of its rate.
pub fn poisson_ln<R: Real>(k: u64, ln_rate: impl Into<R>) -> R {
    let ln_rate = ln_rate.into();
    ln_rate * k as f64 - ln_rate.exp() - ln_factorial(k)
}

/// ln P(k) of [`NegativeBinomial`](crate::NegativeBinomial).
pub fn negative_binomial<R: Real>(k: u64, successes: impl Into<R>, success: impl Into<R>) -> R {
    let (r, p) = (successes.into(), success.into());
    where_possible(positive(r) && positive(p) && probability(p), true, || {
        let of_failures = if k == 0 { R::from(0.0) } else { (-p).ln_1p() * k as f64 };
        ln_gamma_ratio(r, R::from(k as f64)) - ln_factorial(k) + r * p.ln() + of_failures
    })
}

/// ln P(k) of [`NegativeBinomial`](crate::NegativeBinomial) by its mean μ and `dispersion` φ: the variance is
/// μ + μ²/φ.
pub fn negative_binomial_mean<R: Real>(k: u64, mean: impl Into<R>, dispersion: impl Into<R>) -> R {
    let (mean, phi) = (mean.into(), dispersion.into());
    where_possible(mean.value() >= 0.0 && positive(phi), true, || {
        let ratio = mean / phi;
        // φ ln(1 + μ/φ) is μ for φ without end: the limit is Poisson's.
        let of_count = if k == 0 { R::from(0.0) } else { (mean / (ratio + 1.0)).ln() * k as f64 };
        let count = R::from(k as f64);
        ln_gamma_ratio(phi, count) - phi.ln() * k as f64 - ln_factorial(k) + of_count - phi * ratio.ln_1p()
    })
}

/// ln P(k) of [`Categorical`](crate::Categorical), of its probabilities; -∞ of a category that there is not.
///
/// They are divided by their sum.
pub fn categorical<R: Real>(k: usize, probabilities: &[R]) -> R {
    let valid = probabilities.iter().all(|p| p.value() >= 0.0);
    where_possible(valid, k < probabilities.len(), || {
        probabilities[k].ln() - probabilities.iter().copied().sum::<R>().ln()
    })
}

/// ln P(k) of the category with such logits: -ln Σⱼ exp(xⱼ - xₖ).
pub fn categorical_logit<R: Real>(k: usize, logits: &[R]) -> R {
    where_possible(true, k < logits.len(), || {
        let differences: Vec<R> = logits.iter().map(|&logit| logit - logits[k]).collect();
        -ln_sum_exp(&differences)
    })
}
