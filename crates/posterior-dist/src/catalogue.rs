//! The distributions that have a name in text, whose type is known at run time only.

#[cfg(feature = "linalg")]
mod any_multivariate;
mod any_univariate;
mod coordinate;
mod learn;
#[cfg(feature = "linalg")]
mod matrix_distributions;
mod vector_distributions;
mod wrapped_distributions;

#[cfg(feature = "linalg")]
pub use any_multivariate::{AnyMultivariate, DynMultivariate, MULTIVARIATE};
pub use any_univariate::{AnyUnivariate, DynUnivariate, NamedUnivariate, UNIVARIATE};
pub use coordinate::Coordinate;
pub use learn::{CONJUGATE_PAIRS, ConjugatePair, LearnError, Learned, learn};
