//! From weighted draws to draws.

use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

/// How draws are copied, each N wₛ times on average.
///
/// All need N uniform numbers or fewer and O(S + N) time. They differ in how much noise they add: systematic
/// and stratified least.
///
/// # References
/// R. Douc, O. Cappé, E. Moulines, Comparison of resampling schemes for particle filtering, ISPA 2005.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Resampling {
    /// N independent choices.
    Multinomial,
    /// ⌊N wₛ⌋ copies of each, the rest by independent choices.
    Residual,
    /// One choice in each of N equal proportions of the whole weight.
    Stratified,
    /// One choice in each of N equal proportions, at the same place of all: ⌊N wₛ⌋ or ⌈N wₛ⌉ copies, with one
    /// uniform number.
    #[default]
    Systematic,
}

impl Resampling {
    /// The places of `count` draws in ascending order, from weights that need not be normalised.
    ///
    /// ```
    /// use posterior_dist::stream::stream;
    /// use posterior_sampling::importance::Resampling;
    ///
    /// let places = Resampling::Systematic.indices(&[1.0, 0.0, 3.0], 4, &mut stream(1, &[]))?;
    /// assert_eq!(places, [0, 2, 2, 2]);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// A weight that is negative, infinite or NaN; weights whose sum is zero or infinite.
    pub fn indices<R: Rng + ?Sized>(
        self,
        weights: &[f64],
        count: usize,
        rng: &mut R,
    ) -> Result<Vec<usize>, ParamError> {
        for (index, &weight) in weights.iter().enumerate() {
            check::non_negative("Resampling", "weight", weight).map_err(|error| error.at(index))?;
        }
        let total = check::positive("Resampling", "sum of weights", weights.iter().sum())?;
        let n = count as f64;
        Ok(match self {
            Self::Multinomial => multinomial(weights, total, count, rng),
            Self::Residual => residual(weights, total, count, rng),
            Self::Stratified => {
                walk(weights, total, (0..count).map(|i| (i as f64 + rng.random::<f64>()) / n))
            }
            Self::Systematic => {
                let offset: f64 = rng.random();
                walk(weights, total, (0..count).map(|i| (i as f64 + offset) / n))
            }
        })
    }
}

/// Independent choices, in order: uniform numbers in order are sums of exponential ones.
fn multinomial<R: Rng + ?Sized>(weights: &[f64], total: f64, count: usize, rng: &mut R) -> Vec<usize> {
    let mut sum = 0.0;
    let mut sums: Vec<f64> = Vec::with_capacity(count);
    for _ in 0..count {
        sum -= (-rng.random::<f64>()).ln_1p();
        sums.push(sum);
    }
    sum -= (-rng.random::<f64>()).ln_1p();
    walk(weights, total, sums.into_iter().map(|partial| partial / sum))
}

fn residual<R: Rng + ?Sized>(weights: &[f64], total: f64, count: usize, rng: &mut R) -> Vec<usize> {
    let expected: Vec<f64> = weights.iter().map(|w| w / total * count as f64).collect();
    let mut places = Vec::with_capacity(count);
    for (index, &copies) in expected.iter().enumerate() {
        let left = count - places.len();
        places.extend(std::iter::repeat_n(index, (copies as usize).min(left)));
    }
    let rests: Vec<f64> = expected.iter().map(|copies| copies.fract()).collect();
    let rest: f64 = rests.iter().sum();
    let left = count - places.len();
    if left > 0 {
        places.extend(multinomial(&rests, rest, left, rng));
        places.sort_unstable();
    }
    places
}

/// Where the cumulative weights pass these ascending proportions of the whole; a weight of zero is never
/// chosen.
fn walk(weights: &[f64], total: f64, proportions: impl Iterator<Item = f64>) -> Vec<usize> {
    let last = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or_default();
    let (mut at, mut sum) = (0, weights[0]);
    proportions
        .map(|proportion| {
            while at < last && sum <= proportion * total {
                at += 1;
                sum += weights[at];
            }
            at
        })
        .collect()
}
