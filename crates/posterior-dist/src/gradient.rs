//! Derivatives of the log-density.

use crate::density::Density;

/// ∂ ln p(x) / ∂x, of laws with a density that is smooth in x.
pub trait PointGradient: Density {
    /// A number on the real line, a vector for a law of vectors.
    type Gradient;

    /// ∂ ln p(x) / ∂x; NaN outside the support and where there is no derivative.
    fn point_gradient(&self, x: &Self::Point) -> Self::Gradient;
}

/// ∂ ln p(x) / ∂θ, the score, in the parameters θ of [`Parametric`](crate::Parametric) and in their order.
pub trait ParameterGradient: Density {
    /// An array with as many numbers as the law has parameters.
    type Gradient: AsRef<[f64]>;

    /// ∂ ln p(x) / ∂θ; NaN outside the support and where there is no derivative.
    fn parameter_gradient(&self, x: &Self::Point) -> Self::Gradient;
}
