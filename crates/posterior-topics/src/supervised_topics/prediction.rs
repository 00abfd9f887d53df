//! What is said of the response of a new document.

use posterior_dist::{Mixture, Moments, Normal};

/// The response of a document, given its words.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponsePrediction {
    /// Its distribution, a mixture over draws of the topics of the document, of coefficients and of the
    /// noise: [`interval`](posterior_dist::interval) of it has the interval of a new response.
    Number(Mixture<Normal>),
    /// The probability that it is 1.
    Probability(f64),
}

impl ResponsePrediction {
    /// The expected response; of a binary one the probability of 1.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Number(mixture) => mixture.mean().unwrap_or(f64::NAN),
            Self::Probability(p) => *p,
        }
    }
}
