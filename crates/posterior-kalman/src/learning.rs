//! Models from data: by the gradient of the likelihood, and by EM.
//!
//! | you have | take |
//! |---|---|
//! | a model whose matrices are functions of some parameters | [`Parametric`], or a closure in a [`Family`] |
//! | ∂ ln p(y) in every number of a model | [`score`](score()) |
//! | ln p(y) of series as a function of the parameters | [`Likelihood`] |
//! | a law on the parameters, to draw from | [`Likelihood::with_prior`]; it is a target of samplers |
//! //!
//! Parameters live on a free scale, all of ℝ, where an optimiser can move: a variance by its logarithm. Everything that a user
//! reads is in natural units.

mod derivative;
mod family;
mod likelihood;
mod parameter;
mod parametric;
mod score;

pub use derivative::{Derivative, EquationDerivative};
pub use family::Family;
pub use likelihood::Likelihood;
pub use parameter::{Parameter, Scale};
pub use parametric::Parametric;
pub use score::{EquationScore, MatrixScore, Score, score};
