//! Draws from a Gaussian that is given by a root of its covariance or by the factor of its precision.

use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

/// What draws from a Gaussian, prepared: x = μ + F e with Σ = F Fᵀ, or x = μ + L⁻ᵀ e with Σ⁻¹ = L Lᵀ, for
/// white noise e.
///
/// Made by [`MomentGaussian::sampler`](super::MomentGaussian::sampler) and
/// [`InformationGaussian::sampler`](super::InformationGaussian::sampler); a [`Gaussian`](super::Gaussian)
/// draws by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianSampler {
    mean: DVector<f64>,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Root(DMatrix<f64>),
    Precision(Cholesky),
}

impl GaussianSampler {
    pub(super) const fn by_root(mean: DVector<f64>, root: DMatrix<f64>) -> Self {
        Self { mean, shape: Shape::Root(root) }
    }

    pub(super) const fn by_precision(mean: DVector<f64>, factor: Cholesky) -> Self {
        Self { mean, shape: Shape::Precision(factor) }
    }
}

impl Distribution<Vec<f64>> for GaussianSampler {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut noise = |length| DVector::from_fn(length, |_, _| StandardNormal.sample(rng));
        let deviation = match &self.shape {
            Shape::Root(root) => root * noise(root.ncols()),
            Shape::Precision(factor) => factor.half_solve_transpose_vector(&noise(factor.size())),
        };
        (&self.mean + deviation).as_slice().to_vec()
    }
}
