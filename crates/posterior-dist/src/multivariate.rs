//! Distributions of vectors of counts, and priors of a normal distribution with two parameters.

mod dirichlet_multinomial;
mod multinomial;
mod normal_gamma;
mod normal_inverse_gamma;

pub use dirichlet_multinomial::DirichletMultinomial;
pub use multinomial::{Multinomial, MultinomialSize};
pub use normal_gamma::NormalGamma;
pub use normal_inverse_gamma::NormalInverseGamma;
