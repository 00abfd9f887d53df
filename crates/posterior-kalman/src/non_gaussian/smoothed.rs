//! What weighted draws of a signal say.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::log_space::ln_sum_exp;
use posterior_sampling::estimate::{Estimate, LnEstimate, ln_mean_exp};
use posterior_sampling::importance::{ImportanceWeights, Resampling};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{GaussianMode, SignalLikelihood};
use crate::{Error, StateSpace};

/// The signal given all observations: draws with weights.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedSignals {
    states: StateSpace,
    likelihood: SignalLikelihood,
    mode: GaussianMode,
    /// A row for each draw, a column for each time; pairs of mirrored draws one after another.
    signals: DMatrix<f64>,
    /// The states at the last time, a row for each draw.
    last: DMatrix<f64>,
    weights: ImportanceWeights,
    ln_likelihood: LnEstimate,
}

impl WeightedSignals {
    pub(super) fn new(
        (states, likelihood): (&StateSpace, &SignalLikelihood),
        mode: GaussianMode,
        (signals, last): (DMatrix<f64>, DMatrix<f64>),
        weights: ImportanceWeights,
    ) -> Result<Self, Error> {
        // Pairs are independent, and their halves are not.
        let pairs = weights.ln().chunks_exact(2);
        let of_pairs: Vec<f64> = pairs.map(|pair| ln_sum_exp(pair) - std::f64::consts::LN_2).collect();
        let mut ln_likelihood = ln_mean_exp(&of_pairs)?;
        ln_likelihood.ln_value += mode.gaussian_ln_likelihood;
        ln_likelihood.draws *= 2;
        let (states, likelihood) = (states.clone(), likelihood.clone());
        Ok(Self { states, likelihood, mode, signals, last, weights, ln_likelihood })
    }

    /// ln p(y), of a diffuse start as for Gaussian observations, with the standard deviation that the draws
    /// leave.
    pub const fn ln_likelihood(&self) -> LnEstimate {
        self.ln_likelihood
    }

    /// The mode, and the Gaussian model that was drawn from.
    pub const fn mode(&self) -> &GaussianMode {
        &self.mode
    }

    /// The weights of the draws, whose effective number says how good a stand-in the Gaussian model is.
    pub const fn weights(&self) -> &ImportanceWeights {
        &self.weights
    }

    /// The draws of the signal: a row for each, a column for each time.
    pub const fn signals(&self) -> &DMatrix<f64> {
        &self.signals
    }

    /// E[f(θ) | y] of a function of the signal at all times, with its standard error.
    ///
    /// # Errors
    /// A value that is not finite.
    pub fn expectation(&self, mut function: impl FnMut(&[f64]) -> f64) -> Result<Estimate, Error> {
        let values: Vec<f64> =
            self.signals.row_iter().map(|row| function(row.transpose().as_slice())).collect();
        self.weights.mean(&values)?;
        let normalised = self.weights.normalised();
        let mean: f64 = normalised.iter().zip(&values).map(|(w, f)| w * f).sum();
        // The error of the delta method, over independent pairs.
        let pairs = normalised.chunks_exact(2).zip(values.chunks_exact(2));
        let error =
            pairs.map(|(w, f)| (w[0] * (f[0] - mean) + w[1] * (f[1] - mean)).powi(2)).sum::<f64>().sqrt();
        Ok(Estimate { value: mean, standard_error: error, draws: values.len() })
    }

    /// The mean and the variance of the signal at each time.
    pub fn moments(&self) -> Vec<(f64, f64)> {
        let weights = self.weights.normalised();
        let of = |column: &[f64]| {
            let mean: f64 = column.iter().zip(weights).map(|(theta, w)| theta * w).sum();
            (mean, column.iter().zip(weights).map(|(theta, w)| w * (theta - mean).powi(2)).sum())
        };
        (0..self.signals.ncols()).map(|t| of(self.signals.column(t).as_slice())).collect()
    }

    /// Draws of what will be seen at the next `horizon` times: a row for each draw. Intervals are quantiles
    /// of columns; sums over time are sums of rows.
    ///
    /// # Errors
    /// If the model does not reach so far, there are no observations yet, or a state overflows.
    pub fn forecast_paths<R: Rng + ?Sized>(
        &self,
        horizon: usize,
        draws: usize,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        let length = self.signals.ncols();
        check::at_least_one("forecast_paths", "times", length)?;
        let reach = length.saturating_add(horizon);
        check::enough("times of the model", reach, self.states.times().unwrap_or(usize::MAX))?;
        let chosen = Resampling::default().indices(self.weights.normalised(), draws, rng)?;
        let (transition, observation) = (self.states.transition(), self.states.observation());
        let mut paths = DMatrix::zeros(draws, horizon);
        for (row, &place) in chosen.iter().enumerate() {
            let mut state: DVector<f64> = self.last.row(place).transpose();
            for step in 0..horizon {
                let t = length + step;
                let root = transition.noise_root().matrix(t - 1);
                let noise = DVector::from_fn(root.ncols(), |_, _| StandardNormal.sample(rng));
                let offset = DVector::from_column_slice(transition.offset().at(t - 1));
                state = transition.matrix().matrix(t - 1) * state + offset + root * noise;
                let signal = observation.matrix().matrix(t) * &state;
                let theta = signal[0] + observation.offset().at(t)[0];
                paths[(row, step)] = self.likelihood.draw(t, theta, rng)?;
            }
        }
        Ok(paths)
    }
}
