//! What observations of given precisions make of the prior covariance, without the inverse of a Gram matrix.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, gram_of_rows, transpose_multiply};

/// R = (K + W⁻¹)⁻¹ for a prior covariance K and a diagonal W of precisions, of which some may be zero or
/// negative.
///
/// The posterior covariance is (K⁻¹ + W)⁻¹ = K - K R K. With W = W₊ - W₋ and B = I + W₊^½ K W₊^½ it is R =
/// W₊^½ B⁻¹ W₊^½ - Q Qᵀ, where Q has a column for each negative precision: none for a log-concave likelihood.
/// The eigenvalues of B are at least 1.
#[derive(Debug, Clone)]
pub(super) struct Curvature {
    /// W₊^½.
    root: DVector<f64>,
    /// B.
    factor: Cholesky,
    /// Q.
    excess: DMatrix<f64>,
    ln_determinant: f64,
}

impl Curvature {
    /// Of all precisions; None if K⁻¹ + W is not positive definite.
    pub(super) fn new(gram: &DMatrix<f64>, precisions: &DVector<f64>) -> Result<Option<Self>, MatrixError> {
        let positive = Self::of_positive(gram, precisions)?;
        let negative: Vec<usize> = (0..precisions.len()).filter(|&i| precisions[i] < 0.0).collect();
        if negative.is_empty() {
            return Ok(Some(positive));
        }
        let roots = DVector::from_iterator(negative.len(), negative.iter().map(|&i| (-precisions[i]).sqrt()));
        Ok(positive.subtract(gram, &negative, &roots))
    }

    /// Of the positive precisions alone.
    pub(super) fn of_positive(gram: &DMatrix<f64>, precisions: &DVector<f64>) -> Result<Self, MatrixError> {
        let root = precisions.map(|w| if w < 0.0 { 0.0 } else { w.sqrt() });
        let factor = Cholesky::decompose(scaled_plus_identity(gram, &root))?;
        let ln_determinant = factor.ln_determinant();
        Ok(Self { excess: DMatrix::zeros(root.len(), 0), root, factor, ln_determinant })
    }

    /// Takes precisions away at some places: the matrix inversion lemma, for positive definite results.
    fn subtract(self, gram: &DMatrix<f64>, places: &[usize], roots: &DVector<f64>) -> Option<Self> {
        let mut columns = gram.select_columns(places);
        for (mut column, root) in columns.column_iter_mut().zip(roots.iter()) {
            column *= *root;
        }
        let mut whitened = self.scale_rows(&columns);
        self.factor_half_solve(&mut whitened);
        let mut capacitance = -transpose_multiply(&columns.select_rows(places), &diagonal(roots))
            + transpose_multiply(&whitened, &whitened);
        for i in 0..places.len() {
            capacitance[(i, i)] += 1.0;
        }
        let capacitance = Cholesky::decompose(capacitance).ok()?;
        let mut excess = -self.scale_rows(&self.factor.half_solve_transpose(&whitened));
        for (column, (&place, &root)) in places.iter().zip(roots.iter()).enumerate() {
            excess[(place, column)] += root;
        }
        let excess = capacitance.half_solve(&excess.transpose()).transpose();
        let ln_determinant = self.ln_determinant + capacitance.ln_determinant();
        Some(Self { excess, ln_determinant, ..self })
    }

    /// ln |I + K W|.
    pub(super) const fn ln_determinant(&self) -> f64 {
        self.ln_determinant
    }

    /// R v.
    pub(super) fn apply(&self, v: &DVector<f64>) -> DVector<f64> {
        let mut solved = self.root.component_mul(v);
        self.factor.solve_slice_in_place(solved.as_mut_slice());
        solved.component_mul_assign(&self.root);
        solved - &self.excess * self.excess.tr_mul(v)
    }

    /// The diagonal of B⁻¹, which is 1 - Wᵢᵢ times the posterior variance: for positive precisions only,
    /// without a difference.
    pub(super) fn left(&self) -> DVector<f64> {
        self.factor.inverse_diagonal()
    }

    /// R itself.
    pub(super) fn matrix(&self) -> DMatrix<f64> {
        let mut matrix = self.factor.inverse();
        for (j, mut column) in matrix.column_iter_mut().enumerate() {
            column *= self.root[j];
            column.component_mul_assign(&self.root);
        }
        if self.excess.ncols() > 0 {
            matrix -= gram_of_rows(&self.excess);
        }
        matrix
    }

    /// The diagonal of CᵀRC: how much the variances of functions with these prior covariances fall.
    pub(super) fn reduction(&self, cross: &DMatrix<f64>) -> DVector<f64> {
        let mut whitened = self.scale_rows(cross);
        self.factor_half_solve(&mut whitened);
        let more = transpose_multiply(&self.excess, cross);
        DVector::from_fn(cross.ncols(), |j, _| {
            whitened.column(j).norm_squared() - more.column(j).norm_squared()
        })
    }

    /// CᵀRC.
    pub(super) fn joint_reduction(&self, cross: &DMatrix<f64>) -> DMatrix<f64> {
        let mut whitened = self.scale_rows(cross);
        self.factor_half_solve(&mut whitened);
        let more = transpose_multiply(&self.excess, cross);
        transpose_multiply(&whitened, &whitened) - transpose_multiply(&more, &more)
    }

    fn factor_half_solve(&self, columns: &mut DMatrix<f64>) {
        posterior_math::linalg::solve_lower_in_place(self.factor.factor(), columns);
    }

    fn scale_rows(&self, columns: &DMatrix<f64>) -> DMatrix<f64> {
        let mut scaled = columns.clone();
        for mut column in scaled.column_iter_mut() {
            column.component_mul_assign(&self.root);
        }
        scaled
    }
}

/// I + D K D for a diagonal D.
pub(super) fn scaled_plus_identity(gram: &DMatrix<f64>, diagonal: &DVector<f64>) -> DMatrix<f64> {
    let mut scaled = gram.clone();
    for (j, mut column) in scaled.column_iter_mut().enumerate() {
        column *= diagonal[j];
        column.component_mul_assign(diagonal);
        column[j] += 1.0;
    }
    scaled
}

fn diagonal(values: &DVector<f64>) -> DMatrix<f64> {
    DMatrix::from_diagonal(values)
}
