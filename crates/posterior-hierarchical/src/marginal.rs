//! Distributions of single numbers.

mod hyper;
mod mixture;

pub use hyper::HyperMarginal;
pub(crate) use mixture::by_weight;
pub use mixture::{Component, LatentMarginal};
