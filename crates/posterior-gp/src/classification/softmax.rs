//! More than two classes: a function for each, and the class by softmax.

mod blocks;
mod gradient;
mod predicted;

pub use predicted::SoftmaxLatent;

use posterior_math::check::{self, DimensionError};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{DMatrix, multiply};
use posterior_math::log_space::ln_softmax_in_place;

use super::laplace::ModeOptions;
use super::observations::check_inputs;
use crate::{Error, Kernel};
use blocks::Blocks;

/// Inputs, and the class of each.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftmaxObservations {
    inputs: DMatrix<f64>,
    labels: Vec<usize>,
    classes: usize,
}

impl SoftmaxObservations {
    /// The class of each row of `inputs`, from 0 to `classes - 1`.
    ///
    /// # Errors
    /// If there is not one class for each row, a class is out of range, there are fewer than two, or an input
    /// is not finite.
    pub fn new(inputs: DMatrix<f64>, labels: &[usize], classes: usize) -> Result<Self, Error> {
        check_inputs(&inputs)?;
        check::require(classes >= 2, "SoftmaxObservations", "classes", classes as f64, "at least 2")?;
        check::dimension("number of classes", inputs.nrows(), labels.len())?;
        for (row, &class) in labels.iter().enumerate() {
            let requirement = "below the number of classes";
            check::require(class < classes, "SoftmaxObservations", "class", class as f64, requirement)
                .map_err(|error| error.at(row))?;
        }
        Ok(Self { inputs, labels: labels.to_vec(), classes })
    }

    /// One row for each observation.
    pub const fn inputs(&self) -> &DMatrix<f64> {
        &self.inputs
    }

    /// The class of each.
    pub fn labels(&self) -> &[usize] {
        &self.labels
    }

    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.classes
    }

    /// ln of the probability of each class (a column) at each place (a row).
    fn ln_probabilities(latent: &DMatrix<f64>) -> DMatrix<f64> {
        let mut rows = latent.transpose();
        for mut place in rows.column_iter_mut() {
            ln_softmax_in_place(place.as_mut_slice());
        }
        rows.transpose()
    }

    fn ln_likelihood(&self, ln_probabilities: &DMatrix<f64>) -> f64 {
        self.labels.iter().enumerate().map(|(i, &class)| ln_probabilities[(i, class)]).sum()
    }
}

/// Laplace's method for several classes: a Gaussian distribution of all functions at the mode.
///
/// Its probabilities are too even, the more the larger the functions are: against draws of the exact
/// posterior (3 classes, new places after 30 rows, parameters as they were) they are right to 0.02 where the
/// prior variance of a function is 1; at a variance of 4 probabilities of 0.14, 0.51 and 0.70 should be 0.11,
/// 0.54 and 0.76, and at 16 they should be 0.06, 0.60 and 0.85. Which class is the most probable is hardly
/// ever another one. Two classes have [`expectation_propagation`](super::expectation_propagation()), which is
/// nearly exact.
///
/// ```
/// use posterior_gp::Kernel;
/// use posterior_gp::classification::{ModeOptions, SoftmaxObservations, softmax};
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
///
/// let inputs = DMatrix::from_column_slice(6, 1, &[-2.1, -1.9, -0.1, 0.1, 1.8, 2.0]);
/// let observations = SoftmaxObservations::new(inputs, &[0, 0, 1, 1, 2, 2], 3)?;
/// let kernel = 9.0 * Kernel::rbf(1.0)?;
/// let posterior = softmax(&observations, &[kernel], &ModeOptions::default(), &mut Silent)?.model;
/// let latent = posterior.latent(&DMatrix::from_element(1, 1, 2.2))?;
/// let p = latent.plug_in_response();
/// assert!(p[(0, 2)] > 0.5 && p[(0, 2)] > p[(0, 0)]);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SoftmaxLaplace {
    observations: SoftmaxObservations,
    kernels: Vec<Kernel>,
    grams: Vec<DMatrix<f64>>,
    /// A column for each class, as all that follows.
    weights: DMatrix<f64>,
    mode: DMatrix<f64>,
    probabilities: DMatrix<f64>,
    blocks: Blocks,
    ln_likelihood: f64,
    ln_evidence: f64,
    converged: bool,
}

impl SoftmaxLaplace {
    /// The mode of the functions: a row for each observation, a column for each class.
    pub const fn mode(&self) -> &DMatrix<f64> {
        &self.mode
    }

    /// The probabilities of the classes at the mode, as [`mode`](Self::mode).
    pub const fn probabilities_at_mode(&self) -> &DMatrix<f64> {
        &self.probabilities
    }

    /// The weights r = K⁻¹ f̂ = y - π, as [`mode`](Self::mode).
    pub const fn weights(&self) -> &DMatrix<f64> {
        &self.weights
    }

    /// ln p(y | f̂).
    pub const fn ln_likelihood_at_mode(&self) -> f64 {
        self.ln_likelihood
    }

    /// ln q(y | X): Rasmussen and Williams, equation 3.44.
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// Whether the search for the mode converged; if not, all numbers are those of the last step.
    pub const fn converged(&self) -> bool {
        self.converged
    }

    /// What had to be added to the diagonal of Σ Eᵀ for it to have a factor, where amplitudes are huge; else
    /// zero.
    pub const fn jitter(&self) -> f64 {
        self.blocks.jitter()
    }

    /// What was observed.
    pub const fn observations(&self) -> &SoftmaxObservations {
        &self.observations
    }

    /// The kernel of a class: the same for all, if there is one only.
    pub fn kernel(&self, class: usize) -> &Kernel {
        &self.kernels[class.min(self.kernels.len() - 1)]
    }
}

/// Laplace's method for several classes: independent functions, one for each class, with these kernels (one
/// that all classes share, or one for each), and p(class) = softmax(f).
///
/// Newton's method as in Rasmussen and Williams, algorithm 3.3, in O(C n³) for each step; a step is halved
/// until it goes up. With two classes it is the logistic likelihood of a function with the sum of both
/// kernels.
///
/// # Errors
/// If there are neither one kernel nor as many as classes, a kernel does not take the inputs, or numbers
/// overflow.
pub fn softmax(
    observations: &SoftmaxObservations,
    kernels: &[Kernel],
    options: &ModeOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<SoftmaxLaplace>, Error> {
    if kernels.len() != 1 && kernels.len() != observations.classes {
        let (expected, found) = (observations.classes, kernels.len());
        return Err(DimensionError::new("number of kernels", expected, found).into());
    }
    for kernel in kernels {
        kernel.check(&observations.inputs)?;
    }
    let grams: Vec<_> = kernels.iter().map(|kernel| kernel.gram(&observations.inputs)).collect();
    let mut search = Search::new(observations, &grams);
    let mut progress = Progress::new(search.objective, options.max_iterations, observer);
    let mut promised = f64::INFINITY;
    let (stop, blocks) = loop {
        let blocks = search.blocks()?;
        let (direction, promise) = search.newton(&blocks);
        // What is left is nothing, or what rounding hides: there it falls no more from step to step.
        let hidden = promise <= search.slack();
        let converged = promise <= options.tolerance + search.noise() || hidden && promise > 0.5 * promised;
        promised = promise;
        if !converged && progress.exhausted() {
            break (Stop::MaxIterations, blocks);
        }
        if !search.climb(&direction, promise) {
            break (if hidden { Stop::Converged } else { Stop::Stalled }, blocks);
        }
        let stopped = progress.stopped_after(search.objective);
        if converged || stopped {
            break (if converged { Stop::Converged } else { Stop::Observer }, search.blocks()?);
        }
    };
    let Search { weights, latent, probabilities, ln_likelihood, objective, .. } = search;
    let ln_evidence = objective - 0.5 * blocks.ln_determinant();
    let model = SoftmaxLaplace {
        observations: observations.clone(),
        kernels: kernels.to_vec(),
        weights,
        mode: latent,
        probabilities,
        blocks,
        ln_likelihood,
        ln_evidence,
        converged: stop == Stop::Converged,
        grams,
    };
    Ok(Fitted { model, report: progress.finish(stop) })
}

/// K V, class by class.
fn apply_prior(grams: &[DMatrix<f64>], v: &DMatrix<f64>) -> DMatrix<f64> {
    if let [shared] = grams {
        return multiply(shared, v);
    }
    let columns: Vec<_> = grams.iter().zip(v.column_iter()).map(|(gram, column)| gram * column).collect();
    DMatrix::from_columns(&columns)
}

/// Where the search stands: f = K r, class by class.
struct Search<'a> {
    observations: &'a SoftmaxObservations,
    grams: &'a [DMatrix<f64>],
    weights: DMatrix<f64>,
    latent: DMatrix<f64>,
    probabilities: DMatrix<f64>,
    ln_likelihood: f64,
    objective: f64,
}

/// An increase of the objective that is a smaller proportion of it than this is not seen: rounding hides it.
const ROUNDING: f64 = 1e-13;

/// A step is halved so often at most.
const MAX_HALVINGS: usize = 60;

impl<'a> Search<'a> {
    fn new(observations: &'a SoftmaxObservations, grams: &'a [DMatrix<f64>]) -> Self {
        Self::at(observations, grams, DMatrix::zeros(observations.labels.len(), observations.classes))
    }

    fn at(observations: &'a SoftmaxObservations, grams: &'a [DMatrix<f64>], weights: DMatrix<f64>) -> Self {
        let latent = apply_prior(grams, &weights);
        let ln_probabilities = SoftmaxObservations::ln_probabilities(&latent);
        let ln_likelihood = observations.ln_likelihood(&ln_probabilities);
        let objective = ln_likelihood - 0.5 * weights.dot(&latent);
        let probabilities = ln_probabilities.map(f64::exp);
        Self { observations, grams, weights, latent, probabilities, ln_likelihood, objective }
    }

    fn blocks(&self) -> Result<Blocks, Error> {
        Blocks::new(self.grams, &self.probabilities)
    }

    /// y - π - r, pulled to (I + W K)⁻¹ of it, and the increase that it promises.
    fn newton(&self, blocks: &Blocks) -> (DMatrix<f64>, f64) {
        let mut residual = -(&self.probabilities + &self.weights);
        for (i, &class) in self.observations.labels.iter().enumerate() {
            residual[(i, class)] += 1.0;
        }
        let pulled = apply_prior(self.grams, &residual);
        let reduced = blocks.apply(&pulled);
        let promise = 0.5 * (pulled.dot(&residual) - pulled.dot(&reduced));
        (residual - reduced, promise)
    }

    /// What of the promise is rounding of f = K r.
    fn noise(&self) -> f64 {
        let largest = self.grams.iter().map(|gram| gram.diagonal().max()).fold(0.0, f64::max);
        let rounding = f64::EPSILON * largest * self.weights.abs().sum();
        let precision = self.probabilities.map(|p| p * (1.0 - p)).sum();
        10.0 * precision * rounding * rounding
    }

    /// A smaller increase of the objective is not seen.
    fn slack(&self) -> f64 {
        ROUNDING * self.objective.abs().max(self.weights.len() as f64) + self.noise()
    }

    fn climb(&mut self, direction: &DMatrix<f64>, promise: f64) -> bool {
        let slack = self.slack();
        let (allowed, halvings) = if promise <= slack { (slack, 1) } else { (0.0, MAX_HALVINGS) };
        let mut step = 1.0;
        for _ in 0..halvings {
            let next = Self::at(self.observations, self.grams, &self.weights + direction * step);
            if next.objective.is_finite() && next.objective > self.objective - allowed {
                *self = next;
                return true;
            }
            step *= 0.5;
        }
        false
    }
}
