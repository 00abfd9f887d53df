//! What the crate promises, through its public API.

mod change_point;
mod dirichlet_process;
#[cfg(feature = "serde")]
mod fitted_models;
mod gaussian_mixture;
mod gibbs;
mod k_means;
mod mixture;
mod observations;
mod partition;
mod principal_components;
mod reference;
mod selection;
#[cfg(feature = "rayon")]
mod threads;
mod variational;
