//! Special functions, log-space arithmetic and parameter checks for probability in f64.

pub mod check;

pub use check::ParamError;
