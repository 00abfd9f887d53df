//! What a filter found.

use posterior_dist::MomentGaussian;
use posterior_math::linalg::DMatrix;

use crate::{Error, Smoothed, StateSpace};

/// For each time the law of the state before and after the observation, and what the observation said.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    states: usize,
    width: usize,
    predicted: Vec<MomentGaussian>,
    filtered: Vec<MomentGaussian>,
    ln_likelihoods: Vec<f64>,
}

impl Filtered {
    pub(super) const fn empty(states: usize, width: usize) -> Self {
        Self { states, width, predicted: Vec::new(), filtered: Vec::new(), ln_likelihoods: Vec::new() }
    }

    pub(super) fn push(&mut self, predicted: &MomentGaussian, filtered: &MomentGaussian, ln_likelihood: f64) {
        self.predicted.push(predicted.clone());
        self.filtered.push(filtered.clone());
        self.ln_likelihoods.push(ln_likelihood);
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        self.ln_likelihoods.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.ln_likelihoods.is_empty()
    }

    /// n.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// m.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// E[x(t) | y(0), …, y(t)].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.filtered[t].mean().as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t)].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        self.filtered[t].covariance().clone()
    }

    /// E[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_mean(&self, t: usize) -> &[f64] {
        self.predicted[t].mean().as_slice()
    }

    /// Cov[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_covariance(&self, t: usize) -> DMatrix<f64> {
        self.predicted[t].covariance().clone()
    }

    /// ln p(y), of all that was observed.
    pub fn ln_likelihood(&self) -> f64 {
        self.ln_likelihoods.iter().sum()
    }

    /// ln p(y(t) | y(0), …, y(t-1)) for each t; zero where all is missing.
    pub fn ln_likelihood_terms(&self) -> &[f64] {
        &self.ln_likelihoods
    }

    /// The laws of the states given all observations.
    ///
    /// # Errors
    /// If `model` is not of the same size and length.
    pub fn smooth(&self, model: &StateSpace) -> Result<Smoothed, Error> {
        Smoothed::new(model, self)
    }
}
