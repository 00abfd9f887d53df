//! Data in batches, and statistics that change batch by batch.

use posterior_math::check::{self, ParamError};

use super::problem::{Expected, Problem};
use crate::additive::Additive;

/// A problem whose data come in batches, the statistics of which add up.
///
/// # Distributions
/// The statistics and log-likelihoods of all batches add up to those of [`e_step`](Problem::e_step).
pub trait Batched: Problem<Statistics: Additive> {
    /// How many batches there are, at least one.
    fn batches(&self) -> usize;

    /// The E step of one batch, from 0.
    ///
    /// # Errors
    /// As for [`e_step`](Problem::e_step).
    fn e_step_of_batch(
        &self,
        model: &Self::Model,
        batch: usize,
    ) -> Result<Expected<Self::Statistics>, Self::Error>;

    /// The proportion of the data that is in a batch: all the same by default.
    fn proportion(&self, _batch: usize) -> f64 {
        (self.batches() as f64).recip()
    }
}

/// The number of batches.
///
/// # Errors
/// None.
pub(super) fn counted<P: Batched + ?Sized>(problem: &P) -> Result<usize, ParamError> {
    let batches = problem.batches();
    check::at_least_one("Batched", "batches", batches)?;
    Ok(batches)
}

/// The total of parts of which one at a time is replaced: a tree of sums, so that a replacement costs the
/// logarithm of their number, and nothing is ever subtracted.
pub(super) struct TotalOfParts<S> {
    /// Node i is the sum of 2i and 2i + 1; the parts are the last half. Node 0 is not used and holds a part.
    nodes: Vec<S>,
}

impl<S: Additive> TotalOfParts<S> {
    /// The total of these parts, of which there is at least one.
    pub(super) fn of(parts: Vec<S>) -> Result<Self, ParamError> {
        let count = parts.len();
        let mut nodes = parts.clone();
        nodes.extend(parts);
        let mut tree = Self { nodes };
        for node in (1..count).rev() {
            tree.add_up(node)?;
        }
        Ok(tree)
    }

    /// Replaces a part.
    pub(super) fn replace(&mut self, part: usize, by: S) -> Result<(), ParamError> {
        let mut node = self.nodes.len() / 2 + part;
        self.nodes[node] = by;
        while node > 1 {
            node /= 2;
            self.add_up(node)?;
        }
        Ok(())
    }

    /// The total.
    pub(super) fn total(&self) -> &S {
        &self.nodes[1]
    }

    fn add_up(&mut self, node: usize) -> Result<(), ParamError> {
        let mut sum = self.nodes[2 * node].clone();
        sum.merge(&self.nodes[2 * node + 1])?;
        self.nodes[node] = sum;
        Ok(())
    }
}
