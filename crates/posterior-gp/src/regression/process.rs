//! The prior: a distribution of functions.

use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;

use super::PathSampler;
use crate::{Error, Kernel, Mean};

/// A Gaussian process: a function whose values at any places are jointly Gaussian, with means m(x) and
/// covariances k(x, x').
///
/// ```
/// use posterior_gp::{GaussianProcess, Kernel, Noise};
/// use posterior_math::linalg::DMatrix;
///
/// let prior = GaussianProcess::new(Kernel::rbf(1.0)?);
/// let x = DMatrix::from_column_slice(3, 1, &[-1.0, 0.0, 2.0]);
/// let posterior = prior.condition(&x, &[0.5, 1.0, -0.3], &Noise::variance(0.1)?)?;
/// assert!((posterior.ln_evidence() + 3.2494398794920425).abs() < 1e-12);
///
/// let at = DMatrix::from_column_slice(1, 1, &[1.0]);
/// let prediction = posterior.latent(&at)?;
/// assert!((prediction.mean[0] - 0.360482788475).abs() < 1e-12);
/// assert!((prediction.variance[0] - 0.367395293389).abs() < 1e-12);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianProcess {
    mean: Mean,
    kernel: Kernel,
}

impl GaussianProcess {
    /// The process with this kernel and mean zero.
    pub const fn new(kernel: Kernel) -> Self {
        Self { mean: Mean::zero(), kernel }
    }

    /// The same process about another mean.
    #[must_use]
    pub fn with_mean(self, mean: Mean) -> Self {
        Self { mean, ..self }
    }

    /// The mean function m.
    pub const fn mean(&self) -> &Mean {
        &self.mean
    }

    /// The kernel k.
    pub const fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The joint distribution of the values at the rows of `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite, or the kernel is not positive semidefinite
    /// there.
    pub fn distribution(&self, inputs: &DMatrix<f64>) -> Result<MomentGaussian, Error> {
        self.check(inputs)?;
        let mean = self.mean.values(inputs);
        Ok(MomentGaussian::new(mean.as_slice(), &self.kernel.gram(inputs))?)
    }

    /// What draws the values at the rows of `inputs` jointly.
    ///
    /// # Errors
    /// As [`distribution`](Self::distribution).
    pub fn sampler(&self, inputs: &DMatrix<f64>) -> Result<PathSampler, Error> {
        self.check(inputs)?;
        let gram = self.kernel.gram(inputs);
        let scale = gram.diagonal().amax();
        PathSampler::new(self.mean.values(inputs), &gram, scale, inputs.nrows())
    }

    /// One draw of the values at the rows of `inputs`. For several, prepare a [`sampler`](Self::sampler).
    ///
    /// # Errors
    /// As [`distribution`](Self::distribution).
    pub fn sample<R: Rng + ?Sized>(&self, inputs: &DMatrix<f64>, rng: &mut R) -> Result<DVector<f64>, Error> {
        Ok(self.sampler(inputs)?.sample(rng))
    }

    /// Whether kernel and mean function have values at these inputs.
    pub(crate) fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.kernel.check(inputs)?;
        self.mean.check(inputs)
    }
}
