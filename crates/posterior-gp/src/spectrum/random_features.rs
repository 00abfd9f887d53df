//! Random Fourier features: a stationary kernel as a finite sum of waves.

use posterior_math::linalg::{DMatrix, multiply_transpose};
use rand::Rng;

use super::SpectralDistribution;

/// Waves with frequencies drawn from the distribution of a stationary kernel: features whose products have
/// the kernel as their mean.
///
/// The features of x are √(m/F) (cos ωⱼᵀx, sin ωⱼᵀx) for j = 1, …, F. Their product for two places has the
/// standard deviation m √((1 + k(2t) - 2 k(t)²)/(2F)) with t the difference and k over m: it falls like 1/√F.
///
/// # References
/// A. Rahimi, B. Recht, Random features for large-scale kernel machines, NIPS 2007; D. Sutherland, J.
/// Schneider, On the error of random Fourier features, UAI 2015.
///
/// ```
/// use posterior_gp::spectrum::{RandomFeatures, SpectralDistribution};
/// use posterior_math::linalg::DMatrix;
///
/// let mut rng = posterior_dist::stream::stream(1, &[]);
/// let waves = RandomFeatures::new(&SpectralDistribution::matern(1.5, &[1.0])?, 1, 4000, &mut rng);
/// let features = waves.features(&DMatrix::from_column_slice(2, 1, &[0.0, 1.0]));
/// let approximation = features.row(0).dot(&features.row(1));
/// assert!((approximation - 0.4833577245965077).abs() < 0.03);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RandomFeatures {
    /// √(m/F).
    amplitude: f64,
    /// A row for each frequency.
    frequencies: DMatrix<f64>,
}

impl RandomFeatures {
    /// `count` frequencies for inputs of `dimension` coordinates: twice as many features.
    pub fn new<R: Rng + ?Sized>(
        distribution: &SpectralDistribution,
        dimension: usize,
        count: usize,
        rng: &mut R,
    ) -> Self {
        let mut columns = vec![0.0; dimension * count];
        for frequency in columns.chunks_exact_mut(dimension.max(1)) {
            distribution.add_draw(frequency, rng);
        }
        let frequencies = DMatrix::from_vec(dimension, count, columns).transpose();
        Self { amplitude: (distribution.mass() / count as f64).sqrt(), frequencies }
    }

    /// ω: a row for each.
    pub const fn frequencies(&self) -> &DMatrix<f64> {
        &self.frequencies
    }

    /// A row for each input: the cosines, then the sines.
    ///
    /// # Panics
    /// If inputs have another number of coordinates than the frequencies.
    #[track_caller]
    pub fn features(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let phases = multiply_transpose(inputs, &self.frequencies);
        let count = self.frequencies.nrows();
        DMatrix::from_fn(inputs.nrows(), 2 * count, |i, j| {
            let (sine, cosine) = phases[(i, j % count)].sin_cos();
            self.amplitude * if j < count { cosine } else { sine }
        })
    }
}
