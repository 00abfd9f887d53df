//! The distributions that have a name in text, whose type is known at run time only.

mod any_univariate;
mod coordinate;
mod vector_distributions;
mod wrapped_distributions;

pub use any_univariate::{AnyUnivariate, DynUnivariate, NamedUnivariate, UNIVARIATE};
pub use coordinate::Coordinate;
