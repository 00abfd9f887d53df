//! Expected statistics of Gaussian components, by tiles of observations: the inner loop of EM and of
//! variational Bayes.
//!
//! A component k is known by ln ρ_k(x) = `ln_offset` - ½ |whitening (x - centre)|². In one pass over the data
//! this gives, with the proportions r_k = ρ_k / Σ ρ and the weights w of the observations,
//! - N_k = Σ w r_k, Σ w r_k (x - c_k) and Σ w r_k (x - c_k)(x - c_k)ᵀ, about the centre c_k of each
//!   component: near the mean of its points, so that no digits cancel;
//! - Σ w ln Σ ρ_k, and the entropy -Σ w r_k ln r_k of the proportions.
//!
//! What is done to an observation is done to all of a tile at once, coordinate by coordinate, so that the
//! compiler vectorises it; of the n K proportions those of one tile exist at a time. Sums have a fixed number
//! of lanes, and blocks of tiles are added up in their order: the bits depend neither on the machine nor on
//! the number of threads.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

mod block;
mod distances;
mod proportions;
mod rows;
mod sums;
#[cfg(test)]
mod tests;

use posterior_math::linalg::{Cholesky, DMatrix};

use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use crate::observations::Observations;
use block::Block;
pub(crate) use rows::{add_moments, ln_densities};

/// Observations that are worked on together: their coordinates stay in the nearest cache.
const TILE: usize = 128;

/// Observations of a block, the unit of the threads.
const BLOCK: usize = 64 * TILE;

/// Blocks whose sums exist at the same time.
const WAVE: usize = 32;

/// One number for each observation of a tile.
type Lane = [f64; TILE];

/// A component, in the form that is fast.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Component {
    /// c, about which moments are taken.
    pub(crate) centre: Vec<f64>,
    /// What makes of deviations from the centre standard normal ones.
    pub(crate) whitening: Whitening,
    /// ln ρ at the centre; -∞ for a component that has no observation.
    pub(crate) ln_offset: f64,
}

/// The inverse of a factor of a covariance Σ.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Whitening {
    /// L with Σ = L Lᵀ: the rows of the lower triangle one after the other, with reciprocals on the diagonal.
    Lower(Vec<f64>),
    /// The reciprocals of the standard deviations.
    Diagonal(Vec<f64>),
}

impl Whitening {
    /// By the Cholesky factor of Σ.
    pub(crate) fn of_cholesky(cholesky: &Cholesky) -> Self {
        let factor = cholesky.factor();
        let row =
            |i: usize| (0..=i).map(move |j| if i == j { factor[(i, i)].recip() } else { factor[(i, j)] });
        Self::Lower((0..cholesky.size()).flat_map(row).collect())
    }

    /// By the variances of independent coordinates.
    pub(crate) fn of_variances(variances: &[f64]) -> Self {
        Self::Diagonal(variances.iter().map(|variance| variance.sqrt().recip()).collect())
    }
}

impl Component {
    /// A point of the distribution whose density is proportional to ρ: forward multiplication with the
    /// factor.
    pub(crate) fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let noise: Vec<f64> = self.centre.iter().map(|_| StandardNormal.sample(rng)).collect();
        let deviation = |j: usize| match &self.whitening {
            Whitening::Diagonal(scales) => noise[j] / scales[j],
            Whitening::Lower(lower) => {
                let row = &lower[j * (j + 1) / 2..][..=j];
                let below: f64 = row[..j].iter().zip(&noise).map(|(l, z)| l * z).sum();
                below + noise[j] / row[j]
            }
        };
        self.centre.iter().enumerate().map(|(j, centre)| centre + deviation(j)).collect()
    }
}

/// Which second moments are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scatter {
    /// Those of all pairs of coordinates.
    Full,
    /// Those of each coordinate with itself.
    Diagonal,
}

/// Who takes an observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Sharing<'a> {
    /// Each component in proportion to ρ.
    Proportional,
    /// The component with the largest ρ, the first of equals.
    Largest,
    /// Row i of this matrix tells it of observation i.
    Given(&'a DMatrix<f64>),
}

/// The moments of one component about its centre.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moments {
    /// N = Σ w r.
    pub(crate) weight: f64,
    /// Σ w r (x - c).
    pub(crate) first: Vec<f64>,
    /// Σ w r (x - c)(x - c)ᵀ: the lower triangle row by row, or the diagonal.
    pub(crate) second: Vec<f64>,
}

impl Moments {
    pub(crate) fn zero(dimension: usize, scatter: Scatter) -> Self {
        let second = match scatter {
            Scatter::Full => dimension * (dimension + 1) / 2,
            Scatter::Diagonal => dimension,
        };
        Self { weight: 0.0, first: vec![0.0; dimension], second: vec![0.0; second] }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        for (sum, term) in self.first.iter_mut().zip(&other.first) {
            *sum += term;
        }
        for (sum, term) in self.second.iter_mut().zip(&other.second) {
            *sum += term;
        }
    }
}

/// What a pass over the data found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expectations {
    /// Of each component.
    pub(crate) components: Vec<Moments>,
    /// Σ w ln Σ ρ; Σ w ln max ρ where the largest takes all, and 0 where proportions were given.
    pub(crate) ln_likelihood: f64,
    /// -Σ w r ln r; 0 unless they are proportional.
    pub(crate) entropy: f64,
    /// The first observation with a positive weight at which all ρ are 0; its proportions are 0.
    pub(crate) impossible: Option<usize>,
}

impl Expectations {
    fn add(&mut self, other: &Self) {
        for (sum, term) in self.components.iter_mut().zip(&other.components) {
            sum.add(term);
        }
        self.ln_likelihood += other.ln_likelihood;
        self.entropy += other.entropy;
        self.impossible = self.impossible.or(other.impossible);
    }
}

/// The statistics of complete data under these components, of which there is at least one.
///
/// n K (d² + 2 d) multiplications and as many additions with lower triangles and full scatter, 5 n K d of
/// both with diagonals, and n K exponentials.
pub(crate) fn expectations(
    data: &Observations,
    components: &[Component],
    sharing: Sharing<'_>,
    scatter: Scatter,
) -> Expectations {
    let starts: Vec<usize> = (0..data.len()).step_by(BLOCK).collect();
    let of_block = |&start: &usize| Block::new(data, components, scatter).expectations(start, sharing);
    let mut total = Expectations {
        components: vec![Moments::zero(data.dimension(), scatter); components.len()],
        ln_likelihood: 0.0,
        entropy: 0.0,
        impossible: None,
    };
    for wave in starts.chunks(WAVE) {
        for block in map(wave, of_block) {
            total.add(&block);
        }
    }
    total
}

/// ln Σ ρ of each observation of complete data, and where asked for the proportions, observations as rows.
pub(crate) fn proportions(data: &Observations, components: &[Component]) -> (DMatrix<f64>, Vec<f64>) {
    let starts: Vec<usize> = (0..data.len()).step_by(BLOCK).collect();
    let mut all = DMatrix::zeros(data.len(), components.len());
    let mut ln_sums = Vec::with_capacity(data.len());
    for wave in starts.chunks(WAVE) {
        let of_block = |&start: &usize| Block::new(data, components, Scatter::Diagonal).proportions(start);
        for (&start, (block, ln_sum)) in wave.iter().zip(map(wave, of_block)) {
            for (k, column) in block.chunks_exact(ln_sum.len()).enumerate() {
                all.column_mut(k).as_mut_slice()[start..start + ln_sum.len()].copy_from_slice(column);
            }
            ln_sums.extend_from_slice(&ln_sum);
        }
    }
    (all, ln_sums)
}

#[cfg(feature = "rayon")]
fn map<T: Send>(starts: &[usize], f: impl Fn(&usize) -> T + Send + Sync) -> Vec<T> {
    use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
    starts.par_iter().map(f).collect()
}

#[cfg(not(feature = "rayon"))]
fn map<T>(starts: &[usize], f: impl Fn(&usize) -> T) -> Vec<T> {
    starts.iter().map(f).collect()
}
