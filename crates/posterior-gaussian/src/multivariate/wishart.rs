//! Wishart distribution on the positive definite matrices.

use posterior_math::linalg::{Cholesky, gram_of_rows, multiply};
use posterior_math::special::{digamma, multivariate_ln_gamma};
use rand_distr::StandardNormal;

use crate::matrix_check;
use crate::prelude::*;
use posterior_dist::sample_chi;

/// The distribution of n Σ x xᵀ of Gaussian vectors; the conjugate prior of the precision matrix of a
/// Gaussian.
///
/// # Density
/// p(X) = |X|^((ν - p - 1) / 2) exp(-tr(W⁻¹ X) / 2) / (2^(ν p / 2) |W|^(ν / 2) Γ_p(ν / 2)), of the p (p + 1)
/// / 2 entries on and below the diagonal
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom` | above p - 1 | `df` (SciPy, R), `nu` (Stan) |
/// | W | `scale` | positive definite | `scale` (SciPy), `Sigma` (R), `S` (Stan) |
///
/// [`Wishart::from_inverse_scale`] takes W⁻¹, to which data add.
///
/// # Moments
/// mean ν W, variances ν (wᵢⱼ² + wᵢᵢ wⱼⱼ), mode (ν - p - 1) W for ν ≥ p + 1, E X⁻¹ = W⁻¹ / (ν - p - 1) for
/// ν > p + 1, E ln |X| = Σ ψ((ν + 1 - i) / 2) + p ln 2 + ln |W|
///
/// # Numerics
/// Draws by Bartlett's decomposition, whose factor needs no square root ([`Wishart::sample_cholesky`]). With
/// ν beyond 1e300 the terms of the log-density leave f64, and it is -∞. A draw whose entries are beyond f64
/// has infinite ones, and NaN where two of them are added.
///
/// # Example
/// ```
/// use posterior_gaussian::Wishart;
/// use posterior_math::linalg::DMatrix;
///
/// let distribution = Wishart::new(5.0, &DMatrix::identity(2, 2))?;
/// assert!((distribution.expected_ln_determinant() - 2.5122353368636006).abs() < 1e-15);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// W. B. Smith, R. R. Hocking, Algorithm AS 53: Wishart variate generator, Applied Statistics 21, 1972.
#[derive(Debug, Clone, PartialEq)]
pub struct Wishart {
    degrees_of_freedom: f64,
    scale: DMatrix<f64>,
    inverse_scale: DMatrix<f64>,
    cholesky: Cholesky,
    ln_norm: f64,
}

impl Wishart {
    /// The distribution with ν degrees of freedom and the scale W.
    ///
    /// # Errors
    /// If W is not symmetric and positive definite with at least one row, or ν is not above p - 1.
    pub fn new(degrees_of_freedom: f64, scale: &DMatrix<f64>) -> Result<Self, ParamError> {
        let (scale, cholesky) = matrix_check::positive_definite("Wishart", "scale", scale)?;
        let inverse_scale = cholesky.inverse();
        Self::prepared(degrees_of_freedom, scale, inverse_scale, cholesky)
    }

    /// The distribution with ν degrees of freedom and the inverse W⁻¹ of its scale.
    ///
    /// # Errors
    /// If W⁻¹ is not symmetric and positive definite with at least one row, or ν is not above p - 1.
    pub fn from_inverse_scale(
        degrees_of_freedom: f64,
        inverse_scale: &DMatrix<f64>,
    ) -> Result<Self, ParamError> {
        let (inverse_scale, factor) =
            matrix_check::positive_definite("Wishart", "inverse scale", inverse_scale)?;
        let (scale, cholesky) = matrix_check::positive_definite("Wishart", "scale", &factor.inverse())?;
        Self::prepared(degrees_of_freedom, scale, inverse_scale, cholesky)
    }

    fn prepared(
        degrees_of_freedom: f64,
        scale: DMatrix<f64>,
        inverse_scale: DMatrix<f64>,
        cholesky: Cholesky,
    ) -> Result<Self, ParamError> {
        matrix_check::degrees_of_freedom("Wishart", degrees_of_freedom, cholesky.size())?;
        matrix_check::finite("Wishart", "inverse scale", inverse_scale.as_slice())?;
        let ln_norm = ln_norm(degrees_of_freedom, cholesky.size(), cholesky.ln_determinant());
        Ok(Self { degrees_of_freedom, scale, inverse_scale, cholesky, ln_norm })
    }

    /// p, the number of rows.
    pub fn dimension(&self) -> usize {
        self.cholesky.size()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// The scale matrix W.
    pub const fn scale(&self) -> &DMatrix<f64> {
        &self.scale
    }

    /// The inverse of the scale matrix, W⁻¹.
    pub const fn inverse_scale(&self) -> &DMatrix<f64> {
        &self.inverse_scale
    }

    /// The factor of W.
    pub const fn cholesky(&self) -> &Cholesky {
        &self.cholesky
    }

    /// The logarithm of the constant: ν p ln 2 / 2 + ν ln |W| / 2 + ln Γ_p(ν / 2).
    pub const fn ln_norm(&self) -> f64 {
        self.ln_norm
    }

    /// E ln |X| = Σ ψ((ν + 1 - i) / 2) + p ln 2 + ln |W|.
    pub fn expected_ln_determinant(&self) -> f64 {
        expected_ln_determinant(self.degrees_of_freedom, self.dimension()) + self.cholesky.ln_determinant()
    }

    /// E X⁻¹ = W⁻¹ / (ν - p - 1); `None` up to ν = p + 1, where it is infinite.
    pub fn expected_inverse(&self) -> Option<DMatrix<f64>> {
        let excess = self.degrees_of_freedom - self.dimension() as f64 - 1.0;
        (excess > 0.0).then(|| &self.inverse_scale / excess)
    }

    /// The log-density at the matrix with this factor, without factoring it again.
    ///
    /// # Panics
    /// Unless the matrix has p rows.
    #[track_caller]
    pub fn ln_pdf_at(&self, x: &Cholesky) -> f64 {
        let ratio = self.cholesky.half_solve(x.factor());
        let power = self.degrees_of_freedom - self.dimension() as f64 - 1.0;
        0.5 * (power * x.ln_determinant() - ratio.norm_squared()) - self.ln_norm
    }

    /// The lower triangular factor of a draw. Of its diagonal an entry may be zero in f64 if ν is next to
    /// p - 1.
    pub fn sample_cholesky<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        multiply(self.cholesky.factor(), &bartlett(self.degrees_of_freedom, self.dimension(), rng))
    }
}

/// The logarithm of what a Wishart density is divided by.
pub(super) fn ln_norm(degrees_of_freedom: f64, dimension: usize, ln_determinant: f64) -> f64 {
    let half = 0.5 * degrees_of_freedom;
    half * (dimension as f64 * std::f64::consts::LN_2 + ln_determinant)
        + multivariate_ln_gamma(dimension, half)
}

/// E ln |X| of a Wishart distribution with W = I.
pub(super) fn expected_ln_determinant(degrees_of_freedom: f64, dimension: usize) -> f64 {
    let digammas = (0..dimension).map(|i| digamma(0.5 * (degrees_of_freedom - i as f64)));
    digammas.sum::<f64>() + dimension as f64 * std::f64::consts::LN_2
}

/// The lower triangular factor of a draw with W = I: χ on the diagonal, normal below.
pub(super) fn bartlett<R: Rng + ?Sized>(
    degrees_of_freedom: f64,
    dimension: usize,
    rng: &mut R,
) -> DMatrix<f64> {
    let mut factor = DMatrix::zeros(dimension, dimension);
    for i in 0..dimension {
        factor[(i, i)] = sample_chi(degrees_of_freedom - i as f64, rng);
        for j in 0..i {
            factor[(i, j)] = StandardNormal.sample(rng);
        }
    }
    factor
}

impl Density for Wishart {
    type Point = DMatrix<f64>;

    /// -∞ for a matrix that is not symmetric and positive definite.
    fn ln_pdf(&self, x: &DMatrix<f64>) -> f64 {
        matrix_check::density_at(x, self.dimension(), |factor| self.ln_pdf_at(factor))
    }
}

/// The variance is that of each entry.
impl Moments<DMatrix<f64>, DMatrix<f64>> for Wishart {
    fn mean(&self) -> Option<DMatrix<f64>> {
        Some(&self.scale * self.degrees_of_freedom)
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let w = &self.scale;
        let entry =
            |i: usize, j: usize| self.degrees_of_freedom * (w[(i, j)] * w[(i, j)] + w[(i, i)] * w[(j, j)]);
        Some(DMatrix::from_fn(w.nrows(), w.ncols(), entry))
    }
}

impl Entropy for Wishart {
    fn entropy(&self) -> f64 {
        let p = self.dimension() as f64;
        let power = self.degrees_of_freedom - p - 1.0;
        self.ln_norm + 0.5 * (self.degrees_of_freedom * p - power * self.expected_ln_determinant())
    }
}

impl Mode for Wishart {
    /// `None` below ν = p + 1, where the density is unbounded.
    fn mode(&self) -> Option<DMatrix<f64>> {
        let power = self.degrees_of_freedom - self.dimension() as f64 - 1.0;
        (power >= 0.0).then(|| &self.scale * power)
    }
}

impl KlDivergence for Wishart {
    /// With R = W₂⁻¹ W₁: (ν₁ (tr R - p) - ν₂ ln |R| + (ν₁ - ν₂) Σ ψ((ν₁ + 1 - i) / 2)) / 2 + ln Γ_p(ν₂/2) -
    /// ln Γ_p(ν₁/2).
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        divergence(
            [self.degrees_of_freedom, other.degrees_of_freedom],
            &other.cholesky.half_solve(self.cholesky.factor()),
        )
    }
}

/// KL of Wishart distributions with these degrees of freedom and the ratio L₂⁻¹ L₁ of the factors of their
/// scales.
pub(super) fn divergence([nu, other_nu]: [f64; 2], ratio: &DMatrix<f64>) -> f64 {
    let p = ratio.ncols();
    let mut shape = 0.0;
    let mut ln_ratio = 0.0;
    for j in 0..p {
        let excess = ratio[(j, j)] - 1.0;
        let ln_diagonal = excess.ln_1p();
        shape +=
            excess * (excess + 2.0) - 2.0 * ln_diagonal + ratio.column(j).rows_range(j + 1..).norm_squared();
        ln_ratio += 2.0 * ln_diagonal;
    }
    let standard = expected_ln_determinant(nu, p) - p as f64 * std::f64::consts::LN_2;
    let gammas = multivariate_ln_gamma(p, 0.5 * other_nu) - multivariate_ln_gamma(p, 0.5 * nu);
    0.5 * (nu * shape + (nu - other_nu) * (ln_ratio + standard)) + gammas
}

impl Distribution<DMatrix<f64>> for Wishart {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        gram_of_rows(&self.sample_cholesky(rng))
    }
}
