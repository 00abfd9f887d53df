//! What is fixed while weights are learned: the precisions of the prior, and the variance of the noise.

use posterior_math::check::{DimensionError, ParamError, positive};

use super::Network;
use crate::Error;

/// The precisions of the prior w ~ N(0, 1/precision), and the noise variance of
/// [`Head::Gaussian`](super::Head::Gaussian).
///
/// A precision is that of each weight and each bias of a layer: an inverse variance. L2 regularisation with
/// the factor λ on |w|²/2 is the precision λ.
///
/// ```
/// use posterior_regression::network::NetworkHyperparameters;
///
/// let shared = NetworkHyperparameters::new(0.1)?.with_noise_variance(0.01)?;
/// let by_layer = NetworkHyperparameters::by_layer(&[1.0, 0.1])?;
/// assert_eq!((shared.precisions(), by_layer.noise_variance()), (&[0.1][..], 1.0));
/// # Ok::<(), posterior_math::check::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "super::written::Numbers", try_from = "super::written::Numbers")
)]
pub struct NetworkHyperparameters {
    precisions: Vec<f64>,
    noise_variance: f64,
}

impl NetworkHyperparameters {
    /// One precision for all layers, and a noise variance of 1.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn new(precision: f64) -> Result<Self, ParamError> {
        Self::by_layer(&[precision])
    }

    /// A precision for each layer, the first layer's first, and a noise variance of 1.
    ///
    /// # Errors
    /// Unless all are positive and finite.
    pub fn by_layer(precisions: &[f64]) -> Result<Self, ParamError> {
        for (index, &precision) in precisions.iter().enumerate() {
            positive("Hyperparameters", "precision", precision).map_err(|error| error.at(index))?;
        }
        Ok(Self { precisions: precisions.to_vec(), noise_variance: 1.0 })
    }

    /// The same with another noise variance.
    ///
    /// # Errors
    /// Unless it is positive and finite.
    pub fn with_noise_variance(self, noise_variance: f64) -> Result<Self, ParamError> {
        positive("Hyperparameters", "noise_variance", noise_variance)?;
        Ok(Self { noise_variance, ..self })
    }

    /// The precisions: one for all layers, or one for each.
    pub fn precisions(&self) -> &[f64] {
        &self.precisions
    }

    /// The noise variance.
    pub const fn noise_variance(&self) -> f64 {
        self.noise_variance
    }

    /// The precision of a layer.
    pub(super) fn of_layer(&self, layer: usize) -> f64 {
        self.precisions[self.group(layer)]
    }

    /// Which of the precisions is that of a layer.
    pub(super) const fn group(&self, layer: usize) -> usize {
        if self.precisions.len() == 1 { 0 } else { layer }
    }

    pub(super) fn check(&self, network: &Network) -> Result<(), Error> {
        let (expected, found) = (network.layers().len(), self.precisions.len());
        if found == 1 || found == expected {
            Ok(())
        } else {
            Err(DimensionError::new("precisions of layers", expected, found).into())
        }
    }
}
