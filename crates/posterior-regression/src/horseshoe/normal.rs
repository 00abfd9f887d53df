//! Draws of normal coefficients whose prior variances differ by many orders of magnitude.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, multiply};
use rand::{Rng, RngExt as _};
use rand_distr::StandardNormal;

fn normals<R: Rng + ?Sized>(count: usize, rng: &mut R) -> DVector<f64> {
    DVector::from_fn(count, |_, _| rng.sample(StandardNormal))
}

/// A draw of N(A⁻¹ Xᵀt, A⁻¹) with A = XᵀX + diag(1/v): the posterior of coefficients with prior variances v,
/// for observations t with noise of variance 1.
///
/// Of p columns and n rows, p³/3 operations where p ≤ n (`gram` is XᵀX, which may be known), else n² p.
pub(super) fn draw<R: Rng + ?Sized>(
    x: &DMatrix<f64>,
    gram: Option<&DMatrix<f64>>,
    t: &DVector<f64>,
    variances: &[f64],
    rng: &mut R,
) -> Result<DVector<f64>, MatrixError> {
    let (rows, columns) = x.shape();
    let roots: Vec<f64> = variances.iter().map(|own| own.sqrt()).collect();
    if columns <= rows {
        // In units of the prior the matrix is I + D XᵀX D: nothing is divided by a small variance.
        let mut precision = gram.map_or_else(|| multiply(&x.transpose(), x), DMatrix::clone);
        for j in 0..columns {
            for i in 0..columns {
                precision[(i, j)] *= roots[i] * roots[j];
            }
            precision[(j, j)] += 1.0;
        }
        let factor = Cholesky::new(&precision)?;
        let mut own = x.tr_mul(t);
        own.iter_mut().zip(&roots).for_each(|(own, root)| *own *= root);
        factor.half_solve_slice_in_place(own.as_mut_slice());
        own += normals(columns, rng);
        factor.half_solve_transpose_slice_in_place(own.as_mut_slice());
        own.iter_mut().zip(&roots).for_each(|(own, root)| *own *= root);
        return Ok(own);
    }
    // Bhattacharya and others: a draw of the prior, moved by what the rows say.
    let mut scaled = x.clone();
    for (mut column, root) in scaled.column_iter_mut().zip(&roots) {
        column.scale_mut(*root);
    }
    let prior = normals(columns, rng);
    let error = normals(rows, rng);
    let mut inner = multiply(&scaled, &scaled.transpose());
    for row in 0..rows {
        inner[(row, row)] += 1.0;
    }
    let mut rest = t - &scaled * &prior - error;
    Cholesky::new(&inner)?.solve_slice_in_place(rest.as_mut_slice());
    let mut own = prior + scaled.tr_mul(&rest);
    own.iter_mut().zip(&roots).for_each(|(own, root)| *own *= root);
    Ok(own)
}
