//! Equations that are not linear: extended, iterated, unscented, cubature and Gauss-Hermite filters and
//! smoothers, as one.
//!
//! All of them replace a function, where the state is thought to be, by a straight line and the spread around
//! it, and then do what a linear filter does. A [`Linearize`] says how: [`Taylor`] by the slope at the mean
//! (the extended filter), [`SigmaPoints`] by the values at some points around it. [`filter`](filter()) does
//! the rest, by roots of covariances only.
//!
//! ```
//! use posterior_kalman::nonlinear::{Formula, NonlinearOptions, NonlinearStateSpace, SigmaPoints, Taylor, filter};
//! use posterior_kalman::{Initial, Series};
//! use posterior_math::autodiff::Real;
//! use posterior_math::linalg::DMatrix;
//!
//! /// A pendulum: its angle and the speed of that, a tenth of a second later.
//! struct Swing;
//! impl Formula for Swing {
//!     fn inputs(&self) -> usize { 2 }
//!     fn outputs(&self) -> usize { 2 }
//!     fn evaluate<R: Real>(&self, _: usize, x: &[R], next: &mut [R]) {
//!         next[0] = x[0] + x[1] * 0.1;
//!         next[1] = x[1] - x[0].sin() * 0.981;
//!     }
//! }
//! /// What is seen of it: its shadow on the floor.
//! struct Shadow;
//! impl Formula for Shadow {
//!     fn inputs(&self) -> usize { 2 }
//!     fn outputs(&self) -> usize { 1 }
//!     fn evaluate<R: Real>(&self, _: usize, x: &[R], seen: &mut [R]) {
//!         seen[0] = x[0].sin();
//!     }
//! }
//!
//! let model = NonlinearStateSpace::new(
//!     (Swing, &DMatrix::from_diagonal_element(2, 2, 1e-3)),
//!     (Shadow, &DMatrix::from_element(1, 1, 0.01)),
//!     &Initial::known(&[1.0, 0.0], &DMatrix::from_diagonal_element(2, 2, 0.1))?,
//! )?;
//! let series = Series::univariate_with_missing(&[Some(0.8), Some(0.8), None, Some(0.6), Some(0.3)])?;
//! let extended = filter(&model, &series, &Taylor, &NonlinearOptions::default())?;
//! let cubature = filter(&model, &series, &SigmaPoints::cubature(), &NonlinearOptions::default())?;
//! assert!((extended.mean(4)[0] - cubature.mean(4)[0]).abs() < 0.02);
//! assert!(cubature.smooth(&model)?.variance(2, 0) < cubature.variance(2, 0));
//! # Ok::<(), posterior_kalman::Error>(())
//! ```
//!
//! | rule | evaluations | exact means of polynomials | when |
//! |---|---|---|---|
//! | [`Taylor`] | 1 and the slopes | degree 1 | nearly straight where the state is |
//! | [`SigmaPoints::cubature`] | 2n | degree 3 | the default: curved, and no slopes |
//! | [`SigmaPoints::unscented`] | 2n + 1 | degree 3 | the same with a say in the spread |
//! | [`SigmaPoints::gauss_hermite`] | pⁿ | degree 2p - 1 | few states, strongly curved |
//!
//! Observations that are missing at the end are forecasts. *Refuses:* noise that is not added, and a diffuse
//! start: there a straight line is no approximation.
//!
//! # References
//! S. Särkkä, L. Svensson, Bayesian Filtering and Smoothing, 2nd ed. (2023), chapters 7 to 10 and 13 to 15.

mod filter;
mod filtered;
mod formula;
mod linearize;
mod map;
mod model;
mod sigma_points;
mod smoother;

pub use filter::{NonlinearOptions, filter};
pub use filtered::NonlinearFiltered;
pub use formula::Formula;
pub use linearize::{Linearization, Linearize, Taylor};
pub use map::{DifferentiableMap, FnMap, Map};
pub use model::NonlinearStateSpace;
pub use sigma_points::SigmaPoints;
pub use smoother::NonlinearSmoothed;
