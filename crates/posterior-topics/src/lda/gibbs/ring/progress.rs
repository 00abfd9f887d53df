//! The state of a fit beside its chain.

use crate::chain::SweepPoint;
use crate::lda::gibbs::kept::KeptConcentrations;

/// The state of a fit beside its chain.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) done: usize,
    /// States that are pooled.
    pub(super) states: u64,
    /// Words x topics of each of the groups of words of this process.
    pub(super) pooled: Vec<Vec<u64>>,
    pub(super) kept: KeptConcentrations,
    pub(super) trace: Vec<SweepPoint>,
}
