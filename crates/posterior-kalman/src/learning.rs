//! Models from data: by the gradient of the likelihood, and by EM.
//!
//! | you have | take |
//! |---|---|
//! | a model whose matrices are functions of some parameters | [`Parametric`], or a closure in a [`Family`] |
//! | ∂ ln p(y) in every number of a model | [`score`](score()) |
//! | parameters that should fit series, with their standard errors | [`Likelihood`] and [`maximize`] |
//! | distributions of the parameters, to find the mode of or to draw from | [`Likelihood::with_prior`]: it is a target of samplers |
//! | matrices of which nothing is known | [`expectation_maximization`] |
//!
//! Parameters live on a free scale, all of ℝ, where an optimiser can move: a variance by its logarithm.
//! Everything that a user reads is in natural units.

mod derivative;
mod estimate;
mod expectation_maximization;
mod family;
mod likelihood;
mod maximize;
mod parameter;
mod parametric;
mod score;
mod sweep;

pub use derivative::{Derivative, EquationDerivative};
pub use estimate::{Estimate, ParameterEstimate, Status};
pub use expectation_maximization::{CovarianceShape, Learn, Part, expectation_maximization};
pub use family::Family;
pub use likelihood::Likelihood;
pub use maximize::{MaximizeOptions, maximize};
pub use parameter::{Parameter, Scale};
pub use parametric::Parametric;
pub use score::{EquationScore, MatrixScore, Score, score};
