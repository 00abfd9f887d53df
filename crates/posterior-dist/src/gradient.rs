//! Derivatives of the log-density.

use crate::density::Density;

/// ∂ ln p(x) / ∂x, of distributions with a density that is smooth in x.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::{Density, PointGradient};
/// # struct Power { a: f64 }
/// # impl Density for Power {
/// #     type Point = f64;
/// #     fn ln_pdf(&self, &x: &f64) -> f64 { self.a.ln() + (self.a - 1.0) * x.ln() }
/// # }
///
/// /// p(x) = a x^(a - 1) on [0, 1].
/// impl PointGradient for Power {
///     fn point_gradient(&self, &x: &f64) -> f64 {
///         if x > 0.0 && x < 1.0 { (self.a - 1.0) / x } else { f64::NAN }
///     }
/// }
/// ```
pub trait PointGradient: Density
where
    Self::Point: ToOwned,
{
    /// ∂ ln p(x) / ∂x, which has the form of a point: a number on the real line, a vector for a distribution
    /// of vectors. NaN outside the support and where there is no derivative.
    fn point_gradient(&self, x: &Self::Point) -> <Self::Point as ToOwned>::Owned;
}

/// ∂ ln p(x) / ∂θ, the score, in the parameters θ of [`Parametric`](crate::Parametric) and in their order.
///
/// # For a distribution of your own
/// ```
/// use posterior_dist::{Density, ParameterGradient};
/// # struct Power { a: f64 }
/// # impl Density for Power {
/// #     type Point = f64;
/// #     fn ln_pdf(&self, &x: &f64) -> f64 { self.a.ln() + (self.a - 1.0) * x.ln() }
/// # }
///
/// /// p(x) = a x^(a - 1) on [0, 1].
/// impl ParameterGradient for Power {
///     type Gradient = [f64; 1];
///
///     fn parameter_gradient(&self, &x: &f64) -> [f64; 1] {
///         [if (0.0..=1.0).contains(&x) { 1.0 / self.a + x.ln() } else { f64::NAN }]
///     }
/// }
/// ```
pub trait ParameterGradient: Density {
    /// An array with as many numbers as the distribution has parameters.
    type Gradient: AsRef<[f64]>;

    /// ∂ ln p(x) / ∂θ; NaN outside the support and where there is no derivative.
    fn parameter_gradient(&self, x: &Self::Point) -> Self::Gradient;
}
