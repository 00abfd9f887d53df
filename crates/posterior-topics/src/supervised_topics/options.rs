//! Options of supervised topics.

use posterior_math::{ParamError, check};
use serde::{Deserialize, Serialize};

use crate::chain::Schedule;
use crate::lda::{Concentration, concentration};

pub(super) const NAME: &str = "SupervisedTopics";

/// What a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResponseFamily {
    /// A number, with normal noise.
    #[default]
    Gaussian,
    /// 0 or 1, by a probit.
    Binary,
}

/// What is known of coefficients and noise before the fit: `eta_k ~ N(center, variance scale^2)` and
/// `sigma^2 ~ scale^2 InverseGamma(noise)`. Of a binary response the center is 0 and the scale 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResponsePrior {
    /// The center of the coefficients. Default: the mean of the responses.
    pub center: Option<f64>,
    /// The unit of both. Default: the standard deviation of the responses.
    pub scale: Option<f64>,
    /// The prior variance of a coefficient, in squares of the unit. Default 10.
    pub variance: f64,
    /// Shape and scale of the inverse gamma distribution of the variance of the noise. Default `[2, 1]`,
    /// whose mean is 1.
    pub noise: [f64; 2],
}

impl Default for ResponsePrior {
    fn default() -> Self {
        Self { center: None, scale: None, variance: 10.0, noise: [2.0, 1.0] }
    }
}

/// Options of [`fit`](super::fit).
///
/// ```
/// use posterior_topics::supervised_topics::{ResponseFamily, SupervisedTopicsOptions};
///
/// let options = SupervisedTopicsOptions { family: ResponseFamily::Binary, ..SupervisedTopicsOptions::default() };
/// assert_eq!(options.topics, 20);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SupervisedTopicsOptions {
    /// What a response is. A number by default.
    pub family: ResponseFamily,
    /// The number of topics, at least 1. 20 by default.
    pub topics: usize,
    /// Sweeps over all tokens, at least 1. 1000 by default.
    pub iterations: usize,
    /// The Dirichlet concentration of each topic in a document. Default `5 / topics`.
    pub alpha: Concentration,
    /// The Dirichlet concentration of each word in a topic. 0.01 by default.
    pub beta: f64,
    /// What is known of coefficients and noise beforehand.
    pub prior: ResponsePrior,
    /// States of the chain that the model keeps for predictions and whose counts are pooled, the last one
    /// included, at least 1. 20 by default. Each takes as much room as the corpus has different words of
    /// documents at most.
    pub draws: usize,
    /// Sweeps between two of them, at least 1. 10 by default.
    pub thin: usize,
    /// Sweeps between two values of the joint log-likelihood in the trace, at least 1. 10 by default.
    pub trace_every: usize,
    /// The seed. 0 by default.
    pub seed: u64,
}

impl Default for SupervisedTopicsOptions {
    fn default() -> Self {
        Self {
            family: ResponseFamily::default(),
            topics: 20,
            iterations: 1000,
            alpha: Concentration::Default,
            beta: 0.01,
            prior: ResponsePrior::default(),
            draws: 20,
            thin: 10,
            trace_every: 10,
            seed: 0,
        }
    }
}

impl SupervisedTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        concentration::check_topics(NAME, self.topics)?;
        self.alpha.of_topics_in(NAME, self.topics)?;
        concentration::check(NAME, "beta", self.beta)?;
        self.schedule().check(NAME)?;
        let ResponsePrior { center, scale, variance, noise: [shape, noise] } = self.prior;
        check::finite(NAME, "center", center.unwrap_or(0.0))?;
        let positive =
            [("scale", scale.unwrap_or(1.0)), ("variance", variance), ("shape of the noise", shape)];
        for (name, value) in positive.into_iter().chain([("scale of the noise", noise)]) {
            concentration::check(NAME, name, value)?;
        }
        Ok(())
    }

    pub(super) fn schedule(&self) -> Schedule {
        let &Self { iterations, draws, thin, trace_every, .. } = self;
        Schedule { iterations, draws, thin, trace_every, optimizes: false }
    }

    /// Whether coefficients drawn in a sweep are kept: those of the second half of the sweeps.
    pub(super) fn keeps_after(&self, sweep: usize) -> bool {
        sweep > self.iterations / 2
    }
}
