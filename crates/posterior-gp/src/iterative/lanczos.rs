//! Quadrature by Lanczos' matrix, read from the steps of conjugate gradients.

use posterior_math::linalg::{DMatrix, SymmetricEigen};

use super::simultaneous::Step;

/// e₁ᵀ ln(T) e₁: the mean of ln λ over the spectrum of M⁻¹A, weighted by the start.
///
/// T is the tridiagonal matrix with 1/αⱼ + βⱼ₋₁/αⱼ₋₁ on the diagonal and √βⱼ/αⱼ beside it. Its eigenvalues
/// are the nodes of Gauss' rule, the squared first components of its eigenvectors the weights.
///
/// # References
/// Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.7.3; G. H. Golub, G. Meurant,
/// Matrices, Moments and Quadrature (2010).
pub(super) fn mean_ln_eigenvalue(steps: &[Step]) -> f64 {
    let n = steps.len();
    let mut matrix = DMatrix::zeros(n, n);
    for (j, step) in steps.iter().enumerate() {
        matrix[(j, j)] += 1.0 / step.length;
        if j + 1 < n {
            matrix[(j + 1, j + 1)] += step.keep / step.length;
            matrix[(j + 1, j)] = step.keep.sqrt() / step.length;
        }
    }
    match SymmetricEigen::new(&matrix) {
        Ok(eigen) if n > 0 => {
            let first = eigen.vectors().row(0);
            first.iter().zip(eigen.values()).map(|(weight, value)| weight * weight * value.ln()).sum()
        }
        _ => f64::NAN,
    }
}
