//! Symmetric positive definite Toeplitz systems: covariances of a stationary process at equal steps.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use nalgebra::DVector;
use pulp::{Arch, Simd, WithSimd};

use super::error::MatrixError;
use super::vector::{add_reversed_multiple, dot, dot_reversed};

/// A symmetric positive definite matrix with entries r(|i - j|), held by its first column.
///
/// # Numerics
/// As stable as Cholesky where the reflection coefficients are positive; otherwise residuals may grow with Π
/// (1 + |αₖ|) / (1 - |αₖ|), and an ill-conditioned matrix may be refused that Cholesky takes.
///
/// # Cost
/// n² operations to prepare, 2 n² more for a solution, and memory for two columns; a dense factor takes n³/3.
///
/// # References
/// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 4.7 (algorithms of Durbin and
/// Levinson); G. Cybenko, SIAM J. Sci. Stat. Comput. 1 (1980).
///
/// ```
/// use posterior_math::linalg::{DVector, Toeplitz};
///
/// let matrix = Toeplitz::new(&DVector::from_vec(vec![2.0, 1.0]))?; // [[2, 1], [1, 2]]
/// assert!((matrix.ln_determinant() - 3_f64.ln()).abs() < 1e-15);
/// assert_eq!(matrix.solve_vector(&DVector::from_vec(vec![3.0, 3.0])).as_slice(), [1.0, 1.0]);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Toeplitz {
    /// r(0), r(1), …
    column: Vec<f64>,
    /// The reflection coefficients, αₖ of the step from k to k + 1 rows.
    reflections: Vec<f64>,
    /// The pivots: the variance of value k given the ones before it.
    pivots: Vec<f64>,
}

impl Toeplitz {
    /// The matrix with this first column.
    ///
    /// # Errors
    /// Not positive definite, with the first pivot that is not a positive number (NaN and infinity give such
    /// a pivot).
    pub fn new(column: &DVector<f64>) -> Result<Self, MatrixError> {
        Arch::new().dispatch(Durbin(column.as_slice()))
    }

    #[inline(always)]
    fn durbin(column: &[f64]) -> Result<Self, MatrixError> {
        let n = column.len();
        let mut matrix = Self {
            column: column.to_vec(),
            reflections: Vec::with_capacity(n),
            pivots: Vec::with_capacity(n),
        };
        let mut predictor = Vec::with_capacity(n);
        let mut scratch = Vec::with_capacity(n);
        let mut variance = column.first().copied().unwrap_or(1.0);
        for k in 0..n {
            if !(variance > 0.0 && variance < f64::INFINITY) {
                return Err(MatrixError::NotPositiveDefinite { pivot: k, value: variance });
            }
            matrix.pivots.push(variance);
            if k + 1 < n {
                let reflection = -(column[k + 1] + dot_reversed(&column[1..=k], &predictor)) / variance;
                matrix.reflections.push(reflection);
                extend_predictor(&mut predictor, &mut scratch, reflection);
                variance *= (1.0 - reflection) * (1.0 + reflection);
            }
        }
        Ok(matrix)
    }

    /// The number of rows.
    pub const fn size(&self) -> usize {
        self.column.len()
    }

    /// The first column.
    pub fn column(&self) -> &[f64] {
        &self.column
    }

    /// The squares of the diagonal of the Cholesky factor: the variance of each value given the ones before
    /// it.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// ln det = Σ ln of the pivots; zero for the empty matrix.
    pub fn ln_determinant(&self) -> f64 {
        self.pivots.iter().map(|pivot| pivot.ln()).sum()
    }

    /// A⁻¹ b, by Levinson's recursion.
    ///
    /// # Panics
    /// Unless b is as long as the matrix has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        DVector::from_vec(Arch::new().dispatch(Levinson { matrix: self, b: b.as_slice() }))
    }

    /// bᵀ A⁻¹ b: the sum of the squared innovations over their variances.
    ///
    /// # Panics
    /// Unless b is as long as the matrix has rows.
    #[track_caller]
    pub fn quadratic_form(&self, b: &DVector<f64>) -> f64 {
        dot(b.as_slice(), self.solve_vector(b).as_slice())
    }

    #[inline(always)]
    fn levinson(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(b.len());
        let mut predictor = Vec::with_capacity(b.len());
        let mut scratch = Vec::with_capacity(b.len());
        for (k, &target) in b.iter().enumerate() {
            let step = (target - dot_reversed(&self.column[1..=k], &x)) / self.pivots[k];
            add_reversed_multiple(&mut x, step, &predictor);
            x.push(step);
            if let Some(&reflection) = self.reflections.get(k) {
                extend_predictor(&mut predictor, &mut scratch, reflection);
            }
        }
        x
    }
}

/// [`Toeplitz::durbin`] for the vectors of the machine: as a closure it would not be inlined.
struct Durbin<'a>(&'a [f64]);

impl WithSimd for Durbin<'_> {
    type Output = Result<Toeplitz, MatrixError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        Toeplitz::durbin(self.0)
    }
}

/// [`Toeplitz::levinson`], as above.
struct Levinson<'a> {
    matrix: &'a Toeplitz,
    b: &'a [f64],
}

impl WithSimd for Levinson<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<f64> {
        self.matrix.levinson(self.b)
    }
}

/// y := (y + α reversed y, α), Durbin's step.
#[inline(always)]
fn extend_predictor(predictor: &mut Vec<f64>, scratch: &mut Vec<f64>, reflection: f64) {
    scratch.clear();
    scratch.extend_from_slice(predictor);
    add_reversed_multiple(predictor, reflection, scratch);
    predictor.push(reflection);
}
