//! Independence read off a Gaussian: zeros of the covariance, and zeros of the precision.

use posterior_math::linalg::DMatrix;

use super::Gaussian;

impl Gaussian {
    /// The correlations Σᵢⱼ / √(Σᵢᵢ Σⱼⱼ): zero where two coordinates are independent.
    pub fn correlations(&self) -> DMatrix<f64> {
        standardised(self.covariance())
    }

    /// The partial correlations -Λᵢⱼ / √(Λᵢᵢ Λⱼⱼ), with ones on the diagonal: zero where two coordinates are
    /// independent given all others.
    pub fn partial_correlations(&self) -> DMatrix<f64> {
        let mut partial = -standardised(&self.precision());
        partial.fill_diagonal(1.0);
        partial
    }

    /// The Markov random field of the distribution: the neighbours of each coordinate, in order. Two
    /// coordinates are neighbours if their partial correlation is beyond `threshold` in size; below about n ε
    /// κ(Σ) it is rounding.
    pub fn conditional_independence_graph(&self, threshold: f64) -> Vec<Vec<usize>> {
        neighbours(&self.partial_correlations(), threshold)
    }

    /// Which coordinates depend on each other with nothing else known: those whose correlation is beyond
    /// `threshold` in size.
    pub fn marginal_dependence_graph(&self, threshold: f64) -> Vec<Vec<usize>> {
        neighbours(&self.correlations(), threshold)
    }
}

/// Scaled to ones on the diagonal.
fn standardised(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let scales = matrix.diagonal().map(f64::sqrt);
    let entry = |i: usize, j: usize| if i == j { 1.0 } else { matrix[(i, j)] / scales[i] / scales[j] };
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), entry)
}

fn neighbours(matrix: &DMatrix<f64>, threshold: f64) -> Vec<Vec<usize>> {
    let n = matrix.nrows();
    let of = |i: usize| (0..n).filter(|&j| j != i && matrix[(i, j)].abs() > threshold).collect();
    (0..n).map(of).collect()
}
