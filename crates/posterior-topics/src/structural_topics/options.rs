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
    /// The number of topics, from 2 to 65535. Default 20.
    pub topics: usize,
    /// Rounds of EM at most. Default 1000.
    pub max_iterations: usize,
    /// The fit converges when a round changes the objective by no more than this proportion of it. Default
    /// 1e-8: EM creeps where tokens say little of their topics, and an earlier end leaves slopes too small.
    pub tolerance: f64,
    /// What is added to the expected count of each word in each topic, without content covariates. Default
    /// 0.01.
    pub beta: f64,
    /// The prior variance of the coefficient of a feature, in units of `Sigma`. Default 1.
    pub feature_variance: f64,
    /// The prior variance of the constant, in units of `Sigma`. Default 100.
    pub intercept_variance: f64,
    /// The prior variance of a topic's deviation from the words of the corpus, with content covariates.
    /// Default 10.
    pub topic_variance: f64,
    /// The prior variance of a level's deviation, in all topics. Default 0.1.
    pub level_variance: f64,
    /// The prior variance of a level's deviation in one topic. Default 0.1.
    pub interaction_variance: f64,
    /// Draws of the coefficients that are kept for intervals, at least 1. Default 200.
    pub draws: usize,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    pub threads: usize,
}

impl Default for StructuralTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            max_iterations: 1000,
            tolerance: 1e-8,
            beta: 0.01,
            feature_variance: 1.0,
            intercept_variance: 100.0,
            topic_variance: 10.0,
            level_variance: 0.1,
            interaction_variance: 0.1,
            draws: 200,
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
        check::at_least_one(TYPE, "max_iterations", self.max_iterations)?;
        check::at_least_one(TYPE, "draws", self.draws)?;
        check::non_negative(TYPE, "tolerance", self.tolerance)?;
        concentration::check(TYPE, "beta", self.beta)?;
        for (name, variance) in [
            ("feature_variance", self.feature_variance),
            ("intercept_variance", self.intercept_variance),
            ("topic_variance", self.topic_variance),
            ("level_variance", self.level_variance),
            ("interaction_variance", self.interaction_variance),
        ] {
            concentration::check(TYPE, name, variance)?;
        }
        Ok(())
    }
}
