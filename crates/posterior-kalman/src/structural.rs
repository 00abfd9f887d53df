//! Series as sums of a level, a trend, seasons, cycles and regressions.
//!
//! A [`Structural`] model is a sum of [`SeriesComponent`]s and noise, in regular steps or at any times. What
//! is not stationary starts exactly diffuse. It is a model for [`learning`](crate::learning): its variances,
//! periods and dampings are parameters, and its derivatives are exact. [`extract`](Structural::extract) takes
//! a smoothed series apart again.
//!
//! | text | component | states | parameters |
//! |---|---|---|---|
//! | `local-level` | [`SeriesComponent::local_level`] | 1 | `level.variance` |
//! | `local-linear-trend` | [`SeriesComponent::local_linear_trend`] | 2 | `trend.level_variance`, `trend.slope_variance` |
//! | `smooth-trend` | [`SeriesComponent::smooth_trend`] | 2 | `trend.slope_variance` |
//! | `damped-trend` | [`SeriesComponent::damped_trend`] | 2 | `trend.level_variance`, `trend.slope_variance`, `trend.damping` |
//! | `seasonal:P` | [`SeriesComponent::seasonal`] | P - 1 | `seasonal.variance` |
//! | `trigonometric:P`, `trigonometric:P,K` | [`SeriesComponent::trigonometric`] | P - 1, 2K | `seasonal.variance` |
//! | `cycle:P` | [`SeriesComponent::cycle`] | 2 | `cycle.period`, `cycle.damping`, `cycle.variance` |
//! | `ar:P`, `arma:P,Q` | [`SeriesComponent::arma`] | max(P, Q + 1) | `arma.ar[i]`, `arma.ma[i]`, `arma.variance` |
//! | `arima:P,D,Q`, `arima:P,D,Q,P,D,Q,S`, `arima-constant:…` | [`SeriesComponent::arima`] | those of the ARMA model, its constant, and the values that differences use up | `arima.ar[i]`, `arima.ma[i]`, `arima.seasonal_ar[i]`, `arima.seasonal_ma[i]`, `arima.variance` |
//! | | [`SeriesComponent::regression`] | columns | `regression.variance` |
//! | `constant-velocity`, `constant-acceleration` | [`SeriesComponent::constant_velocity`], [`SeriesComponent::constant_acceleration`] | 2, 3 | `velocity.intensity`, `acceleration.intensity` |
//! | `matern12`, `matern32`, `matern52`, `ou` | [`SeriesComponent::process`] of any [`Process`](crate::continuous::Process) | its own | its own |
//!
//! ```
//! use posterior_kalman::structural::{SeriesComponent, Structural};
//! use posterior_kalman::{FilterOptions, Series, filter};
//!
//! // Quarters of a year around a level that wanders.
//! let model = Structural::new(vec![SeriesComponent::local_level(0.1)?, SeriesComponent::seasonal(4, 0.01)?], 0.5)?;
//! assert_eq!(model, "local-level(0.1) + seasonal:4(0.01) + noise(0.5)".parse()?);
//! let series = Series::univariate(&[5.1, 2.0, 2.9, 6.1, 5.3, 2.2, 3.2, 6.3, 5.5, 2.1])?;
//! let states = model.state_space()?;
//! let smoothed = filter(&states, &series, &FilterOptions::default())?.smooth(&states)?;
//! let parts = model.extract(&smoothed)?;
//! assert_eq!((parts[0].name(), parts[1].name()), ("level", "seasonal"));
//! assert!((parts[0].mean()[0] - 4.0).abs() < 0.3 && (parts[1].mean()[0] - 1.1).abs() < 0.3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arima_order;
mod arma;
mod coefficients;
mod component;
mod cycle;
mod extraction;
mod kind;
mod markov;
mod model;
mod parametric;
mod part;
mod regression;
mod seasonal;
mod text;
mod trend;

pub use arima_order::ArimaOrder;
pub use component::SeriesComponent;
pub use extraction::Extracted;
pub use model::Structural;
