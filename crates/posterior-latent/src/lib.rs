//! Latent-variable models of vectors: which group an observation belongs to, and which few numbers lie behind many.

pub mod dirichlet_process;
mod error;
pub mod gaussian_mixture;
mod gaussian_tiles;
pub mod gibbs;
pub mod k_means;
pub mod mixture;
mod observations;
pub mod partition;
pub mod principal_components;
pub mod selection;
pub mod variational;

pub use error::Error;
pub use observations::Observations;
