//! Inducing points: n observations through the values of the function at m places, in O(n m²).
//!
//! Given the values u at the inducing inputs Z, the approximations treat the function at the observed inputs
//! as independent of everything else. They differ in what becomes of the variance that u leaves:
//!
//! - [`SparseApproximation::Variational`] leaves it out of the fit and takes its price from the evidence,
//!   which becomes a *lower bound* (Titsias 2009). More inducing inputs never make it lower, so it tells how
//!   many are enough; hyperparameters and inducing inputs may be fitted to it.
//! - [`SparseApproximation::Fitc`] adds it to the noise of each observation (Snelson and Ghahramani 2006):
//!   the exact posterior of another model, whose evidence is no bound.
//! - [`SparseApproximation::SubsetOfRegressors`] forgets it: the function is a weighted sum of m kernels and
//!   nothing else (Silverman 1985), as sure far away from Z as it is near. For comparison with the others.
//!
//! All are the exact posterior at the inputs if Z holds all of them. [`inducing_by_variance`] chooses Z, and
//! [`fit_inducing`] moves it.
//!
//! ```
//! use posterior_gp::sparse::{SparseApproximation, SparsePosterior, inducing_by_variance};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::linalg::DMatrix;
//!
//! let inputs = DMatrix::from_fn(300, 1, |i, _| i as f64 / 30.0);
//! let outputs: Vec<f64> = inputs.iter().map(|x| x.sin()).collect();
//! let prior = GaussianProcess::new(Kernel::rbf(1.0)?);
//! let inducing = inducing_by_variance(prior.kernel(), &inputs, 20);
//! let noise = Noise::variance(0.01)?;
//! let posterior = SparsePosterior::new(&prior, (&inputs, &outputs), &noise, &inducing,
//! SparseApproximation::Variational)?; let prediction = posterior.latent(&DMatrix::from_element(1, 1, 5.0))?;
//! assert!((prediction.mean[0] - 5.0_f64.sin()).abs() < 1e-3);
//! assert!(posterior.slack() < 1e-2); // so much evidence the bound may miss at most
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! M. Titsias, Variational learning of inducing variables in sparse Gaussian processes, AISTATS 2009. E.
//! Snelson, Z. Ghahramani, Sparse Gaussian processes using pseudo-inputs, NIPS 2006. J. Quiñonero-Candela, C.
//! E. Rasmussen, A unifying view of sparse approximate Gaussian process regression, JMLR 6 (2005).

mod fit;
mod gradient;
mod greedy;
mod inducing;

pub use fit::fit_inducing;
pub use greedy::GreedyFactor;
pub use inducing::{inducing_by_distance, inducing_by_variance};

use posterior_math::check;
use std::f64::consts::TAU;

use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns, gram_of_rows};

use crate::observed::check_noisy_data;
use crate::regression::Prediction;
use crate::{Error, GaussianProcess, Kernel, Noise};

/// The largest jitter, as a proportion of the mean variance at the inducing inputs.
const LARGEST_JITTER: f64 = 1e-6;

/// What becomes of the variance that the inducing values leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SparseApproximation {
    /// Its price is paid in the evidence, which becomes a lower bound.
    Variational,
    /// It is added to the noise.
    Fitc,
    /// It is taken to be zero, of observations and of predictions.
    SubsetOfRegressors,
}

/// The posterior of a process through inducing values.
#[derive(Debug, Clone, PartialEq)]
pub struct SparsePosterior {
    process: GaussianProcess,
    approximation: SparseApproximation,
    inputs: DMatrix<f64>,
    inducing: DMatrix<f64>,
    noise: Noise,
    /// Of each observation.
    variances: DVector<f64>,
    /// L of K_zz + jitter.
    root: Cholesky,
    jitter: f64,
    /// V = L⁻¹ K_zx; Q = VᵀV is what the inducing values explain.
    projected: DMatrix<f64>,
    /// k(x, x) - q(x, x) of each input.
    unexplained: DVector<f64>,
    /// Λ: noise, and for FITC what is not explained.
    totals: DVector<f64>,
    /// The factor of I + V Λ⁻¹ Vᵀ.
    capacitance: Cholesky,
    /// The posterior mean of L⁻¹ u.
    weights: DVector<f64>,
    /// (Q + Λ)⁻¹ (y - m).
    alpha: DVector<f64>,
    ln_evidence: f64,
}

impl SparsePosterior {
    /// The posterior given outputs at inputs, one for each row.
    ///
    /// If the kernel is singular on the inducing inputs, the least jitter that helps is added to its diagonal
    /// there ([`jitter`](Self::jitter)); the variational bound stays a bound.
    ///
    /// # Errors
    /// If sizes do not agree, a number is not finite, an observation has no noise, or the kernel on the
    /// inducing inputs is not positive semidefinite.
    pub fn new(
        process: &GaussianProcess,
        (inputs, outputs): (&DMatrix<f64>, &[f64]),
        noise: &Noise,
        inducing: &DMatrix<f64>,
        approximation: SparseApproximation,
    ) -> Result<Self, Error> {
        let variances = check_noisy_data(process, inputs, outputs, noise)?;
        process.kernel().check(inducing)?;
        check::dimension("coordinates of inducing inputs", inputs.ncols(), inducing.ncols())?;
        let kernel = process.kernel();
        let outputs = DVector::from_column_slice(outputs) - process.mean().values(inputs);
        let own = kernel.gram(inducing);
        let (root, jitter) = Cholesky::with_jitter(&own, LARGEST_JITTER * own.diagonal().mean())?;
        let projected = root.half_solve(&kernel.cross(inducing, inputs));
        let mut unexplained = kernel.diagonal(inputs);
        for (variance, column) in unexplained.iter_mut().zip(projected.column_iter()) {
            *variance = (*variance - column.norm_squared()).max(0.0);
        }
        let totals = match approximation {
            SparseApproximation::Variational | SparseApproximation::SubsetOfRegressors => variances.clone(),
            SparseApproximation::Fitc => &variances + &unexplained,
        };
        let mut scaled = projected.clone();
        scale_columns(&mut scaled, &totals.map(|total| total.sqrt().recip()));
        let mut capacitance = gram_of_rows(&scaled);
        for i in 0..capacitance.nrows() {
            capacitance[(i, i)] += 1.0;
        }
        let capacitance = Cholesky::decompose(capacitance)?;
        let weights = capacitance.solve_vector(&(&projected * outputs.component_div(&totals)));
        let residuals = &outputs - projected.tr_mul(&weights);
        let alpha = residuals.component_div(&totals);
        // |y - Vᵀw|² + |w|²: no digits cancel.
        let quadratic = residuals.dot(&alpha) + weights.norm_squared();
        let ln_determinant =
            totals.iter().map(|total| total.ln()).sum::<f64>() + capacitance.ln_determinant();
        let price = match approximation {
            SparseApproximation::Variational => unexplained.component_div(&variances).sum(),
            SparseApproximation::Fitc | SparseApproximation::SubsetOfRegressors => 0.0,
        };
        let ln_evidence = -0.5 * (quadratic + ln_determinant + price + outputs.len() as f64 * TAU.ln());
        Ok(Self {
            process: process.clone(),
            approximation,
            inputs: inputs.clone(),
            inducing: inducing.clone(),
            noise: noise.clone(),
            variances,
            root,
            jitter,
            projected,
            unexplained,
            totals,
            capacitance,
            weights,
            alpha,
            ln_evidence,
        })
    }

    /// The prior.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.process
    }

    /// The noise of the observations.
    pub const fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Z: a row for each inducing input.
    pub const fn inducing(&self) -> &DMatrix<f64> {
        &self.inducing
    }

    /// What was added to the diagonal of the kernel on the inducing inputs; zero as a rule.
    pub const fn jitter(&self) -> f64 {
        self.jitter
    }

    /// ln p(y): a lower bound of it, or that of the other model.
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// How far the exact ln p(y) may at most be above the variational bound: ½ Σ rᵢ/σᵢ² + ½ t |α|², where the
    /// r are the variances that the inducing values leave, t is their sum, and α = (Q + Λ)⁻¹ y.
    ///
    /// Since K - Q ≤ t I, the determinant is at least that of Q + Λ and the quadratic form at least that of
    /// Q + Λ + t I (Titsias 2014, Burt et al. 2020). It bounds the evidence and no prediction; of the other
    /// approximations it has no such meaning.
    pub fn slack(&self) -> f64 {
        let trace = self.unexplained.sum();
        0.5 * (self.unexplained.component_div(&self.variances).sum() + trace * self.alpha.norm_squared())
    }

    /// Mean and variance of the function at each row of `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        self.check(inputs)?;
        let mut prediction = self.distribution_of_part(self.process.kernel(), inputs);
        prediction.mean += self.process.mean().values(inputs);
        Ok(prediction)
    }

    /// Mean and variance of each term of the kernel at each row of `inputs`; the mean function is in none of
    /// them.
    ///
    /// # Errors
    /// As [`predict`](Self::latent).
    pub fn latent_components(&self, inputs: &DMatrix<f64>) -> Result<Vec<Prediction>, Error> {
        self.check(inputs)?;
        Ok(self.process.kernel().terms().iter().map(|term| self.distribution_of_part(term, inputs)).collect())
    }

    /// The covariances of the function at the rows of `inputs`.
    ///
    /// # Errors
    /// As [`predict`](Self::latent).
    pub fn covariance(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        self.check(inputs)?;
        let projected = self.project(self.process.kernel(), inputs);
        let left = self.capacitance.half_solve(&projected);
        let explained = gram_of_columns(&left);
        Ok(match self.approximation {
            SparseApproximation::SubsetOfRegressors => explained,
            _ => self.process.kernel().gram(inputs) - gram_of_columns(&projected) + explained,
        })
    }

    /// The posterior distribution of the inducing values: mean and covariance.
    pub fn inducing_distribution(&self) -> (DVector<f64>, DMatrix<f64>) {
        let root = self.root.factor();
        let mean = self.process.mean().values(&self.inducing) + root * &self.weights;
        (mean, gram_of_columns(&self.capacitance.half_solve(&root.transpose())))
    }

    /// Means and variances of the part of the function with this kernel.
    fn distribution_of_part(&self, part: &Kernel, inputs: &DMatrix<f64>) -> Prediction {
        let projected = self.project(part, inputs);
        let left = self.capacitance.half_solve(&projected);
        let mut variance = part.diagonal(inputs);
        for (i, variance) in variance.iter_mut().enumerate() {
            let unexplained = match self.approximation {
                SparseApproximation::SubsetOfRegressors => 0.0,
                _ => (*variance - projected.column(i).norm_squared()).max(0.0),
            };
            *variance = unexplained + left.column(i).norm_squared();
        }
        Prediction { mean: projected.tr_mul(&self.weights), variance }
    }

    /// L⁻¹ K_z*, with K of a part of the kernel.
    fn project(&self, part: &Kernel, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        self.root.half_solve(&part.cross(&self.inducing, inputs))
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.process.check(inputs)?;
        Ok(check::dimension("coordinates of inputs", self.inducing.ncols(), inputs.ncols())?)
    }
}

fn scale_columns(matrix: &mut DMatrix<f64>, factors: &DVector<f64>) {
    for (mut column, factor) in matrix.column_iter_mut().zip(factors) {
        column *= *factor;
    }
}
