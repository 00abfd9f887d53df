//! Files of models: which formats there are, and what a reader returns.

pub mod bif;
mod draft;
mod parse_error;
mod source;

pub use draft::{NetworkFile, Properties};
pub use parse_error::{Format, ParseError};
