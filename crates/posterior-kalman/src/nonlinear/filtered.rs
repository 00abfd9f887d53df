//! What a nonlinear filter found.

use posterior_math::linalg::{DMatrix, DVector};

/// For each time the distribution of the state before and after the observation, and what the observation
/// said.
#[derive(Debug, Clone, PartialEq)]
pub struct NonlinearFiltered {
    states: usize,
    width: usize,
    predicted: Vec<(DVector<f64>, DMatrix<f64>)>,
    filtered: Vec<(DVector<f64>, DMatrix<f64>)>,
    steps: Vec<Step>,
    ln_likelihoods: Vec<f64>,
    unconverged: Vec<usize>,
}

/// The distribution after an observation, in the coordinates of the one before.
pub(super) struct Update {
    pub(super) mean: DVector<f64>,
    /// Lower triangular.
    pub(super) root: DMatrix<f64>,
    pub(super) ln_likelihood: f64,
    pub(super) converged: bool,
}

/// The line of a transition along the root of the filtered distribution, and what is left around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) slope: DMatrix<f64>,
    pub(super) residual_root: DMatrix<f64>,
}

impl NonlinearFiltered {
    pub(super) const fn empty(states: usize, width: usize) -> Self {
        Self {
            states,
            width,
            predicted: Vec::new(),
            filtered: Vec::new(),
            steps: Vec::new(),
            ln_likelihoods: Vec::new(),
            unconverged: Vec::new(),
        }
    }

    pub(super) fn push(
        &mut self,
        t: usize,
        predicted: (DVector<f64>, DMatrix<f64>),
        filtered: (DVector<f64>, DMatrix<f64>),
        update: Option<Update>,
    ) {
        self.predicted.push(predicted);
        self.filtered.push(filtered);
        self.ln_likelihoods.push(update.as_ref().map_or(0.0, |update| update.ln_likelihood));
        if update.is_some_and(|update| !update.converged) {
            self.unconverged.push(t);
        }
    }

    pub(super) fn push_step(&mut self, step: Step) {
        self.steps.push(step);
    }

    pub(super) fn step(&self, t: usize) -> &Step {
        &self.steps[t]
    }

    /// F with Cov[x(t) | y(0), …, y(t)] = F Fᵀ.
    pub(super) fn root(&self, t: usize) -> &DMatrix<f64> {
        &self.filtered[t].1
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        self.ln_likelihoods.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.ln_likelihoods.is_empty()
    }

    /// The number n of states.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The number m of outputs.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// E[x(t) | y(0), …, y(t)].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.filtered[t].0.as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t)].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        square(&self.filtered[t].1)
    }

    /// The variance of component i of the state, given y(0), …, y(t).
    #[track_caller]
    pub fn variance(&self, t: usize, i: usize) -> f64 {
        self.filtered[t].1.row(i).norm_squared()
    }

    /// E[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_mean(&self, t: usize) -> &[f64] {
        self.predicted[t].0.as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_covariance(&self, t: usize) -> DMatrix<f64> {
        square(&self.predicted[t].1)
    }

    /// ln p(y), as the lines say.
    pub fn ln_likelihood(&self) -> f64 {
        self.ln_likelihoods.iter().sum()
    }

    /// ln p(y(t) | y(0), …, y(t-1)) for each t; zero where all is missing.
    pub fn ln_likelihood_terms(&self) -> &[f64] {
        &self.ln_likelihoods
    }

    /// The times at which the iteration had not converged when its number was used up, or could not go on
    /// because an observation is exact.
    pub fn unconverged(&self) -> &[usize] {
        &self.unconverged
    }
}

/// F Fᵀ, exactly symmetric.
pub(super) fn square(root: &DMatrix<f64>) -> DMatrix<f64> {
    let mut product = root * root.transpose();
    product.fill_lower_triangle_with_upper_triangle();
    product
}
