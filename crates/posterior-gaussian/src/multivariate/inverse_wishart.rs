//! Inverse Wishart distribution on the positive definite matrices.

use posterior_math::linalg::{Cholesky, gram_of_columns, solve_lower_in_place, triangularize};

use super::wishart;
use crate::matrix_check;
use crate::prelude::*;

/// The distribution of the inverse of a Wishart matrix; the conjugate prior of the covariance matrix of a
/// Gaussian.
///
/// # Density
/// p(X) = |Ψ|^(ν / 2) |X|^(-(ν + p + 1) / 2) exp(-tr(Ψ X⁻¹) / 2) / (2^(ν p / 2) Γ_p(ν / 2)), of the p (p + 1)
/// / 2 entries on and below the diagonal
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom` | above p - 1 | `df` (SciPy), `v` (R's MCMCpack), `nu` (Stan) |
/// | Ψ | `scale` | positive definite | `scale` (SciPy), `S` (MCMCpack, Stan) |
///
/// # Moments
/// mean Ψ / (ν - p - 1) for ν > p + 1, mode Ψ / (ν + p + 1), E X⁻¹ = ν Ψ⁻¹,
/// E ln |X| = ln |Ψ| - p ln 2 - Σ ψ((ν + 1 - i) / 2)
///
/// # Example
/// ```
/// use posterior_dist::Moments;
/// use posterior_gaussian::InverseWishart;
/// use posterior_math::linalg::DMatrix;
///
/// let distribution = InverseWishart::new(5.0, &DMatrix::identity(2, 2))?;
/// assert_eq!(distribution.mean(), Some(DMatrix::identity(2, 2) * 0.5));
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct InverseWishart {
    degrees_of_freedom: f64,
    scale: DMatrix<f64>,
    cholesky: Cholesky,
    ln_norm: f64,
}

impl InverseWishart {
    /// The distribution with ν degrees of freedom and the scale Ψ.
    ///
    /// # Errors
    /// If Ψ is not symmetric and positive definite with at least one row, or ν is not above p - 1.
    pub fn new(degrees_of_freedom: f64, scale: &DMatrix<f64>) -> Result<Self, ParamError> {
        let (scale, cholesky) = matrix_check::positive_definite("InverseWishart", "scale", scale)?;
        matrix_check::degrees_of_freedom("InverseWishart", degrees_of_freedom, cholesky.size())?;
        let ln_norm = wishart::ln_norm(degrees_of_freedom, cholesky.size(), -cholesky.ln_determinant());
        Ok(Self { degrees_of_freedom, scale, cholesky, ln_norm })
    }

    /// p, the number of rows.
    pub fn dimension(&self) -> usize {
        self.cholesky.size()
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// The scale matrix Ψ.
    pub const fn scale(&self) -> &DMatrix<f64> {
        &self.scale
    }

    /// The factor of Ψ.
    pub const fn cholesky(&self) -> &Cholesky {
        &self.cholesky
    }

    /// The logarithm of the constant: ν p ln 2 / 2 - ν ln |Ψ| / 2 + ln Γ_p(ν / 2).
    pub const fn ln_norm(&self) -> f64 {
        self.ln_norm
    }

    /// E ln |X| = ln |Ψ| - p ln 2 - Σ ψ((ν + 1 - i) / 2).
    pub fn expected_ln_determinant(&self) -> f64 {
        self.cholesky.ln_determinant()
            - wishart::expected_ln_determinant(self.degrees_of_freedom, self.dimension())
    }

    /// E X⁻¹ = ν Ψ⁻¹.
    pub fn expected_inverse(&self) -> DMatrix<f64> {
        self.cholesky.inverse() * self.degrees_of_freedom
    }

    /// The log-density at the matrix with this factor, without factoring it again.
    ///
    /// # Panics
    /// Unless the matrix has p rows.
    #[track_caller]
    pub fn ln_pdf_at(&self, x: &Cholesky) -> f64 {
        let ratio = x.half_solve(self.cholesky.factor());
        let power = self.degrees_of_freedom + self.dimension() as f64 + 1.0;
        -0.5 * (power * x.ln_determinant() + ratio.norm_squared()) - self.ln_norm
    }

    /// The lower triangular factor of a draw. Infinite where ν next to p - 1 makes a χ² underflow.
    pub fn sample_cholesky<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        triangularize(self.sample_root(rng)).transpose()
    }

    /// A⁻¹ Lᵀ with Bartlett's A: its Gram matrix is a draw.
    fn sample_root<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let bartlett = wishart::bartlett(self.degrees_of_freedom, self.dimension(), rng);
        let mut root = self.cholesky.factor().transpose();
        solve_lower_in_place(&bartlett, &mut root);
        root
    }
}

impl Density for InverseWishart {
    type Point = DMatrix<f64>;

    /// -∞ for a matrix that is not symmetric and positive definite.
    fn ln_pdf(&self, x: &DMatrix<f64>) -> f64 {
        matrix_check::density_at(x, self.dimension(), |factor| self.ln_pdf_at(factor))
    }
}

/// The variance is that of each entry.
impl Moments<DMatrix<f64>, DMatrix<f64>> for InverseWishart {
    /// `None` up to ν = p + 1, where entries diverge or are undefined.
    fn mean(&self) -> Option<DMatrix<f64>> {
        let excess = self.degrees_of_freedom - self.dimension() as f64 - 1.0;
        (excess > 0.0).then(|| &self.scale / excess)
    }

    /// `None` up to ν = p + 3.
    fn variance(&self) -> Option<DMatrix<f64>> {
        let excess = self.degrees_of_freedom - self.dimension() as f64;
        let psi = &self.scale;
        let norm = excess * (excess - 1.0).powi(2) * (excess - 3.0);
        let entry = |i: usize, j: usize| {
            ((excess + 1.0) * psi[(i, j)] * psi[(i, j)] + (excess - 1.0) * psi[(i, i)] * psi[(j, j)]) / norm
        };
        (excess > 3.0).then(|| DMatrix::from_fn(psi.nrows(), psi.ncols(), entry))
    }
}

impl Entropy for InverseWishart {
    fn entropy(&self) -> f64 {
        let p = self.dimension() as f64;
        let power = self.degrees_of_freedom + p + 1.0;
        self.ln_norm + 0.5 * (self.degrees_of_freedom * p + power * self.expected_ln_determinant())
    }
}

impl Mode for InverseWishart {
    fn mode(&self) -> Option<DMatrix<f64>> {
        Some(&self.scale / (self.degrees_of_freedom + self.dimension() as f64 + 1.0))
    }
}

impl KlDivergence for InverseWishart {
    /// That of the Wishart distributions of the inverses.
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.dimension() != other.dimension() {
            return f64::INFINITY;
        }
        // The inverse scales have the factors L⁻ᵀ: their ratio is the transpose of L₁⁻¹ L₂.
        let ratio = self.cholesky.half_solve(other.cholesky.factor());
        wishart::divergence([self.degrees_of_freedom, other.degrees_of_freedom], &ratio)
    }
}

impl Distribution<DMatrix<f64>> for InverseWishart {
    /// L A⁻ᵀ A⁻¹ Lᵀ with Bartlett's A. Infinite or NaN where A has a zero in f64, which takes a ν next to
    /// p - 1.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        gram_of_columns(&self.sample_root(rng))
    }
}
