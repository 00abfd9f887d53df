//! Latent Dirichlet allocation by collapsed Gibbs sampling, on any number of threads without approximation.
//!
//! [`CollapsedGibbs`] is the chain over the topics of the tokens; [`fit`] runs it, pools states and returns
//! an [`Lda`](super::Lda); [`Checkpoint`] is a fit on its way to a file and back.

mod blocks;
mod checkpoint;
mod collapsed_gibbs;
mod columns;
mod dense;
mod fit;
mod metropolis;
mod options;
mod partition;
mod places;
mod pooled;
mod prior;
mod seeds;
mod smoothing;
mod sparse;
mod start;
mod sweep;
mod token_topics;
mod topic_lists;
mod vectors;
mod word_factors;

pub use checkpoint::Checkpoint;
pub use collapsed_gibbs::CollapsedGibbs;
pub use fit::{Report, Step, TracePoint, fit, resume};
pub use options::{Options, Sampler, Start};
pub use seeds::Seed;

pub(super) use pooled::PooledCounts;
