//! Exact messages on trees of factors: over any semiring, of Gaussians, and the k best joint states.

mod factor_tree;
mod gaussian_factor;
mod k_best;
mod two_passes;
mod valuation;

pub use factor_tree::FactorTree;
pub use gaussian_factor::GaussianFactor;
pub use k_best::k_best;
pub use two_passes::{TreeMarginals, pass_messages};
pub use valuation::{Valuation, Weights};
