//! Laws of vectors and matrices.

mod dirichlet;
mod dirichlet_multinomial;
mod multinomial;

pub use dirichlet::Dirichlet;
pub use dirichlet_multinomial::DirichletMultinomial;
pub use multinomial::{Multinomial, MultinomialSize};
