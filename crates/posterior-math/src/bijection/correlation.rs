//! Correlation matrices and their Cholesky factors, by canonical partial correlations.

use super::bijector::{Bijector, RealBijector, check_lengths};
use crate::autodiff::Real;
use crate::linalg::DMatrix;

/// The lower Cholesky factor L of a d x d correlation matrix from d (d - 1) / 2 free numbers: the rows below
/// the diagonal, one after the other; zⱼ = tanh yⱼ are canonical partial correlations, and Lᵢⱼ = zⱼ √((1 -
/// z₁²) … (1 - zⱼ₋₁²)).
///
/// The constrained point is the matrix L column after column, as [`DMatrix`] holds it, with zeros above the
/// diagonal. J is that of the elements below the diagonal. The inverse reads the lower triangle, of which
/// only the ratios in each row matter.
///
/// # References
/// D. Lewandowski, D. Kurowicka, H. Joe, Generating random correlation matrices based on vines and extended
/// onion method, J. Multivariate Analysis 100, 2009; Stan reference manual, "Cholesky factors of correlation
/// matrices".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CorrelationFactor {
    size: usize,
}

/// A d x d correlation matrix R = L Lᵀ, with the L of [`CorrelationFactor`].
///
/// The constrained point is the whole matrix. J is that of the elements below the diagonal: ln |J| is that of
/// L plus Σᵢ (d - i) ln Lᵢᵢ, i from 2. The inverse reads the lower triangle; it is NaN where the matrix is
/// not positive definite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correlation {
    factor: CorrelationFactor,
}

impl CorrelationFactor {
    /// The map to factors with `size` rows.
    pub const fn new(size: usize) -> Self {
        Self { size }
    }

    /// Writes Jᵀ `adjoint` with the gradient of Σᵢ [ln |J| of row i, times `volume`, + `diagonal_weights(i)`
    /// ln Lᵢᵢ].
    fn pull_back_rows(
        self,
        free: &[f64],
        adjoint: &[f64],
        volume: f64,
        diagonal_weight: impl Fn(usize) -> f64,
        free_gradient: &mut [f64],
    ) {
        let d = self.size;
        for i in 1..d {
            let row = row_start(i)..row_start(i) + i;
            let (free, out) = (&free[row.clone()], &mut free_gradient[row]);
            // √((1 - z₁²) …) before each element; then the adjoint of that after it.
            let mut rest = 1.0;
            for (out, y) in out.iter_mut().zip(free) {
                *out = rest;
                rest *= ln_sech(*y).exp();
            }
            let mut rest_adjoint = adjoint[i * d + i];
            for j in (0..i).rev() {
                let (z, sech) = (free[j].tanh(), ln_sech(free[j]).exp());
                let element = adjoint[j * d + i];
                let of_map = out[j] * sech * (element * sech - rest_adjoint * z);
                // ln sech yⱼ occurs twice for zⱼ and once for each element that follows.
                let of_volume = volume * (i + 1 - j) as f64 + diagonal_weight(i);
                out[j] = of_map - of_volume * z;
                rest_adjoint = z * element + sech * rest_adjoint;
            }
        }
    }
}

/// ln(1 / cosh y), also where cosh y overflows.
fn ln_sech(y: f64) -> f64 {
    std::f64::consts::LN_2 - y.abs() - (-2.0 * y.abs()).exp().ln_1p()
}

/// The index of the first free number of row `i`.
const fn row_start(i: usize) -> usize {
    i * i.saturating_sub(1) / 2
}

impl Bijector for CorrelationFactor {
    fn free_dim(&self) -> usize {
        row_start(self.size)
    }

    fn constrained_dim(&self) -> usize {
        self.size * self.size
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        check_lengths(self, free.len(), constrained.len());
        let d = self.size;
        constrained.fill(0.0);
        let mut ln_jacobian = 0.0;
        for i in 0..d {
            let (mut rest, mut ln_rest) = (1.0, 0.0);
            for (j, y) in free[row_start(i)..row_start(i) + i].iter().enumerate() {
                let ln_sech = ln_sech(*y);
                constrained[j * d + i] = y.tanh() * rest;
                ln_jacobian += 2.0 * ln_sech + ln_rest;
                ln_rest += ln_sech;
                rest *= ln_sech.exp();
            }
            constrained[i * d + i] = rest;
        }
        ln_jacobian
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let d = self.size;
        for i in 1..d {
            // From the diagonal, so that what is left is a sum and not a difference.
            let mut rest = constrained[i * d + i];
            for j in (0..i).rev() {
                let element = constrained[j * d + i];
                free[row_start(i) + j] =
                    if element == 0.0 && rest == 0.0 { 0.0 } else { (element / rest).asinh() };
                rest = rest.hypot(element);
            }
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        self.pull_back_rows(free, gradient, volume, |_| 0.0, free_gradient);
    }
}

impl RealBijector for CorrelationFactor {
    #[track_caller]
    fn forward_real<R: Real>(&self, free: &[R], constrained: &mut [R]) -> R {
        check_lengths(self, free.len(), constrained.len());
        let d = self.size;
        constrained.fill(R::from(0.0));
        let mut ln_jacobian = R::from(0.0);
        for i in 0..d {
            let (mut rest, mut ln_rest) = (R::from(1.0), R::from(0.0));
            for (j, &y) in free[row_start(i)..row_start(i) + i].iter().enumerate() {
                // Even in y without an absolute value, which has no second derivative at 0.
                let ln_sech =
                    ((y * 2.0).ln_logistic() + (y * -2.0).ln_logistic()) * 0.5 + std::f64::consts::LN_2;
                constrained[j * d + i] = y.tanh() * rest;
                ln_jacobian += ln_sech * 2.0 + ln_rest;
                ln_rest += ln_sech;
                rest = rest * ln_sech.exp();
            }
            constrained[i * d + i] = rest;
        }
        ln_jacobian
    }
}

impl Correlation {
    /// The map to matrices with `size` rows.
    pub const fn new(size: usize) -> Self {
        Self { factor: CorrelationFactor::new(size) }
    }
}

impl Bijector for Correlation {
    fn free_dim(&self) -> usize {
        self.factor.free_dim()
    }

    fn constrained_dim(&self) -> usize {
        self.factor.constrained_dim()
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        let d = self.factor.size;
        let mut ln_jacobian = self.factor.forward(free, constrained);
        for i in 1..d {
            let row = &free[row_start(i)..row_start(i) + i];
            ln_jacobian += (d - 1 - i) as f64 * row.iter().map(|y| ln_sech(*y)).sum::<f64>();
        }
        let factor = DMatrix::from_column_slice(d, d, constrained);
        let product = &factor * factor.transpose();
        for i in 0..d {
            for j in 0..d {
                constrained[i * d + j] = if i == j { 1.0 } else { product[(i.max(j), i.min(j))] };
            }
        }
        ln_jacobian
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        let d = self.factor.size;
        // Row after row is column after column of the transposed: this puts what was given below the diagonal
        // there.
        match DMatrix::from_row_slice(d, d, constrained).cholesky() {
            Some(factor) => self.factor.inverse(factor.unpack().as_slice(), free),
            None => free.fill(f64::NAN),
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        let d = self.factor.size;
        let mut factor = vec![0.0; d * d];
        self.factor.forward(free, &mut factor);
        // L̄ = (G + Gᵀ) L; the diagonal of R is constant.
        let both = |i: usize, j: usize| if i == j { 0.0 } else { gradient[i * d + j] + gradient[j * d + i] };
        let symmetric = DMatrix::from_fn(d, d, both);
        let adjoint = symmetric * DMatrix::from_column_slice(d, d, &factor);
        let weight = |i: usize| volume * (d - 1 - i) as f64;
        self.factor.pull_back_rows(free, adjoint.as_slice(), volume, weight, free_gradient);
    }
}
