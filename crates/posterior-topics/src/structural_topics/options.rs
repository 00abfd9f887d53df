//! Options of the structural topic model.

use posterior_math::{ParamError, check};

use crate::chain::Schedule;
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
    /// The number of topics, from 2 to 65535. Default 20.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. Those before the kept states are the warm-up. Default 2000.
    pub iterations: usize,
    /// The Dirichlet concentration of each word in a topic, without content covariates. Default 0.01.
    pub beta: f64,
    /// The prior mean of the variance, between documents with the same features, of the logarithm of a
    /// topic's weight. Its weight is that of `topics + 1` documents. Default 1.
    pub document_variance: f64,
    /// The prior variance of the coefficient of a feature, in units of `Sigma`. Default 1.
    pub feature_variance: f64,
    /// The prior variance of the constant, in units of `Sigma`. Default 10.
    pub intercept_variance: f64,
    /// The prior variance of a topic's deviation from the words of the corpus, with content covariates.
    /// Default 10.
    pub topic_variance: f64,
    /// The prior variance of a level's deviation, in all topics. Default 0.1.
    pub level_variance: f64,
    /// The prior variance of a level's deviation in one topic. Default 0.1.
    pub interaction_variance: f64,
    /// States of the chain that are kept, the last one included, at least 1. Intervals are their quantiles.
    /// Default 250.
    pub draws: usize,
    /// Sweeps between two kept states, at least 1. Default 4.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace, at least 1. Default 10.
    pub trace_every: usize,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    pub threads: usize,
}

impl Default for StructuralTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 2000,
            beta: 0.01,
            document_variance: 1.0,
            feature_variance: 1.0,
            intercept_variance: 10.0,
            topic_variance: 10.0,
            level_variance: 0.1,
            interaction_variance: 0.1,
            draws: 250,
            thin: 4,
            trace_every: 10,
            seed: 0,
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
        self.schedule().check(TYPE)?;
        for (name, value) in [
            ("beta", self.beta),
            ("document_variance", self.document_variance),
            ("feature_variance", self.feature_variance),
            ("intercept_variance", self.intercept_variance),
            ("topic_variance", self.topic_variance),
            ("level_variance", self.level_variance),
            ("interaction_variance", self.interaction_variance),
        ] {
            concentration::check(TYPE, name, value)?;
        }
        Ok(())
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }
}
