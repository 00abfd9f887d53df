//! What Bayes' rule gives.

/// A posterior, and the logarithm of the evidence.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Updated<P> {
    /// The distribution after the data.
    pub posterior: P,
    /// ln p(data): their log-probability, or log-density, under the prior.
    pub ln_evidence: f64,
}

impl<P> Updated<P> {
    /// A posterior with the evidence that it had.
    pub const fn new(posterior: P, ln_evidence: f64) -> Self {
        Self { posterior, ln_evidence }
    }
}
