//! Distributions of vectors with heavy tails and of matrices, and the priors made of them.

mod inverse_wishart;
mod lkj;
mod matrix_normal;
mod multivariate_t;
mod normal_inverse_wishart;
mod normal_wishart;
mod wishart;
mod wishart_family;

pub use inverse_wishart::InverseWishart;
pub use lkj::Lkj;
pub use matrix_normal::MatrixNormal;
pub use multivariate_t::MultivariateT;
pub use normal_inverse_wishart::NormalInverseWishart;
pub use normal_wishart::NormalWishart;
pub use wishart::Wishart;
