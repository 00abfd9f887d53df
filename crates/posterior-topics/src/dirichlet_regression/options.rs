//! Options of Dirichlet-multinomial regression.

use posterior_math::{ParamError, check};

use crate::chain::Schedule;
use crate::lda::concentration;

/// Options of [`fit`](super::fit).
///
/// ```
/// use posterior_topics::dirichlet_regression::DirichletRegressionOptions;
///
/// let options = DirichletRegressionOptions { topics: 10, feature_variance: 0.5, ..DirichletRegressionOptions::default() };
/// assert_eq!(options.beta, 0.01);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DirichletRegressionOptions {
    /// The number of topics, at least 1. 20 by default.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. 500 by default.
    pub iterations: usize,
    /// The Dirichlet concentration of each word in a topic. 0.01 by default.
    pub beta: f64,
    /// The concentration of each topic before any learning. 0.1 by default.
    pub alpha: f64,
    /// The prior variance of the coefficient of a feature. 1 by default.
    pub feature_variance: f64,
    /// The prior variance of `lambda_k0`. 10 by default.
    pub intercept_variance: f64,
    /// Sweeps before the coefficients are fitted for the first time. 50 by default.
    pub learn_after: usize,
    /// Sweeps between two times that they are fitted, at least 1. 20 by default.
    pub learn_every: usize,
    /// States of the chain whose counts are pooled, the last one included, at least 1. 10 by default. From
    /// the first of them on the coefficients stay as they are.
    pub draws: usize,
    /// Sweeps between two pooled states, at least 1. 5 by default.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace, at least 1. 10 by default.
    pub trace_every: usize,
    /// The seed. 0 by default.
    pub seed: u64,
}

impl Default for DirichletRegressionOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            iterations: 500,
            beta: 0.01,
            alpha: 0.1,
            feature_variance: 1.0,
            intercept_variance: 10.0,
            learn_after: 50,
            learn_every: 20,
            draws: 10,
            thin: 5,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl DirichletRegressionOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        const TYPE: &str = "DirichletRegression";
        concentration::check_topics(TYPE, self.topics)?;
        self.schedule().check(TYPE)?;
        check::at_least_one(TYPE, "learn_every", self.learn_every)?;
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            concentration::check(TYPE, name, value)?;
        }
        check::positive(TYPE, "feature_variance", self.feature_variance)?;
        check::positive(TYPE, "intercept_variance", self.intercept_variance).map(|_| ())
    }

    /// Whether coefficients are fitted after a sweep.
    pub(super) fn learns_after(&self, sweep: usize) -> bool {
        let due = sweep >= self.learn_after && sweep.is_multiple_of(self.learn_every);
        due && !self.schedule().is_last(sweep)
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }
}
