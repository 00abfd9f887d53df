//! States and observations drawn from a model, and states drawn given the observations.
//!
//! | you want | take |
//! |---|---|
//! | a series that the model might make, with the states behind it | [`simulate`] |
//! | what will be seen after a series, jointly over the times | [`ForecastSampler`] |
//! | states given a series, from what a filter found (FFBS) | [`BackwardSampler`] |
//! | states given a series, also where the start is diffuse | [`DisturbanceSampler`] |
//!
//! The samplers are prepared once, and then draw whole paths, exactly and independently:
//! `sampler.sample(&mut rng)` by rand's `Distribution`. Covariances may be singular.
//!
//! ```
//! use posterior_kalman::simulation::{BackwardSampler, simulate};
//! use posterior_kalman::{FilterOptions, Initial, ObservationEquation, StateSpace, TransitionEquation, filter};
//! use posterior_math::linalg::DMatrix;
//! use rand::distr::Distribution;
//!
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! let model = StateSpace::new(
//!     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
//!     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
//!     Initial::known(&[0.0], &scalar(1.0))?,
//! )?;
//! let mut rng = posterior_dist::stream::stream(1, &[]);
//! let simulated = simulate(&model, 50, &mut rng)?;
//! let filtered = filter(&model, &simulated.observations, &FilterOptions::default())?;
//! let path = BackwardSampler::new(&model, &filtered)?.sample(&mut rng);
//! // Within the noise of the true states.
//! assert!((&path - &simulated.states).amax() < 2.5);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```

mod backward;
mod disturbance;
mod forward;
mod future;
mod given_next;

pub use backward::BackwardSampler;
pub use disturbance::DisturbanceSampler;
pub use forward::{Simulated, simulate};
pub use future::{ForecastSampler, FuturePath};
pub(crate) use given_next::GivenNext;
