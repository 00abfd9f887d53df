//! Files of models: which formats there are, and what a reader returns.

pub mod bif;
mod detect;
mod draft;
mod lexer;
mod model;
pub mod net;
mod number;
mod source;
pub mod uai;
#[cfg(feature = "xmlbif")]
pub mod xmlbif;

pub use detect::{read_model, read_model_from};
pub use draft::{NetworkFile, Properties};
pub use model::{Model, ModelFile};
