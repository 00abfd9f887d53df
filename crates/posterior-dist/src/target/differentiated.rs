//! Targets whose derivatives are found by automatic differentiation.

#[cfg(feature = "linalg")]
use posterior_math::autodiff::hessian_vector;
use posterior_math::autodiff::{Real, gradient};
#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;

#[cfg(feature = "linalg")]
use super::HessianTarget;
use super::{EvalError, GradTarget, Target, checked};

/// A log-density written once, for any number type.
pub trait Formula {
    /// n.
    fn dim(&self) -> usize;

    /// ln p(x) + constant; NaN and +∞ refuse the point. `x` has n coordinates.
    fn ln_density<R: Real>(&self, x: &[R]) -> R;
}

/// The target of a [`Formula`], with exact derivatives: the gradient at a few times the cost of the value,
/// the Hessian at n times that.
///
/// ```
/// use posterior_dist::target::{Differentiated, Formula, GradTarget, HessianTarget};
/// use posterior_math::autodiff::Real;
/// use posterior_math::linalg::DMatrix;
///
/// /// Seven heads and five tails of a coin, in the logit of its probability.
/// struct Coin;
///
/// impl Formula for Coin {
///     fn dim(&self) -> usize {
///         1
///     }
///
///     fn ln_density<R: Real>(&self, x: &[R]) -> R {
///         x[0] * 7.0 - x[0].ln_1p_exp() * 12.0
///     }
/// }
///
/// let (mut slope, mut curvature) = ([0.0], DMatrix::zeros(1, 1));
/// Differentiated(Coin).ln_density_hessian(&[0.0], &mut slope, &mut curvature)?;
/// assert_eq!((slope[0], curvature[(0, 0)]), (1.0, -3.0));
/// # Ok::<(), posterior_dist::target::EvalError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Differentiated<M>(pub M);

impl<M: Formula> Target for Differentiated<M> {
    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        checked(self.0.ln_density(x))
    }
}

impl<M: Formula> GradTarget for Differentiated<M> {
    fn ln_density_grad(&self, x: &[f64], slope: &mut [f64]) -> Result<f64, EvalError> {
        checked(gradient(|x| self.0.ln_density(x), x, slope))
    }
}

#[cfg(feature = "linalg")]
impl<M: Formula> HessianTarget for Differentiated<M> {
    fn ln_density_hessian(
        &self,
        x: &[f64],
        slope: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        let n = x.len();
        let (mut direction, mut column) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            direction[j] = 1.0;
            hessian_vector(|x| self.0.ln_density(x), x, &direction, slope, &mut column);
            direction[j] = 0.0;
            hessian.column_mut(j).copy_from_slice(&column);
        }
        self.ln_density(x)
    }
}
