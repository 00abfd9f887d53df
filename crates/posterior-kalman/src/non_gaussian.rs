//! Counts, proportions and heavy tails: observations of a linear Gaussian state that are not Gaussian.
//!
//! The signal θ(t) = H x(t) + d of a [`StateSpace`](crate::StateSpace) is seen through a
//! [`SignalLikelihood`]. [`mode`] finds the most probable signal, and the Gaussian model that has the same
//! mode; [`ImportanceSmoother`] draws from that one and weights the draws, so that the likelihood, the signal
//! and forecasts are those of the model itself, up to an error that is reported. The start may be diffuse.
//!
//! ```
//! use posterior_dist::stream::stream;
//! use posterior_kalman::Series;
//! use posterior_kalman::non_gaussian::{ImportanceSmoother, SignalLikelihood};
//! use posterior_kalman::structural::Structural;
//!
//! // Accidents a year, of a rate whose logarithm wanders; a year is missing.
//! let rate: Structural = "local-level(0.05) + noise(0)".parse()?;
//! let counts = Series::univariate_with_missing(&[Some(3.0), Some(5.0), None, Some(9.0), Some(12.0)])?;
//! let smoother = ImportanceSmoother::default();
//! let smoothed =
//!     smoother.run(&rate.state_space()?, &SignalLikelihood::Poisson, &counts, &mut stream(1, &[]))?;
//! assert!(smoothed.weights().ess() > 0.8 * 1000.0);
//! let rates = smoothed.expectation(|signal| signal[2].exp())?;
//! assert!(rates.value > 4.5 && rates.value < 8.0 && rates.standard_error < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | likelihood | the signal is | the mode |
//! |---|---|---|
//! | [`SignalLikelihood::Poisson`] | ln of the rate | the only one |
//! | [`SignalLikelihood::Binomial`] | the logit of the probability | the only one |
//! | [`SignalLikelihood::NegativeBinomial`] | ln of the mean | the only one |
//! | [`SignalLikelihood::StudentT`] | the location | one of several, where outliers disagree |
//!
//! # References
//! N. Shephard, M. K. Pitt, Likelihood analysis of non-Gaussian measurement time series, Biometrika 84, 1997;
//! J. Durbin, S. J. Koopman, Monte Carlo maximum likelihood estimation for non-Gaussian state space models,
//! Biometrika 84, 1997; Time Series Analysis by State Space Methods, 2nd ed. (2012), chapters 10 and 11.

mod likelihood;
mod mode;
mod smoothed;
mod smoother;

pub use likelihood::SignalLikelihood;
pub use mode::{GaussianMode, SignalModeOptions, mode};
pub use smoothed::WeightedSignals;
pub use smoother::ImportanceSmoother;
