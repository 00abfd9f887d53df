//! Multivariate Student t distribution on ℝⁿ.

use posterior_math::linalg::DVector;
use posterior_math::special::{digamma_difference, ln_pochhammer};

use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::prelude::*;
use posterior_dist::sample_chi;

/// The distribution of μ + z / √(u / ν) with z ~ N(0, Σ) and u ~ χ²(ν): a Gaussian with an uncertain scale,
/// and the distribution of the next point where mean and covariance were learned from data.
///
/// # Density
/// p(x) = Γ((ν + n) / 2) / (Γ(ν / 2) (ν π)^(n/2) |Σ|^(1/2)) (1 + (x - μ)ᵀ Σ⁻¹ (x - μ) / ν)^(-(ν + n) / 2)
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom` | positive | `df` (SciPy, R's mvtnorm), `nu` (Stan) |
/// | μ | `location` | finite | `loc` (SciPy), `delta` (mvtnorm), `mu` (Stan) |
/// | Σ | `scale` | positive definite | `shape` (SciPy), `sigma` (mvtnorm), `Sigma` (Stan) |
///
/// # Moments
/// mean μ for ν > 1, covariance ν Σ / (ν - 2) for ν > 2, mode μ, entropy (ν + n) (ψ((ν + n) / 2) - ψ(ν / 2))
/// / 2 - ln p(μ)
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::MultivariateT;
/// use posterior_math::linalg::DMatrix;
///
/// let distribution = MultivariateT::new(5.0, &[0.0], &DMatrix::identity(1, 1))?;
/// assert!((distribution.ln_pdf(&[1.0]) - -1.5155842594365883).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MultivariateT {
    degrees_of_freedom: f64,
    normal: Gaussian,
    ln_norm: f64,
}

impl MultivariateT {
    /// The distribution with ν degrees of freedom, location μ and scale matrix Σ.
    ///
    /// # Errors
    /// If ν is not positive and finite, the sizes do not agree, an entry is not finite, or Σ is not symmetric
    /// and positive definite.
    pub fn new(degrees_of_freedom: f64, location: &[f64], scale: &DMatrix<f64>) -> Result<Self, ParamError> {
        check::positive("MultivariateT", "degrees_of_freedom", degrees_of_freedom)?;
        matrix_check::finite("MultivariateT", "location", location)?;
        matrix_check::length("MultivariateT", "rows of the scale", scale.nrows(), location.len())?;
        let (scale, cholesky) = matrix_check::positive_definite("MultivariateT", "scale", scale)?;
        let half = 0.5 * location.len() as f64;
        let ln_norm = ln_pochhammer(0.5 * degrees_of_freedom, half)
            - half * (degrees_of_freedom.ln() + std::f64::consts::PI.ln())
            - 0.5 * cholesky.ln_determinant();
        let normal = Gaussian::prepared(DVector::from_column_slice(location), scale, cholesky);
        Ok(Self { degrees_of_freedom, normal, ln_norm })
    }

    /// The dimension n.
    pub fn dimension(&self) -> usize {
        self.normal.dimension()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// The location μ.
    pub fn location(&self) -> &[f64] {
        self.normal.mean().as_slice()
    }

    /// The scale matrix Σ.
    pub const fn scale(&self) -> &DMatrix<f64> {
        self.normal.covariance()
    }

    /// The distribution of the coordinates `indices`, in this order: as many degrees of freedom.
    ///
    /// # Errors
    /// If an index is not below n, or there twice.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, ParamError> {
        let normal = self.normal.marginal(indices)?;
        Self::new(self.degrees_of_freedom, normal.mean().as_slice(), normal.covariance())
    }

    /// The distribution of the other coordinates, in order, given that the coordinates `indices` have these
    /// `values`: ν grows by their number m, and the Gaussian conditional covariance is scaled by (ν + d²) /
    /// (ν + m) with the Mahalanobis distance d of the values.
    ///
    /// # Errors
    /// If an index is not below n or there twice, or a value is not finite or there is not one for each
    /// index.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, ParamError> {
        let given = self.normal.condition(indices, values)?;
        let distance = self.normal.marginal(indices)?.mahalanobis_squared(values);
        let grown = self.degrees_of_freedom + indices.len() as f64;
        let factor = (self.degrees_of_freedom + distance) / grown;
        Self::new(grown, given.mean().as_slice(), &(given.covariance() * factor))
    }
}

impl Density for MultivariateT {
    type Point = [f64];

    fn ln_pdf(&self, x: &[f64]) -> f64 {
        let nu = self.degrees_of_freedom;
        let density = if x.len() == self.dimension() {
            let ratio = self.normal.mahalanobis_squared(x) / nu;
            let ln_factor = if ratio < f64::INFINITY {
                ratio.ln_1p()
            } else {
                // The square of a distance beyond 1e154, or of √ν times that: the tail is not zero there.
                2.0 * self.normal.ln_mahalanobis(x) - nu.ln()
            };
            self.ln_norm - 0.5 * (nu + x.len() as f64) * ln_factor
        } else {
            f64::NAN
        };
        if density.is_nan() && !x.iter().any(|x| x.is_nan()) { f64::NEG_INFINITY } else { density }
    }
}

impl PointGradient for MultivariateT {
    /// The derivative -(ν + n) / (ν + d²) Σ⁻¹ (x - μ).
    fn point_gradient(&self, x: &[f64]) -> Vec<f64> {
        let mut gradient = self.normal.point_gradient(x);
        if x.len() == self.dimension() {
            let nu = self.degrees_of_freedom;
            let factor = (nu + x.len() as f64) / (nu + self.normal.mahalanobis_squared(x));
            for slope in &mut gradient {
                *slope *= factor;
            }
        }
        gradient
    }
}

impl Moments<Vec<f64>, DMatrix<f64>> for MultivariateT {
    /// `None` up to ν = 1.
    fn mean(&self) -> Option<Vec<f64>> {
        (self.degrees_of_freedom > 1.0).then(|| self.location().to_vec())
    }

    /// `None` up to ν = 2: the variances are infinite there, and the covariances undefined.
    fn variance(&self) -> Option<DMatrix<f64>> {
        let nu = self.degrees_of_freedom;
        (nu > 2.0).then(|| self.scale() * (nu / (nu - 2.0)))
    }
}

impl Entropy for MultivariateT {
    fn entropy(&self) -> f64 {
        let (nu, n) = (self.degrees_of_freedom, self.dimension() as f64);
        0.5 * (nu + n) * digamma_difference(0.5 * nu, 0.5 * n) - self.ln_norm
    }
}

impl Mode for MultivariateT {
    fn mode(&self) -> Option<Vec<f64>> {
        Some(self.location().to_vec())
    }
}

impl Distribution<Vec<f64>> for MultivariateT {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut x = vec![0.0; self.dimension()];
        self.normal.add_noise(rng, &mut x);
        // With few degrees of freedom the factor may be infinite; a coordinate that has underflowed stays
        // where it is.
        let factor = self.degrees_of_freedom.sqrt() / sample_chi(self.degrees_of_freedom, rng);
        for (x, &center) in x.iter_mut().zip(self.location()) {
            *x = if *x == 0.0 { center } else { center + *x * factor };
        }
        x
    }
}
