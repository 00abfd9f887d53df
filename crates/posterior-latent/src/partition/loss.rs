//! Distances between partitions, as sums over the sizes of blocks.

use posterior_math::log_space::x_ln_x;

use super::Partition;
use super::comparison::{pairs, shared_counts};
use crate::error::Error;

/// A distance between partitions a and b. Both are Σ_a g(n_a) + Σ_b g(n_b) - 2 Σ_ab g(n_ab) with the sizes of
/// the blocks, and of what two blocks share.
///
/// # References
/// M. Meilă, Comparing clusterings: an information based distance, J. Multivariate Anal. 98 (2007). S. Wade,
/// Z. Ghahramani, Bayesian cluster analysis: point estimation and credible balls, Bayesian Analysis 13
/// (2018).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Loss {
    /// The variation of information, in nats: what each partition does not say of the other, H(a | b) + H(b |
    /// a); g(x) = x ln x / n. A metric, from 0 to ln n.
    #[default]
    VariationOfInformation,
    /// Binder's loss: the proportion of all pairs that are together in one of the two only, 1 - Rand index;
    /// g(x) = x (x - 1) / 2 over the number of pairs. It is fonder of small blocks.
    Binder,
}

impl Loss {
    /// g(0), …, g(n) of n data.
    pub(super) fn terms(self, data: usize) -> Vec<f64> {
        let scale = self.scale(data);
        (0..=data as u32).map(|size| self.term(size) / scale).collect()
    }

    /// g up to a factor: whole numbers where that is possible.
    fn term(self, size: u32) -> f64 {
        match self {
            Self::VariationOfInformation => x_ln_x(f64::from(size)),
            Self::Binder => pairs(size),
        }
    }

    fn scale(self, data: usize) -> f64 {
        match self {
            Self::VariationOfInformation => data.max(1) as f64,
            Self::Binder => pairs(data as u32).max(1.0),
        }
    }

    fn sum(self, sizes: &[u32]) -> f64 {
        sizes.iter().map(|&size| self.term(size)).sum()
    }
}

/// How far apart two partitions are; 0 for partitions of fewer than two data.
///
/// # Errors
/// Partitions of different numbers of data.
pub fn loss(loss: Loss, one: &Partition, other: &Partition) -> Result<f64, Error> {
    let shared = shared_counts(one, other)?;
    let own = loss.sum(one.sizes()) + loss.sum(other.sizes());
    Ok((own - 2.0 * loss.sum(&shared)).max(0.0) / loss.scale(one.len()))
}

/// The proportion of all pairs of data that both partitions hold together, or both hold apart; 1 of fewer
/// than two data.
///
/// # Errors
/// Partitions of different numbers of data.
pub fn rand_index(one: &Partition, other: &Partition) -> Result<f64, Error> {
    Ok(1.0 - loss(Loss::Binder, one, other)?)
}
