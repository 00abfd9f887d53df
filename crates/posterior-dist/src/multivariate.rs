//! Distributions of vectors and matrices.

mod dirichlet;
mod dirichlet_multinomial;
mod inverse_wishart;
mod lkj;
mod matrix_normal;
mod multinomial;
mod multivariate_t;
mod normal_gamma;
mod normal_inverse_gamma;
mod normal_inverse_wishart;
mod normal_wishart;
mod wishart;
mod wishart_family;

pub use dirichlet::Dirichlet;
pub use dirichlet_multinomial::DirichletMultinomial;
pub use inverse_wishart::InverseWishart;
pub use lkj::Lkj;
pub use matrix_normal::MatrixNormal;
pub use multinomial::{Multinomial, MultinomialSize};
pub use multivariate_t::MultivariateT;
pub use normal_gamma::NormalGamma;
pub use normal_inverse_gamma::NormalInverseGamma;
pub use normal_inverse_wishart::NormalInverseWishart;
pub use normal_wishart::NormalWishart;
pub use wishart::Wishart;

use crate::parametric::parametric_text;

parametric_text!(
    Dirichlet,
    DirichletMultinomial,
    InverseWishart,
    Lkj,
    MatrixNormal,
    Multinomial,
    MultivariateT,
    NormalGamma,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalWishart,
    Wishart,
);
