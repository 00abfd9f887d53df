//! Singular values and right singular vectors.

use posterior_math::linalg::{
    DMatrix, MatrixError, SymmetricEigen, gram_of_columns, multiply, triangularize,
};

/// Sweeps of rotations; after the eigenvectors two or three are usual.
const SWEEPS: usize = 60;

/// A = U Σ Vᵀ, without U.
#[derive(Debug, Clone)]
pub(super) struct Singular {
    /// Descending.
    pub(super) values: Vec<f64>,
    /// V, one column for each value.
    pub(super) right: DMatrix<f64>,
}

impl Singular {
    /// Of any matrix whose squares are within range: as many values as there are rows or columns, whichever
    /// are fewer.
    ///
    /// Values that are 0 but for rounding are 0; of a wide matrix, their vectors are 0 too.
    pub(super) fn of(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = matrix.shape();
        if rows < columns {
            let transposed = Both::of_tall(&matrix.transpose())?;
            return Ok(Self { values: transposed.values, right: transposed.left });
        }
        let triangle = triangularize(matrix.clone());
        let mut right = leading_axes(&triangle)?;
        let mut images = multiply(&triangle, &right);
        orthogonalize(&mut images, &mut right)?;
        let (order, values) = descending(&images, rows);
        Ok(Self { values, right: right.select_columns(&order) })
    }
}

/// A = U Σ Vᵀ of a tall matrix.
#[derive(Debug, Clone)]
pub(super) struct Both {
    /// U, with 0 for values that are 0.
    pub(super) left: DMatrix<f64>,
    /// Descending.
    pub(super) values: Vec<f64>,
    /// V.
    pub(super) right: DMatrix<f64>,
}

impl Both {
    /// Of a matrix with no fewer rows than columns; U is orthonormal also where values are small.
    pub(super) fn of_tall(matrix: &DMatrix<f64>) -> Result<Self, MatrixError> {
        let mut right = Singular::of(matrix)?.right;
        let mut images = multiply(matrix, &right);
        orthogonalize(&mut images, &mut right)?;
        let (order, values) = descending(&images, matrix.nrows());
        let mut left = images.select_columns(&order);
        for (mut column, &value) in left.column_iter_mut().zip(&values) {
            column *= if value > 0.0 { 1.0 / value } else { 0.0 };
        }
        Ok(Self { left, values, right: right.select_columns(&order) })
    }
}

/// The eigenvectors of RᵀR: the right singular vectors of R, but for rounding. The squares cost half of the
/// digits of small values, so that rotations must follow that make the columns of R V orthogonal to the last
/// digits (one-sided Jacobi).
fn leading_axes(triangle: &DMatrix<f64>) -> Result<DMatrix<f64>, MatrixError> {
    Ok(SymmetricEigen::new(&gram_of_columns(triangle))?.vectors().clone())
}

/// The columns by their length, longest first, and the lengths: 0 for those that are rounding alone.
fn descending(images: &DMatrix<f64>, rows: usize) -> (Vec<usize>, Vec<f64>) {
    let norms: Vec<f64> = images.column_iter().map(|column| column.norm()).collect();
    let mut order: Vec<usize> = (0..norms.len()).collect();
    order.sort_by(|&a, &b| norms[b].total_cmp(&norms[a]));
    let least = order.first().map_or(0.0, |&first| rows as f64 * f64::EPSILON * norms[first]);
    let values = order.iter().map(|&j| if norms[j] > least { norms[j] } else { 0.0 }).collect();
    (order, values)
}

/// Rotates pairs of columns of `images`, and of `vectors` alike, until those of `images` are orthogonal.
fn orthogonalize(images: &mut DMatrix<f64>, vectors: &mut DMatrix<f64>) -> Result<(), MatrixError> {
    let columns = images.ncols();
    // Inner products of long columns are rounded by about the root of their length.
    let length = images.nrows() as f64;
    let tolerance = f64::EPSILON * length.sqrt().max(columns.max(8) as f64);
    let largest = images.column_iter().map(|column| column.norm_squared()).fold(0.0, f64::max);
    // What is below is rounding alone, of any direction, and so are inner products with it.
    let least = (length * f64::EPSILON).powi(2) * largest;
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for q in 1..columns {
            for p in 0..q {
                let (a, b) = (images.column(p).norm_squared(), images.column(q).norm_squared());
                let product = images.column(p).dot(&images.column(q));
                if a.min(b) <= least || product.abs() <= tolerance * a.sqrt() * b.sqrt() {
                    continue;
                }
                rotated = true;
                let zeta = (b - a) / (2.0 * product);
                let tangent = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                rotate(images, p, q, cosine, cosine * tangent);
                rotate(vectors, p, q, cosine, cosine * tangent);
            }
        }
        if !rotated {
            return Ok(());
        }
    }
    Err(MatrixError::NoConvergence)
}

fn rotate(matrix: &mut DMatrix<f64>, p: usize, q: usize, cosine: f64, sine: f64) {
    let rows = matrix.nrows();
    let (before, after) = matrix.as_mut_slice().split_at_mut(q * rows);
    for (x, y) in before[p * rows..][..rows].iter_mut().zip(&mut after[..rows]) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}
