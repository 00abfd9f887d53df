//! Summaries of a distribution: mean and variance, shape, entropy, mode.
//!
//! Four small traits: a distribution implements those that it has in closed form, and nothing falls back to a
//! slow sum.

use crate::density::Density;

/// Mean and variance: numbers, or for a distribution of vectors a vector and the covariance matrix.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::Moments;
///
/// /// p(x) = 2x on [0, 1].
/// struct Wedge;
///
/// impl Moments for Wedge {
///     fn mean(&self) -> Option<f64> {
///         Some(2.0 / 3.0)
///     }
///
///     fn variance(&self) -> Option<f64> {
///         Some(1.0 / 18.0)
///     }
/// }
/// ```
pub trait Moments<Mean = f64, Variance = f64> {
    /// The mean: `None` if it is undefined, infinite if it diverges.
    fn mean(&self) -> Option<Mean>;

    /// The variance: `None` if it is undefined, infinite if it diverges.
    fn variance(&self) -> Option<Variance>;
}

/// The third and fourth standardised moments of a univariate distribution.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::Shape;
///
/// /// p(x) = 2x on [0, 1].
/// struct Wedge;
///
/// impl Shape for Wedge {
///     fn skewness(&self) -> Option<f64> {
///         Some(-2.0 * 2_f64.sqrt() / 5.0)
///     }
///
///     fn excess_kurtosis(&self) -> Option<f64> {
///         Some(-0.6)
///     }
/// }
/// ```
pub trait Shape {
    /// E (X - μ)³ / σ³; `None` if it is undefined, as it is for σ = 0.
    fn skewness(&self) -> Option<f64>;

    /// E (X - μ)⁴ / σ⁴ - 3; `None` if it is undefined, as it is for σ = 0.
    fn excess_kurtosis(&self) -> Option<f64>;
}

/// The entropy.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::Entropy;
///
/// /// p(x) = 2x on [0, 1].
/// struct Wedge;
///
/// impl Entropy for Wedge {
///     fn entropy(&self) -> f64 {
///         0.5 - std::f64::consts::LN_2
///     }
/// }
/// ```
pub trait Entropy {
    /// -E ln p(X) in nats; for a continuous distribution the differential entropy, which may be negative.
    fn entropy(&self) -> f64;
}

/// The most probable point.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::{Density, Mode};
/// # struct Wedge;
/// # impl Density for Wedge {
/// #     type Point = f64;
/// #     fn ln_pdf(&self, &x: &f64) -> f64 {
/// #         if x.is_nan() || (0.0..=1.0).contains(&x) { (2.0 * x).ln() } else { f64::NEG_INFINITY }
/// #     }
/// # }
///
/// /// p(x) = 2x on [0, 1].
/// impl Mode for Wedge {
///     fn mode(&self) -> Option<f64> {
///         Some(1.0)
///     }
/// }
/// ```
pub trait Mode: Density
where
    Self::Point: ToOwned,
{
    /// The point of the largest density; `None` if there is none (the density is unbounded) or more than one.
    fn mode(&self) -> Option<<Self::Point as ToOwned>::Owned>;
}

/// p · value, and zero at p = 0: a term of an expectation.
pub(crate) fn weighted(p: f64, value: f64) -> f64 {
    if p == 0.0 { 0.0 } else { p * value }
}
