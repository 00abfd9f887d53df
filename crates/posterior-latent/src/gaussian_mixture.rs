//! Gaussian mixtures with full, tied, diagonal and spherical covariances.
//!
//! p(x) = Σ_k π_k N(x; μ_k, Σ_k). [`GaussianMixture`] is the distribution; [`GaussianMixtureProblem`] is data
//! and [`GaussianMixtureOptions`], and fits it by EM, soft or hard: r_ik ∝ π_k N(x_i; μ_k, Σ_k), then N_k = Σ
//! r_ik, π_k = N_k / n, μ_k = Σ r_ik x_i / N_k, Σ_k = Σ r_ik (x_i - μ_k)(x_i - μ_k)ᵀ / N_k.
//!
//! The likelihood has no bound: a component on a single point, or in a plane, may become as flat as it likes.
//! Two remedies:
//! - the **floor** (the default): no direction has less than a proportion ε of the variance that the data
//!   have, Σ_k ⪰ ε diag(v) with the variances v of the columns. This is maximum likelihood under a
//!   constraint, the M step is exact, and the likelihood never falls. Where the floor binds it is reported,
//!   with component and step;
//! - a **prior**, normal-inverse-Wishart, of Fraley and Raftery: [`GaussianMixtureOptions::prior`].
//!
//! Values may be missing (at random): the E step conditions on what was observed, the M step adds the
//! conditional covariance of what was not.
//!
//! # Example
//! ```
//! use posterior_latent::Observations;
//! use posterior_latent::gaussian_mixture::{GaussianMixtureOptions, GaussianMixtureProblem};
//! use posterior_math::linalg::DMatrix;
//!
//! let values = DMatrix::from_column_slice(7, 1, &[-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5]);
//! let data = Observations::new(&values)?;
//! let problem = GaussianMixtureProblem::new(&data, GaussianMixtureOptions::default())?;
//! let best = problem.fit_best(2, 5, 1)?.best;
//! assert!(best.report.converged() && best.model.incidents.is_empty());
//!
//! let mut means: Vec<f64> = best.model.mixture.means().iter().copied().collect();
//! means.sort_by(f64::total_cmp);
//! assert!((means[0] + 1.5).abs() < 1e-3 && (means[1] - 1.75).abs() < 1e-3);
//! assert_eq!(best.model.mixture.labels(&data)?[0], best.model.mixture.labels(&data)?[2]);
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! C. Fraley and A. Raftery, Bayesian regularization for normal mixture estimation and model-based
//! clustering, Journal of Classification 24, 2007; Z. Ghahramani and M. Jordan, Supervised learning from
//! incomplete data via an EM approach, NIPS 1994.

mod components;
mod coordinates;
mod derived;
mod estimate;
mod floor;
mod missing;
mod model;
mod options;
mod prior;
mod problem;
mod start;

pub use components::{ComponentMoments, GaussianComponents};
pub use model::{CovarianceKind, Covariances, GaussianMixture, Gaussians};
pub use options::GaussianMixtureOptions;
pub use prior::fraley_raftery_prior;
pub use problem::GaussianMixtureProblem;
