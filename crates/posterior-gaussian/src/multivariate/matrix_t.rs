//! Matrix t distribution on the n × p matrices.

use std::f64::consts::PI;

use posterior_dist::sample_chi;
use posterior_math::linalg::{Cholesky, gram_of_rows, multiply, multiply_transpose};
use posterior_math::special::{digamma_difference, ln_pochhammer};
use rand_distr::StandardNormal;

use crate::matrix_check;
use crate::prelude::*;

/// The distribution of a matrix of normal numbers whose covariance between rows is unknown: of the
/// coefficients of a multivariate regression with a conjugate prior.
///
/// Given Σ ~ InverseWishart(ν + n - 1, U) it is matrix normal with the covariances Σ and V.
///
/// # Density
/// p(X) = Γₙ(a) / (π^(np/2) Γₙ(a - p/2) |U|^(p/2) |V|^(n/2)) |I + U⁻¹ (X - M) V⁻¹ (X - M)ᵀ|^(-a), a = (ν + n
/// + p - 1)/2
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | ν | `degrees_of_freedom` | positive | `df` (SciPy's `matrix_t`) |
/// | M | `location` | n × p, finite | `mean` (SciPy) |
/// | U | `row_scale` | n × n, positive definite | `row_spread` (SciPy) |
/// | V | `column_scale` | p × p, positive definite | `col_spread` (SciPy) |
///
/// For n = p = 1 it is Student's t with the scale √(UV/ν); (c U, V / c) is the same distribution as (U, V).
///
/// # Moments
/// mean M for ν > 1, variance Uᵢᵢ Vⱼⱼ / (ν - 2) of each entry for ν > 2, mode M, entropy a Σ (ψ(a - i/2) -
/// ψ(a - (p + i)/2)) - ln p(M) over i = 0, …, n - 1
///
/// # Numerics
/// The determinant is that of I + W Wᵀ for the whitened W, of whichever side is shorter.
///
/// # Example
/// ```
/// use posterior_dist::Density;
/// use posterior_gaussian::MatrixT;
/// use posterior_math::linalg::DMatrix;
///
/// // Student's t with 5 degrees of freedom.
/// let one = DMatrix::identity(1, 1);
/// let distribution = MatrixT::new(5.0, &DMatrix::zeros(1, 1), &one, &(&one * 5.0))?;
/// assert!((distribution.ln_pdf(&one) - -1.5155842594365883).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// A. K. Gupta, D. K. Nagar, Matrix Variate Distributions, 1999, chapter 4.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixT {
    degrees_of_freedom: f64,
    location: DMatrix<f64>,
    row_scale: DMatrix<f64>,
    column_scale: DMatrix<f64>,
    row_cholesky: Cholesky,
    column_cholesky: Cholesky,
    /// ln p(M).
    ln_peak: f64,
}

impl MatrixT {
    /// ν degrees of freedom, location M, scale U between rows and V between columns.
    ///
    /// # Errors
    /// If ν is not positive and finite, the sizes do not agree, an entry is not finite, or U or V is not
    /// symmetric and positive definite.
    pub fn new(
        degrees_of_freedom: f64,
        location: &DMatrix<f64>,
        row_scale: &DMatrix<f64>,
        column_scale: &DMatrix<f64>,
    ) -> Result<Self, ParamError> {
        const NAME: &str = "MatrixT";
        let (rows, columns) = location.shape();
        check::positive(NAME, "degrees_of_freedom", degrees_of_freedom)?;
        matrix_check::finite(NAME, "location", location.as_slice())?;
        matrix_check::length(NAME, "rows of the row scale", row_scale.nrows(), rows)?;
        matrix_check::length(NAME, "rows of the column scale", column_scale.nrows(), columns)?;
        let (row_scale, row_cholesky) = matrix_check::positive_definite(NAME, "row_scale", row_scale)?;
        let (column_scale, column_cholesky) =
            matrix_check::positive_definite(NAME, "column_scale", column_scale)?;
        let (n, p) = (rows as f64, columns as f64);
        let gammas = terms(rows, degrees_of_freedom, |start| ln_pochhammer(start, 0.5 * p));
        let ln_peak = gammas
            - 0.5 * n * p * PI.ln()
            - 0.5 * (p * row_cholesky.ln_determinant() + n * column_cholesky.ln_determinant());
        Ok(Self {
            degrees_of_freedom,
            location: location.clone(),
            row_scale,
            column_scale,
            row_cholesky,
            column_cholesky,
            ln_peak,
        })
    }

    /// The degrees of freedom ν.
    pub const fn degrees_of_freedom(&self) -> f64 {
        self.degrees_of_freedom
    }

    /// The location M.
    pub const fn location(&self) -> &DMatrix<f64> {
        &self.location
    }

    /// The scale U between rows.
    pub const fn row_scale(&self) -> &DMatrix<f64> {
        &self.row_scale
    }

    /// The scale V between columns.
    pub const fn column_scale(&self) -> &DMatrix<f64> {
        &self.column_scale
    }

    /// a = (ν + n + p - 1)/2.
    fn exponent(&self) -> f64 {
        let (rows, columns) = self.location.shape();
        0.5 * (self.degrees_of_freedom + (rows + columns) as f64 - 1.0)
    }

    /// ln |I + U⁻¹ (X - M) V⁻¹ (X - M)ᵀ|; NaN where an entry overflows.
    fn ln_growth(&self, x: &DMatrix<f64>) -> f64 {
        let rows_white = self.row_cholesky.half_solve(&(x - &self.location));
        let white = self.column_cholesky.half_solve(&rows_white.transpose());
        let mut gram = gram_of_rows(&if white.nrows() <= white.ncols() { white } else { white.transpose() });
        for i in 0..gram.nrows() {
            gram[(i, i)] += 1.0;
        }
        Cholesky::decompose(gram).map_or(f64::NAN, |factor| factor.ln_determinant())
    }
}

/// Σ `term`(a - (p + i)/2) over the rows i, where a - p/2 is (ν + n - 1)/2.
fn terms(rows: usize, degrees_of_freedom: f64, term: impl Fn(f64) -> f64) -> f64 {
    (0..rows).map(|i| term(0.5 * (degrees_of_freedom + (rows - 1 - i) as f64))).sum()
}

impl Density for MatrixT {
    type Point = DMatrix<f64>;

    /// -∞ also where the square of a whitened entry is beyond f64.
    fn ln_pdf(&self, x: &DMatrix<f64>) -> f64 {
        let density = if x.shape() == self.location.shape() {
            self.ln_peak - self.exponent() * self.ln_growth(x)
        } else {
            f64::NAN
        };
        if density.is_nan() && !x.iter().any(|x| x.is_nan()) { f64::NEG_INFINITY } else { density }
    }
}

/// The variance is that of each entry: Uᵢᵢ Vⱼⱼ / (ν - 2).
impl Moments<DMatrix<f64>, DMatrix<f64>> for MatrixT {
    /// `None` up to ν = 1.
    fn mean(&self) -> Option<DMatrix<f64>> {
        (self.degrees_of_freedom > 1.0).then(|| self.location.clone())
    }

    /// `None` up to ν = 2.
    fn variance(&self) -> Option<DMatrix<f64>> {
        let (rows, columns) = self.location.shape();
        let factor = (self.degrees_of_freedom - 2.0).recip();
        let entry = |i: usize, j: usize| factor * self.row_scale[(i, i)] * self.column_scale[(j, j)];
        (self.degrees_of_freedom > 2.0).then(|| DMatrix::from_fn(rows, columns, entry))
    }
}

impl Entropy for MatrixT {
    fn entropy(&self) -> f64 {
        let (rows, columns) = self.location.shape();
        let half = 0.5 * columns as f64;
        let growth = terms(rows, self.degrees_of_freedom, |start| digamma_difference(start, half));
        self.exponent() * growth - self.ln_peak
    }
}

impl Mode for MatrixT {
    fn mode(&self) -> Option<DMatrix<f64>> {
        Some(self.location.clone())
    }
}

impl Distribution<DMatrix<f64>> for MatrixT {
    /// M + L_U A⁻ᵀ E L_Vᵀ with white noise E and Bartlett's factor A of a Wishart matrix with ν + n - 1
    /// degrees of freedom.
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let (rows, columns) = self.location.shape();
        let mut noise = DMatrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng));
        let mut bartlett = DMatrix::zeros(rows, rows);
        for i in 0..rows {
            bartlett[(i, i)] = sample_chi(self.degrees_of_freedom + (rows - 1 - i) as f64, rng);
            for j in 0..i {
                bartlett[(i, j)] = StandardNormal.sample(rng);
            }
        }
        // Backwards through Aᵀ Y = E.
        for column in 0..columns {
            for i in (0..rows).rev() {
                let later: f64 = (i + 1..rows).map(|k| bartlett[(k, i)] * noise[(k, column)]).sum();
                noise[(i, column)] = (noise[(i, column)] - later) / bartlett[(i, i)];
            }
        }
        let rows_mixed = multiply(self.row_cholesky.factor(), &noise);
        &self.location + multiply_transpose(&rows_mixed, self.column_cholesky.factor())
    }
}
