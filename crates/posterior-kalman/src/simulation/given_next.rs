//! The distribution of a state given the next one.

use posterior_math::linalg::{DMatrix, MatrixError, PivotedCholesky, solve_upper_in_place, triangularize};

/// Of x(t) given x(t+1) and the observations up to t: mean m + G (x(t+1) - E[x(t+1)]), covariance F Fᵀ.
#[derive(Debug, Clone)]
pub(crate) struct GivenNext {
    /// G, n x n.
    pub(crate) gain: DMatrix<f64>,
    /// F, n x n.
    pub(crate) root: DMatrix<f64>,
}

impl GivenNext {
    /// For x(t) with covariance L Lᵀ, and x(t+1) = A x(t) + noise with covariance F Fᵀ.
    ///
    /// Components of the next state that follow exactly from the others are left out, so that covariances may
    /// be singular.
    pub(crate) fn new(
        matrix: &DMatrix<f64>,
        root: &DMatrix<f64>,
        noise: &DMatrix<f64>,
    ) -> Result<Self, MatrixError> {
        let n = matrix.nrows();
        let moved = matrix * root;
        let independent = independent(&(&moved * moved.transpose() + noise * noise.transpose()))?;
        let k = independent.len();
        let mut stacked = DMatrix::zeros(root.ncols() + noise.ncols(), k + n);
        let (above, below) = (0..root.ncols(), root.ncols()..root.ncols() + noise.ncols());
        for (column, &i) in independent.iter().enumerate() {
            stacked.view_mut((above.start, column), (above.len(), 1)).copy_from(&moved.row(i).transpose());
            stacked.view_mut((below.start, column), (below.len(), 1)).copy_from(&noise.row(i).transpose());
        }
        stacked.view_mut((0, k), (root.ncols(), n)).copy_from(&root.transpose());
        let triangle = triangularize(stacked);
        let mut solved = triangle.view((0, k), (k, n)).into_owned();
        solve_upper_in_place(&triangle.view((0, 0), (k, k)).into_owned(), &mut solved);
        let mut gain = DMatrix::zeros(n, n);
        for (row, &i) in independent.iter().enumerate() {
            gain.column_mut(i).copy_from(&solved.row(row).transpose());
        }
        Ok(Self { gain, root: triangle.view((k, k), (n, n)).transpose() })
    }
}

/// Components of which the others are functions, in order.
fn independent(covariance: &DMatrix<f64>) -> Result<Vec<usize>, MatrixError> {
    let n = covariance.nrows();
    let scale = covariance.diagonal().map(|variance| if variance > 0.0 { variance.sqrt() } else { 1.0 });
    let scaled = DMatrix::from_fn(n, n, |i, j| covariance[(i, j)] / (scale[i] * scale[j]));
    let factor = PivotedCholesky::with_tolerance(&scaled, 16.0 * n as f64 * f64::EPSILON)?;
    let mut independent = factor.pivots()[..factor.rank()].to_vec();
    independent.sort_unstable();
    Ok(independent)
}
