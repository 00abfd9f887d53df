//! Mean and variance of a mixture from those of its components, for numbers and for vectors.

#[cfg(feature = "linalg")]
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
    type Variance = Self;

    fn mixed_mean(components: &[(Self, Self)]) -> Option<Self> {
        let mean: Self = components.iter().map(|(weight, mean)| weight * mean).sum();
        if mean.is_nan() { None } else { Some(mean) }
    }

    fn mixed_variance(components: &[(Self, Self, Self)], &mean: &Self) -> Option<Self> {
        if !mean.is_finite() {
            return None;
        }
        let term = |&(weight, m, v): &(Self, Self, Self)| weight * (v + (m - mean) * (m - mean));
        Some(components.iter().map(term).sum())
    }
}

#[cfg(feature = "linalg")]
impl MixedMoments for Vec<f64> {
    type Variance = DMatrix<f64>;

    fn mixed_mean(components: &[(f64, Self)]) -> Option<Self> {
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

    fn mixed_variance(components: &[(f64, Self, DMatrix<f64>)], mean: &Self) -> Option<DMatrix<f64>> {
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
