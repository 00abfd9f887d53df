//! Laws on the real line with a density.

mod beta;
mod exponential;
mod gamma;
mod inverse_gamma;

pub use beta::Beta;
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use inverse_gamma::InverseGamma;

use crate::parametric::parametric_text;

parametric_text!(Beta, Exponential, Gamma, InverseGamma);
