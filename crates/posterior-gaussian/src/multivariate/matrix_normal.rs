//! Matrix normal distribution on the n × p matrices.

use posterior_math::linalg::{Cholesky, multiply, multiply_transpose};
use posterior_math::special::LN_TAU;
use rand_distr::StandardNormal;

use crate::matrix_check;
use crate::prelude::*;

/// The distribution of a matrix of normal numbers whose covariance is a product, of the rows' and of the
/// columns': vec X, column after column, is N(vec M, V ⊗ U).
///
/// # Density
/// p(X) = exp(-tr(V⁻¹ (X - M)ᵀ U⁻¹ (X - M)) / 2) / ((2π)^(n p / 2) |U|^(p / 2) |V|^(n / 2))
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | M | `mean` | n × p, finite | `mean` (SciPy) |
/// | U | `row_covariance` | n × n, positive definite | `rowcov` (SciPy) |
/// | V | `column_covariance` | p × p, positive definite | `colcov` (SciPy) |
///
/// (c U, V / c) is the same distribution as (U, V).
///
/// # Moments
/// mean M, cov(xᵢⱼ, xₖₗ) = Uᵢₖ Vⱼₗ, mode M
///
/// # Numerics
/// Two factors, of n and of p rows: n² p + n p² operations for a density, where the product would cost n² p².
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::MatrixNormal;
/// use posterior_math::linalg::DMatrix;
///
/// let distribution = MatrixNormal::new(&DMatrix::zeros(3, 2), &DMatrix::identity(3, 3), &DMatrix::identity(2, 2))?;
/// assert!((distribution.ln_pdf(&DMatrix::zeros(3, 2)) + 3.0 * (2.0 * std::f64::consts::PI).ln()).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixNormal {
    mean: DMatrix<f64>,
    row_covariance: DMatrix<f64>,
    column_covariance: DMatrix<f64>,
    row_cholesky: Cholesky,
    column_cholesky: Cholesky,
    ln_norm: f64,
}

impl MatrixNormal {
    /// The distribution with mean M, covariance U between rows and V between columns.
    ///
    /// # Errors
    /// If the sizes do not agree, an entry is not finite, or U or V is not symmetric and positive definite.
    pub fn new(
        mean: &DMatrix<f64>,
        row_covariance: &DMatrix<f64>,
        column_covariance: &DMatrix<f64>,
    ) -> Result<Self, ParamError> {
        let (rows, columns) = mean.shape();
        matrix_check::finite("MatrixNormal", "mean", mean.as_slice())?;
        matrix_check::length("MatrixNormal", "rows of the row covariance", row_covariance.nrows(), rows)?;
        matrix_check::length(
            "MatrixNormal",
            "rows of the column covariance",
            column_covariance.nrows(),
            columns,
        )?;
        let (row_covariance, row_cholesky) =
            matrix_check::positive_definite("MatrixNormal", "row_covariance", row_covariance)?;
        let (column_covariance, column_cholesky) =
            matrix_check::positive_definite("MatrixNormal", "column_covariance", column_covariance)?;
        let ln_determinant =
            columns as f64 * row_cholesky.ln_determinant() + rows as f64 * column_cholesky.ln_determinant();
        let ln_norm = -0.5 * ((rows * columns) as f64 * LN_TAU + ln_determinant);
        let mean = mean.clone();
        Ok(Self { mean, row_covariance, column_covariance, row_cholesky, column_cholesky, ln_norm })
    }

    /// The mean M.
    pub const fn mean(&self) -> &DMatrix<f64> {
        &self.mean
    }

    /// The covariance between rows U.
    pub const fn row_covariance(&self) -> &DMatrix<f64> {
        &self.row_covariance
    }

    /// The covariance between columns V.
    pub const fn column_covariance(&self) -> &DMatrix<f64> {
        &self.column_covariance
    }

    /// The transpose of L_V⁻¹ (X - M)ᵀ L_U⁻ᵀ: white noise.
    fn whitened(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let rows_white = self.row_cholesky.half_solve(&(x - &self.mean));
        self.column_cholesky.half_solve(&rows_white.transpose())
    }
}

impl Density for MatrixNormal {
    type Point = DMatrix<f64>;

    fn ln_pdf(&self, x: &DMatrix<f64>) -> f64 {
        let density = if x.shape() == self.mean.shape() {
            self.ln_norm - 0.5 * self.whitened(x).norm_squared()
        } else {
            f64::NAN
        };
        if density.is_nan() && !x.iter().any(|x| x.is_nan()) { f64::NEG_INFINITY } else { density }
    }
}

impl PointGradient for MatrixNormal {
    /// The derivative -U⁻¹ (X - M) V⁻¹.
    fn point_gradient(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        if x.shape() != self.mean.shape() {
            return DMatrix::from_element(x.nrows(), x.ncols(), f64::NAN);
        }
        self.column_cholesky.solve(&self.row_cholesky.solve(&(&self.mean - x)).transpose()).transpose()
    }
}

/// The variance is that of each entry: Uᵢᵢ Vⱼⱼ.
impl Moments<DMatrix<f64>, DMatrix<f64>> for MatrixNormal {
    fn mean(&self) -> Option<DMatrix<f64>> {
        Some(self.mean.clone())
    }

    fn variance(&self) -> Option<DMatrix<f64>> {
        let entry = |i: usize, j: usize| self.row_covariance[(i, i)] * self.column_covariance[(j, j)];
        Some(DMatrix::from_fn(self.mean.nrows(), self.mean.ncols(), entry))
    }
}

impl Entropy for MatrixNormal {
    fn entropy(&self) -> f64 {
        0.5 * self.mean.len() as f64 - self.ln_norm
    }
}

impl Mode for MatrixNormal {
    fn mode(&self) -> Option<DMatrix<f64>> {
        Some(self.mean.clone())
    }
}

impl KlDivergence for MatrixNormal {
    fn kl_divergence(&self, other: &Self) -> f64 {
        if self.mean.shape() != other.mean.shape() {
            return f64::INFINITY;
        }
        let rows = other.row_cholesky.half_solve(self.row_cholesky.factor());
        let columns = other.column_cholesky.half_solve(self.column_cholesky.factor());
        let trace = rows.norm_squared() * columns.norm_squared();
        let distance = other.whitened(&self.mean).norm_squared();
        other.entropy() - self.entropy() + 0.5 * (trace - self.mean.len() as f64 + distance)
    }
}

impl Distribution<DMatrix<f64>> for MatrixNormal {
    /// M + L_U E L_Vᵀ with white noise E.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let (rows, columns) = self.mean.shape();
        let noise = DMatrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng));
        let rows_mixed = multiply(self.row_cholesky.factor(), &noise);
        &self.mean + multiply_transpose(&rows_mixed, self.column_cholesky.factor())
    }
}
