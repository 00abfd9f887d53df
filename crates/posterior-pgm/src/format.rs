//! Files of models: which formats there are, and what a reader returns.

pub mod bif;
mod draft;
mod lexer;
mod model;
pub mod net;
mod number;
mod parse_error;
mod source;
pub mod uai;
#[cfg(feature = "xmlbif")]
pub mod xmlbif;

pub use draft::{NetworkFile, Properties};
pub use model::{Model, ModelFile, read_model, read_model_from};
pub use parse_error::{Format, ParseError};
