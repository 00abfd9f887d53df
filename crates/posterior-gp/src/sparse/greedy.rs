//! The pivoted Cholesky factor of a Gram matrix that is never formed.

use posterior_math::linalg::{DMatrix, DVector};

use crate::Kernel;

/// A low-rank approximation K ≈ F Fᵀ of a Gram matrix, by the inputs that the ones before them say the least
/// about.
///
/// Each step takes the input whose variance given the ones taken so far is largest: the pivoted Cholesky
/// factor, of which only the columns of the pivots are ever computed. With U the chosen inputs, F Fᵀ = K_nu
/// K_uu⁻¹ K_un, the Nyström approximation.
///
/// # Cost
/// n r² operations and n (r + d) numbers for rank r.
///
/// # References
/// D. R. Burt, C. E. Rasmussen, M. van der Wilk, Convergence of sparse variational inference in Gaussian
/// processes regression, JMLR 21 (2020), section 4; H. Harbrecht, M. Peters, R. Schneider, Appl. Numer. Math.
/// 62 (2012).
///
/// ```
/// use posterior_gp::{Kernel, sparse::GreedyFactor};
/// use posterior_math::linalg::DMatrix;
///
/// let inputs = DMatrix::from_fn(200, 1, |i, _| i as f64 / 20.0);
/// let factor = GreedyFactor::new(&Kernel::rbf(1.0)?, &inputs, 200, 1e-8);
/// assert!(factor.rank() < 40); // a smooth function of an interval of ten length scales has few degrees of freedom
/// assert!(factor.remainder() < 1e-6);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GreedyFactor {
    factor: DMatrix<f64>,
    pivots: Vec<usize>,
    variances: DVector<f64>,
}

impl GreedyFactor {
    /// At most `rank` columns, fewer if all variances that are left are at most `tolerance` times the largest
    /// k(x, x), or what rounding leaves of them.
    pub fn new(kernel: &Kernel, inputs: &DMatrix<f64>, rank: usize, tolerance: f64) -> Self {
        let n = inputs.nrows();
        let mut variances = kernel.diagonal(inputs);
        let least =
            tolerance.max(n as f64 * f64::EPSILON) * largest(&variances).map_or(0.0, |(_, value)| value);
        let mut columns: Vec<f64> = Vec::new();
        let mut pivots = Vec::new();
        while pivots.len() < rank.min(n) {
            let Some((pivot, variance)) = largest(&variances).filter(|&(_, value)| value > least) else {
                break;
            };
            let mut column = kernel.cross(inputs, &inputs.rows(pivot, 1).into_owned());
            for done in columns.chunks_exact(n) {
                subtract_multiple(column.as_mut_slice(), done[pivot], done);
            }
            column /= variance.sqrt();
            for &done in &pivots {
                column[done] = 0.0;
            }
            column[pivot] = variance.sqrt();
            for (variance, entry) in variances.iter_mut().zip(column.iter()) {
                *variance = (*variance - entry * entry).max(0.0);
            }
            variances[pivot] = 0.0;
            columns.extend_from_slice(column.as_slice());
            pivots.push(pivot);
        }
        Self { factor: DMatrix::from_vec(n, pivots.len(), columns), pivots, variances }
    }

    /// F: a row for each input.
    pub const fn factor(&self) -> &DMatrix<f64> {
        &self.factor
    }

    /// The number of columns of F.
    pub const fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// The rows of the inputs that were chosen, in this order.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The variance of each input given the chosen ones: the diagonal of K - F Fᵀ.
    pub const fn variances(&self) -> &DVector<f64> {
        &self.variances
    }

    /// The trace of K - F Fᵀ.
    pub fn remainder(&self) -> f64 {
        self.variances.sum()
    }
}

/// The first of the largest entries; NaN is none.
fn largest(values: &DVector<f64>) -> Option<(usize, f64)> {
    values
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, value)| !value.is_nan())
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn subtract_multiple(target: &mut [f64], factor: f64, column: &[f64]) {
    for (entry, other) in target.iter_mut().zip(column) {
        *entry -= factor * other;
    }
}
