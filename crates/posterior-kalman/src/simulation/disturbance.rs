//! The simulation smoother of Durbin and Koopman.

use posterior_gaussian::GaussianSampler;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;

use super::forward::Path;
use crate::disturbances::{Forward, Update};
use crate::{Error, Series, StateSpace};

/// Draws the states given all observations: a path of the model, corrected by what the observations say about
/// its difference from the truth.
///
/// Where x⁺ and y⁺ are drawn from the model, x⁺ + E[x | y] - E[x | y⁺] has the distribution of x given y. The
/// start may be diffuse, and what is never observed of it stays zero; numbers beyond the range of f64 become
/// infinite. A draw is a row for each time, and costs O(T n²): the gains are those of all series of the
/// model.
///
/// # References
/// J. Durbin, S. J. Koopman, A simple and efficient simulation smoother for state space time series analysis,
/// Biometrika 89, 2002.
#[derive(Debug, Clone)]
pub struct DisturbanceSampler {
    model: StateSpace,
    /// Of the first state, along all that is not diffuse.
    start: GaussianSampler,
    series: Series,
    updates: Vec<Update>,
    /// F with Cov[β | y] = F Fᵀ.
    diffuse_root: DMatrix<f64>,
}

impl DisturbanceSampler {
    /// From a model and what was observed.
    ///
    /// # Errors
    /// If the series does not fit the model, an innovation has a singular covariance (of a diffuse start:
    /// given the state along what is diffuse), or numbers overflow.
    pub fn new(model: &StateSpace, series: &Series) -> Result<Self, Error> {
        let forward = Forward::new(model, series)?;
        Ok(Self {
            model: model.clone(),
            start: model.initial().distribution().sampler()?,
            series: series.clone(),
            updates: forward.updates,
            diffuse_root: forward.directions.root,
        })
    }

    /// E[x | y], the centre of the draws: a row for each time.
    pub(crate) fn mean(&self) -> DMatrix<f64> {
        let path = Path::expected(&self.model, self.series.len());
        path.states.transpose() + self.smoothed(|t, i| self.series.at(t)[i] - path.observation(t)[i])
    }

    /// E[x | y] as a linear function of y: of a model without offsets, whose start has mean zero.
    fn smoothed(&self, y: impl Fn(usize, usize) -> f64) -> DMatrix<f64> {
        let (n, k) = (self.model.states(), self.diffuse_root.nrows());
        let matrix = |t: usize| self.model.transition().matrix().matrix(t);
        let mut mean = DVector::zeros(n);
        let mut means = Vec::with_capacity(self.updates.len());
        let mut information = DVector::zeros(k);
        for (t, update) in self.updates.iter().enumerate() {
            let seen = DVector::from_iterator(update.there.len(), update.there.iter().map(|&i| y(t, i)));
            let innovation = seen - &update.observed * &mean;
            information -= update.innovations.columns(1, k).tr_mul(&update.factor.solve_vector(&innovation));
            let filtered = &mean + &update.gain * &innovation;
            means.push((mean, innovation));
            mean = if t + 1 < self.updates.len() { matrix(t) * filtered } else { filtered };
        }
        let beta = &self.diffuse_root * self.diffuse_root.tr_mul(&information);
        let mut path = DMatrix::zeros(self.updates.len(), n);
        let mut pulled = DVector::zeros(n);
        for (t, (update, (mean, innovation))) in self.updates.iter().zip(&means).enumerate().rev() {
            let innovation = innovation + update.innovations.columns(1, k) * &beta;
            let adjoint = update.factor.solve_vector(&innovation) - update.gain.tr_mul(&pulled);
            let state = &pulled + update.observed.tr_mul(&adjoint);
            let smoothed = mean + update.means.columns(1, k) * &beta + &update.covariance * &state;
            path.row_mut(t).copy_from(&smoothed.transpose());
            if t > 0 {
                pulled = matrix(t - 1).tr_mul(&state);
            }
        }
        path
    }
}

impl Distribution<DMatrix<f64>> for DisturbanceSampler {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DMatrix<f64> {
        let path = Path::draw(&self.model, &self.start, self.series.len(), rng);
        path.states.transpose() + self.smoothed(|t, i| self.series.at(t)[i] - path.observation(t)[i])
    }
}
