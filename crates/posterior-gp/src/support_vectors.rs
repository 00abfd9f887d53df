//! The support vector machine: the hinge loss in the place of a likelihood, for comparison.
//!
//! A Gaussian process classifier finds the mode of ½ (f - m)ᵀ K⁻¹ (f - m) - Σ ln p(yᵢ | fᵢ). With the hinge
//! loss, `cost · max(0, 1 - y f)`, in the place of -ln p it is a support vector machine: the solution is
//! f(x) = k(x, X) r again, but the weights r of all points with y f > 1 are zero, exactly. The other ones are
//! the support points. Of the logistic likelihood weights are only nearly zero there, because its slope is.
//!
//! **The hinge loss is no likelihood**, and the machine has no probabilities: exp(-hinge(f)) +
//! exp(-hinge(-f)) would have to be the same for every f. It is 0.736 at f = 0, 1.135 at 1, 1.050 at 2, and
//! goes to 1: as if a label were less likely to exist at all where f is small. [`hinge_mass`] is this
//! function, [`Losses`] are the losses for a plot.
//!
//! ```
//! use posterior_gp::Kernel;
//! use posterior_gp::support_vectors::{Bias, SupportOptions, support_vectors};
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//!
//! let x = DMatrix::from_column_slice(6, 1, &[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]);
//! let labels = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
//! let kernel = Kernel::rbf(2.0)?;
//! let machine = support_vectors(&x, &labels, &kernel, 10.0, Bias::Free, &SupportOptions::default(), &mut Silent)?.model;
//! let f = machine.decision(&x)?;
//! assert!(f.iter().zip(labels).all(|(f, y)| f * y > 0.999));
//! assert!(machine.support().count() < 6);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! C. Cortes, V. Vapnik, Support-vector networks, Machine Learning 20, 1995. C. E. Rasmussen, C. K. I.
//! Williams, Gaussian Processes for Machine Learning, section 6.4; P. Sollich, Bayesian methods for support
//! vector machines, Machine Learning 46, 2002.

mod dual;
mod losses;

pub use losses::{Losses, hinge_loss, hinge_mass};

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{DMatrix, DVector};

use crate::classification::check_inputs;
use crate::{Error, Kernel};
use dual::Dual;

/// Whether a constant is added to the function, which no prior holds near zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bias {
    /// f(x) = k(x, X) r.
    Zero,
    /// f(x) = b + k(x, X) r, with the best b.
    Free,
}

/// How to solve for the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportOptions {
    /// The run converges when no point violates its condition of optimality by more than this, on the scale
    /// on which the margin is 1. 10⁻⁸ by default.
    pub tolerance: f64,
    /// The largest number of rounds; in a round as many weights move as there are points. 10 000 by default.
    pub max_iterations: usize,
}

impl Default for SupportOptions {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000 }
    }
}

/// A support vector machine: f(x) = b + k(x, X) r.
#[derive(Debug, Clone)]
pub struct SupportVectors {
    kernel: Kernel,
    inputs: DMatrix<f64>,
    weights: DVector<f64>,
    bias: f64,
    objective: f64,
    gap: f64,
}

impl SupportVectors {
    /// r, one for each point: between -cost and cost, with the sign of the label, and exactly zero off the
    /// support.
    pub const fn weights(&self) -> &DVector<f64> {
        &self.weights
    }

    /// The bias b.
    pub const fn bias(&self) -> f64 {
        self.bias
    }

    /// The support points: the rows whose weights are not zero, ascending.
    pub fn support(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.weights.len()).filter(|&i| self.weights[i] != 0.0)
    }

    /// What is minimised: ½ rᵀ K r + cost · Σ hinge(yᵢ f(xᵢ)).
    pub const fn objective(&self) -> f64 {
        self.objective
    }

    /// By how much at most the objective is above its minimum: the gap to the dual problem.
    pub const fn gap(&self) -> f64 {
        self.gap
    }

    /// f at each row of `inputs`; its sign is the class. O(points of support) each.
    ///
    /// # Errors
    /// If the inputs have another number of coordinates, are not finite, or the kernel does not take them.
    pub fn decision(&self, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        check_inputs(inputs)?;
        check::dimension("coordinates of an input", self.inputs.ncols(), inputs.ncols())?;
        self.kernel.check(inputs)?;
        let support: Vec<usize> = self.support().collect();
        let cross = self.kernel.cross(&self.inputs.select_rows(&support), inputs);
        Ok(cross.tr_mul(&self.weights.select_rows(&support)).add_scalar(self.bias))
    }
}

/// The minimum of ½ rᵀ K r + `cost` · Σ max(0, 1 - yᵢ f(xᵢ)), for labels y of -1 and 1.
///
/// Sequential minimal optimisation of the dual problem: two weights move at a time, chosen by what they gain.
/// The Gram matrix is kept: O(n²) memory. The objective of the report is the dual one, after each round,
/// which rises to the minimum. With one class only and a free bias all weights are zero, and the bias is the
/// label.
///
/// # Errors
/// If there is not one label for each row, a label is not -1 or 1, the cost not positive and finite, an input
/// not finite, or the kernel does not take the inputs.
///
/// # References
/// R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information for training
/// support vector machines, JMLR 6, 2005; I. Steinwart, D. Hush, C. Scovel, Training SVMs without offset,
/// JMLR 12, 2011.
#[expect(
    clippy::too_many_arguments,
    reason = "the data, the loss, the prior, and how to solve: none goes with another"
)]
pub fn support_vectors(
    inputs: &DMatrix<f64>,
    labels: &[f64],
    kernel: &Kernel,
    cost: f64,
    bias: Bias,
    options: &SupportOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<SupportVectors>, Error> {
    check_inputs(inputs)?;
    kernel.check(inputs)?;
    let cost = check::positive("SupportVectors", "cost", cost)?;
    check::dimension("number of labels", inputs.nrows(), labels.len())?;
    for (row, &label) in labels.iter().enumerate() {
        check::require(label == 1.0 || label == -1.0, "SupportVectors", "label", label, "-1 or 1")
            .map_err(|error| error.at(row))?;
    }
    let mut dual = Dual::new(kernel.gram(inputs), labels, cost, bias);
    let mut progress = Progress::new(0.0, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let violation = dual.round(options.tolerance);
        if progress.stopped_after(dual.value()) {
            break Stop::Observer;
        }
        if violation <= options.tolerance {
            break Stop::Converged;
        }
        if violation.is_nan() {
            break Stop::Stalled;
        }
    };
    let (kernel, inputs) = (kernel.clone(), inputs.clone());
    let (weights, bias) = (dual.weights(), dual.bias());
    let objective = dual.primal(bias);
    let model = SupportVectors { kernel, inputs, weights, bias, objective, gap: objective - dual.value() };
    Ok(Fitted { model, report: progress.finish(stop) })
}
