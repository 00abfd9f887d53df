//! Stationary kernels on equal steps: Toeplitz matrices.

use std::f64::consts::TAU;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector, Toeplitz};

use crate::observed::check_rows;
use crate::regression::Prediction;
use crate::{Error, Kernel};

/// How much the Gram matrix may differ from a Toeplitz matrix, as a proportion of k(x, x).
const STATIONARY_TO: f64 = 1e-9;

/// The posterior of a process with mean zero and a stationary kernel, seen at start, start + step, … with the
/// same noise.
///
/// # Cost
/// n² operations for the posterior, and for each variance.
#[derive(Debug, Clone)]
pub struct EqualStepsPosterior {
    kernel: Kernel,
    inputs: DMatrix<f64>,
    matrix: Toeplitz,
    /// (K + noise)⁻¹ y.
    alpha: DVector<f64>,
    ln_evidence: f64,
}

/// The gradient of [`EqualStepsPosterior::ln_evidence`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EqualStepsGradient {
    /// With respect to the parameters of the kernel, on their free scales.
    pub kernel: Vec<f64>,
    /// With respect to the noise variance.
    pub noise: f64,
}

impl EqualStepsPosterior {
    /// The posterior given one output for each step.
    ///
    /// # Errors
    /// If a number is not finite, the step or the noise variance is not positive, or the kernel is not
    /// stationary on the inputs: the pairs with the first, the middle and the last one are looked at.
    pub fn new(
        kernel: &Kernel,
        start: f64,
        step: f64,
        outputs: &DVector<f64>,
        noise: f64,
    ) -> Result<Self, Error> {
        check::finite("EqualStepsPosterior", "start", start)?;
        check::positive("EqualStepsPosterior", "step", step)?;
        check::positive("EqualStepsPosterior", "noise", noise)?;
        check_rows("output", &DMatrix::from_column_slice(outputs.len(), 1, outputs.as_slice()))?;
        let inputs = DMatrix::from_fn(outputs.len(), 1, |i, _| start + i as f64 * step);
        let mut column = check_stationary(kernel, &inputs)?;
        if let Some(variance) = column.get_mut(0) {
            *variance += noise;
        }
        let matrix = Toeplitz::new(&column)?;
        let alpha = matrix.solve_vector(outputs);
        let n = outputs.len() as f64;
        let ln_evidence = -0.5 * (outputs.dot(&alpha) + matrix.ln_determinant() + n * TAU.ln());
        Ok(Self { kernel: kernel.clone(), inputs, matrix, alpha, ln_evidence })
    }

    /// ln p(y).
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Mean and variance of the function at each row of `inputs`, anywhere: n² operations for each.
    ///
    /// # Errors
    /// If an input is not one number, or not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        check::dimension("coordinates of inputs", 1, inputs.ncols())?;
        self.kernel.check(inputs)?;
        let cross = self.kernel.cross(&self.inputs, inputs);
        let mut variance = self.kernel.diagonal(inputs);
        for (variance, cross) in variance.iter_mut().zip(cross.column_iter()) {
            *variance = (*variance - self.matrix.quadratic_form(&cross.into_owned())).max(0.0);
        }
        Ok(Prediction { mean: cross.tr_mul(&self.alpha), variance })
    }

    /// The gradient of ln p(y), in n² operations.
    ///
    /// With x = G⁻¹ e₁, the formula of Gohberg and Semencul gives the sum over the k-th diagonal of G⁻¹ as
    /// Σⱼ (n - k - 2j) xⱼ xⱼ₊ₖ/x₀.
    pub fn gradient(&self) -> EqualStepsGradient {
        let n = self.alpha.len();
        if n == 0 {
            return EqualStepsGradient { kernel: vec![0.0; self.kernel.parameters().len()], noise: 0.0 };
        }
        let mut unit = DVector::zeros(n);
        unit[0] = 1.0;
        let x = self.matrix.solve_vector(&unit);
        let weights = DMatrix::from_fn(1, n, |_, k| {
            let mut quadratic = 0.0;
            let mut trace = 0.0;
            for j in 0..n - k {
                quadratic += self.alpha[j] * self.alpha[j + k];
                trace += (n as f64 - k as f64 - 2.0 * j as f64) * x[j] * x[j + k];
            }
            // Each diagonal but the first stands twice in G.
            (quadratic - trace / x[0]) * if k == 0 { 0.5 } else { 1.0 }
        });
        let kernel = self.kernel.cross_gradient(&self.inputs.rows(0, 1).into_owned(), &self.inputs, &weights);
        EqualStepsGradient { kernel, noise: weights[0] }
    }
}

/// The first column of the Gram matrix, if the middle and the last one are what it says.
fn check_stationary(kernel: &Kernel, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
    kernel.check(inputs)?;
    let n = inputs.nrows();
    if n == 0 {
        return Ok(DVector::zeros(0));
    }
    let column = |row: usize| kernel.cross(inputs, &inputs.rows(row, 1).into_owned()).column(0).into_owned();
    let first = column(0);
    for row in [n / 2, n - 1] {
        for (other, value) in column(row).iter().enumerate() {
            let difference = (value - first[row.abs_diff(other)]).abs();
            if !(difference <= STATIONARY_TO * first[0].abs()) {
                let requirement = "the same for all pairs at the same distance: a stationary kernel";
                return Err(ParamError::new("EqualStepsPosterior", "kernel", *value, requirement).into());
            }
        }
    }
    Ok(first)
}
