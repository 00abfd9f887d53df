//! What each response would have been predicted to be from all others.

use posterior_math::check;
use std::f64::consts::TAU;

use super::LinearData;
use super::known_noise::{LinearPosterior, NormalPredictions};
use crate::Error;

/// Predictions of each response from all others.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LeaveOneOut {
    /// Mean and variance of each response, its noise included; an infinite variance for a row of weight zero.
    pub prediction: NormalPredictions,
    /// How much each row predicts itself: φᵀ C φ w/σ², from 0 to 1. Their sum is the number of effective
    /// parameters.
    pub leverage: Vec<f64>,
    /// Σ ln p(yᵢ | all others), over rows with a positive weight.
    pub ln_score: f64,
}

impl LinearPosterior {
    /// The leave-one-out predictions of the data that the posterior was computed from, in closed form: the
    /// mean is y - r/(1 - h), the variance σ²/(w (1 - h)), for the residual r and the leverage h.
    ///
    /// # Errors
    /// If the data are of another number of features, or a row has leverage 1: without it the prior would be
    /// flat in some direction.
    pub fn leave_one_out(&self, data: &LinearData<'_>) -> Result<LeaveOneOut, Error> {
        check::dimension("features", self.mean.len(), data.features())?;
        check::dimension("outputs", 1, data.outputs)?;
        let fitted = data.design * &self.mean;
        let mut distribution = NormalPredictions { mean: Vec::new(), variance: Vec::new() };
        let mut leverage = Vec::new();
        let mut ln_score = 0.0;
        for (row, spread) in self.spread.variances_at(data.design).into_iter().enumerate() {
            let weight = data.weight(row);
            let h = spread * weight / self.noise_variance;
            if !(1.0 - h > 4.0 * f64::EPSILON) {
                let requirement = "below 1: no other row says what this one does";
                return Err(Error::Observation { what: "leverage", row, value: h, requirement });
            }
            let residual = data.response[row] - data.offset.map_or(0.0, |offset| offset[row]) - fitted[row];
            let variance = self.noise_variance / (weight * (1.0 - h));
            let error = residual / (1.0 - h);
            distribution.mean.push(data.response[row] - error);
            distribution.variance.push(variance);
            leverage.push(h);
            if weight > 0.0 {
                ln_score -= 0.5 * (error * (error / variance) + (TAU * variance).ln());
            }
        }
        Ok(LeaveOneOut { prediction: distribution, leverage, ln_score })
    }
}
