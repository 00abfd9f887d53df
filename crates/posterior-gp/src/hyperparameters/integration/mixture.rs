//! Predictions of several models with weights.

use posterior_dist::{Mixture, Normal};
use posterior_math::check::ParamError;
use posterior_math::linalg::DVector;

use crate::regression::Prediction;

/// What several posteriors with weights predict at some places: at each a mixture of normal distributions.
#[derive(Debug, Clone, PartialEq)]
pub struct MixturePrediction {
    parts: Vec<(f64, Prediction)>,
}

impl MixturePrediction {
    /// Of predictions at the same places, with weights that add up to 1.
    pub const fn new(parts: Vec<(f64, Prediction)>) -> Self {
        Self { parts }
    }

    /// The predictions and their weights.
    pub fn parts(&self) -> &[(f64, Prediction)] {
        &self.parts
    }

    /// The mean at each place.
    pub fn mean(&self) -> DVector<f64> {
        self.average(|own| own.mean.clone())
    }

    /// The variance at each place: the mean of the variances, and the variance of the means.
    pub fn variance(&self) -> DVector<f64> {
        let mean = self.mean();
        self.average(|own| &own.variance + (&own.mean - &mean).map(|difference| difference * difference))
    }

    /// The distribution at a place; what is known exactly has a standard deviation of next to nothing.
    ///
    /// # Errors
    /// If a weight or a moment can't be.
    pub fn distribution(&self, place: usize) -> Result<Mixture<Normal>, ParamError> {
        let weights: Vec<f64> = self.parts.iter().map(|(weight, _)| *weight).collect();
        let normal = |(_, own): &(f64, Prediction)| {
            Normal::mean_sd(own.mean[place], own.variance[place].sqrt().max(f64::MIN_POSITIVE))
        };
        Mixture::from_weights(&weights, self.parts.iter().map(normal).collect::<Result<_, _>>()?)
    }

    fn average(&self, of: impl Fn(&Prediction) -> DVector<f64>) -> DVector<f64> {
        let terms = self.parts.iter().map(|(weight, own)| of(own) * *weight);
        terms.reduce(|sum, term| sum + term).unwrap_or_else(|| DVector::zeros(0))
    }
}
