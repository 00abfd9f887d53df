//! Log-densities on ℝⁿ, known up to a constant: what samplers, optimisers and Laplace's method move on.
//!
//! A [`Target`] is anything with a dimension and ln p(x); a [`GradTarget`] has the gradient too, a
//! [`HessianTarget`] the second derivatives. Implement them for a model, or make one: from named unknowns and
//! the terms of their joint density ([`JointModel`]), from a formula of ℝⁿ, both differentiated for you
//! ([`JointTarget`], [`Differentiated`]), from a closure ([`FromFn`], [`FromGradFn`]), from a
//! distribution and the bijection of its support ([`Unconstrained`], [`OnTheLine`]), or as a sum of terms
//! ([`SumOfTerms`]).
//!
//! ```
//! use posterior_dist::target::{FromGradFn, GradTarget, SumOfTerms};
//!
//! // A standard normal prior, and an observation 3 = x₀ + x₁ with noise of variance 1.
//! let prior = FromGradFn::new(2, |x, gradient| {
//!     gradient.copy_from_slice(&[-x[0], -x[1]]);
//!     -0.5 * (x[0] * x[0] + x[1] * x[1])
//! });
//! let likelihood = FromGradFn::new(2, |x, gradient| {
//!     let residual = 3.0 - x[0] - x[1];
//!     gradient.fill(residual);
//!     -0.5 * residual * residual
//! });
//! let posterior = SumOfTerms::new(prior).and(likelihood)?;
//! let mut gradient = [0.0; 2];
//! assert_eq!(posterior.ln_density_grad(&[1.0, 1.0], &mut gradient)?, -1.5);
//! assert_eq!(gradient, [0.0, 0.0]); // the mode
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod closure;
mod differentiated;
mod eval_error;
mod joint;
mod joint_error;
mod joint_target;
mod negated;
mod on_the_line;
mod sum_of_terms;
mod unconstrained;

pub use closure::{FromFn, FromGradFn};
pub use differentiated::{Differentiated, Formula};
pub use eval_error::EvalError;
pub use joint::{Joint, JointModel};
pub use joint_error::JointError;
pub use joint_target::JointTarget;
pub use negated::negated;
pub use on_the_line::OnTheLine;
pub use sum_of_terms::SumOfTerms;
pub use unconstrained::Unconstrained;

#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;

/// ln p(x) + constant, on ℝⁿ.
///
/// # For a model of your own
/// ```
/// use posterior_dist::target::{EvalError, GradTarget, Target};
///
/// /// A banana: x₀ ~ N(0, 1), x₁ ~ N(x₀², 1).
/// struct Banana;
///
/// impl Target for Banana {
///     fn dim(&self) -> usize {
///         2
///     }
///
///     fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
///         let residual = x[1] - x[0] * x[0];
///         Ok(-0.5 * (x[0] * x[0] + residual * residual))
///     }
/// }
///
/// impl GradTarget for Banana {
///     fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
///         let residual = x[1] - x[0] * x[0];
///         gradient.copy_from_slice(&[2.0 * x[0] * residual - x[0], -residual]);
///         self.ln_density(x)
///     }
/// }
/// ```
pub trait Target {
    /// The number of coordinates, n.
    fn dim(&self) -> usize;

    /// ln p(x); -∞ where the density is zero.
    ///
    /// # Errors
    /// [`EvalError`]: the point is to be refused, or the run to be ended.
    ///
    /// # Panics
    /// May panic if `x` does not have n coordinates.
    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError>;
}

/// A target with its gradient.
pub trait GradTarget: Target {
    /// Writes the gradient at x, all of it, and returns ln p(x).
    ///
    /// # Errors
    /// As for [`ln_density`](Target::ln_density); the gradient is then without meaning.
    ///
    /// # Panics
    /// May panic if `x` or `gradient` does not have n coordinates.
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError>;
}

/// A target with its gradient and its Hessian: what Newton's and Laplace's methods move on.
///
/// Implement it where the second derivatives have a short formula, as for generalised linear models, or write
/// the model as a [`Formula`], whose derivatives come by themselves.
#[cfg(feature = "linalg")]
pub trait HessianTarget: GradTarget {
    /// Writes the gradient and the lower triangle of the Hessian at x, all of them, and returns ln p(x).
    ///
    /// # Errors
    /// As for [`ln_density`](Target::ln_density); gradient and Hessian are then without meaning.
    ///
    /// # Panics
    /// May panic if `x` or `gradient` does not have n coordinates, or the Hessian is not n × n.
    fn ln_density_hessian(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError>;
}

impl<T: Target + ?Sized> Target for &T {
    fn dim(&self) -> usize {
        (**self).dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        (**self).ln_density(x)
    }
}

impl<T: GradTarget + ?Sized> GradTarget for &T {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        (**self).ln_density_grad(x, gradient)
    }
}

#[cfg(feature = "linalg")]
impl<T: HessianTarget + ?Sized> HessianTarget for &T {
    fn ln_density_hessian(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        (**self).ln_density_hessian(x, gradient, hessian)
    }
}

/// `value` unless it is NaN or +∞, which no log-density is.
fn checked(value: f64) -> Result<f64, EvalError> {
    if value < f64::INFINITY { Ok(value) } else { Err(EvalError::reject(format!("ln p(x) is {value}"))) }
}
