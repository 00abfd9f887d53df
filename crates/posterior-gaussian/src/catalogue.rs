//! The distributions of vectors and the conjugate pairs that have a name in text.

mod any_multivariate;
mod learn;
mod matrix_distributions;

pub use any_multivariate::{AnyMultivariate, DynMultivariate, MULTIVARIATE};
pub use learn::{CONJUGATE_PAIRS, ConjugatePair, LearnError, LearnedDistribution, learn};
