//! The distributions that have a name in text, whose type is known at run time only.

mod any_univariate;
mod vector_distributions;
mod wrapped_distributions;

pub use crate::coordinate::Coordinate;
pub use any_univariate::{AnyUnivariate, DynUnivariate, NamedUnivariate, UNIVARIATE};
