//! Derivatives of functions that are written as ordinary code.
//!
//! A function that takes any [`Real`] gives all of its derivatives: called with [`f64`] its value, with
//! [`Dual`] the derivatives along up to N directions in one pass (forward), with [`Var`] the gradient in all
//! variables at a few times the cost of the value (reverse), and with `Var` over `Dual` the product of the
//! Hessian with a vector.
//!
//! | for | use |
//! |---|---|
//! | a gradient in many variables | [`gradient`], or a [`Tape`] that is used again and again |
//! | a gradient in one to ten variables | [`gradient_forward`] |
//! | Hessian times vector | [`hessian_vector`] |
//! | products, factors, solutions, determinants of matrices on a tape | [`VarMatrix`] |
//! | ln Σ exp(xᵢ), as of mixtures | [`ln_sum_exp`](self::ln_sum_exp()) |
//! | an operation of your own | [`Var::custom`]; adjoints of factors: [`cholesky_adjoint`](self::cholesky_adjoint()) and its siblings |
//!
//! ```
//! use posterior_math::autodiff::{Real, gradient};
//!
//! // The log-density of a Student t distribution with ν = e^x₀ degrees of freedom at x₁, without its constant.
//! fn student<R: Real>(x: &[R]) -> R {
//!     let nu = x[0].exp();
//!     let half = (nu + 1.0) * 0.5;
//!     half.ln_gamma() - (nu * 0.5).ln_gamma() - nu.ln() * 0.5 - half * (x[1] * x[1] / nu).ln_1p()
//! }
//!
//! let mut slope = [0.0; 2];
//! let value = gradient(|x| student(x), &[1.0, 0.5], &mut slope);
//! assert_eq!(value, student(&[1.0, 0.5]));
//! let nu = 1_f64.exp();
//! assert!((slope[1] + (nu + 1.0) * 0.5 / (nu + 0.25)).abs() < 1e-15);
//! ```

#[cfg(feature = "linalg")]
mod cholesky_adjoint;
mod derivative;
mod dual;
mod elementary;
mod ln_sum_exp;
#[cfg(feature = "linalg")]
mod matrix;
mod operators;
mod real;
mod tape;

#[cfg(feature = "linalg")]
pub use cholesky_adjoint::{cholesky_adjoint, cholesky_differential, ln_determinant_adjoint, solve_adjoint};
pub use dual::{Dual, gradient_forward};
pub use elementary::Elementary;
pub use ln_sum_exp::ln_sum_exp;
#[cfg(feature = "linalg")]
pub use matrix::VarMatrix;
pub use real::Real;
pub use tape::{Tape, Var, gradient, hessian_vector};
