//! Where a fit is as a point of ℝⁿ, for steps that are extrapolated: logarithms of probabilities of words, or
//! their deviations, coefficients, and the triangle of the covariance with the logarithms of its diagonal.

use posterior_math::linalg::{Cholesky, DMatrix, gram_of_rows};

use super::expectation::State;
use super::regression::Regression;

impl State {
    pub(super) fn coordinates(&self) -> Vec<f64> {
        let mut all = self.words.coordinates();
        all.extend(&self.regression.gamma);
        let factor = Cholesky::new(&self.regression.covariance);
        let mut lower = factor.expect("invariant: the constructor has checked it").into_factor();
        for k in 0..lower.nrows() {
            lower[(k, k)] = lower[(k, k)].ln();
        }
        all.extend(&lower);
        all
    }

    /// The state at a point, if there is one; documents start where they do in this one.
    pub(super) fn at_coordinates(&self, coordinates: &[f64]) -> Option<Self> {
        let (rows, size) = self.regression.gamma.shape();
        let (words, regression) = coordinates.split_at(coordinates.len() - rows * size - size * size);
        let (gamma, lower) = regression.split_at(rows * size);
        let mut lower = DMatrix::from_column_slice(size, size, lower);
        for k in 0..size {
            lower[(k, k)] = lower[(k, k)].exp();
        }
        let gamma = DMatrix::from_column_slice(rows, size, gamma);
        let regression = Regression::new(gamma, gram_of_rows(&lower)).ok()?;
        Some(Self { words: self.words.at_coordinates(words), regression, eta: self.eta.clone() })
    }
}
