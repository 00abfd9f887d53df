//! Options of the structural topic model.

use posterior_math::{ParamError, check};

use crate::lda::concentration;

/// The name in errors.
pub(super) const TYPE: &str = "StructuralTopics";

/// Options of [`fit`](super::fit). All but `threads` shape the result.
///
/// ```
/// use posterior_topics::structural_topics::StructuralTopicsOptions;
///
/// let options = StructuralTopicsOptions { topics: 10, ..StructuralTopicsOptions::default() };
/// assert!(options.check().is_ok());
/// assert!(StructuralTopicsOptions { topics: 1, ..options }.check().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StructuralTopicsOptions {
    /// The number of topics, from 2 to 65535. 20 by default.
    pub topics: usize,
    /// Steps of expectation maximisation at most, at least 1. 500 by default.
    pub max_iterations: usize,
    /// The fit has converged when a step is at most this long, as a part of where it begins: in logarithms of
    /// probabilities of words, weighted by the words' proportions, and in coefficients. 1e-4 by default.
    pub tolerance: f64,
    /// The Dirichlet concentration of each word in a topic; with content, the rate of the Laplace prior of a
    /// topic's deviation from the words of the corpus. 0.01 by default.
    pub beta: f64,
    /// The rate of the Laplace priors of the deviations of a level, and of a level in a topic: a word
    /// deviates where so many more tokens than expected, or fewer, are there. 1 by default.
    pub content_rate: f64,
    /// The variance of the logarithm of a topic's weight between documents with the same features, as the
    /// prior expects it. It counts as much as `topics + 1` documents. 1 by default.
    pub document_variance: f64,
    /// The prior variance of the coefficient of a feature, per standard deviation of the feature, in units of
    /// `Sigma`. 1 by default.
    pub feature_variance: f64,
    /// The prior variance of the constant, in units of `Sigma`. 10 by default.
    pub intercept_variance: f64,
    /// Further fits, in which each document counts as often as a random weight says: as they differ, so wide
    /// are the intervals of effects. 0 or at least 2, each of up to half the time of the fit; without any,
    /// intervals take the words of topics as known and are too short. 25 by default.
    pub replicates: usize,
    /// Threads to use; 0 for all cores. They never change the result. 0 by default.
    pub threads: usize,
}

impl Default for StructuralTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            max_iterations: 500,
            tolerance: 1e-4,
            beta: 0.01,
            content_rate: 1.0,
            document_variance: 1.0,
            feature_variance: 1.0,
            intercept_variance: 10.0,
            replicates: 25,
            threads: 0,
        }
    }
}

impl StructuralTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        concentration::check_topics(TYPE, self.topics)?;
        check::require(self.topics > 1, TYPE, "topics", self.topics as f64, "at least 2")?;
        check::at_least_one(TYPE, "max_iterations", self.max_iterations)?;
        check::non_negative(TYPE, "tolerance", self.tolerance)?;
        check::require(self.replicates != 1, TYPE, "replicates", 1.0, "0 or at least 2")?;
        for (name, value) in [
            ("beta", self.beta),
            ("content_rate", self.content_rate),
            ("document_variance", self.document_variance),
            ("feature_variance", self.feature_variance),
            ("intercept_variance", self.intercept_variance),
        ] {
            concentration::check(TYPE, name, value)?;
        }
        Ok(())
    }
}
