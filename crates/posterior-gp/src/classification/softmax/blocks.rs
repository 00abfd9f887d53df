//! The curvature of the softmax likelihood against the prior, class by class.

use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, multiply, solve_lower_in_place, transpose_multiply,
};

use crate::Error;
use crate::classification::curvature::scaled_plus_identity;

/// R = (K + W⁻¹)⁻¹ for a block-diagonal K and the softmax's W = diag(π) - Π Πᵀ.
///
/// With E = diag over classes of Dₖ^½ (I + Dₖ^½ Kₖ Dₖ^½)⁻¹ Dₖ^½, Dₖ = diag(πₖ), and M the factor of Σ Eₖ, the
/// block of the classes k and l is δ Eₖ - (M⁻¹Eₖ)ᵀ (M⁻¹Eₗ).
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    roots: Vec<DVector<f64>>,
    factors: Vec<Cholesky>,
    /// Eₖ.
    own: Vec<DMatrix<f64>>,
    /// M.
    total: Cholesky,
    jitter: f64,
}

impl Blocks {
    /// With one Gram matrix for all classes, or one for each.
    pub(super) fn new(grams: &[DMatrix<f64>], probabilities: &DMatrix<f64>) -> Result<Self, Error> {
        let (n, classes) = probabilities.shape();
        let roots: Vec<DVector<f64>> =
            probabilities.column_iter().map(|column| column.map(f64::sqrt)).collect();
        let mut factors = Vec::with_capacity(classes);
        let mut own = Vec::with_capacity(classes);
        let mut sum = DMatrix::zeros(n, n);
        for (class, root) in roots.iter().enumerate() {
            let gram = &grams[class.min(grams.len() - 1)];
            let factor = Cholesky::decompose(scaled_plus_identity(gram, root))?;
            let mut block = factor.inverse();
            for (j, mut column) in block.column_iter_mut().enumerate() {
                column *= root[j];
                column.component_mul_assign(root);
            }
            sum += &block;
            own.push(block);
            factors.push(factor);
        }
        let (total, jitter) = Cholesky::with_jitter(&sum, f64::INFINITY)?;
        Ok(Self { roots, factors, own, total, jitter })
    }

    pub(super) const fn jitter(&self) -> f64 {
        self.jitter
    }

    /// ln |I + K W|.
    pub(super) fn ln_determinant(&self) -> f64 {
        self.factors.iter().map(Cholesky::ln_determinant).sum::<f64>() + self.total.ln_determinant()
    }

    /// R V, where V has a column for each class.
    pub(super) fn apply(&self, v: &DMatrix<f64>) -> DMatrix<f64> {
        let own: Vec<DVector<f64>> = self.own.iter().zip(v.column_iter()).map(|(e, v)| e * v).collect();
        let mut shared = own.iter().fold(DVector::zeros(v.nrows()), |sum, term| sum + term);
        self.total.solve_slice_in_place(shared.as_mut_slice());
        let columns: Vec<_> = self.own.iter().zip(own).map(|(e, own)| own - e * &shared).collect();
        DMatrix::from_columns(&columns)
    }

    /// M⁻¹ Eₖ.
    fn shared(&self, class: usize) -> DMatrix<f64> {
        self.total.half_solve(&self.own[class])
    }

    /// The block of R of one class.
    pub(super) fn own_block(&self, class: usize) -> DMatrix<f64> {
        let shared = self.shared(class);
        &self.own[class] - transpose_multiply(&shared, &shared)
    }

    /// The covariances between the functions of all classes at each of some places, given the prior
    /// covariances of the functions there with those at the observations (a matrix for each class) and the
    /// prior variances (the same).
    pub(super) fn covariances(&self, crosses: &[DMatrix<f64>], priors: &[DVector<f64>]) -> Vec<DMatrix<f64>> {
        let classes = self.own.len();
        let of = |class: usize| class.min(crosses.len() - 1);
        let shared: Vec<DMatrix<f64>> =
            (0..classes).map(|class| multiply(&self.shared(class), &crosses[of(class)])).collect();
        let own: Vec<DVector<f64>> =
            (0..classes).map(|class| self.own_reduction(class, &crosses[of(class)])).collect();
        (0..crosses[0].ncols())
            .map(|place| {
                DMatrix::from_fn(classes, classes, |k, l| {
                    let left = if k == l { (priors[of(k)][place] - own[k][place]).max(0.0) } else { 0.0 };
                    left + shared[k].column(place).dot(&shared[l].column(place))
                })
            })
            .collect()
    }

    /// The diagonal of Cᵀ Eₖ C.
    fn own_reduction(&self, class: usize, cross: &DMatrix<f64>) -> DVector<f64> {
        let mut whitened = cross.clone();
        for mut column in whitened.column_iter_mut() {
            column.component_mul_assign(&self.roots[class]);
        }
        solve_lower_in_place(self.factors[class].factor(), &mut whitened);
        DVector::from_iterator(cross.ncols(), whitened.column_iter().map(|column| column.norm_squared()))
    }
}
