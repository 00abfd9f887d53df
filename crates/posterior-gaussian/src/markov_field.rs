//! Gaussian Markov random fields: Gaussians by a sparse precision.
//!
//! | field | made by |
//! |---|---|
//! | any sparse precision | [`GaussianMarkovField::new`], [`GaussianMarkovField::intrinsic`] |
//! | along time | [`random_walk`](GaussianMarkovField::random_walk), [`second_order_random_walk`](GaussianMarkovField::second_order_random_walk), [`autoregression`](GaussianMarkovField::autoregression) |
//! | on a map of areas | [`besag`](GaussianMarkovField::besag), [`bym2`](GaussianMarkovField::bym2) |
//! | in space | [`matern_on_grid`](GaussianMarkovField::matern_on_grid), [`matern_on_mesh`](GaussianMarkovField::matern_on_mesh), of [`FiniteElements`] |

mod areas;
mod base;
mod conditioning;
mod constraint;
mod elements;
mod field;
mod interpolation;
mod matern;
mod time;

pub use conditioning::ImproperMarkovField;
pub use elements::FiniteElements;
pub use field::GaussianMarkovField;
pub use matern::MaternSpde;

/// The name in errors.
const NAME: &str = "GaussianMarkovField";

/// How far a point may be from a constraint, as a part of the sizes of the terms.
const FULFILLED: f64 = 1e-8;
