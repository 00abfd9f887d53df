//! Large dense problems by products alone: conjugate gradients, and Lanczos quadrature for the determinant.
//!
//! G = K + noise is never formed. Its products with vectors are computed tile by tile; a solution takes some
//! tens of them, because a low-rank approximation of K ([`GreedyFactor`]) takes the large eigenvalues out; ln
//! det G is estimated from the same run, on random probes, and comes with its standard error. Memory is O(n),
//! time is O(n²) for each step.
//!
//! Take it where the kernel has no structure that another route knows, and n is too large for a dense factor.
//!
//! ```
//! use posterior_gp::iterative::{IterativeOptions, IterativePosterior};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::linalg::DMatrix;
//!
//! let inputs = DMatrix::from_fn(400, 1, |i, _| i as f64 / 40.0);
//! let outputs: Vec<f64> = inputs.iter().map(|x| x.sin()).collect();
//! let prior = GaussianProcess::new(Kernel::rbf(1.0)?);
//! let posterior =
//!     IterativePosterior::new(&prior, (&inputs, &outputs), &Noise::variance(0.01)?,
//! &IterativeOptions::default())?; assert!(posterior.report().converged);
//! let mean = posterior.mean(&DMatrix::from_element(1, 1, 5.0))?;
//! assert!((mean[0] - 5.0_f64.sin()).abs() < 1e-3);
//! let evidence = posterior.ln_evidence();
//! assert!(evidence.standard_error < 0.01);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! J. Gardner et al., GPyTorch: blackbox matrix-matrix Gaussian process inference with GPU acceleration,
//! NeurIPS 2018. S. Ubaru, J. Chen, Y. Saad, Fast estimation of tr(f(A)) via stochastic Lanczos quadrature,
//! SIAM J. Matrix Anal. Appl. 38 (2017).

mod lanczos;
mod product;
mod simultaneous;

use posterior_math::check;
use std::f64::consts::TAU;

use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, DVector, LowRank};
use posterior_math::optimize::LinearOptions;
use rand_distr::{Distribution, StandardNormal};

use crate::kernel::KernelParameter;
use crate::observed::check_noisy_data;
use crate::regression::Prediction;
use crate::sparse::GreedyFactor;
use crate::{Error, GaussianProcess, Kernel, Noise};
use product::{cross_product, pull_back_outer};
use simultaneous::{Solved, solve};

/// How many right-hand sides are solved together for variances.
const TOGETHER: usize = 32;

/// How exact the solutions are, and how many probes there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterativeOptions {
    /// When conjugate gradients stop. Relative residuals of 10^-8 and 1000 steps by default.
    pub linear: LinearOptions,
    /// The largest rank of the preconditioner. 100 by default.
    pub rank: usize,
    /// How many random vectors estimate the determinant and its gradient. 16 by default; the error falls with
    /// their root.
    pub probes: usize,
    /// What they are drawn from. 0 by default.
    pub seed: u64,
}

impl Default for IterativeOptions {
    fn default() -> Self {
        Self {
            linear: LinearOptions { relative: 1e-8, ..LinearOptions::default() },
            rank: 100,
            probes: 16,
            seed: 0,
        }
    }
}

/// A number that was estimated from random probes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ProbeEstimate {
    /// The mean over the probes; NaN without probes.
    pub value: f64,
    /// Its standard error; NaN with fewer than two.
    pub standard_error: f64,
}

/// How the solutions went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IterativeReport {
    /// Steps of conjugate gradients: products with G, all right-hand sides together.
    pub iterations: usize,
    /// The largest |b - G x|/|b| of the outputs and the probes, computed afresh.
    pub residual: f64,
    /// Whether all were solved to the tolerance that was asked for.
    pub converged: bool,
    /// The rank of the preconditioner.
    pub rank: usize,
}

/// The posterior of a process through products with its Gram matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct IterativePosterior {
    process: GaussianProcess,
    inputs: DMatrix<f64>,
    noise: Noise,
    /// Of each observation.
    variances: DVector<f64>,
    options: IterativeOptions,
    preconditioner: LowRank,
    /// G⁻¹ (y - m).
    alpha: DVector<f64>,
    /// G⁻¹ Z.
    solved_probes: DMatrix<f64>,
    /// M⁻¹ Z; the covariance of the probes Z is the preconditioner M.
    whitened_probes: DMatrix<f64>,
    ln_evidence: ProbeEstimate,
    report: IterativeReport,
}

impl IterativePosterior {
    /// The posterior given outputs at inputs, one for each row.
    ///
    /// The result depends on the seed, and not on the number of threads.
    ///
    /// # Errors
    /// If sizes do not agree, a number is not finite, or an observation has no noise.
    pub fn new(
        process: &GaussianProcess,
        (inputs, outputs): (&DMatrix<f64>, &[f64]),
        noise: &Noise,
        options: &IterativeOptions,
    ) -> Result<Self, Error> {
        let variances = check_noisy_data(process, inputs, outputs, noise)?;
        let kernel = process.kernel();
        let outputs = DVector::from_column_slice(outputs) - process.mean().values(inputs);
        let n = outputs.len();
        // Directions with less variance than the noise are its business.
        let least = variances.iter().fold(f64::INFINITY, |least, variance| least.min(*variance));
        let largest = kernel.diagonal(inputs).iter().fold(f64::MIN_POSITIVE, |most: f64, k| most.max(*k));
        let low_rank = GreedyFactor::new(kernel, inputs, options.rank, 1e-3 * least / largest);
        let preconditioner = LowRank::new(&variances, low_rank.factor())?;
        let probes = draw_probes(low_rank.factor(), &variances, options);
        let mut right = probes.clone().insert_column(0, 0.0);
        right.set_column(0, &outputs);
        let solved =
            solve(&noisy_product(kernel, inputs, &variances), &preconditioner, &right, &options.linear);
        let alpha = solved.solutions.column(0).into_owned();
        let quadratic = outputs.dot(&alpha);
        let ln_determinant = ln_determinant(&preconditioner, &solved, n);
        let ln_evidence = ProbeEstimate {
            value: -0.5 * (quadratic + ln_determinant.value + n as f64 * TAU.ln()),
            standard_error: 0.5 * ln_determinant.standard_error,
        };
        Ok(Self {
            process: process.clone(),
            inputs: inputs.clone(),
            noise: noise.clone(),
            variances,
            options: *options,
            whitened_probes: preconditioner.solve(&probes),
            preconditioner,
            alpha,
            ln_evidence,
            report: IterativeReport {
                iterations: solved.iterations,
                residual: solved.residual,
                converged: solved.converged,
                rank: low_rank.rank(),
            },
            solved_probes: solved.solutions.remove_column(0),
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

    /// How the solutions went.
    pub const fn report(&self) -> &IterativeReport {
        &self.report
    }

    /// ln p(y), with the standard error that comes from the probes; what the tolerance of the solutions adds
    /// is not in it.
    pub const fn ln_evidence(&self) -> ProbeEstimate {
        self.ln_evidence
    }

    /// The parameters that a fit may move: those of the kernel, of the mean function, of the noise.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.process.kernel().parameters();
        parameters.extend(self.process.mean().parameters());
        parameters.extend(self.noise.parameters());
        parameters
    }

    /// An unbiased estimate of the derivatives of ln p(y) by the [`parameters`](Self::parameters) on their
    /// free scales.
    ///
    /// tr G⁻¹ ∂G is the mean of (G⁻¹ z)ᵀ ∂G M⁻¹ z over probes z with covariance M (Hutchinson 1990, with the
    /// preconditioner in it). One seed gives one function of the parameters to fit, which is smooth enough
    /// for a minimiser.
    pub fn gradient(&self) -> Vec<f64> {
        let probes = self.solved_probes.ncols();
        let proportion = -0.5 / probes.max(1) as f64;
        let mut left = (&self.solved_probes * proportion).insert_column(probes, 0.0);
        left.set_column(probes, &(&self.alpha * 0.5));
        let mut right = self.whitened_probes.clone().insert_column(probes, 0.0);
        right.set_column(probes, &self.alpha);
        let mut gradient = pull_back_outer(self.process.kernel(), &self.inputs, &left, &right);
        gradient.extend(self.process.mean().pull_back(&self.inputs, self.alpha.as_slice()));
        gradient.extend(self.noise.learned().map(|variance| variance * left.dot(&right)));
        gradient
    }

    /// The mean of the function at each row of `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite.
    pub fn mean(&self, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        self.check(inputs)?;
        let alpha = DMatrix::from_column_slice(self.alpha.len(), 1, self.alpha.as_slice());
        let cross = cross_product(self.process.kernel(), inputs, &self.inputs, &alpha);
        Ok(self.process.mean().values(inputs) + cross.column(0))
    }

    /// Mean and variance of the function at each row of `inputs`: one solution for each.
    ///
    /// Where the limit of steps ends a solution, the variance is too large, since each step explains some
    /// more.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
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
    /// As [`mean`](Self::mean).
    pub fn latent_components(&self, inputs: &DMatrix<f64>) -> Result<Vec<Prediction>, Error> {
        self.check(inputs)?;
        Ok(self.process.kernel().terms().iter().map(|term| self.distribution_of_part(term, inputs)).collect())
    }

    /// Means and variances of the part of the function with this kernel.
    fn distribution_of_part(&self, part: &Kernel, inputs: &DMatrix<f64>) -> Prediction {
        let mut mean = DVector::zeros(inputs.nrows());
        let mut variance = part.diagonal(inputs);
        let product = noisy_product(self.process.kernel(), &self.inputs, &self.variances);
        for start in (0..inputs.nrows()).step_by(TOGETHER) {
            let some = inputs.rows(start, TOGETHER.min(inputs.nrows() - start)).into_owned();
            let cross = part.cross(&self.inputs, &some);
            mean.rows_mut(start, some.nrows()).copy_from(&cross.tr_mul(&self.alpha));
            let solved = solve(&product, &self.preconditioner, &cross, &self.options.linear);
            for j in 0..some.nrows() {
                let explained = cross.column(j).dot(&solved.solutions.column(j));
                variance[start + j] = (variance[start + j] - explained).max(0.0);
            }
        }
        Prediction { mean, variance }
    }

    fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.process.check(inputs)?;
        Ok(check::dimension("coordinates of inputs", self.inputs.ncols(), inputs.ncols())?)
    }
}

/// X ↦ (K + noise) X.
fn noisy_product<'a>(
    kernel: &'a Kernel,
    inputs: &'a DMatrix<f64>,
    noise: &'a DVector<f64>,
) -> impl Fn(&DMatrix<f64>) -> DMatrix<f64> + 'a {
    |vectors| {
        let mut product = cross_product(kernel, inputs, inputs, vectors);
        for (mut column, vector) in product.column_iter_mut().zip(vectors.column_iter()) {
            column += noise.component_mul(&vector);
        }
        product
    }
}

/// Draws from N(0, F Fᵀ + noise), one column for each.
fn draw_probes(factor: &DMatrix<f64>, noise: &DVector<f64>, options: &IterativeOptions) -> DMatrix<f64> {
    let mut probes = DMatrix::zeros(noise.len(), options.probes);
    for (index, mut probe) in probes.column_iter_mut().enumerate() {
        let mut rng = stream(options.seed, &[index as u64]);
        let common = DVector::from_fn(factor.ncols(), |_, _| StandardNormal.sample(&mut rng));
        let own = DVector::from_fn(noise.len(), |_, _| StandardNormal.sample(&mut rng));
        probe.copy_from(&(factor * common + own.component_mul(&noise.map(f64::sqrt))));
    }
    probes
}

/// ln det M + the mean of n e₁ᵀ ln(T) e₁, with T the Lanczos matrix of each probe.
fn ln_determinant(preconditioner: &LowRank, solved: &Solved, n: usize) -> ProbeEstimate {
    if n == 0 {
        return ProbeEstimate { value: 0.0, standard_error: 0.0 };
    }
    let terms: Vec<f64> =
        solved.steps.iter().skip(1).map(|steps| n as f64 * lanczos::mean_ln_eigenvalue(steps)).collect();
    let probes = terms.len() as f64;
    let mean = terms.iter().sum::<f64>() / probes;
    let variance = terms.iter().map(|term| (term - mean).powi(2)).sum::<f64>() / (probes - 1.0);
    let standard_error = if terms.len() > 1 { (variance / probes).sqrt() } else { f64::NAN };
    ProbeEstimate { value: preconditioner.ln_determinant() + mean, standard_error }
}
