//! Exchangeable distributions of random partitions: of a finite mixture, and of a process.

use posterior_dist::PitmanYor;
use posterior_math::check::{self, ParamError};
use posterior_math::special::ln_pochhammer;
use rand::Rng;

use super::Partition;
use crate::error::Error;
use crate::pick::pick;

/// The distribution of the partition that the labels of a mixture make, before the data are seen, the weights
/// integrated out.
///
/// An observation joins a block of n data with weight n - d, and opens a new one with weight θ + d k where
/// there are k. That is a Pitman-Yor process, of which d = 0 is the Dirichlet process; and the K components
/// of a finite mixture with Dirichlet(γ, …, γ) weights have n + γ and (K - k) γ, which is d = -γ and θ = K γ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionPrior {
    discount: f64,
    concentration: f64,
    /// K of a finite mixture.
    components: Option<usize>,
}

impl PartitionPrior {
    /// The partition by K components whose weights are Dirichlet(γ, …, γ): `concentration` is γ, of one
    /// component.
    ///
    /// # Errors
    /// No component, or a γ that is not positive and finite.
    pub fn finite(components: usize, concentration: f64) -> Result<Self, ParamError> {
        check::require(components > 0, "PartitionPrior", "components", components as f64, "positive")?;
        check::positive("PartitionPrior", "concentration", concentration)?;
        let total = components as f64 * concentration;
        check::positive("PartitionPrior", "total concentration", total)?;
        Ok(Self { discount: -concentration, concentration: total, components: Some(components) })
    }

    /// The partition by a Pitman-Yor process.
    pub const fn process(process: PitmanYor) -> Self {
        Self { discount: process.discount(), concentration: process.concentration(), components: None }
    }

    /// The most blocks that there can be, `None` if there is no limit but the number of data.
    pub const fn most_blocks(&self) -> Option<usize> {
        self.components
    }

    /// ln of the weight with which an observation joins a block of this size.
    pub fn ln_join(&self, size: u32) -> f64 {
        (f64::from(size) - self.discount).ln()
    }

    /// ln of the weight with which an observation opens a block beside others; -∞ where there can be no more.
    pub fn ln_open(&self, blocks: usize) -> f64 {
        if self.components.is_some_and(|most| blocks >= most) {
            return f64::NEG_INFINITY;
        }
        if blocks == 0 && self.components.is_none() {
            // The first observation has nowhere else to go, also where θ is not positive.
            return 0.0;
        }
        let weight = match self.components {
            Some(most) => -self.discount * (most - blocks) as f64,
            None => self.concentration + self.discount * blocks as f64,
        };
        weight.ln()
    }

    /// The logarithm of the sum of the weights of all that an observation can do, of which
    /// [`ln_join`](Self::ln_join) and [`ln_open`](Self::ln_open) are proportions, beside `others` other data.
    pub fn ln_total(&self, others: usize) -> f64 {
        if others == 0 && self.components.is_none() {
            return 0.0;
        }
        (others as f64 + self.concentration).ln()
    }

    /// A random partition of some data, as the labels of its blocks, which are numbered as they are opened;
    /// O(n K).
    ///
    /// # Errors
    /// A concentration beyond the range of f64.
    pub fn sample<R: Rng + ?Sized>(&self, data: usize, rng: &mut R) -> Result<Partition, Error> {
        let mut labels = Vec::with_capacity(data);
        let mut sizes: Vec<u32> = Vec::new();
        let mut weights = Vec::new();
        for observation in 0..data {
            weights.clear();
            weights.extend(sizes.iter().map(|&size| self.ln_join(size)));
            weights.push(self.ln_open(sizes.len()));
            let Some(block) = pick(&mut weights, rng) else { return Err(Error::NoBlock { observation }) };
            if block == sizes.len() {
                sizes.push(0);
            }
            sizes[block] += 1;
            labels.push(block as u32);
        }
        Ok(Partition::from_labels(&labels))
    }

    /// ln P of one partition into blocks of these sizes; -∞ if one is empty, or they are too many.
    pub fn ln_partition(&self, sizes: &[u32]) -> f64 {
        if sizes.contains(&0) || self.components.is_some_and(|most| sizes.len() > most) {
            return f64::NEG_INFINITY;
        }
        let all: f64 = sizes.iter().map(|&size| f64::from(size)).sum();
        if all == 0.0 {
            return 0.0;
        }
        let opened: f64 = (1..sizes.len()).map(|blocks| self.ln_open(blocks)).sum();
        let joined: f64 = sizes.iter().map(|&size| self.ln_block(size)).sum();
        opened + joined - ln_pochhammer(self.concentration + 1.0, all - 1.0)
    }

    /// What a block of this size adds to [`ln_partition`](Self::ln_partition) beside its opening: ln (1 -
    /// d)ₙ₋₁.
    pub(crate) fn ln_block(&self, size: u32) -> f64 {
        ln_pochhammer(1.0 - self.discount, f64::from(size) - 1.0)
    }
}
