//! Exact messages on trees of factors: over any semiring, or of Gaussians.

mod factor_tree;
#[cfg(feature = "linalg")]
mod gaussian_factor;
mod two_passes;
mod valuation;

pub use factor_tree::FactorTree;
#[cfg(feature = "linalg")]
pub use gaussian_factor::GaussianFactor;
pub use two_passes::{TreeMarginals, pass_messages};
pub use valuation::{Valuation, Weights};
