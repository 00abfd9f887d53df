//! Mixtures by Gibbs sampling, blocked and collapsed.
//!
//! | sampler | state | for |
//! |---|---|---|
//! | [`CollapsedGibbs`] | a partition; weights and components are integrated out | conjugate components, also of a process |
//! | [`BlockedGibbs`] | labels, weights, components | components that have a kernel of their own, one observation at a time independent |
//!
//! Components are [`Conjugate`](posterior_dist::Conjugate) families ([`ConjugateComponents`]), Gaussians by a
//! faster route ([`ConjugateGaussians`]), or anything with the traits [`Components`] and [`Collapsible`].
//! [`sample`] runs several chains, each with a stream of random numbers of its own, and returns
//! [`Clusterings`]: partitions, the traces of quantities that do not know the names of the components, and
//! their diagnostics.
//!
//! ```
//! use posterior_dist::{Gamma, Poisson};
//! use posterior_latent::gibbs::{CollapsedGibbs, ConjugateComponents, sample};
//! use posterior_latent::partition::{PartitionPrior, PartitionSearch};
//! use posterior_sampling::Run;
//!
//! // Calls in twelve hours: are there quiet ones and busy ones?
//! let calls: Vec<u64> = vec![2, 1, 0, 3, 11, 14, 9, 12, 1, 2, 13, 10];
//! let components = ConjugateComponents::<Poisson, _, _>::new(&calls, (), Gamma::shape_rate(1.0, 0.2)?)?;
//! let sampler = CollapsedGibbs::new(&components, PartitionPrior::finite(2, 1.0)?);
//! let sampled = sample(&sampler, &Run { warm_up: 100, draws: 250, seed: 1, ..Run::default() })?;
//! let estimate = PartitionSearch::default().run(sampled.partitions())?;
//! assert_eq!(estimate.partition.labels(), [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1]);
//! assert!(sampled.blocks()[2].probability > 0.99);
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! J. Diebolt, C. P. Robert, Estimation of finite mixture distributions through Bayesian sampling, J. R.
//! Stat. Soc. B 56 (1994). R. M. Neal, Markov chain sampling methods for Dirichlet process mixture models, J.
//! Comput. Graph. Stat. 9 (2000).

mod blocked;
mod clusterings;
mod collapsed;
mod components;
mod conjugate;
mod gaussian;
mod packed_cholesky;
mod run;
mod weights;

pub use blocked::{BlockedGibbs, BlockedState};
pub use clusterings::{BlockCount, Clusterings};
pub use collapsed::{CollapsedGibbs, CollapsedState};
pub use components::{Clusters, Collapsible, Components, Home};
pub use conjugate::{ConjugateClusters, ConjugateComponents};
pub use gaussian::{ConjugateGaussians, GaussianClusters};
pub use run::{ClusterSampler, ClusterState, PartitionChain, PartitionChains, sample};
pub use weights::MixtureWeights;

pub(crate) use collapsed::Seating;
pub(crate) use run::fits;
