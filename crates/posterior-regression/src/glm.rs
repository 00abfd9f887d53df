//! Generalised linear models.
//!
//! The mean of a response is a function of a linear predictor η = o + xᵀβ, and its distribution is one of a
//! [`Family`] with its link, or a [`ResponseDistribution`] of a user's own. [`Glm`] holds distribution, rows
//! and a Gaussian prior of the coefficients (flat by default):
//!
//! | question | answer |
//! |---|---|
//! | most likely or most probable coefficients, their errors, deviance, criteria | [`Glm::fit`], [`GlmFit`] |
//! | errors that do not trust the variance function | [`Glm::sandwich`], [`Glm::clustered_sandwich`] |
//! | which rows fit badly, or decide | [`Glm::pearson_residuals`], [`Glm::deviance_residuals`], [`Glm::leverages`] |
//! | the posterior as a Gaussian, and the evidence | [`Glm::laplace`], [`GlmPosterior`] |
//! | the posterior without the bias of that Gaussian, and the evidence with its error | [`Glm::corrected`], [`GlmDraws`] |
//! | predictions that know how sure they are | [`Predictor`], [`GlmDraws::response`], [`CountMixture`] |
//! | few columns that matter, by a penalty of absolute values | [`Glm::penalized`], [`Glm::penalty_path`], [`Glm::penalty_by_folds`] |
//! | many more columns than rows | [`RowSpace`] |
//! | several classes | [`SoftmaxRegression`], [`SoftmaxDraws`] |
//! | levels in an order | [`OrdinalRegression`] |
//! | counts that vary more than Poisson counts, by how much is to be fitted | [`NegativeBinomialRegression`] |
//! | anything else | [`Glm`] is a target: see [`comparison`](crate::comparison) |
//!
//! Responses that the columns separate have no most likely coefficients; a fit says so, and names the column
//! ([`Error::Separated`](crate::Error)). A proper prior cures it.

mod climb;
mod count_mixture;
mod draws;
mod family;
mod fit;
mod fitted;
mod gram;
mod likelihood;
mod model;
mod negative_binomial;
mod observations;
mod ordinal;
mod pass;
mod penalized;
mod posterior;
mod prior;
mod residuals;
mod response_distribution;
mod row_space;
pub(crate) mod scale_prior;
mod separation;
mod softmax;
mod third_order;

pub use climb::GlmFitOptions;
pub use count_mixture::CountMixture;
pub use draws::{Corrected, DrawnBy, GlmDraws};
pub use family::Family;
pub use fitted::GlmFit;
pub(crate) use gram::weighted_gram;
pub use model::Glm;
pub use negative_binomial::{NegativeBinomialFit, NegativeBinomialRegression, Size};
pub use observations::GlmData;
pub use ordinal::{OrdinalDraws, OrdinalFit, OrdinalLink, OrdinalRegression};
pub use penalized::{HeldOutDeviance, PenalizedFit, PenaltyOptions, PenaltyPath};
pub use posterior::{GlmPosterior, Predictor};
pub use prior::CoefficientPrior;
pub use residuals::Sandwich;
pub use response_distribution::{Ascent, Curvature, ResponseDistribution, Term, Terms};
pub use row_space::RowSpace;
pub use scale_prior::ScalePrior;
pub use softmax::{SoftmaxDraws, SoftmaxFit, SoftmaxRegression, SoftmaxTarget};
