//! k-means: clusters by the nearest centre.
//!
//! The inertia J = Σ wᵢ |xᵢ - c(i)|² is lowered in turns: each row goes to its nearest centre, each centre to
//! the mean of its rows (Lloyd 1957, 1982). Neither half step can raise J, and there are finitely many
//! assignments: it ends, at a local minimum. [`best_of_starts`] tries several; k-means++ (Arthur and
//! Vassilvitskii 2007) starts within a factor 8 (ln k + 2) of the best, in expectation.
//!
//! It is the limit of a mixture of Gaussians with one spherical covariance σ²I and equal weights: the most
//! probable assignment there is the nearest centre for every σ, so that hard EM takes the very same steps;
//! and as σ² → 0, the responsibilities of EM become these assignments. What it assumes is therefore round
//! clusters of equal size and spread.
//!
//! | wanted | use |
//! |---|---|
//! | clusters of data in memory | [`best_of_starts`], or [`fit`] from one start |
//! | clusters of many rows, nearly | [`mini_batch`] |
//! | how many clusters | [`silhouette`], or the bend of the inertia over k |
//!
//! # Example
//! ```
//! use posterior_latent::Observations;
//! use posterior_latent::k_means::{KMeansOptions, fit};
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//!
//! let data = Observations::new(&DMatrix::from_column_slice(7, 1, &[-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5]))?;
//! let found = fit(&data, &KMeansOptions::new(2), 1, &mut Silent)?;
//! let mut centres: Vec<f64> = found.model.centres().iter().copied().collect();
//! centres.sort_by(f64::total_cmp);
//! assert_eq!(centres, [-1.5, 1.75]);
//! assert_eq!(found.inertia(), 1.75);
//! # Ok::<(), posterior_latent::Error>(())
//! ```

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

mod assignment;
mod blocks;
mod bounds;
mod empty;
mod frame;
mod kernel;
mod lloyd;
mod mini_batch;
mod model;
mod options;
mod restarts;
mod silhouette;
mod start;

pub use lloyd::{Clustering, fit};
pub use mini_batch::{MiniBatchOptions, mini_batch};
pub use model::KMeans;
pub use options::{CentreStart, KMeansOptions, NearestSearch};
pub use restarts::{BestOfStarts, best_of_starts};
pub use silhouette::silhouette;
