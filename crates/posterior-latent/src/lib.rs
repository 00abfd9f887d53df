//! Latent-variable models of vectors: clusters and mixtures by every inference, principal components.
//!
//! ```
//! use posterior_latent::Observations;
//! use posterior_latent::gaussian_mixture::{GaussianMixtureOptions, GaussianMixtureProblem};
//! use posterior_latent::math::linalg::DMatrix;
//!
//! let rows = DMatrix::from_row_slice(6, 2, &[0.1, 0.0, -0.2, 0.1, 0.0, -0.3, 5.0, 4.8, 5.3, 5.1, 4.9, 5.0]);
//! let data = Observations::new(&rows)?;
//! let found = GaussianMixtureProblem::new(&data, GaussianMixtureOptions::default())?.fit_best(2, 10, 0)?;
//! let labels = found.best.model.mixture.labels(&data)?;
//! assert_eq!(labels[0], labels[2]);
//! assert_ne!(labels[0], labels[3]);
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | rows, a number of groups, and little time | [`k_means`] |
//! | rows that scatter about centres, with missing values or weights | [`gaussian_mixture`] |
//! | counts, bits, categories, documents: any exponential family | [`mixture`] |
//! | a prior; the evidence or the number of components to find | [`variational`] |
//! | draws of the posterior to make | [`gibbs`]: partitions, blocked or collapsed |
//! | an unknown number of groups | [`selection`], [`variational`], [`dirichlet_process`] |
//! | draws of partitions to summarise by one | [`partition`] |
//! | many correlated columns | [`principal_components`] |
//!
//! Data are [`Observations`]: rows of a matrix, with weights and missing values where there are some.
//!
//! Samplers return partitions, not labels: which rows are together has a meaning, the number of a component
//! has none.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `faer` | no | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | no | tiles of observations, and restarts, on several threads |
//! | `serde` | no | models as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod dirichlet_process;
mod error;
pub mod gaussian_mixture;
mod gaussian_tiles;
pub mod gibbs;
pub mod k_means;
pub mod mixture;
mod observations;
pub mod partition;
mod pick;
pub mod principal_components;
pub mod selection;
pub mod variational;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gaussian as gaussian, posterior_inference as inference,
    posterior_math as math, posterior_sampling as sampling,
};

pub use error::Error;
pub use observations::Observations;
