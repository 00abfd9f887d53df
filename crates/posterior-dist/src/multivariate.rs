//! Distributions of vectors and matrices.

mod dirichlet_multinomial;
#[cfg(feature = "linalg")]
mod inverse_wishart;
#[cfg(feature = "linalg")]
mod lkj;
#[cfg(feature = "linalg")]
mod matrix_normal;
mod multinomial;
#[cfg(feature = "linalg")]
mod multivariate_t;
mod normal_gamma;
mod normal_inverse_gamma;
#[cfg(feature = "linalg")]
mod normal_inverse_wishart;
#[cfg(feature = "linalg")]
mod normal_wishart;
#[cfg(feature = "linalg")]
mod wishart;
#[cfg(feature = "linalg")]
mod wishart_family;

pub use dirichlet_multinomial::DirichletMultinomial;
#[cfg(feature = "linalg")]
pub use inverse_wishart::InverseWishart;
#[cfg(feature = "linalg")]
pub use lkj::Lkj;
#[cfg(feature = "linalg")]
pub use matrix_normal::MatrixNormal;
pub use multinomial::{Multinomial, MultinomialSize};
#[cfg(feature = "linalg")]
pub use multivariate_t::MultivariateT;
pub use normal_gamma::NormalGamma;
pub use normal_inverse_gamma::NormalInverseGamma;
#[cfg(feature = "linalg")]
pub use normal_inverse_wishart::NormalInverseWishart;
#[cfg(feature = "linalg")]
pub use normal_wishart::NormalWishart;
#[cfg(feature = "linalg")]
pub use wishart::Wishart;
