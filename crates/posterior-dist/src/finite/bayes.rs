//! Bayes' rule on finitely many hypotheses.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::ln_sum_exp;

use crate::Updated;
use crate::discrete::Categorical;

/// Bayes' rule, P(h | data) = P(data | h) P(h) / Σ P(data | h') P(h'), from ln P(data | h) of each
/// hypothesis.
///
/// In log space, so that the likelihood of much data does not underflow; a hypothesis of prior probability
/// zero stays there.
///
/// # Errors
/// If there are not as many likelihoods as hypotheses, one is +∞ or NaN, or the data are impossible under
/// all.
///
/// ```
/// use posterior_dist::{Categorical, finite};
///
/// // A test that finds 99 % of a disease of one in a thousand, and raises 5 % false alarms.
/// let prior = Categorical::from_probabilities(&[0.001, 0.999])?;
/// let positive = finite::bayes(&prior, &[0.99_f64.ln(), 0.05_f64.ln()])?;
/// assert!((positive.posterior.probabilities()[0] - 0.00099 / 0.05094).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
pub fn bayes(prior: &Categorical, ln_likelihood: &[f64]) -> Result<Updated<Categorical>, ParamError> {
    let count = ln_likelihood.len();
    let as_many = count == prior.categories();
    check::require(as_many, "bayes", "number of likelihoods", count as f64, "that of the hypotheses")?;
    let possible = || {
        let pairs = prior.ln_probabilities().iter().copied().zip(ln_likelihood.iter().copied());
        pairs.map(
            |(ln_prior, ln)| {
                if ln_prior == f64::NEG_INFINITY { (ln_prior, ln_prior) } else { (ln_prior, ln) }
            },
        )
    };
    // The largest is taken out first, so that a constant likelihood leaves the prior as it is.
    let largest = possible().map(|(_, ln)| ln).fold(f64::NEG_INFINITY, f64::max);
    check::finite("bayes", "ln of the evidence", largest)?;
    let joint: Vec<f64> = possible().map(|(ln_prior, ln)| ln_prior + (ln - largest)).collect();
    let ln_evidence = check::finite("bayes", "ln of the evidence", largest + ln_sum_exp(&joint))?;
    Ok(Updated::new(Categorical::from_ln_weights(&joint)?, ln_evidence))
}
