//! The probability of a box under a Gaussian, and a Gaussian given that it lies in a box: by minimax tilting
//! (Botev).

mod interval;
mod lattice;
mod ordering;
mod probability;
mod tilting;
mod truncated;

pub use probability::{BoxOptions, BoxProbability};
pub use truncated::{TruncatedGaussian, TruncatedMoments};
