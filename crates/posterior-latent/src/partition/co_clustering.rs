//! How probable it is that two data are in one block.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;
use posterior_sampling::diagnostics::{Undefined, mcse_mean};

use super::Partition;
use crate::error::Error;

/// The posterior similarity matrix: the proportion of the draws in which two data are in one block.
///
/// It does not know what the blocks are called, so draws of several chains, and of samplers with and without
/// labels, may be compared by it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct CoClustering {
    data: usize,
    /// Of the pairs (1, 0), (2, 0), (2, 1), (3, 0), …
    probabilities: Vec<f64>,
}

impl CoClustering {
    /// Of the draws of several chains; O(S n²) for S draws of n data, and n² / 2 numbers.
    ///
    /// # Errors
    /// No draw, or draws of different numbers of data.
    pub fn of(chains: &[Vec<Partition>]) -> Result<Self, Error> {
        let data = common_len(chains)?;
        let mut counts = vec![0_u32; data * data.saturating_sub(1) / 2];
        for draw in chains.iter().flatten() {
            let labels = draw.labels();
            let mut rest = &mut counts[..];
            for (observation, &own) in labels.iter().enumerate() {
                let (row, after) = rest.split_at_mut(observation);
                for (count, &label) in row.iter_mut().zip(labels) {
                    *count += u32::from(label == own);
                }
                rest = after;
            }
        }
        let draws: usize = chains.iter().map(Vec::len).sum();
        Ok(Self {
            data,
            probabilities: counts.iter().map(|&count| f64::from(count) / draws as f64).collect(),
        })
    }

    /// How many data.
    pub const fn len(&self) -> usize {
        self.data
    }

    /// Whether there are no data.
    pub const fn is_empty(&self) -> bool {
        self.data == 0
    }

    /// The probability that two data are in one block; 1 of an observation and itself.
    ///
    /// # Panics
    /// If there is no such observation.
    #[track_caller]
    pub fn probability(&self, one: usize, other: usize) -> f64 {
        let n = self.data;
        assert!(one < n && other < n, "data {one} and {other} of {n}");
        let (low, high) = (one.min(other), one.max(other));
        if low == high { 1.0 } else { self.probabilities[high * (high - 1) / 2 + low] }
    }

    /// All of them as a symmetric matrix.
    pub fn to_matrix(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.data, self.data, |i, j| self.probability(i, j))
    }

    /// The largest difference of a probability by these draws and by others, which should agree.
    ///
    /// # Errors
    /// Matrices of different numbers of data.
    pub fn largest_difference(&self, other: &Self) -> Result<f64, Error> {
        check::dimension("data of a co-clustering matrix", self.data, other.data)?;
        let differences = self.probabilities.iter().zip(&other.probabilities).map(|(p, q)| (p - q).abs());
        Ok(differences.fold(0.0, f64::max))
    }

    /// The standard error of the probability of one pair, by the effective number of draws of the chains that
    /// it was made of; 0 of a pair that is together, or apart, in all draws.
    ///
    /// # Errors
    /// Fewer than twelve draws of a chain, or chains of different lengths.
    ///
    /// # Panics
    /// If there is no such observation.
    #[track_caller]
    pub fn standard_error(chains: &[Vec<Partition>], one: usize, other: usize) -> Result<f64, Undefined> {
        match mcse_mean(&indicators(chains, one, other)) {
            Err(Undefined::Constant { .. }) => Ok(0.0),
            result => result,
        }
    }
}

/// For each chain and draw 1 where two data are in one block, else 0: what diagnostics take.
pub(crate) fn indicators(chains: &[Vec<Partition>], one: usize, other: usize) -> Vec<Vec<f64>> {
    let indicator = |draw: &Partition| f64::from(u8::from(draw.together(one, other)));
    chains.iter().map(|draws| draws.iter().map(indicator).collect()).collect()
}

/// The number of data of all draws.
fn common_len(chains: &[Vec<Partition>]) -> Result<usize, Error> {
    let mut lengths = chains.iter().flatten().map(Partition::len);
    let Some(expected) = lengths.next() else {
        return Err(DimensionError::new("draws of partitions", 1, 0).into());
    };
    match lengths.find(|&length| length != expected) {
        Some(found) => Err(DimensionError::new("data of a partition", expected, found).into()),
        None => Ok(expected),
    }
}

/// Probabilities as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    data: usize,
    probabilities: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for CoClustering {
    type Error = Error;

    fn try_from(Unchecked { data, probabilities }: Unchecked) -> Result<Self, Error> {
        let pairs = data.checked_mul(data.saturating_sub(1)).map_or(usize::MAX, |twice| twice / 2);
        check::dimension("pairs of data", pairs, probabilities.len())?;
        for (i, &p) in probabilities.iter().enumerate() {
            check::probability("CoClustering", "probability", p).map_err(|error| error.at(i))?;
        }
        Ok(Self { data, probabilities })
    }
}
