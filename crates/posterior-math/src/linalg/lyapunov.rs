//! The continuous Lyapunov equation, whose solution is the stationary covariance of a linear system.

use nalgebra::{DMatrix, Schur};

use super::error::MatrixError;
use super::lu::Lu;
use super::product::{congruence, multiply, symmetrize, transpose_multiply};
use super::woodbury::agree;

/// Up to this many rows all entries are unknowns of one linear system.
const DIRECT_UP_TO: usize = 4;

/// The symmetric P with F P + P Fᵀ + Q = 0 for a symmetric Q.
///
/// If all eigenvalues of F have negative real parts, P is the stationary covariance of dx = F x dt + L dβ
/// with Q = L q Lᵀ. For other F the equation has a solution too, unless two eigenvalues of F have the sum
/// zero, but that is no covariance. Small matrices are solved entry by entry, larger ones by the real Schur
/// form (Bartels and Stewart).
///
/// # Numerics
/// One step of refinement; F P + P Fᵀ + Q is then a few n ε |F| |P|.
///
/// # Cost
/// About 3 n⁴ operations: made for the state spaces of time series, n < 100.
///
/// # Errors
/// Sizes that do not agree, entries that are not finite, a singular equation, or no Schur form.
///
/// # References
/// R. H. Bartels, G. W. Stewart, Solution of the matrix equation AX + XB = C, Comm. ACM 15 (1972).
///
/// ```
/// use posterior_math::linalg::{DMatrix, lyapunov};
///
/// // Ornstein-Uhlenbeck: variance q / (2 λ).
/// let p = lyapunov(&DMatrix::from_element(1, 1, -2.0), &DMatrix::from_element(1, 1, 12.0))?;
/// assert_eq!(p[(0, 0)], 3.0);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
pub fn lyapunov(f: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let n = f.nrows();
    agree(n, f.ncols())?;
    agree(n, q.nrows())?;
    agree(n, q.ncols())?;
    if !f.iter().chain(q.iter()).all(|entry| entry.is_finite()) {
        return Err(MatrixError::NotFinite);
    }
    let solver = Solver::new(f)?;
    let mut p = solver.solve(q)?;
    let mut residual = multiply(f, &p);
    residual += residual.transpose();
    residual += q;
    p += solver.solve(&residual)?;
    if p.iter().all(|entry| entry.is_finite()) { Ok(p) } else { Err(MatrixError::Singular) }
}

/// F as it is, or its Schur form F = U T Uᵀ.
enum Solver {
    Direct(DMatrix<f64>),
    Schur { vectors: DMatrix<f64>, triangle: DMatrix<f64> },
}

impl Solver {
    fn new(f: &DMatrix<f64>) -> Result<Self, MatrixError> {
        if f.nrows() <= DIRECT_UP_TO {
            return Ok(Self::Direct(f.clone()));
        }
        let (vectors, triangle) = (0..4).find_map(|turn| schur(f, turn)).ok_or(MatrixError::NoConvergence)?;
        Ok(Self::Schur { vectors, triangle })
    }

    fn solve(&self, q: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
        let mut p = match self {
            Self::Direct(f) => solve_columns(f, f, q)?,
            Self::Schur { vectors, triangle } => {
                let rotated = multiply(&transpose_multiply(vectors, q), vectors);
                congruence(vectors, &solve_schur(triangle, &rotated)?)
            }
        };
        symmetrize(&mut p);
        Ok(p)
    }
}

/// U and T with F = U T Uᵀ. At some matrices of weakly coupled parts, such as -I and a circle of entries
/// 1e-12, the iteration stands still: turns from 1 on start from a reflection of F, and call small what is
/// small beside all of F.
fn schur(f: &DMatrix<f64>, turn: usize) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
    let n = f.nrows();
    let attempt = |f: DMatrix<f64>| Some(Schur::try_new(f, f64::EPSILON, 100 * n)?.unpack());
    if turn == 0 {
        return attempt(f.clone());
    }
    let square = |i: usize| (i + turn) as f64;
    let norm: f64 = (0..n).map(square).sum();
    let identity = DMatrix::identity(n, n);
    let reflection = &identity - DMatrix::from_fn(n, n, |i, j| 2.0 * (square(i) * square(j)).sqrt() / norm);
    let shift = identity * f.amax();
    let (vectors, triangle) = attempt(&reflection * f * &reflection + &shift)?;
    Some((reflection * vectors, triangle - shift))
}

/// T Y + Y Tᵀ = -C for a quasi-triangular T: blocks of one or two columns, from the last.
fn solve_schur(t: &DMatrix<f64>, c: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let n = t.nrows();
    let mut y = DMatrix::zeros(n, n);
    let mut end = n;
    while end > 0 {
        let width = if end > 1 && t[(end - 1, end - 2)] != 0.0 { 2 } else { 1 };
        let start = end - width;
        let mut right = c.columns(start, width).into_owned();
        right += y.columns(end, n - end) * t.view((start, end), (width, n - end)).transpose();
        let block = t.view((start, start), (width, width)).into_owned();
        let columns = solve_columns(t, &block, &right)?;
        y.columns_mut(start, width).copy_from(&columns);
        end = start;
    }
    Ok(y)
}

/// T Y + Y Bᵀ = -R for a small B: (I ⊗ T + B ⊗ I) vec Y = -vec R.
fn solve_columns(t: &DMatrix<f64>, b: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    let (n, width) = r.shape();
    let mut system = DMatrix::zeros(n * width, n * width);
    for k in 0..width {
        system.view_mut((k * n, k * n), (n, n)).copy_from(t);
        for l in 0..width {
            for i in 0..n {
                system[(k * n + i, l * n + i)] += b[(k, l)];
            }
        }
    }
    let mut y = -r.clone().reshape_generic(nalgebra::Dyn(n * width), nalgebra::Dyn(1));
    Lu::new(system).ok_or(MatrixError::Singular)?.solve_in_place(&mut y);
    Ok(y.reshape_generic(nalgebra::Dyn(n), nalgebra::Dyn(width)))
}
