//! What is seen of a state of the chain.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use crate::chain::{SweepPoint, SweepReport};

/// A state in the trace of a hierarchical Dirichlet process.
///
/// Its `ln_joint` is ln p(W, Z | b, α₀, beta), where b are the weights of the topics, or their means given
/// the tables in a [`Franchise`](super::Franchise) and when the number of topics is held.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HdpState {
    /// The number of topics that have tokens.
    pub topics: usize,
    /// The concentrations of the process.
    pub concentrations: Concentrations,
    /// Whether the topics were held by then, as they are at the end of a fit.
    pub held: bool,
}

impl SweepReport<HdpState> {
    /// The proportion of the points of the trace with each number of topics: its posterior distribution, of
    /// the points after sweep `warm_up` at which the topics were not held.
    pub fn topics_distribution(&self, warm_up: usize) -> BTreeMap<usize, f64> {
        let free = |point: &&SweepPoint<HdpState>| point.iteration > warm_up && !point.state.held;
        let points = self.trace.iter().filter(free);
        let proportion = 1.0 / points.clone().count() as f64;
        let mut distribution = BTreeMap::new();
        for point in points {
            *distribution.entry(point.state.topics).or_default() += proportion;
        }
        distribution
    }
}
