//! Summaries of a law: mean and variance, shape, entropy, mode.
//!
//! Four small traits: a law implements those that it has in closed form, and nothing falls back to a slow sum.

use crate::density::Density;

/// Mean and variance.
pub trait Moments {
    /// A number, or a vector for a law of vectors.
    type Mean;
    /// A number, or the covariance matrix for a law of vectors.
    type Variance;

    /// The mean: `None` if it is undefined, infinite if it diverges.
    fn mean(&self) -> Option<Self::Mean>;

    /// The variance: `None` if it is undefined, infinite if it diverges.
    fn variance(&self) -> Option<Self::Variance>;
}

/// The third and fourth standardised moments of a law on the real line.
pub trait Shape {
    /// E (X - μ)³ / σ³; `None` if it is undefined, as it is for σ = 0.
    fn skewness(&self) -> Option<f64>;

    /// E (X - μ)⁴ / σ⁴ - 3; `None` if it is undefined, as it is for σ = 0.
    fn excess_kurtosis(&self) -> Option<f64>;
}

/// The entropy.
pub trait Entropy {
    /// -E ln p(X) in nats; for a continuous law the differential entropy, which may be negative.
    fn entropy(&self) -> f64;
}

/// The most probable point.
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
