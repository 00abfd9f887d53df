//! The smoother of Rauch, Tung and Striebel: the distribution of each state given all observations.

mod coordinates;
mod diffuse;
mod links;

use std::sync::Arc;

use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::filter::Covariances;
use crate::{Error, Filtered, Signal, StateSpace};

/// For each time the distribution of the state given all observations.
///
/// It has the numbers of the smoother of Rauch, Tung and Striebel (1965), in square-root form and without a
/// solve: the state after an observation is m + F z with z standard normal, and the rotation that reduced the
/// filter's array says what z is in terms of the z of the next time, of the innovation and of independent
/// noise. All these factors are parts of orthogonal matrices. So states may be known exactly, covariances are
/// positive semidefinite whatever rounding does, and never larger than the filter's. A filter in the form of
/// Joseph has no roots; they are computed first.
#[derive(Debug, Clone, PartialEq)]
pub struct Smoothed {
    covariances: Arc<SmoothedCovariances>,
    /// n for each time.
    means: Vec<f64>,
    ln_likelihood: f64,
}

/// Covariances given all observations, and what the means need.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SmoothedCovariances {
    pub(crate) n: usize,
    pub(crate) m: usize,
    /// The filter's, in square-root form.
    pub(crate) filter: Arc<Covariances>,
    /// For each time the number of its distribution, and of the covariance with the next time.
    pub(crate) numbers: Vec<u32>,
    pub(crate) distributions: Vec<f64>,
    pub(crate) lag_ones: Vec<f64>,
    /// For each time the number of the link to the next.
    pub(crate) links: Vec<u32>,
    /// n x n for each link: of coordinates, or the gain of Rauch, Tung and Striebel.
    pub(crate) responses: Vec<f64>,
    /// n x m for each link: what an innovation, divided by its root, adds to the coordinates.
    pub(crate) shifts: Vec<f64>,
}

impl Filtered {
    /// The distributions of the states given all observations.
    ///
    /// # Errors
    /// If `model` is not of the same size and length, or the observations leave something diffuse.
    pub fn smooth(&self, model: &StateSpace) -> Result<Smoothed, Error> {
        self.check(model)?;
        Smoothed::with(Arc::new(SmoothedCovariances::of(model, self)?), self)
    }
}

impl Smoothed {
    /// The means, where the covariances are known.
    pub(crate) fn with(covariances: Arc<SmoothedCovariances>, filtered: &Filtered) -> Result<Self, Error> {
        let means = links::means(&covariances, filtered);
        match means.iter().position(|entry| !entry.is_finite()) {
            Some(place) => Err(Error::Overflow { time: place / filtered.states() }),
            None => Ok(Self { covariances, means, ln_likelihood: filtered.ln_likelihood() }),
        }
    }

    /// How many times.
    pub fn len(&self) -> usize {
        self.covariances.numbers.len()
    }

    /// Whether there is no time.
    pub fn is_empty(&self) -> bool {
        self.covariances.numbers.is_empty()
    }

    /// The number n of states.
    pub fn states(&self) -> usize {
        self.covariances.n
    }

    /// E[x(t) | y].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        let n = self.states();
        &self.means[t * n..(t + 1) * n]
    }

    /// Cov[x(t) | y].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        let n = self.states();
        let root = DMatrix::from_column_slice(n, n, self.root(t));
        &root * root.transpose()
    }

    /// F with Cov[x(t) | y] = F Fᵀ, column by column.
    pub(crate) fn root(&self, t: usize) -> &[f64] {
        self.covariances.distribution(t)
    }

    /// Cov[x(t+1), x(t) | y].
    #[track_caller]
    pub fn lag_one_covariance(&self, t: usize) -> DMatrix<f64> {
        let n = self.states();
        DMatrix::from_column_slice(n, n, self.covariances.lag_one(t))
    }

    /// The distribution of H x(t) + d, what is seen without its noise.
    ///
    /// # Errors
    /// If `model` is not of the same size and length.
    #[track_caller]
    pub fn signal(&self, model: &StateSpace, t: usize) -> Result<Signal, Error> {
        check::dimension("states of the model", self.states(), model.states())?;
        check::enough("times of the model", self.len(), model.times().unwrap_or(usize::MAX))?;
        let n = self.states();
        Ok(Signal::of(model, t, self.mean(t), |matrix| {
            let moved = matrix * DMatrix::from_column_slice(n, n, self.root(t));
            &moved * moved.transpose()
        }))
    }

    /// ln p(y).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}
