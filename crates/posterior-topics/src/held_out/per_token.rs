//! The mean of a logarithm over the tokens of documents.

use posterior_math::check;

use crate::Error;
use crate::checks::size;

/// A mean over tokens, and how much it would differ with other documents.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PerToken {
    /// The sum over all documents, divided by the number of their tokens.
    pub mean: f64,
    /// Its standard error; NaN of a single document.
    pub standard_error: f64,
}

/// The mean of `ln_likelihood`, one number a document, over the tokens of the documents, with its standard
/// error over documents.
///
/// The mean is a ratio of sums, `r = sum l_d / sum n_d`; its standard error, to first order, is
/// `sqrt(D / (D - 1) sum (l_d - r n_d)²) / sum n_d`. Of the differences of two models on the same documents
/// it is the standard error of the difference.
///
/// ```
/// use posterior_topics::held_out::per_token;
///
/// // -11 over four tokens; the residuals are 0.75 and -0.75.
/// let mean = per_token(&[-2.0, -9.0], &[1, 3])?;
/// assert_eq!((mean.mean, mean.standard_error), (-2.75, 0.375));
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Another number of documents in `tokens`, or no token.
pub fn per_token(ln_likelihood: &[f64], tokens: &[u64]) -> Result<PerToken, Error> {
    size("tokens of documents", ln_likelihood.len(), tokens.len())?;
    let total = tokens.iter().sum::<u64>() as f64;
    check::require(total > 0.0, "per_token", "tokens", total, "positive")?;
    let mean = ln_likelihood.iter().sum::<f64>() / total;
    let squares: f64 = ln_likelihood.iter().zip(tokens).map(|(l, &n)| (l - mean * n as f64).powi(2)).sum();
    let documents = tokens.len() as f64;
    Ok(PerToken { mean, standard_error: (documents / (documents - 1.0) * squares).sqrt() / total })
}
