//! Laws of vectors and matrices.

mod dirichlet;
mod dirichlet_multinomial;
mod inverse_wishart;
mod matrix_normal;
mod multinomial;
mod multivariate_t;
mod wishart;

pub use dirichlet::Dirichlet;
pub use dirichlet_multinomial::DirichletMultinomial;
pub use inverse_wishart::InverseWishart;
pub use matrix_normal::MatrixNormal;
pub use multinomial::{Multinomial, MultinomialSize};
pub use multivariate_t::MultivariateT;
pub use wishart::Wishart;
