//! Sticky hidden Markov models with as many states as the data need: the hierarchical Dirichlet process.
//!
//! Weights β of all states are shared by the rows of the transitions: β ~ Dirichlet(γ/L, …, γ/L), the initial
//! distribution ~ Dirichlet(α β), and row j ~ Dirichlet(α β + κ at j). So states that no row uses are used by
//! none, and κ makes a state likely to follow itself: on average with probability (α β_j + κ) / (α + κ). With
//! κ = 0 it is the HDP-HMM. L is the weak limit of the process: more states than the data will use, for which
//! γ need not be small against L.
//!
//! [`StickyGibbs`] samples all of it: paths as a whole, weights by the tables of a Chinese restaurant
//! franchise with loyal customers, of which those who came because of κ say nothing of β, and concentrations
//! by slices. It is a [`ClusterSampler`](posterior_latent::gibbs::ClusterSampler):
//! [`posterior_latent::gibbs::sample`] runs chains, and tells how many states there are and which positions
//! are in the same one.
//!
//! ```
//! use posterior_dist::{Normal, NormalInverseGamma};
//! use posterior_latent::gibbs::sample;
//! use posterior_sampling::Run;
//! use posterior_sequence::bayesian::Observed;
//! use posterior_sequence::sticky::{StickyGibbs, StickyHdp};
//!
//! let numbers = [vec![0.1, -0.3, 0.2, 0.0, 5.2, 4.9, 5.1, 5.0, 4.8, 0.2, -0.1, 0.1, 0.3, -0.2]];
//! let data = Observed::new(&numbers);
//! let prior = NormalInverseGamma::new(0.0, 0.05, 2.0, 0.2)?;
//! let model = StickyHdp::<Normal, _>::new(8, prior, ())?;
//! let run = Run { warm_up: 200, draws: 300, seed: 1, ..Run::default() };
//! let sampled = sample(&StickyGibbs::new(&model, &data)?, &run)?;
//! let together = sampled.co_clustering()?;
//! assert!(together.probability(0, 12) > 0.7 && together.probability(0, 5) < 0.1);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! Y. W. Teh, M. I. Jordan, M. J. Beal, D. M. Blei, Hierarchical Dirichlet processes, JASA 101 (2006). E. B.
//! Fox, E. B. Sudderth, M. I. Jordan, A. S. Willsky, A sticky HDP-HMM with application to speaker
//! diarization, Annals of Applied Statistics 5 (2011).

mod concentrations;
mod model;
mod sampler;
mod tables;

pub use model::{Stickiness, StickyConcentration, StickyHdp, StickyWeights};
pub use sampler::{StickyGibbs, StickyState};
