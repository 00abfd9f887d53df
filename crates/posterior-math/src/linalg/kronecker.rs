//! Systems with a Kronecker product, solved factor by factor.

use nalgebra::{DMatrix, DVector};

use super::cholesky::Cholesky;

/// The Kronecker product A₁ ⊗ A₂ ⊗ … of positive definite matrices, held by their Cholesky factors: the
/// covariance of a process on a grid, if it is a product over the axes.
///
/// A vector has the index of the last factor running fastest: (A ⊗ B) x with x = vec X, X by columns, is
/// vec(B X Aᵀ). The product of no factors is the number 1.
///
/// # Cost
/// 2 N (n₁ + n₂ + …) operations for a solution, N = n₁ n₂ …, instead of N³/3.
///
/// ```
/// use posterior_math::linalg::{Cholesky, DMatrix, DVector, Kronecker};
///
/// let a = Cholesky::new(&DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]))?;
/// let b = Cholesky::new(&DMatrix::from_element(1, 1, 4.0))?;
/// let product = Kronecker::new(vec![a, b]); // [[8, 4], [4, 8]]
/// let x = product.solve_vector(&DVector::from_vec(vec![12.0, 12.0]));
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
/// # Ok::<(), posterior_math::linalg::MatrixError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Kronecker {
    factors: Vec<Cholesky>,
}

impl Kronecker {
    /// The product of these matrices, in this order.
    pub const fn new(factors: Vec<Cholesky>) -> Self {
        Self { factors }
    }

    /// The matrices, in order.
    pub fn factors(&self) -> &[Cholesky] {
        &self.factors
    }

    /// The number of rows: the product of those of the factors.
    pub fn size(&self) -> usize {
        self.factors.iter().map(Cholesky::size).product()
    }

    /// ln det = Σ (N / nᵢ) ln det Aᵢ.
    pub fn ln_determinant(&self) -> f64 {
        (0..self.factors.len())
            .map(|i| {
                let others = self.factors[..i].iter().chain(&self.factors[i + 1..]).map(Cholesky::size);
                others.product::<usize>() as f64 * self.factors[i].ln_determinant()
            })
            .sum()
    }

    /// (A₁ ⊗ A₂ ⊗ …)⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as the product has rows.
    #[track_caller]
    pub fn solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        self.along_each_factor(b, Cholesky::solve_in_place)
    }

    /// (L₁ ⊗ L₂ ⊗ …)⁻¹ b, with the factors Aᵢ = Lᵢ Lᵢᵀ.
    ///
    /// # Panics
    /// Unless b is as long as the product has rows.
    #[track_caller]
    pub fn half_solve_vector(&self, b: &DVector<f64>) -> DVector<f64> {
        self.along_each_factor(b, |factor, columns| {
            *columns = factor.half_solve(columns);
        })
    }

    /// bᵀ (A₁ ⊗ A₂ ⊗ …)⁻¹ b.
    ///
    /// # Panics
    /// Unless b is as long as the product has rows.
    #[track_caller]
    pub fn quadratic_form(&self, b: &DVector<f64>) -> f64 {
        self.half_solve_vector(b).norm_squared()
    }

    /// The last factor works on the columns; transposed, the next one's index runs fastest.
    #[track_caller]
    fn along_each_factor(
        &self,
        b: &DVector<f64>,
        solve: impl Fn(&Cholesky, &mut DMatrix<f64>),
    ) -> DVector<f64> {
        let size = self.size();
        assert_eq!(b.len(), size, "length of the right-hand side");
        let mut x = b.clone();
        if size == 0 {
            return x;
        }
        for factor in self.factors.iter().rev() {
            let rows = factor.size();
            let mut columns = DMatrix::from_column_slice(rows, size / rows, x.as_slice());
            solve(factor, &mut columns);
            x.copy_from_slice(columns.transpose().as_slice());
        }
        x
    }
}
