//! Gaussian and t copulas on the unit cube.

use posterior_dist::{Normal, StudentT, Univariate};
use posterior_math::check::require;

use super::MultivariateT;
use crate::gaussian::Gaussian;
use crate::matrix_check;
use crate::prelude::*;

/// How far from one a diagonal entry of a correlation matrix may be.
const DIAGONAL_TOLERANCE: f64 = 1e-9;

/// A correlation matrix, positive definite.
fn correlation(name: &'static str, matrix: &DMatrix<f64>) -> Result<DMatrix<f64>, ParamError> {
    let (matrix, _) = matrix_check::positive_definite(name, "correlation", matrix)?;
    for (index, &entry) in matrix.diagonal().iter().enumerate() {
        let is_one = (entry - 1.0).abs() <= DIAGONAL_TOLERANCE;
        require(is_one, name, "diagonal of the correlation", entry, "1").map_err(|error| error.at(index))?;
    }
    Ok(matrix)
}

/// The log-density of a copula: that of the vector of quantiles, less those of its coordinates; -∞ outside of
/// the open cube.
fn ln_pdf(
    u: &[f64],
    dimension: usize,
    scores: impl Fn(f64) -> f64,
    joint: impl Fn(&[f64]) -> f64,
    margin: impl Fn(f64) -> f64,
) -> f64 {
    if u.iter().any(|u| u.is_nan()) {
        return f64::NAN;
    }
    if u.len() != dimension || !u.iter().all(|&u| u > 0.0 && u < 1.0) {
        return f64::NEG_INFINITY;
    }
    let z: Vec<f64> = u.iter().map(|&u| scores(u)).collect();
    joint(&z) - z.iter().map(|&z| margin(z)).sum::<f64>()
}

/// The distribution of the probabilities Φ(zᵢ) of a Gaussian vector: how normal numbers depend on each other,
/// for uniform ones. With quantiles of any distributions it makes vectors with these margins.
///
/// # Density
/// c(u) = |R|^(-1/2) exp(-zᵀ (R⁻¹ - I) z / 2), zᵢ = Φ⁻¹(uᵢ)
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | R | `correlation` | positive definite, of unit diagonal |
///
/// # Example
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_dist::{Exponential, Univariate};
/// use posterior_gaussian::GaussianCopula;
/// use posterior_math::linalg::DMatrix;
/// use rand::distr::Distribution;
///
/// // Two waiting times that tend to be long together.
/// let copula = GaussianCopula::new(&DMatrix::from_row_slice(2, 2, &[1.0, 0.7, 0.7, 1.0]))?;
/// let wait = Exponential::new(2.0)?;
/// let waits: Vec<f64> = copula.sample(&mut stream(1, &[])).iter().map(|&u| wait.quantile(u)).collect();
/// assert!(waits.iter().all(|&t| t > 0.0));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianCopula {
    normal: Gaussian,
}

impl GaussianCopula {
    /// The copula with the correlation matrix R.
    ///
    /// # Errors
    /// If R is not symmetric and positive definite, or has another diagonal.
    pub fn new(correlation: &DMatrix<f64>) -> Result<Self, ParamError> {
        let correlation = self::correlation("GaussianCopula", correlation)?;
        Ok(Self { normal: Gaussian::new(&vec![0.0; correlation.nrows()], &correlation)? })
    }

    /// The dimension.
    pub fn dimension(&self) -> usize {
        self.normal.dimension()
    }

    /// The correlation matrix R.
    pub const fn correlation(&self) -> &DMatrix<f64> {
        self.normal.covariance()
    }
}

impl Density for GaussianCopula {
    type Point = [f64];

    fn ln_pdf(&self, u: &[f64]) -> f64 {
        let standard = Normal::STANDARD;
        ln_pdf(
            u,
            self.dimension(),
            |u| standard.quantile(u),
            |z| self.normal.ln_pdf(z),
            |z| standard.ln_pdf(&z),
        )
    }
}

impl Distribution<Vec<f64>> for GaussianCopula {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let z: Vec<f64> = self.normal.sample(rng);
        z.iter().map(|&z| Normal::STANDARD.cdf(z)).collect()
    }
}

/// The distribution of the probabilities of the coordinates of a multivariate t vector: as a
/// [`GaussianCopula`], with extremes that come together.
///
/// # Density
/// c(u) = t(z; ν, R) / Π t(zᵢ; ν), zᵢ the quantile of Student's t at uᵢ
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | ν | `degrees_of_freedom` | positive |
/// | R | `correlation` | positive definite, of unit diagonal |
///
/// # Example
/// ```
/// use posterior_gaussian::TCopula;
/// use posterior_math::linalg::DMatrix;
///
/// // Of two losses with ν = 4, one is extreme given that the other one is with probability 0.25.
/// let copula = TCopula::new(4.0, &DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.5, 1.0]))?;
/// assert!((copula.tail_dependence(0, 1) - 0.2532).abs() < 1e-4);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// S. Demarta, A. J. McNeil, The t copula and related copulas, International Statistical Review 73 (2005).
#[derive(Debug, Clone, PartialEq)]
pub struct TCopula {
    vector: MultivariateT,
    margin: StudentT,
}

impl TCopula {
    /// The copula with ν degrees of freedom and the correlation matrix R.
    ///
    /// # Errors
    /// If ν is not positive and finite, or R not symmetric and positive definite, or has another diagonal.
    pub fn new(degrees_of_freedom: f64, correlation: &DMatrix<f64>) -> Result<Self, ParamError> {
        check::positive("TCopula", "degrees_of_freedom", degrees_of_freedom)?;
        let correlation = self::correlation("TCopula", correlation)?;
        let vector = MultivariateT::new(degrees_of_freedom, &vec![0.0; correlation.nrows()], &correlation)?;
        Ok(Self { vector, margin: StudentT::standard(degrees_of_freedom)? })
    }

    /// The dimension.
    pub fn dimension(&self) -> usize {
        self.vector.dimension()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.vector.degrees_of_freedom()
    }

    /// The correlation matrix R, that of the t vector for ν > 2.
    pub const fn correlation(&self) -> &DMatrix<f64> {
        self.vector.scale()
    }

    /// The limit of P(uᵢ > q | uⱼ > q) for q → 1, which is that of both lower tails too: 2 P(T > √((ν + 1)(1
    /// - r) / (1 + r))) for T of Student's t with ν + 1 degrees of freedom.
    ///
    /// # Panics
    /// Unless both indices are below the dimension.
    #[track_caller]
    pub fn tail_dependence(&self, i: usize, j: usize) -> f64 {
        let r = self.correlation()[(i, j)];
        let degrees = self.degrees_of_freedom() + 1.0;
        let t = (degrees * ((1.0 - r) / (1.0 + r)).max(0.0)).sqrt();
        StudentT::standard(degrees).map_or(f64::NAN, |margin| 2.0 * margin.sf(t))
    }
}

impl Density for TCopula {
    type Point = [f64];

    fn ln_pdf(&self, u: &[f64]) -> f64 {
        let margin = self.margin;
        ln_pdf(u, self.dimension(), |u| margin.quantile(u), |z| self.vector.ln_pdf(z), |z| margin.ln_pdf(&z))
    }
}

impl Distribution<Vec<f64>> for TCopula {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        self.vector.sample(rng).iter().map(|&z| self.margin.cdf(z)).collect()
    }
}
