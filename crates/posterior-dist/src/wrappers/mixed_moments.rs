//! Mean and variance of a mixture from those of its components, for numbers and for vectors.

use posterior_math::linalg::DMatrix;

/// A mean with its variance that can be mixed: the law of total expectation and that of total variance.
///
/// Numbers with numbers, and vectors with covariance matrices.
pub trait MixedMoments: Sized {
    /// A number, or a matrix.
    type Variance;

    /// Σ w_k m_k; `None` if infinities of both signs meet, or vectors of different lengths.
    fn mixed_mean(components: &[(f64, Self)]) -> Option<Self>;

    /// Σ w_k (v_k + (m_k - m)²) about the mean m of the mixture; `None` if m does not exist or is infinite.
    fn mixed_variance(components: &[(f64, Self, Self::Variance)], mean: &Self) -> Option<Self::Variance>;
}

impl MixedMoments for f64 {
    type Variance = f64;

    fn mixed_mean(components: &[(f64, f64)]) -> Option<f64> {
        let mean: f64 = components.iter().map(|(weight, mean)| weight * mean).sum();
        if mean.is_nan() { None } else { Some(mean) }
    }

    fn mixed_variance(components: &[(f64, f64, f64)], &mean: &f64) -> Option<f64> {
        if !mean.is_finite() {
            return None;
        }
        let term = |&(weight, m, v): &(f64, f64, f64)| weight * (v + (m - mean) * (m - mean));
        Some(components.iter().map(term).sum())
    }
}

impl MixedMoments for Vec<f64> {
    type Variance = DMatrix<f64>;

    fn mixed_mean(components: &[(f64, Vec<f64>)]) -> Option<Vec<f64>> {
        let mut mean = vec![0.0; components.first()?.1.len()];
        for (weight, part) in components {
            if part.len() != mean.len() {
                return None;
            }
            for (sum, x) in mean.iter_mut().zip(part) {
                *sum += weight * x;
            }
        }
        if mean.iter().any(|x| x.is_nan()) { None } else { Some(mean) }
    }

    fn mixed_variance(components: &[(f64, Vec<f64>, DMatrix<f64>)], mean: &Vec<f64>) -> Option<DMatrix<f64>> {
        let dim = mean.len();
        if components.iter().any(|(_, m, v)| m.len() != dim || v.shape() != (dim, dim)) {
            return None;
        }
        if mean.iter().any(|m| !m.is_finite()) {
            return None;
        }
        let mut sum = DMatrix::zeros(dim, dim);
        for (weight, m, v) in components {
            let entry = |i: usize, j: usize| weight * (v[(i, j)] + (m[i] - mean[i]) * (m[j] - mean[j]));
            sum += DMatrix::from_fn(dim, dim, entry);
        }
        Some(sum)
    }
}
