//! Who takes the observations of a tile.

use posterior_math::elementwise;
use pulp::{Simd, WithSimd};

use super::{Lane, TILE};

/// ln ρ less the largest counts as this where it is lower: its exponential is 0 too, and 0 times it is 0.
const LOWEST: f64 = -1e3;

/// Turns ln ρ into proportions, by observation. Returns ln Σ ρ and -Σ r ln r; where all ρ are 0 these are -∞
/// and 0, and so are the proportions.
pub(super) struct Normalize<'a> {
    pub(super) proportions: &'a mut [Lane],
    /// Room for ln ρ less the largest.
    pub(super) shifted: &'a mut [Lane],
}

impl WithSimd for Normalize<'_> {
    type Output = (Lane, Lane);

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> (Lane, Lane) {
        let Self { proportions, shifted } = self;
        let largest = largest(proportions);
        for (proportion, shifted) in proportions.iter_mut().zip(&mut *shifted) {
            for i in 0..TILE {
                // NaN (all ρ are 0) fails the comparison, and so the proportions are 0.
                let difference = proportion[i] - largest[i];
                let difference = if difference > LOWEST { difference } else { LOWEST };
                proportion[i] = difference;
                shifted[i] = difference;
            }
        }
        elementwise::exp(proportions.as_flattened_mut());
        let (mut sums, mut products) = ([0.0; TILE], [0.0; TILE]);
        for (proportion, shifted) in proportions.iter().zip(&*shifted) {
            for i in 0..TILE {
                sums[i] += proportion[i];
                products[i] += proportion[i] * shifted[i];
            }
        }
        let (mut scale, mut entropy, mut ln_sum) = ([0.0; TILE], [0.0; TILE], [f64::NEG_INFINITY; TILE]);
        for i in 0..TILE {
            if sums[i] > 0.0 {
                scale[i] = sums[i].recip();
                let ln = sums[i].ln();
                entropy[i] = ln - products[i] * scale[i];
                ln_sum[i] = largest[i] + ln;
            }
        }
        for proportion in proportions {
            for i in 0..TILE {
                proportion[i] *= scale[i];
            }
        }
        (ln_sum, entropy)
    }
}

/// By observation.
#[inline(always)]
fn largest(ln_densities: &[Lane]) -> Lane {
    let mut largest = [f64::NEG_INFINITY; TILE];
    for ln_density in ln_densities {
        for i in 0..TILE {
            largest[i] = if ln_density[i] > largest[i] { ln_density[i] } else { largest[i] };
        }
    }
    largest
}

/// Turns ln ρ into a proportion of 1 for the largest, the first of equals. Returns ln max ρ.
pub(super) fn take_largest(proportions: &mut [Lane]) -> Lane {
    let largest = largest(proportions);
    let mut taken = largest.map(|largest| largest == f64::NEG_INFINITY);
    for proportion in proportions {
        for i in 0..TILE {
            let takes = !taken[i] && proportion[i] == largest[i];
            taken[i] |= takes;
            proportion[i] = f64::from(u8::from(takes));
        }
    }
    largest
}
