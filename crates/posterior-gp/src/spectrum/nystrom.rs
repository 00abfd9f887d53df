//! Mercer's expansion on the distribution of a sample.

use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen, multiply};

use crate::{Error, Kernel};

/// Eigenvalues and eigenfunctions of a kernel on the distribution of a sample: ∫ k(x, x') φ(x') dμ(x') = λ
/// φ(x), with μ the mean over the sample.
///
/// λ are the eigenvalues of K over n; the eigenvectors, scaled by √n, are the eigenfunctions on the sample,
/// and φ(x) = Σ k(x, xᵢ) φ(xᵢ)/(n λ) continues them. If the sample is one from a distribution, they converge
/// to those of that distribution, large eigenvalues first; their relative errors grow as the eigenvalues
/// fall.
///
/// # References
/// C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning (2006), section 4.3.2.
#[derive(Debug, Clone)]
pub struct Nystrom {
    kernel: Kernel,
    sample: DMatrix<f64>,
    eigenvalues: Vec<f64>,
    /// Column j: φⱼ on the sample.
    on_sample: DMatrix<f64>,
}

impl Nystrom {
    /// All eigenvalues above rounding, for the rows of `sample`.
    ///
    /// # Errors
    /// If a number is not finite, or a value of the kernel is not.
    pub fn new(kernel: &Kernel, sample: &DMatrix<f64>) -> Result<Self, Error> {
        kernel.check(sample)?;
        let n = sample.nrows();
        let eigen = SymmetricEigen::new(&kernel.gram(sample))?;
        let largest = eigen.values().iter().fold(0.0, |largest: f64, value| largest.max(*value));
        let order: Vec<usize> =
            (0..n).rev().filter(|&i| eigen.values()[i] > n as f64 * f64::EPSILON * largest).collect();
        let eigenvalues = order.iter().map(|&i| eigen.values()[i] / n as f64).collect();
        let on_sample = eigen.vectors().select_columns(&order) * (n as f64).sqrt();
        Ok(Self { kernel: kernel.clone(), sample: sample.clone(), eigenvalues, on_sample })
    }

    /// λ, largest first.
    pub fn eigenvalues(&self) -> &[f64] {
        &self.eigenvalues
    }

    /// φⱼ(x) for each row x of `inputs` and each j: one column for each eigenvalue.
    pub fn eigenfunctions(&self, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let mut functions = multiply(&self.kernel.cross(inputs, &self.sample), &self.on_sample);
        let n = self.sample.nrows() as f64;
        for (mut column, eigenvalue) in functions.column_iter_mut().zip(&self.eigenvalues) {
            column /= n * eigenvalue;
        }
        functions
    }

    /// √λⱼ φⱼ(x) of the first `rank`: features Φ whose products Φ(x) Φ(x')ᵀ are the best approximation of the
    /// kernel on the sample by so many.
    pub fn features(&self, inputs: &DMatrix<f64>, rank: usize) -> DMatrix<f64> {
        let rank = rank.min(self.eigenvalues.len());
        let mut features = self.eigenfunctions(inputs).columns(0, rank).into_owned();
        for (mut column, eigenvalue) in features.column_iter_mut().zip(&self.eigenvalues) {
            column *= eigenvalue.sqrt();
        }
        features
    }

    /// The mean over the sample of k(x, x) that the first `rank` leave: the sum of the other eigenvalues.
    pub fn remainder(&self, rank: usize) -> f64 {
        DVector::from_column_slice(self.eigenvalues.get(rank..).unwrap_or_default()).sum()
    }
}
