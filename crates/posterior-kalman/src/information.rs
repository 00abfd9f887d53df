//! The filter in precisions, and the smoother from two filters.
//!
//! What is known of a state is η and Λ, the inverse of its covariance: zero where nothing is known, so that a
//! diffuse start is an ordinary one. A second filter runs backwards, and finds what the later observations
//! say about each state; the product of both is the smoothed distribution. It is another route to the numbers
//! of [`filter`](crate::filter()) and [`Smoothed`](crate::Smoothed), and slower. Inside, all precisions are
//! held by their roots, so that both agree for any number of times.
//!
//! ```
//! use posterior_kalman::information::{filter_backwards, filter_information, smooth_by_two_filters};
//! use posterior_kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
//! use posterior_math::linalg::DMatrix;
//!
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! let model = StateSpace::new(
//!     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
//!     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
//!     Initial::diffuse(1)?,
//! )?;
//! let series = Series::univariate(&[0.5, 1.2, 0.3])?;
//! let forwards = filter_information(&model, &series)?;
//! let smoothed = smooth_by_two_filters(&forwards, &filter_backwards(&model, &series)?)?;
//! // Before the first observation nothing is known, after it as much as the observation tells.
//! assert_eq!(forwards.predicted(0).precision()[(0, 0)], 0.0);
//! assert_eq!(forwards.filtered(0).precision()[(0, 0)], 4.0);
//! assert_eq!(smoothed.len(), 3);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```
//!
//! # References
//! D. C. Fraser, J. E. Potter, The optimum linear smoother as a combination of two optimum linear filters,
//! IEEE Transactions on Automatic Control 14, 1969; G. J. Bierman, Factorization Methods for Discrete
//! Sequential Estimation (1977), chapter 6 (the roots).

mod backwards;
mod forwards;
mod message;
mod two_filters;

pub use backwards::{BackwardInformation, filter_backwards};
pub use forwards::{InformationFiltered, filter_information};
pub use two_filters::smooth_by_two_filters;
