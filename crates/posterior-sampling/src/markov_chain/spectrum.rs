//! Eigenvalues of a chain: the second one says how fast it forgets.

use posterior_math::linalg::{DMatrix, MatrixError, SymmetricEigen};

use super::TransitionMatrix;
use crate::Error;

/// A chain whose flows agree up to this relative difference has real eigenvalues, found as those of a symmetric matrix.
const REVERSIBLE: f64 = 1e-12;

/// Steps of the iteration for each state; about two are usual.
const STEPS_PER_STATE: usize = 100;

/// An eigenvalue of a transition matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Eigenvalue {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

impl Eigenvalue {
    /// |λ|.
    pub fn modulus(self) -> f64 {
        self.re.hypot(self.im)
    }
}

impl TransitionMatrix {
    /// The eigenvalues: first the 1 that every chain has, then the others from the largest modulus on.
    ///
    /// Of a reversible chain they are those of the symmetric matrix √(T(i, j) T(j, i)), and real. Absolute errors are a few n ε; those of
    /// a defective matrix are larger. O(n³).
    ///
    /// # Errors
    /// [`MatrixError::NoConvergence`], which is not known to happen.
    pub fn eigenvalues(&self) -> Result<Vec<Eigenvalue>, Error> {
        let mut values = if self.irreversible_cycle(REVERSIBLE).is_none() && self.check_irreducible().is_ok()
        {
            self.symmetric_eigenvalues()?
        } else {
            self.general_eigenvalues()?
        };
        let order = |a: &Eigenvalue, b: &Eigenvalue| {
            b.modulus().total_cmp(&a.modulus()).then(b.re.total_cmp(&a.re)).then(b.im.total_cmp(&a.im))
        };
        values.sort_by(order);
        let from_one = |value: &Eigenvalue| (value.re - 1.0).hypot(value.im);
        let nearest =
            (0..values.len()).min_by(|&a, &b| from_one(&values[a]).total_cmp(&from_one(&values[b])));
        values[..=nearest.unwrap_or(0)].rotate_right(1);
        values[0] = Eigenvalue { re: 1.0, im: 0.0 };
        Ok(values)
    }

    /// 1 - |λ₂|: the share of what the chain remembers that a step forgets, in the long run; zero if it is reducible or periodic, and one
    /// if it has one state.
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
        Ok(eigen.values().iter().map(|&re| Eigenvalue { re, im: 0.0 }).collect())
    }

    /// By Schur's form of a reflection of T: the iteration stands still at permutations, and at few other matrices.
    fn general_eigenvalues(&self) -> Result<Vec<Eigenvalue>, Error> {
        let n = self.size();
        let attempts = (1..=4).filter_map(|attempt| {
            reflected(self.as_matrix(), attempt).try_schur(f64::EPSILON, STEPS_PER_STATE * n)
        });
        let complex = attempts.map(|schur| schur.complex_eigenvalues());
        let mut finite = complex.filter(|values| values.iter().all(|z| z.re.is_finite() && z.im.is_finite()));
        let values = finite.next().ok_or(MatrixError::NoConvergence)?;
        Ok(values.iter().map(|z| Eigenvalue { re: z.re, im: z.im }).collect())
    }
}

/// H A H with the reflection H at the plane across (√a, √(a + 1), …): a matrix with the same eigenvalues.
fn reflected(matrix: &DMatrix<f64>, attempt: usize) -> DMatrix<f64> {
    let n = matrix.nrows();
    let square = |i: usize| (i + attempt) as f64;
    let norm: f64 = (0..n).map(square).sum();
    let reflection = DMatrix::from_fn(n, n, |i, j| {
        f64::from(u8::from(i == j)) - 2.0 * (square(i) * square(j)).sqrt() / norm
    });
    &reflection * matrix * &reflection
}
