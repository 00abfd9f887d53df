//! Dirichlet-multinomial regression: proportions whose prior depends on what is known of a document (Mimno
//! and McCallum 2008).
//!
//! The concentration of topic `k` in document `d` is `alpha_dk = exp(lambda_k0 + lambda_k . x_d)`, where
//! `x_d` are features of the document and the coefficients have independent Gaussian priors. The rest is
//! latent Dirichlet allocation. Without features it is latent Dirichlet allocation with fitted
//! concentrations.
//!
//! # References
//! D. Mimno, A. McCallum, Topic models conditioned on arbitrary features with Dirichlet-multinomial
//! regression, UAI 2008.

mod coefficients;
mod fit;
mod model;
mod options;
mod recipe;

pub use fit::fit;
pub use model::DirichletRegression;
pub use options::DirichletRegressionOptions;
pub use recipe::{FeatureColumn, FeatureRecipe};
