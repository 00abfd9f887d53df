//! Smooth one-to-one maps from free coordinates, all of ℝⁿ, to points under constraints, and back.
//!
//! A sampler or an optimiser moves in free coordinates; the model sees positive numbers, proportions,
//! covariance matrices. A [`Bijector`] maps the point, gives ln |J| for the density, and pulls gradients
//! back.
//!
//! | constraint | map |
//! |---|---|
//! | none | [`Identity`], [`AffineMap`] |
//! | positive | [`Exp`], [`Softplus`], with a bound elsewhere `(Exp, AffineMap)` |
//! | in an interval | [`IntervalMap`] |
//! | each number of a vector by one of these | [`Elementwise`] |
//! | proportions that add up to 1 | [`StickBreaking`], [`SoftmaxMap`], [`IsometricLogRatio`] |
//! | ascending | [`Ordered`] |
//! | a covariance matrix | [`PositiveDefinite`] |
//! | a correlation matrix, or its Cholesky factor | [`Correlation`], [`CorrelationFactor`] |
//! | several of these side by side, one after the other | [`ProductMap`], [`Composition`] |
//!
//! The maps of numbers, proportions, ascending numbers and factors of correlations also carry the derivatives
//! of [`autodiff`](crate::autodiff): [`RealBijector`].
//!
//! ```
//! use posterior_math::bijection::{Bijector, StickBreaking};
//!
//! let simplex = StickBreaking::new(3)?;
//! let mut proportions = [0.0; 3];
//! let ln_jacobian = simplex.forward(&[0.0, 0.0], &mut proportions);
//! assert!(proportions.iter().all(|proportion| (proportion - 1.0 / 3.0).abs() < 1e-15));
//! assert!((ln_jacobian - (1.0_f64 / 27.0).ln()).abs() < 1e-15); // the product of the proportions
//! # Ok::<(), posterior_math::ParamError>(())
//! ```

mod bijector;
mod composition;
#[cfg(feature = "linalg")]
mod correlation;
mod interval;
mod log_ratio;
mod ordered;
#[cfg(feature = "linalg")]
mod positive_definite;
mod product;
mod scalar;
mod stick_breaking;

pub use bijector::{Bijector, RealBijector};
pub use composition::Composition;
#[cfg(feature = "linalg")]
pub use correlation::{Correlation, CorrelationFactor};
pub use interval::IntervalMap;
pub use log_ratio::{IsometricLogRatio, SoftmaxMap};
pub use ordered::Ordered;
#[cfg(feature = "linalg")]
pub use positive_definite::PositiveDefinite;
pub use product::ProductMap;
pub use scalar::{AffineMap, Elementwise, Exp, Identity, RealScalarBijector, ScalarBijector, Softplus};
pub use stick_breaking::StickBreaking;
