//! The smoother of Rauch, Tung and Striebel: the law of each state given all observations.

use posterior_dist::MomentGaussian;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use crate::error::size;
use crate::{Error, Filtered, StateSpace};

/// For each time the law of the state given all observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Smoothed {
    laws: Vec<MomentGaussian>,
    lag_one: Vec<DMatrix<f64>>,
    ln_likelihood: f64,
}

impl Smoothed {
    pub(crate) fn new(model: &StateSpace, filtered: &Filtered) -> Result<Self, Error> {
        size("states of the model", filtered.states(), model.states())?;
        let length = filtered.len();
        let mut laws: Vec<MomentGaussian> = Vec::with_capacity(length);
        let mut lag_one = Vec::with_capacity(length.saturating_sub(1));
        for t in (0..length).rev() {
            let (mean, covariance) = (DVector::from_column_slice(filtered.mean(t)), filtered.covariance(t));
            let Some(next) = laws.last() else {
                laws.push(MomentGaussian::new(mean.as_slice(), &covariance)?);
                continue;
            };
            let predicted = filtered.predicted_covariance(t + 1);
            let transition = model.transition().matrix().matrix(t);
            let gain = Cholesky::new(&predicted)?.solve(&(transition * &covariance)).transpose();
            let ahead = DVector::from_column_slice(filtered.predicted_mean(t + 1));
            let smoothed = &mean + &gain * (next.mean() - ahead);
            let spread = &covariance + &gain * (next.covariance() - predicted) * gain.transpose();
            lag_one.push(next.covariance() * gain.transpose());
            laws.push(MomentGaussian::new(smoothed.as_slice(), &spread)?);
        }
        laws.reverse();
        lag_one.reverse();
        Ok(Self { laws, lag_one, ln_likelihood: filtered.ln_likelihood() })
    }

    /// How many times.
    pub const fn len(&self) -> usize {
        self.laws.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    /// E[x(t) | y].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.laws[t].mean().as_slice()
    }

    /// Cov[x(t) | y].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        self.laws[t].covariance().clone()
    }

    /// Cov[x(t+1), x(t) | y].
    #[track_caller]
    pub fn lag_one_covariance(&self, t: usize) -> DMatrix<f64> {
        self.lag_one[t].clone()
    }

    /// ln p(y).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}
