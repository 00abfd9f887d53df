//! Laws on the real line with a density.

mod exponential;

pub use exponential::Exponential;

use crate::parametric::parametric_text;

parametric_text!(Exponential);
