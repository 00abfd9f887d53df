//! Distributions of single numbers.

mod hyper;
mod mixture;

pub use hyper::HyperMarginal;
pub use mixture::{Component, LatentMarginal};
