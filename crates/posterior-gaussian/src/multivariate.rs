//! Distributions of vectors with heavy tails, of directions and of matrices, and the priors made of them.

mod copula;
mod inverse_wishart;
mod lkj;
mod matrix_normal;
mod matrix_t;
mod multivariate_t;
mod normal_inverse_wishart;
mod normal_wishart;
mod von_mises_fisher;
mod wishart;
mod wishart_family;

pub use copula::{GaussianCopula, TCopula};
pub use inverse_wishart::InverseWishart;
pub use lkj::Lkj;
pub use matrix_normal::MatrixNormal;
pub use matrix_t::MatrixT;
pub use multivariate_t::MultivariateT;
pub use normal_inverse_wishart::NormalInverseWishart;
pub use normal_wishart::NormalWishart;
pub use von_mises_fisher::VonMisesFisher;
pub use wishart::Wishart;
