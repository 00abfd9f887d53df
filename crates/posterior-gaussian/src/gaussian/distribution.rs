//! Multivariate normal distribution on ℝⁿ.

use posterior_math::linalg::{Cholesky, DVector};
use posterior_math::special::LN_TAU;
use rand_distr::StandardNormal;

use crate::matrix_check;
use crate::prelude::*;

/// What distances beyond f64 are reduced by.
const REDUCED: f64 = 1e-200;
/// Up to this dimension a density needs no memory from the heap.
const ON_THE_STACK: usize = 16;

/// The distribution of n numbers with a mean vector and a positive definite covariance matrix: the
/// multivariate normal.
///
/// # Density
/// p(x) = (2π)^(-n/2) |Σ|^(-1/2) exp(-(x - μ)ᵀ Σ⁻¹ (x - μ) / 2)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | μ | `mean` | finite | `mean` (R's mvtnorm, SciPy), `mu` (Stan) |
/// | Σ | `covariance` | positive definite | `sigma` (mvtnorm), `cov` (SciPy), `Sigma` (Stan) |
///
/// A covariance may be singular in [`MomentGaussian`](crate::MomentGaussian), which has no density.
///
/// # Moments
/// mean μ, covariance Σ, mode μ, entropy (n (1 + ln 2π) + ln |Σ|) / 2
///
/// # Numerics
/// The factor of Σ is made once: a density then costs n² operations, and no memory from the heap up to
/// n = 16. A matrix is symmetric if mirrored entries agree to 1e-8 of its diagonal. The distribution of
/// dimension 0 is legal: its density is 1.
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::Gaussian;
/// use posterior_math::linalg::DMatrix;
///
/// let distribution = Gaussian::new(&[0.0, 0.0], &DMatrix::from_row_slice(2, 2, &[2.0, 0.5, 0.5, 1.0]))?;
/// assert!((distribution.ln_pdf(&[1.0, -1.0]) - -3.2605421032342).abs() < 1e-13);
/// let given = distribution.condition(&[1], &[2.0])?;
/// assert_eq!((given.mean()[0], given.covariance()[(0, 0)]), (1.0, 1.75));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Gaussian {
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
    cholesky: Cholesky,
    ln_norm: f64,
}

impl Gaussian {
    /// The distribution with this mean and covariance.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or the covariance is not symmetric and positive
    /// definite.
    pub fn new(mean: &[f64], covariance: &DMatrix<f64>) -> Result<Self, ParamError> {
        matrix_check::finite("Gaussian", "mean", mean)?;
        matrix_check::length("Gaussian", "rows of the covariance", covariance.nrows(), mean.len())?;
        let (covariance, cholesky) = matrix_check::positive_definite("Gaussian", "covariance", covariance)?;
        Ok(Self::prepared(DVector::from_column_slice(mean), covariance, cholesky))
    }

    /// The distribution with mean μ and the covariance L Lᵀ of a factor.
    ///
    /// # Errors
    /// If the sizes do not agree, the mean is not finite, or L Lᵀ overflows.
    pub fn from_cholesky(mean: &[f64], cholesky: Cholesky) -> Result<Self, ParamError> {
        matrix_check::finite("Gaussian", "mean", mean)?;
        matrix_check::length("Gaussian", "rows of the factor", cholesky.size(), mean.len())?;
        let covariance = cholesky.reconstruct();
        matrix_check::finite("Gaussian", "covariance", covariance.as_slice())?;
        Ok(Self::prepared(DVector::from_column_slice(mean), covariance, cholesky))
    }

    /// The distribution with mean μ and the precision matrix Λ = Σ⁻¹.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or the precision is not symmetric and positive
    /// definite.
    pub fn from_precision(mean: &[f64], precision: &DMatrix<f64>) -> Result<Self, ParamError> {
        let (_, factor) = matrix_check::positive_definite("Gaussian", "precision", precision)?;
        Self::new(mean, &factor.inverse())
    }

    /// Independent numbers with these means and variances.
    ///
    /// # Errors
    /// If the lengths differ, a mean is not finite, or a variance is not positive and finite.
    pub fn independent(mean: &[f64], variances: &[f64]) -> Result<Self, ParamError> {
        matrix_check::length("Gaussian", "variances", variances.len(), mean.len())?;
        check::each(variances, |variance| check::positive("Gaussian", "variance", variance))?;
        Self::new(mean, &DMatrix::from_diagonal(&DVector::from_column_slice(variances)))
    }

    /// N(0, I) in `dimension` coordinates.
    pub fn standard(dimension: usize) -> Self {
        let identity = DMatrix::identity(dimension, dimension);
        Self::prepared(DVector::zeros(dimension), identity, Cholesky::identity(dimension))
    }

    /// From parts that agree.
    pub(crate) fn prepared(mean: DVector<f64>, covariance: DMatrix<f64>, cholesky: Cholesky) -> Self {
        let ln_norm = -0.5 * (mean.len() as f64 * LN_TAU + cholesky.ln_determinant());
        Self { mean, covariance, cholesky, ln_norm }
    }

    /// The distribution with this covariance and another mean.
    pub(super) fn moved_to(&self, mean: DVector<f64>) -> Self {
        Self { mean, ..self.clone() }
    }

    /// The dimension n.
    pub fn dimension(&self) -> usize {
        self.mean.len()
    }

    /// The mean μ.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The covariance matrix Σ.
    pub const fn covariance(&self) -> &DMatrix<f64> {
        &self.covariance
    }

    /// The factor of Σ.
    pub const fn cholesky(&self) -> &Cholesky {
        &self.cholesky
    }

    /// ln p(μ) = -(n ln 2π + ln |Σ|) / 2.
    pub(super) const fn ln_norm(&self) -> f64 {
        self.ln_norm
    }

    /// The precision matrix Σ⁻¹.
    pub fn precision(&self) -> DMatrix<f64> {
        self.cholesky.inverse()
    }

    /// (x - μ)ᵀ Σ⁻¹ (x - μ), the squared Mahalanobis distance from the mean.
    ///
    /// # Panics
    /// Unless x has n coordinates.
    #[track_caller]
    pub fn mahalanobis_squared(&self, x: &[f64]) -> f64 {
        self.whitened(x, 1.0, |white| white.iter().map(|z| z * z).sum())
    }

    /// The logarithm of the Mahalanobis distance, also where its square overflows.
    pub(crate) fn ln_mahalanobis(&self, x: &[f64]) -> f64 {
        self.whitened(x, REDUCED, |white| {
            let largest = white.iter().fold(0.0, |largest: f64, z| largest.max(z.abs()));
            largest.ln() - REDUCED.ln() + 0.5 * white.iter().map(|z| (z / largest).powi(2)).sum::<f64>().ln()
        })
    }

    /// A function of L⁻¹ (x - μ) times `unit`.
    #[track_caller]
    fn whitened(&self, x: &[f64], unit: f64, function: impl FnOnce(&[f64]) -> f64) -> f64 {
        let n = self.dimension();
        assert_eq!(x.len(), n, "coordinates of the point");
        let mut stack = [0.0; ON_THE_STACK];
        let mut heap = Vec::new();
        let white = if n <= ON_THE_STACK {
            &mut stack[..n]
        } else {
            heap.resize(n, 0.0);
            &mut heap[..]
        };
        for ((white, x), mean) in white.iter_mut().zip(x).zip(self.mean.iter()) {
            *white = unit * (x - mean);
        }
        self.cholesky.half_solve_slice_in_place(white);
        function(white)
    }

    /// Draws into `x`.
    ///
    /// # Panics
    /// Unless x has n coordinates.
    #[track_caller]
    pub fn sample_into<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        assert_eq!(x.len(), self.dimension(), "coordinates of the point");
        x.copy_from_slice(self.mean.as_slice());
        self.add_noise(rng, x);
    }

    /// Adds a draw with mean zero.
    pub(crate) fn add_noise<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        for (j, column) in self.cholesky.factor().column_iter().enumerate() {
            let noise: f64 = StandardNormal.sample(rng);
            for (x, &entry) in x[j..].iter_mut().zip(&column.as_slice()[j..]) {
                *x += noise * entry;
            }
        }
    }
}

impl Density for Gaussian {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        let density = if x.len() == self.dimension() {
            self.ln_norm - 0.5 * self.mahalanobis_squared(x)
        } else {
            f64::NAN
        };
        // Of infinite coordinates, and of another length.
        if density.is_nan() && !x.iter().any(|x| x.is_nan()) { f64::NEG_INFINITY } else { density }
    }
}

impl PointGradient for Gaussian {
    /// The derivative -Σ⁻¹ (x - μ).
    fn point_gradient(&self, x: &[f64]) -> Vec<f64> {
        if x.len() != self.dimension() {
            return vec![f64::NAN; x.len()];
        }
        let mut gradient: Vec<f64> = self.mean.iter().zip(x).map(|(mean, x)| mean - x).collect();
        self.cholesky.solve_slice_in_place(&mut gradient);
        gradient
    }
}

impl Moments<Vec<f64>, DMatrix<f64>> for Gaussian {
    fn mean(&self) -> Option<Vec<f64>> {
        Some(self.mean.as_slice().to_vec())
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        Some(self.covariance.clone())
    }
}

impl Entropy for Gaussian {
    fn entropy(&self) -> f64 {
        0.5 * self.dimension() as f64 - self.ln_norm
    }
}

impl Mode for Gaussian {
    fn mode(&self) -> Option<Vec<f64>> {
        Some(self.mean.as_slice().to_vec())
    }
}

impl Distribution<Vec<f64>> for Gaussian {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut x = vec![0.0; self.dimension()];
        self.sample_into(rng, &mut x);
        x
    }
}
