//! What a filter found.

use posterior_math::check;
use std::sync::Arc;

use posterior_math::linalg::{DMatrix, DVector};

use super::{CovarianceForm, Covariances, Means};
use crate::{Error, StateSpace};

/// For each time the distribution of the state before and after the observation, and what the observation
/// said.
///
/// As long as something is diffuse, means and covariances are those of its finite part: see
/// [`diffuse_directions`](Self::diffuse_directions).
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    covariances: Arc<Covariances>,
    means: Means,
    ln_likelihood: f64,
}

impl Filtered {
    pub(crate) fn new(covariances: Arc<Covariances>, means: Means) -> Self {
        let mut ln_likelihood = 0.0;
        for term in &means.terms {
            ln_likelihood += term;
        }
        Self { covariances, means, ln_likelihood }
    }

    pub(crate) fn covariances(&self) -> &Covariances {
        &self.covariances
    }

    pub(crate) const fn shared(&self) -> &Arc<Covariances> {
        &self.covariances
    }

    pub(crate) const fn means(&self) -> &Means {
        &self.means
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        self.means.terms.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.means.terms.is_empty()
    }

    /// The number n of states.
    pub fn states(&self) -> usize {
        self.covariances.steps.n
    }

    /// The number m of outputs.
    pub fn width(&self) -> usize {
        self.covariances.steps.m
    }

    /// E[x(t) | y(0), …, y(t)].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        let n = self.states();
        &self.means.filtered[t * n..(t + 1) * n]
    }

    /// Cov[x(t) | y(0), …, y(t)].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        self.squared(self.covariances.steps.filtered(t))
    }

    /// E[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_mean(&self, t: usize) -> &[f64] {
        let n = self.states();
        &self.means.predicted[t * n..(t + 1) * n]
    }

    /// Cov[x(t) | y(0), …, y(t-1)].
    #[track_caller]
    pub fn predicted_covariance(&self, t: usize) -> DMatrix<f64> {
        self.squared(self.covariances.steps.predicted(t))
    }

    /// The covariance that is stored as itself or as a root.
    fn squared(&self, distribution: &[f64]) -> DMatrix<f64> {
        let n = self.states();
        let distribution = DMatrix::from_column_slice(n, n, distribution);
        match self.covariances.form {
            CovarianceForm::SquareRoot => &distribution * distribution.transpose(),
            CovarianceForm::Joseph => distribution,
        }
    }

    /// The columns D (n x k) along which nothing is known after the observation at time `t`: the covariance
    /// is D Dᵀ times infinity, plus [`covariance`](Self::covariance). No column if nothing is diffuse.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn diffuse_directions(&self, t: usize) -> DMatrix<f64> {
        assert!(t < self.len(), "time {t} of {}", self.len());
        match self.covariances.diffuse.get(t) {
            Some(step) => step.directions.clone(),
            None => DMatrix::zeros(self.states(), 0),
        }
    }

    /// The first time after which nothing is diffuse: how many observations the start spends at most.
    pub fn diffuse_times(&self) -> usize {
        self.covariances.diffuse.len()
    }

    /// y(t) - E[y(t) | y(0), …, y(t-1)], NaN where missing.
    #[track_caller]
    pub fn innovation(&self, t: usize) -> DVector<f64> {
        let (which, whitened) = self.observed(t);
        let root = self.root(t, which.len());
        let mut innovation = DVector::from_element(self.width(), f64::NAN);
        for (&component, value) in which.iter().zip((root * whitened).iter()) {
            innovation[component] = *value;
        }
        innovation
    }

    /// Cov[y(t) | y(0), …, y(t-1)], NaN where missing. Infinite variances of a diffuse start are left out: of
    /// a component that was spent on it the entries mean nothing.
    #[track_caller]
    pub fn innovation_covariance(&self, t: usize) -> DMatrix<f64> {
        let (which, _) = self.observed(t);
        let root = self.root(t, which.len());
        let some = &root * root.transpose();
        let mut all = DMatrix::from_element(self.width(), self.width(), f64::NAN);
        for (i, &row) in which.iter().enumerate() {
            for (j, &column) in which.iter().enumerate() {
                all[(row, column)] = some[(i, j)];
            }
        }
        all
    }

    /// The innovations in units of their standard deviation, each after those of the components before it:
    /// independent and standard normal if the model is right. NaN where missing, or spent on what was
    /// diffuse.
    #[track_caller]
    pub fn standardized_innovation(&self, t: usize) -> DVector<f64> {
        let m = self.width();
        let mut standardized = DVector::from_column_slice(&self.means.whitened[t * m..(t + 1) * m]);
        if let Some(spent) = self.covariances.steps.spent.get(t) {
            let (which, _) = self.observed(t);
            for &i in spent {
                standardized[which[i]] = f64::NAN;
            }
        }
        standardized
    }

    /// K (n x m), by which the innovations change the mean; zero columns where missing.
    #[track_caller]
    pub fn gain(&self, t: usize) -> DMatrix<f64> {
        let (which, _) = self.observed(t);
        let (n, count) = (self.states(), which.len());
        let mut gain = DMatrix::zeros(n, self.width());
        let mut some = DMatrix::from_column_slice(n, count, &self.step(t).gain[..n * count]).transpose();
        // G = K S, so Kᵀ = S⁻ᵀ Gᵀ. The diagonal of S is not zero.
        self.root(t, count).tr_solve_lower_triangular_mut(&mut some);
        for (i, &component) in which.iter().enumerate() {
            gain.set_column(component, &some.row(i).transpose());
        }
        gain
    }

    fn step(&self, t: usize) -> super::steps::Step<'_> {
        let steps = &self.covariances.steps;
        steps.stored(steps.numbers[t] as usize)
    }

    fn root(&self, t: usize, observed: usize) -> DMatrix<f64> {
        DMatrix::from_column_slice(observed, observed, &self.step(t).root[..observed * observed])
    }

    /// Which components are not missing, and their innovations divided by the root.
    fn observed(&self, t: usize) -> (Vec<usize>, DVector<f64>) {
        let m = self.width();
        let row = &self.means.whitened[t * m..(t + 1) * m];
        let which: Vec<usize> = (0..m).filter(|&i| !row[i].is_nan()).collect();
        let values = DVector::from_iterator(which.len(), which.iter().map(|&i| row[i]));
        (which, values)
    }

    /// ln p(y), of all that was observed.
    ///
    /// If the start is diffuse, that of Durbin and Koopman (Time Series Analysis by State Space Methods, 2nd
    /// ed., section 7.2.2): the limit of ln p(y) + (r/2) ln κ, where κ is the variance along the r directions
    /// that the observations determine.
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    /// ln p(y(t) | y(0), …, y(t-1)) for each t; zero where all is missing.
    pub fn ln_likelihood_terms(&self) -> &[f64] {
        &self.means.terms
    }

    /// The distributions of H x(t) + d, what is seen without its noise, given y(0), …, y(t).
    ///
    /// # Errors
    /// If `model` is not of the same size and length.
    #[track_caller]
    pub fn signal(&self, model: &StateSpace, t: usize) -> Result<crate::Signal, Error> {
        self.check(model)?;
        let n = self.states();
        let distribution = DMatrix::from_column_slice(n, n, self.covariances.steps.filtered(t));
        Ok(crate::Signal::of(model, t, self.mean(t), |matrix| {
            let moved = matrix * distribution;
            match self.covariances.form {
                CovarianceForm::SquareRoot => &moved * moved.transpose(),
                CovarianceForm::Joseph => moved * matrix.transpose(),
            }
        }))
    }

    /// Whether a model is of the size and length of what was filtered.
    pub(crate) fn check(&self, model: &StateSpace) -> Result<(), Error> {
        check::dimension("states of the model", self.states(), model.states())?;
        check::dimension("components of the model", self.width(), model.width())?;
        Ok(check::enough("times of the model", self.len(), model.times().unwrap_or(usize::MAX))?)
    }
}
