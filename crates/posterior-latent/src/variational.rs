//! Mixtures by variational Bayes, finite and with sticks of a Dirichlet or Pitman-Yor process.
//!
//! Of a mixture p(x, z, π, w) = p(π) Π p(w_k) Π π_{zᵢ} p(xᵢ | w_{zᵢ}) with conjugate priors, the posterior is
//! approximated by q(z) q(π) Π q(w_k). Each factor is what conjugacy makes of the expected statistics of the
//! others:
//!
//! - q(zᵢ = k) ∝ exp(E ln π_k + E ln p(xᵢ | w_k)), the responsibilities;
//! - q(w_k): the prior, updated by the data of which component k has its proportion;
//! - q(π): a Dirichlet distribution with counts Σᵢ q(zᵢ = k), or beta distributions of sticks.
//!
//! The bound L(q) ≤ ln p(x) never falls, and compares models: the number of components needs no
//! cross-validation. Components that the data do not need lose their points and go back to the prior. L is
//! below ln p(x) by at least ln K! where K components are distinguished, as q stays in one of as many equal
//! modes.
//!
//! A [`BayesianMixture`] is the model, [`Points`] or [`Observations`](crate::Observations) are the data, a
//! [`MixtureAscent`] is both; its [`fit`](MixtureAscent::fit) goes from a start to a [`VariationalMixture`].
//! The starts are responsibilities, labels, clusters, or random points. Components are given up more easily
//! than joined: good starts are the labels of simpler models, such as k-means with two, three, … clusters
//! under one model with many components, and the highest bound says which is best.
//!
//! # Example
//! Seven numbers, two normal distributions:
//! ```
//! use posterior_dist::{Density, Normal, NormalGamma};
//! use posterior_inference::variational::AscentOptions;
//! use posterior_latent::variational::{BayesianMixture, Points, MixtureAscent};
//! use posterior_math::iteration::Silent;
//!
//! let model: BayesianMixture<Normal, _> = BayesianMixture::finite(2, 1.0, NormalGamma::new(0.0, 1.0, 1.0,
//! 0.5)?, ())?; let data = [-2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5];
//! let points = Points::new(&data);
//! let problem = MixtureAscent::new(&model, &points)?;
//! let start = problem.start_from_labels(&[0, 0, 0, 1, 1, 1, 1])?;
//! let fitted = problem.fit(start, &AscentOptions::default(), &mut Silent)?;
//!
//! let bound = fitted.report.trace.last().copied();
//! assert!((bound.unwrap_or(f64::NAN) - -17.622817543).abs() < 1e-6);
//! assert!((fitted.model.counts()[0] - 2.987).abs() < 1e-2);
//! assert!(fitted.model.predictive()?.ln_pdf(&1.7) > fitted.model.predictive()?.ln_pdf(&0.0));
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! C. Bishop, Pattern Recognition and Machine Learning, 2006, section 10.2; D. Blei and M. Jordan,
//! Variational inference for Dirichlet process mixtures, Bayesian Analysis 1, 2006; K. Kurihara, M. Welling
//! and Y. W. Teh, Collapsed variational Dirichlet process mixture models, IJCAI 2007 (the order of the
//! sticks).

mod elbo;
mod expectation;
mod missing;
mod model;
mod observations;
mod points;
mod posterior;
mod problem;
mod start;
mod sticks;
mod weights;

pub use elbo::ElboTerms;
pub use expectation::{Assignable, Assigned};
pub use model::BayesianMixture;
pub use points::Points;
pub use posterior::VariationalMixture;
pub use problem::MixtureAscent;
pub use sticks::{StickFactor, StickPrior};
pub use weights::{MixtureWeightPrior, WeightFactor};
