//! Drawing from weights by binary search in their cumulative sums.

use posterior_math::check::{self, ParamError};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

/// Draws k with probability proportional to weight k: O(K) to make, O(log K) and one uniform number per draw.
///
/// For many draws from the same weights [`AliasTable`](crate::AliasTable) is faster; from log weights,
/// [`gumbel_max`](crate::gumbel_max::gumbel_max) needs no table.
///
/// ```
/// use posterior_dist::{CumulativeTable, stream::stream};
/// use rand::distr::Distribution;
///
/// let table = CumulativeTable::from_weights(&[1.0, 0.0, 3.0])?;
/// assert_ne!(table.sample(&mut stream(1, &[])), 1);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CumulativeTable {
    cumulative: Vec<f64>,
    last_positive: usize,
}

impl CumulativeTable {
    /// The table of these weights, which need not be normalised.
    ///
    /// # Errors
    /// If there are none, one is negative, infinite or NaN, or their sum is zero or infinite.
    pub fn from_weights(weights: &[f64]) -> Result<Self, ParamError> {
        check_weights("CumulativeTable", "weight", weights)?;
        let mut total = 0.0;
        let cumulative = weights
            .iter()
            .map(|&weight| {
                total += weight;
                total
            })
            .collect();
        let last_positive = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or_default();
        Ok(Self { cumulative, last_positive })
    }

    /// The sum of the weights.
    pub fn total(&self) -> f64 {
        self.cumulative[self.last_positive]
    }

    /// The sum of weights 0 to k.
    pub(crate) fn up_to(&self, k: usize) -> f64 {
        self.cumulative[k.min(self.last_positive)]
    }

    /// The least k whose cumulative weight is at least the proportion `p` of all.
    pub(crate) fn reaches(&self, p: f64) -> usize {
        if p >= 1.0 {
            return self.last_positive;
        }
        // The same division as in the distribution function, so that the two invert each other exactly.
        self.cumulative.partition_point(|&sum| sum / self.total() < p).min(self.last_positive)
    }
}

impl Distribution<usize> for CumulativeTable {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        let target = rng.random::<f64>() * self.total();
        // Strictly beyond the target: a weight of zero is never drawn.
        self.cumulative.partition_point(|&sum| sum <= target).min(self.last_positive)
    }
}

/// The sum of weights that a discrete distribution can be made of.
pub(crate) fn check_weights(
    type_name: &'static str,
    parameter: &'static str,
    weights: &[f64],
) -> Result<f64, ParamError> {
    check::require(!weights.is_empty(), type_name, "number of weights", 0.0, "positive")?;
    check::each(weights, |weight| check::non_negative(type_name, parameter, weight))?;
    check::positive(type_name, "sum of weights", weights.iter().sum())
}
