//! Successes in some trials.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::{ln_logistic, logistic};
use posterior_math::special::ln_binomial;

use super::{Likelihood, LogConcave, LogisticLikelihood};

/// How many of some trials were successes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trials {
    successes: u64,
    trials: u64,
}

impl Trials {
    /// So many successes in so many trials.
    ///
    /// # Errors
    /// If there are more successes than trials.
    pub fn new(successes: u64, trials: u64) -> Result<Self, ParamError> {
        let requirement = "at most the number of trials";
        check::require(successes <= trials, "Trials", "successes", successes as f64, requirement)?;
        Ok(Self { successes, trials })
    }

    /// The number of successes.
    pub const fn successes(self) -> u64 {
        self.successes
    }

    /// The number of trials.
    pub const fn trials(self) -> u64 {
        self.trials
    }

    fn failures(self) -> f64 {
        (self.trials - self.successes) as f64
    }
}

/// Each trial succeeds with the probability σ(f).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BinomialLikelihood;

impl Likelihood for BinomialLikelihood {
    type Output = Trials;

    /// All [`Trials`] can be.
    fn check(&self, _output: Trials) -> Result<(), ParamError> {
        Ok(())
    }

    fn ln_density(&self, output: Trials, latent: f64) -> f64 {
        let ways = ln_binomial(output.trials, output.successes);
        ways + output.successes as f64 * ln_logistic(latent) + output.failures() * ln_logistic(-latent)
    }

    fn derivatives(&self, output: Trials, latent: f64) -> [f64; 3] {
        let (p, q) = (logistic(latent), logistic(-latent));
        let second = -(output.trials as f64) * p * q;
        [output.successes as f64 * q - output.failures() * p, second, second * (q - p)]
    }

    fn response(&self, latent: f64) -> f64 {
        logistic(latent)
    }

    fn mean_response(&self, mean: f64, variance: f64) -> f64 {
        LogisticLikelihood.mean_response(mean, variance)
    }
}

impl LogConcave for BinomialLikelihood {}
