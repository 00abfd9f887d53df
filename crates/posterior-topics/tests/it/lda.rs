//! Latent Dirichlet allocation through the public API.

mod blocked_gibbs;
mod collapsed_variational;
mod enumeration;
mod gibbs;
mod online;
mod variational;
mod word_weights;
