//! Eigenvalues of a chain: the second one says how fast it forgets.

use posterior_math::linalg::{DMatrix, Eigenvalue, SymmetricEigen, eigenvalues};

use super::TransitionMatrix;
use crate::Error;

/// A chain whose flows agree up to this relative difference has real eigenvalues, found as those of a
/// symmetric matrix.
const REVERSIBLE: f64 = 1e-12;

impl TransitionMatrix {
    /// The eigenvalues: first the 1 that every chain has, then the others from the largest modulus on.
    ///
    /// Of a reversible chain they are those of the symmetric matrix √(T(i, j) T(j, i)), and real. Absolute
    /// errors are a few n ε; those of a defective matrix are larger. O(n³).
    ///
    /// # Errors
    /// [`MatrixError::NoConvergence`](posterior_math::linalg::MatrixError::NoConvergence), which is not known
    /// to happen.
    pub fn eigenvalues(&self) -> Result<Vec<Eigenvalue>, Error> {
        let mut values = if self.irreversible_cycle(REVERSIBLE).is_none() && self.check_irreducible().is_ok()
        {
            self.symmetric_eigenvalues()?
        } else {
            eigenvalues(self.as_matrix())?
        };
        let order = |a: &Eigenvalue, b: &Eigenvalue| {
            b.modulus().total_cmp(&a.modulus()).then(b.re.total_cmp(&a.re)).then(b.im.total_cmp(&a.im))
        };
        values.sort_by(order);
        let from_one = |value: &Eigenvalue| (value.re - 1.0).hypot(value.im);
        let nearest =
            (0..values.len()).min_by(|&a, &b| from_one(&values[a]).total_cmp(&from_one(&values[b])));
        values[..=nearest.unwrap_or(0)].rotate_right(1);
        values[0] = Eigenvalue::real(1.0);
        Ok(values)
    }

    /// 1 - |λ₂|: the proportion of what the chain remembers that a step forgets, in the long run; zero if it
    /// is reducible or periodic, and one if it has one state.
    ///
    /// # Errors
    /// As [`eigenvalues`](Self::eigenvalues).
    pub fn spectral_gap(&self) -> Result<f64, Error> {
        Ok(self.eigenvalues()?.get(1).map_or(1.0, |second| (1.0 - second.modulus()).max(0.0)))
    }

    fn symmetric_eigenvalues(&self) -> Result<Vec<Eigenvalue>, Error> {
        let n = self.size();
        let matrix =
            DMatrix::from_fn(n, n, |i, j| self.probability(i, j).sqrt() * self.probability(j, i).sqrt());
        let eigen = SymmetricEigen::new(&matrix)?;
        Ok(eigen.values().iter().map(|&re| Eigenvalue::real(re)).collect())
    }
}
