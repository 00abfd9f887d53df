//! Mixtures of any exponential family, fitted by EM in its styles: soft, hard, sampled; by maximum likelihood
//! or with a prior.
//!
//! p(x) = Σ_k π_k p(x | θ_k). Which component made an observation is hidden; each E step expects it, r_ik ∝
//! π_k p(x_i | θ_k), and each M step fits every component to the observations, counted r_ik times. All that a
//! family has to know is its sufficient statistics, so that bits, counts, waiting times, categories,
//! documents ([`UnigramDistribution`]) and vectors of them ([`Product`](posterior_dist::Product)) are
//! components as they are. [`gaussian_mixture`](crate::gaussian_mixture) is the same for vectors of numbers,
//! with shared covariances, missing values and a fast inner loop.
//!
//! [`MixtureProblem`] is data and family, and how components are estimated: [`MaximumLikelihood`], or
//! [`MostProbable`] under a conjugate prior. Its fits are
//!
//! | fit | E step | climbs |
//! |---|---|---|
//! | [`fit`](MixtureProblem::fit) | expects | the likelihood (times the prior), up to a local maximum or a saddle |
//! | [`fit_hard`](MixtureProblem::fit_hard) | decides | the likelihood of data and labels: cheap, and biased towards separation |
//! | [`fit_sampled`](MixtureProblem::fit_sampled) | draws | wanders about maxima, and keeps the best |
//! | [`fit_best`](MixtureProblem::fit_best) | expects | from several random starts |
//!
//! The likelihood of some families has no bound: a component on a single point may become as narrow as it
//! likes. Where no distribution of maximum likelihood exists a component keeps the one it had, and the
//! [`Incident`] is reported with the model; a prior is the remedy.
//!
//! # Example
//! A bag of two coins; for every three tosses one is drawn, and not shown.
//! ```
//! use posterior_dist::{Binomial, Mixture};
//! use posterior_inference::em::EmOptions;
//! use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem};
//! use posterior_latent::variational::Points;
//! use posterior_math::iteration::Silent;
//!
//! let heads = [3, 1, 1, 2, 1];
//! let points = Points::new(&heads);
//! let problem = MixtureProblem::<Binomial, _, _>::new(&points, 3, MaximumLikelihood)?;
//! let start = Mixture::from_weights(&[0.3, 0.7], vec![Binomial::new(3, 0.8)?, Binomial::new(3, 0.5)?])?;
//! let fitted = problem.fit(start, &EmOptions::default(), &mut Silent)?;
//!
//! // One coin has heads on both sides.
//! assert!(fitted.model.mixture.components()[0].probability() > 0.9999);
//! assert!((fitted.model.mixture.components()[1].probability() - 0.482).abs() < 1e-3);
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! A. Dempster, N. Laird and D. Rubin, JRSS B 39, 1977; G. Celeux and G. Govaert, A classification EM
//! algorithm, Computational Statistics and Data Analysis 14, 1992; K. Nigam et al., Text classification from
//! labeled and unlabeled documents, Machine Learning 39, 2000.

mod estimate;
mod incident;
mod problem;
mod start;
mod unigram;

pub use estimate::{MaximizationStep, MaximumLikelihood, MostProbable};
pub use incident::{FittedMixture, Happened, Incident, IncidentKind};
pub use problem::MixtureProblem;
pub(crate) use start::{check_responsibilities, one_hot};
pub use unigram::{UnigramDistribution, UnigramPredictive};
