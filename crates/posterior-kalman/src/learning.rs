//! Models from data: by the gradient of the likelihood, and by EM.
//!
//! | you have | take |
//! |---|---|
//! | a model whose matrices are functions of some parameters | [`ParametricModel`], or a closure in a [`ModelFamily`] |
//! | ∂ ln p(y) in every number of a model | [`score`](score()) |
//! | parameters that should fit series, with their standard errors | [`MarginalTarget`] and [`fit`] |
//! | distributions of the parameters, to find the mode of or to draw from | [`MarginalTarget::with_prior`]: it is a target of samplers |
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
pub use estimate::{FittedParameters, ParameterEstimate, Status};
pub use expectation_maximization::{CovarianceShape, Learn, Part, expectation_maximization};
pub use family::ModelFamily;
pub use likelihood::MarginalTarget;
pub use maximize::{MaximizeOptions, fit};
pub use parameter::{Parameter, ParameterScale};
pub use parametric::ParametricModel;
pub use score::{EquationScore, LikelihoodScore, MatrixScore, score};
