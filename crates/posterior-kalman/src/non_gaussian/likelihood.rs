//! What is seen of a signal.

use std::f64::consts::PI;

use posterior_dist::{Binomial, NegativeBinomial, Poisson, StudentT, Univariate as _};
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::{ln_logistic, logistic, logit};
use posterior_math::special::{ln_binomial, ln_factorial, ln_pochhammer, ln_rising_factorial};
use rand::Rng;
use rand::distr::Distribution;

use crate::{Error, Series};

/// How one number is seen of a signal θ.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SignalLikelihood {
    /// A count with the rate exp(θ). An exposure is an offset of the signal, by its logarithm.
    Poisson,
    /// Successes in `trials` at each time, of one entry the same at all times, with the probability 1 / (1 +
    /// exp(-θ)).
    Binomial {
        /// Trials: one number, or one for each time.
        trials: Vec<u64>,
    },
    /// A count with the mean μ = exp(θ) and the variance μ + μ² / size.
    NegativeBinomial {
        /// The size; large is nearly Poisson.
        size: f64,
    },
    /// A number at θ with noise of heavy tails.
    StudentT {
        /// The degrees of freedom ν.
        degrees_of_freedom: f64,
        /// The scale; the variance is scale² ν / (ν - 2).
        scale: f64,
    },
}

/// A Gaussian observation that stands for one that is not.
#[derive(Debug, Clone, Copy)]
pub(super) struct PseudoObservation {
    pub(super) value: f64,
    pub(super) variance: f64,
}

impl SignalLikelihood {
    /// Whether these numbers can be, and the parameters.
    pub(super) fn check(&self, series: &Series) -> Result<(), Error> {
        check::dimension("components of an observation", 1, series.width())?;
        match self {
            Self::Poisson => {}
            Self::Binomial { trials } if trials.len() == 1 => {}
            Self::Binomial { trials } => check::enough("numbers of trials", series.len(), trials.len())?,
            Self::NegativeBinomial { size } => {
                check::positive("SignalLikelihood", "size", *size)?;
            }
            Self::StudentT { degrees_of_freedom, scale } => {
                check::positive("SignalLikelihood", "degrees of freedom", *degrees_of_freedom)?;
                check::positive("SignalLikelihood", "scale", *scale)?;
            }
        }
        for t in 0..series.len() {
            let y = series.at(t)[0];
            self.possible(t, y).map_err(|error| error.at(t))?;
        }
        Ok(())
    }

    fn possible(&self, t: usize, y: f64) -> Result<(), ParamError> {
        let most = match self {
            Self::StudentT { .. } => return Ok(()),
            // Beyond that, counts are no longer whole numbers.
            Self::Poisson | Self::NegativeBinomial { .. } => 9e15,
            Self::Binomial { trials } => trials_at(trials, t) as f64,
        };
        let whole = y.is_nan() || (0.0..=most).contains(&y) && y.fract() == 0.0;
        let requirement = "a whole number from 0, no more than there are trials";
        check::require(whole, "SignalLikelihood", "observation", y, requirement)?;
        Ok(())
    }

    /// ln p(y | θ) at time `t`, of an observation that can be.
    pub fn ln_density(&self, t: usize, y: f64, theta: f64) -> f64 {
        match self {
            Self::Poisson => y * theta - theta.exp() - ln_factorial(y as u64),
            Self::Binomial { trials } => {
                let n = trials_at(trials, t);
                ln_binomial(n, y as u64) + y * ln_logistic(theta) + (n as f64 - y) * ln_logistic(-theta)
            }
            Self::NegativeBinomial { size } => {
                let by = theta - size.ln();
                let ways = ln_rising_factorial(*size, y as u64) - ln_factorial(y as u64);
                ways + y * ln_logistic(by) + size * ln_logistic(-by)
            }
            Self::StudentT { degrees_of_freedom: nu, scale } => {
                let z = (y - theta) / scale;
                let constant = ln_pochhammer(0.5 * nu, 0.5) - 0.5 * (PI * nu).ln() - scale.ln();
                constant - 0.5 * (nu + 1.0) * (z * z / nu).ln_1p()
            }
        }
    }

    /// The mean of an observation at time `t`, given the signal; Student's t at its centre.
    pub fn mean(&self, t: usize, theta: f64) -> f64 {
        match self {
            Self::Poisson | Self::NegativeBinomial { .. } => theta.exp(),
            Self::Binomial { trials } => trials_at(trials, t) as f64 * logistic(theta),
            Self::StudentT { .. } => theta,
        }
    }

    /// The variance of an observation at time `t`, given the signal; infinite where there is none.
    pub fn variance(&self, t: usize, theta: f64) -> f64 {
        match self {
            Self::Poisson => theta.exp(),
            Self::Binomial { trials } => trials_at(trials, t) as f64 * logistic(theta) * logistic(-theta),
            Self::NegativeBinomial { size } => theta.exp() + (2.0 * theta).exp() / size,
            Self::StudentT { degrees_of_freedom: nu, scale } if *nu > 2.0 => scale * scale * nu / (nu - 2.0),
            Self::StudentT { .. } => f64::INFINITY,
        }
    }

    /// The probability of an observation up to `y` at time `t`, given the signal; where there is no
    /// distribution, as of a rate that overflows, all of it is above.
    pub fn cdf(&self, t: usize, y: f64, theta: f64) -> f64 {
        let found = match self {
            Self::Poisson => Poisson::new(theta.exp()).map(|own| own.cdf(y)),
            Self::Binomial { trials } => {
                Binomial::new(trials_at(trials, t), logistic(theta)).map(|own| own.cdf(y))
            }
            Self::NegativeBinomial { size } => {
                NegativeBinomial::new(*size, logistic(size.ln() - theta)).map(|own| own.cdf(y))
            }
            Self::StudentT { degrees_of_freedom, scale } => {
                StudentT::new(*degrees_of_freedom, theta, *scale).map(|own| own.cdf(y))
            }
        };
        found.unwrap_or(0.0)
    }

    /// Whether observations are whole numbers.
    pub const fn is_count(&self) -> bool {
        !matches!(self, Self::StudentT { .. })
    }

    /// The derivative of ln p(y | θ) in θ.
    pub(super) fn slope(&self, t: usize, y: f64, theta: f64) -> f64 {
        match self {
            Self::Poisson => y - theta.exp(),
            Self::Binomial { trials } => {
                let n = trials_at(trials, t) as f64;
                y * logistic(-theta) - (n - y) * logistic(theta)
            }
            Self::NegativeBinomial { size } => {
                let by = theta - size.ln();
                y * logistic(-by) - size * logistic(by)
            }
            Self::StudentT { degrees_of_freedom, scale } => {
                weight(*degrees_of_freedom, *scale, y - theta) * (y - theta)
            }
        }
    }

    /// The precision of the Gaussian that stands for p(y | θ) near θ: the negative second derivative where
    /// that is positive for all θ, and for Student's t the weight of the observation.
    fn precision(&self, t: usize, y: f64, theta: f64) -> f64 {
        match self {
            Self::Poisson => theta.exp(),
            Self::Binomial { trials } => trials_at(trials, t) as f64 * logistic(theta) * logistic(-theta),
            Self::NegativeBinomial { size } => {
                let by = theta - size.ln();
                (y + size) * logistic(by) * logistic(-by)
            }
            Self::StudentT { degrees_of_freedom, scale } => weight(*degrees_of_freedom, *scale, y - theta),
        }
    }

    /// The Gaussian observation whose density has the same slope at θ.
    pub(super) fn pseudo(&self, t: usize, y: f64, theta: f64) -> PseudoObservation {
        let variance = self.precision(t, y, theta).recip();
        PseudoObservation { value: theta + variance * self.slope(t, y, theta), variance }
    }

    /// A signal at which the observation is likely.
    pub(super) fn guess(&self, t: usize, y: f64) -> f64 {
        match self {
            Self::Poisson | Self::NegativeBinomial { .. } => (y + 0.5).ln(),
            Self::Binomial { trials } => logit((y + 0.5) / (trials_at(trials, t) as f64 + 1.0)),
            Self::StudentT { .. } => y,
        }
    }

    /// Draws an observation at time `t` of a signal. Binomial trials after the last are those of the last.
    ///
    /// # Errors
    /// A signal at which there is no distribution, as where its exponential overflows.
    pub fn draw<R: Rng + ?Sized>(&self, t: usize, theta: f64, rng: &mut R) -> Result<f64, ParamError> {
        Ok(match self {
            Self::Poisson => {
                let count: u64 = Poisson::new(theta.exp())?.sample(rng);
                count as f64
            }
            Self::Binomial { trials } => {
                let count: u64 = Binomial::new(trials_at(trials, t), logistic(theta))?.sample(rng);
                count as f64
            }
            Self::NegativeBinomial { size } => {
                let probability = logistic(size.ln() - theta);
                let count: u64 = NegativeBinomial::new(*size, probability)?.sample(rng);
                count as f64
            }
            Self::StudentT { degrees_of_freedom, scale } => {
                StudentT::new(*degrees_of_freedom, theta, *scale)?.sample(rng)
            }
        })
    }
}

/// The precision (ν + 1) / (ν s² + (y - θ)²) that Student's t gives an observation.
fn weight(nu: f64, scale: f64, difference: f64) -> f64 {
    (nu + 1.0) / (nu * scale * scale + difference * difference)
}

/// The trials at a time; of times after the last, those of the last.
fn trials_at(trials: &[u64], t: usize) -> u64 {
    trials.get(t).or(trials.last()).copied().unwrap_or(0)
}
