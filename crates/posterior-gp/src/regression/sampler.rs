//! Joint draws of a process at some places.

use posterior_math::linalg::{DMatrix, DVector, MatrixError, PivotedCholesky};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use crate::Error;

/// Directions with less than this part of the prior variance, times the size of the problem, are rounding at
/// best.
const TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// Directions with more than this part of the prior variance are never left out.
const LARGEST: f64 = 1e-6;

/// What draws the values of a function at some places jointly: m + F e with white noise e.
///
/// # Numerics
/// F comes from a pivoted Cholesky factorisation. Nothing is added to the covariance; what it leaves out is
/// [`remainder`](Self::remainder), of the size of rounding: as much as it takes for the rest to be positive
/// definite.
#[derive(Debug, Clone, PartialEq)]
pub struct PathSampler {
    mean: DVector<f64>,
    root: DMatrix<f64>,
    remainder: f64,
}

impl PathSampler {
    /// Draws with this mean and covariance, which was computed from prior variances of size `scale` by sums
    /// of `terms` terms.
    pub(super) fn new(
        mean: DVector<f64>,
        covariance: &DMatrix<f64>,
        scale: f64,
        terms: usize,
    ) -> Result<Self, Error> {
        // The parts grow, not the tolerances: those of a tiny scale are 0, and stay so.
        let mut part = TOLERANCE * terms.max(mean.len()) as f64;
        loop {
            match PivotedCholesky::with_tolerance(covariance, part * scale) {
                Ok(factor) => {
                    return Ok(Self { mean, root: factor.factor().clone(), remainder: factor.remainder() });
                }
                Err(MatrixError::NotPositiveDefinite { .. }) if part < LARGEST => {
                    part = (100.0 * part).min(LARGEST);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The mean.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// How many independent numbers a draw is made of.
    pub fn rank(&self) -> usize {
        self.root.ncols()
    }

    /// The variance that draws lack, summed over all places.
    pub const fn remainder(&self) -> f64 {
        self.remainder
    }

    /// One draw.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DVector<f64> {
        let noise = DVector::from_fn(self.rank(), |_, _| rng.sample(StandardNormal));
        &self.mean + &self.root * noise
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All tolerances are 0 at this scale.
    #[test]
    fn a_tiny_scale_ends_with_an_error() {
        let indefinite = DMatrix::from_row_slice(2, 2, &[0.0, 1e-315, 1e-315, 0.0]);
        assert!(PathSampler::new(DVector::zeros(2), &indefinite, 1e-315, 2).is_err());
    }
}
