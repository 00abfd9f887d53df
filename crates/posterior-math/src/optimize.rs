//! Minima of functions, roots, and linear systems by iteration.
//!
//! | for | use |
//! |---|---|
//! | a smooth function with a gradient | [`minimize`] (L-BFGS) |
//! | one plus the absolute values of variables, many of which are to become 0 | [`minimize_l1`] (OWL-QN) |
//! | one with a Hessian, of up to some hundred variables | [`minimize_newton`] (trust region) |
//! | one with products of its Hessian with vectors, of many variables | [`minimize_newton_cg`] |
//! | one with limits for each variable | [`minimize_in_box`] (L-BFGS) |
//! | a sum of squares of residuals | [`minimize_least_squares`] (Levenberg-Marquardt) |
//! | a function without derivatives | [`minimize_simplex`] (Nelder-Mead) |
//! | a gradient with noise | [`minimize_stochastic`] (Adam, SGD) |
//! | a function of one variable | [`minimize_scalar`], [`find_root`], [`find_root_newton`] |
//! | A x = b with a positive definite A that can only be applied | [`conjugate_gradients`] |
//! | numbers that do not fall, nearest to given ones | [`isotonic_regression`] |
//! | who does what, one each, at the least cost | [`minimum_cost_assignment`] |
//! | whether a gradient is right | [`gradient_check`] |
//!
//! To maximise, minimise the negative. An [`Objective`] that cannot be evaluated at a point returns NaN or an
//! infinity, and the step is shortened. Not to converge is not an error: the report says why a run stopped.

#[cfg(feature = "linalg")]
mod assignment;
mod conjugate_gradients;
mod curvature;
mod gradient_check;
mod in_box;
mod isotonic;
mod lbfgs;
#[cfg(feature = "linalg")]
mod least_squares;
mod line_search;
#[cfg(feature = "linalg")]
mod newton;
mod newton_cg;
mod objective;
mod owl_qn;
mod root;
mod scalar;
mod simplex;
mod stochastic;

#[cfg(feature = "linalg")]
pub use assignment::{Assignment, minimum_cost_assignment};
pub use conjugate_gradients::{LinearOptions, LinearSolution, LinearSystem, conjugate_gradients};
pub use gradient_check::{GradientCheck, gradient_check};
pub use in_box::minimize_in_box;
pub use isotonic::isotonic_regression;
pub use lbfgs::{LbfgsOptions, minimize, minimize_visiting};
#[cfg(feature = "linalg")]
pub use least_squares::{LeastSquaresOptions, Residuals, minimize_least_squares};
#[cfg(feature = "linalg")]
pub use newton::minimize_newton;
pub use newton_cg::{CurvedObjective, NewtonOptions, minimize_newton_cg};
#[cfg(feature = "linalg")]
pub use objective::SmoothObjective;
pub use objective::{Minimum, Objective};
pub use owl_qn::minimize_l1;
pub use root::{Root, RootOptions, find_root, find_root_newton};
pub use scalar::{ScalarMinimum, ScalarOptions, minimize_scalar};
pub use simplex::{SimplexOptions, minimize_simplex};
pub use stochastic::{StepSchedule, StochasticMethod, StochasticOptions, minimize_stochastic};
