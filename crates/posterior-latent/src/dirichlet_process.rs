//! Mixtures of an unknown number of components: Dirichlet and Pitman-Yor processes.
//!
//! How many components there are is part of what is sampled. As many as there are data would do, so the
//! posterior of the number of blocks says how many are in use, not how many there are: of a Dirichlet process
//! that number grows with the data, whatever they are.
//!
//! | sampler | needs | moves |
//! |---|---|---|
//! | [`ProcessGibbs`] | conjugate components ([`Collapsible`](crate::gibbs::Collapsible)) | Gibbs scans (algorithm 3), splits and merges |
//! | [`AuxiliaryGibbs`] | any components ([`Components`](crate::gibbs::Components)) | Gibbs scans with auxiliary components (algorithm 8) |
//! | [`BlockedGibbs`](crate::gibbs::BlockedGibbs) with [`MixtureWeights::sticks`](crate::gibbs::MixtureWeights::sticks) | any components | all labels at once, of a truncated process |
//!
//! Concentration and discount may be fitted ([`HyperPrior`]).
//!
//! ```
//! use posterior_dist::{Gamma, PitmanYor};
//! use posterior_gaussian::NormalInverseWishart;
//! use posterior_latent::dirichlet_process::{HyperPrior, ProcessGibbs};
//! use posterior_latent::gibbs::{ConjugateGaussians, sample};
//! use posterior_latent::partition::PartitionSearch;
//! use posterior_math::linalg::DMatrix;
//! use posterior_sampling::Run;
//!
//! // Three groups, of four, three and two.
//! let values = DMatrix::from_column_slice(9, 1, &[1.0, 9.1, 1.2, 5.0, 0.9, 5.2, 5.1, 9.0, 1.1]);
//! let prior = NormalInverseWishart::new(&[5.0], 0.05, &DMatrix::from_element(1, 1, 0.1), 3.0)?;
//! let components = ConjugateGaussians::new(&values, &prior)?;
//! let sampler = ProcessGibbs::new(&components, PitmanYor::chinese_restaurant(1.0)?)
//!     .with_hyper_prior(HyperPrior::concentration(Gamma::shape_rate(2.0, 2.0)?));
//! let sampled = sample(&sampler, &Run { warm_up: 200, draws: 500, seed: 1, ..Run::default() })?;
//! let estimate = PartitionSearch::default().run(sampled.partitions())?;
//! assert_eq!(estimate.partition.labels(), [0, 1, 0, 2, 0, 2, 2, 1, 0]);
//! println!("{}", sampled.summary()); // blocks, ln_joint, concentration, ... with R̂ and effective sample sizes
//! # Ok::<(), posterior_latent::Error>(())
//! ```
//!
//! # References
//! R. M. Neal, Markov chain sampling methods for Dirichlet process mixture models, J. Comput. Graph. Stat. 9
//! (2000). M. D. Escobar, M. West, Bayesian density estimation and inference using mixtures, JASA 90 (1995).
//! H. Ishwaran, L. F. James, Gibbs sampling methods for stick-breaking priors, JASA 96 (2001).

mod auxiliary_gibbs;
mod hyper_prior;
mod process_gibbs;
mod split_merge;

pub use auxiliary_gibbs::{AuxiliaryGibbs, AuxiliaryState};
pub use hyper_prior::HyperPrior;
pub use process_gibbs::{ProcessGibbs, ProcessState};
pub use split_merge::SplitMerge;
