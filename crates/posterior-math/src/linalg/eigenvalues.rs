//! Eigenvalues of a matrix that need not be symmetric.

use nalgebra::DMatrix;

use super::engine;
use super::error::MatrixError;

/// An eigenvalue of a real matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Eigenvalue {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Eigenvalue {
    /// A real one.
    pub const fn real(re: f64) -> Self {
        Self { re, im: 0.0 }
    }

    /// Modulus |λ|, the absolute value of the complex number.
    pub fn modulus(self) -> f64 {
        self.re.hypot(self.im)
    }
}

/// The eigenvalues of a square matrix in no particular order, those that are not real in conjugate pairs.
/// O(n³).
///
/// Of a symmetric matrix [`SymmetricEigen`](super::SymmetricEigen) has more accurate ones, faster.
///
/// # Errors
/// Not square, not finite or with an eigenvalue beyond the range of f64, or the iteration does not converge,
/// which is not known to happen.
///
/// # Numerics
/// They are those of a matrix within a few n ε |A| of A: a defective eigenvalue of multiplicity m may be off
/// by the m-th root of that.
///
/// ```
/// use posterior_math::linalg::{DMatrix, eigenvalues};
///
/// let quarter_turn = DMatrix::from_row_slice(2, 2, &[0.0, -1.0, 1.0, 0.0]);
/// let values = eigenvalues(&quarter_turn)?;
/// assert!(values.iter().all(|value| value.re.abs() < 1e-15 && (value.modulus() - 1.0).abs() < 1e-15));
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Eigenvalue>, MatrixError> {
    let (rows, columns) = matrix.shape();
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return Err(MatrixError::NotFinite);
    }
    let scale = power_of_two(matrix.amax());
    let scaled = matrix / scale;
    let values = engine::eigenvalues(&scaled).filter(|values| have_the_traces_of(&scaled, values));
    let values = values.ok_or(MatrixError::NoConvergence)?;
    let values: Vec<_> =
        values.into_iter().map(|(re, im)| Eigenvalue { re: re * scale, im: im * scale }).collect();
    let finite = values.iter().all(|value| value.re.is_finite() && value.im.is_finite());
    if finite { Ok(values) } else { Err(MatrixError::NotFinite) }
}

/// The power of two below a number, of normal size; 1 for 0.
fn power_of_two(size: f64) -> f64 {
    if size == 0.0 { 1.0 } else { size.log2().floor().clamp(-1022.0, 1023.0).exp2() }
}

/// Whether Σ λ = tr A and Σ λ² = tr A²: the engine does not tell whether it converged.
fn have_the_traces_of(a: &DMatrix<f64>, values: &[(f64, f64)]) -> bool {
    let (n, square) = (a.nrows() as f64, a.norm_squared());
    let rounding = 1e3 * n * f64::EPSILON;
    let sum: f64 = values.iter().map(|(re, _)| re).sum();
    let sum_of_squares: f64 = values.iter().map(|(re, im)| re * re - im * im).sum();
    (sum - a.trace()).abs() <= rounding * square.sqrt()
        && (sum_of_squares - a.tr_dot(a)).abs() <= rounding * square
}
