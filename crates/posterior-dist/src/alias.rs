//! Drawing from weights in constant time.

use posterior_math::check::{self, ParamError};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

use crate::cumulative::check_weights;

/// Draws k with probability proportional to weight k: O(K) to make, O(1) per draw.
///
/// Each of K columns of equal height holds the weight of one index at the bottom and fills up with another,
/// its alias: a draw picks a column and then one of its two.
///
/// # References
/// A. J. Walker, An efficient method for generating discrete random variables, ACM TOMS 3 (1977); M. D. Vose,
/// A linear algorithm for generating random numbers with a given distribution, IEEE TSE 17 (1991).
///
/// ```
/// use posterior_dist::{AliasTable, stream::stream};
/// use rand::distr::Distribution;
///
/// let table = AliasTable::from_weights(&[1.0, 0.0, 3.0])?;
/// assert_ne!(table.sample(&mut stream(1, &[])), 1);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AliasTable {
    columns: Vec<Column>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Column {
    keep: f64,
    alias: u32,
}

impl AliasTable {
    /// The table of these weights, which need not be normalised.
    ///
    /// # Errors
    /// If there are none or 2³² and more, one is negative, infinite or NaN, or their sum is zero or infinite.
    pub fn from_weights(weights: &[f64]) -> Result<Self, ParamError> {
        let total = check_weights("AliasTable", "weight", weights)?;
        let count = weights.len();
        check::require(
            u32::try_from(count).is_ok(),
            "AliasTable",
            "number of weights",
            count as f64,
            "below 2^32",
        )?;
        let mut columns: Vec<Column> = weights
            .iter()
            .zip(0_u32..)
            .map(|(&weight, alias)| Column { keep: weight / total * count as f64, alias })
            .collect();
        let (mut low, mut high): (Vec<u32>, Vec<u32>) =
            (0..count as u32).partition(|&index| columns[index as usize].keep < 1.0);
        while let (Some(&giver), Some(taker)) = (high.last(), low.pop()) {
            let taken = 1.0 - columns[taker as usize].keep;
            columns[taker as usize].alias = giver;
            let left = &mut columns[giver as usize].keep;
            *left -= taken;
            if *left < 1.0 {
                high.pop();
                low.push(giver);
            }
        }
        // What is left over is full up to rounding; a weight of zero that rounding left over gets a donor.
        let heaviest = (0..count).fold(0, |best, k| if weights[k] > weights[best] { k } else { best });
        for index in low.into_iter().chain(high) {
            let column = &mut columns[index as usize];
            *column = if weights[index as usize] > 0.0 {
                Column { keep: 1.0, alias: index }
            } else {
                Column { keep: 0.0, alias: heaviest as u32 }
            };
        }
        Ok(Self { columns })
    }
}

impl Distribution<usize> for AliasTable {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        let index = rng.random_range(0..self.columns.len());
        let Column { keep, alias } = self.columns[index];
        if rng.random::<f64>() < keep { index } else { alias as usize }
    }
}
