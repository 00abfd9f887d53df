//! Linear-Gaussian state-space models: Kalman filters and smoothers, structural time series, forecasts, fits.
//!
//! A [`StateSpace`] says how the state moves (a [`TransitionEquation`]), what is seen of it (an
//! [`ObservationEquation`]) and where it starts (an [`Initial`]). [`filter`](filter()) follows it forwards in
//! time, [`Filtered::smooth`] goes back over it with everything that was seen later.
//!
//! ```
//! use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter};
//! use posterior_kalman::math::linalg::DMatrix;
//!
//! // A level that wanders, seen through noise; one observation is missing.
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! let model = StateSpace::new(
//!     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
//!     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
//!     Initial::known(&[0.0], &scalar(1.0))?,
//! )?;
//! let series = Series::with_missing(&DMatrix::from_column_slice(4, 1, &[0.5, 1.2, f64::NAN, 0.3]))?;
//! let filtered = filter(&model, &series, &FilterOptions::default())?;
//! let smoothed = filtered.smooth(&model)?;
//! assert!((filtered.mean(0)[0] - 0.4).abs() < 1e-15);
//! assert!((filtered.ln_likelihood() - -3.9424958410509636).abs() < 1e-13);
//! assert!((smoothed.mean(0)[0] - 0.499649122807018).abs() < 1e-14);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | the matrices of a model, constant or one for each time | [`StateSpace`] |
//! | a stochastic differential equation, and times at any distances | [`continuous`] |
//! | a level, a trend, a season, a cycle | [`structural`] |
//! | a model with unknown parameters | [`learning`]: fits by gradient or by EM |
//! | equations that are not linear | [`nonlinear`] |
//! | counts, proportions or outliers, of a linear model | [`non_gaussian`] |
//! | densities of any kind | [`particles`]: a particle filter, and particle Gibbs |
//! | many series of one model | [`batch`] |
//! | the limit of the covariances of a constant model | [`steady_state`] |
//! | observations that come one at a time | [`online`]: no memory from the heap |
//! | draws of the states to make | [`simulation`] |
//! | a fitted model to check | [`diagnostics`]: residuals and tests |
//! | precisions instead of covariances; many cores | [`information`]; [`parallel`] |
//! | finitely many states | [`discrete`]: the same recursions |
//!
//! An unknown initial state is exactly diffuse, never a large variance.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | no | the scan over time, and many series, on several threads |
//! | `serde` | no | models as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod batch;
mod composition;
pub mod continuous;
pub mod diagnostics;
mod dimension;
pub mod discrete;
mod disturbances;
mod equation;
mod error;
mod filter;
mod forecast;
pub mod information;
mod initial;
pub mod learning;
mod matrices;
pub mod non_gaussian;
pub mod nonlinear;
pub mod online;
pub mod parallel;
pub mod particles;
mod reflection;
mod series;
mod signal;
pub mod simulation;
mod smoother;
mod state_space;
pub mod structural;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gaussian as gaussian, posterior_inference as inference,
    posterior_math as math, posterior_sampling as sampling,
};

pub use equation::{ObservationEquation, TransitionEquation};
pub use error::Error;
pub use filter::{
    CovarianceForm, FilterOptions, Filtered, Stationary, SteadyState, filter, ln_likelihood, steady_state,
};
pub use forecast::{Forecast, forecast};
pub use initial::Initial;
pub use matrices::Matrices;
pub use series::Series;
pub use signal::Signal;
pub use smoother::Smoothed;
pub use state_space::StateSpace;
