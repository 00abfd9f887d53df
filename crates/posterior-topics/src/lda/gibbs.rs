//! Latent Dirichlet allocation by collapsed Gibbs sampling, on any number of threads without approximation.
//!
//! [`LdaGibbs`] is the chain over the topics of the tokens; [`fit`] runs it, pools states and returns
//! an [`Lda`](super::Lda); [`LdaGibbsCheckpoint`] is a fit on its way to a file and back.

mod blocks;
mod checkpoint;
mod collapsed_gibbs;
mod columns;
mod dense;
mod fit;
mod kept;
mod metropolis;
mod options;
mod partition;
mod places;
mod pooled;
mod prior;
pub mod ring;
mod sizes;
mod smoothing;
mod sparse;
mod start;
mod token_topics;
mod topic_lists;
mod vectors;
mod word_factors;

pub use checkpoint::LdaGibbsCheckpoint;
pub use collapsed_gibbs::LdaGibbs;
pub use fit::{fit, resume};
pub use options::{LdaGibbsOptions, TopicSampler, TopicStart};

pub(crate) use pooled::PooledCounts;
