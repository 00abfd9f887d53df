//! Latent-variable models of vectors: which group an observation belongs to, and which few numbers lie behind
//! many.
//!
//! ```
//! use posterior_latent::Observations;
//! use posterior_latent::gaussian_mixture::{GaussianMixtureOptions, GaussianMixtureProblem};
//! use posterior_math::linalg::DMatrix;
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
//! | rows, a number of groups, and no time | [`k_means`] |
//! | rows that scatter about centres, perhaps with gaps or weights | [`gaussian_mixture`] |
//! | counts, bits, categories, documents: any exponential family | [`mixture`] |
//! | a prior, and a wish for the evidence or for components that switch themselves off | [`variational`] |
//! | a wish for the posterior itself | [`gibbs`]: partitions, blocked or collapsed |
//! | no idea how many groups there are | [`selection`], [`variational`], [`dirichlet_process`] |
//! | draws of partitions, and a wish for one that stands for all | [`partition`] |
//! | many columns, and few numbers behind them | [`principal_components`] |
//!
//! Data are [`Observations`]: rows of a matrix, with weights and missing values where there are some.
//!
//! *Refuses:* labels as the result of a sampler. Names of components mean nothing; who is together with whom
//! does.
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

pub use error::Error;
pub use observations::Observations;
