//! How far two Gaussians are apart.

use posterior_math::linalg::{DMatrix, transpose_multiply};

use super::Gaussian;
use posterior_dist::KlDivergence;

impl KlDivergence for Gaussian {
    /// (tr Σ₂⁻¹ Σ₁ + dᵀ Σ₂⁻¹ d - n + ln |Σ₂| - ln |Σ₁|) / 2, added up from terms none of which is negative:
    /// with M = L₂⁻¹ L₁ they are Mᵢᵢ² - 1 - 2 ln Mᵢᵢ and, below the diagonal, Mᵢⱼ².
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        let ratio = other.cholesky().half_solve(self.cholesky().factor());
        let mut sum = other.cholesky().quadratic_form(&(self.mean() - other.mean()));
        for j in 0..ratio.ncols() {
            let excess = ratio[(j, j)] - 1.0;
            sum += excess * (excess + 2.0) - 2.0 * excess.ln_1p();
            sum += ratio.column(j).rows_range(j + 1..).norm_squared();
        }
        0.5 * sum
    }
}

impl Gaussian {
    /// KL(p ‖ q) + KL(q ‖ p), Jeffreys' divergence.
    pub fn jeffreys_divergence(&self, other: &Self) -> f64 {
        self.kl_divergence(other) + other.kl_divergence(self)
    }

    /// The 2-Wasserstein distance, the root of |μ₁ - μ₂|² + tr Σ₁ + tr Σ₂ - 2 tr (Σ₂^½ Σ₁ Σ₂^½)^½; infinite
    /// between spaces of different dimension, NaN where numbers leave the range of f64.
    ///
    /// The last trace is the sum of the singular values of L₁ᵀ L₂. Of two equal covariances rounding leaves
    /// √ε of their size.
    ///
    /// # References
    /// C. R. Givens, R. M. Shortt, A class of Wasserstein metrics for probability distributions, Michigan
    /// Math. J. 31, 1984.
    pub fn wasserstein_distance(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        let product = transpose_multiply(self.cholesky().factor(), other.cholesky().factor());
        let overlap = sum_of_singular_values(product).unwrap_or(f64::NAN);
        let spread = self.covariance().trace() + other.covariance().trace() - 2.0 * overlap;
        ((self.mean() - other.mean()).norm_squared() + if spread < 0.0 { 0.0 } else { spread }).sqrt()
    }
}

/// `None` if an entry is not finite, or the iteration does not converge.
fn sum_of_singular_values(matrix: DMatrix<f64>) -> Option<f64> {
    if matrix.is_empty() {
        return Some(0.0);
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return None;
    }
    let steps = 100 * matrix.nrows();
    Some(matrix.try_svd(false, false, f64::EPSILON, steps)?.singular_values.sum())
}
