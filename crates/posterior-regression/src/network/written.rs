//! Networks and hyperparameters as JSON and the like: what is read is checked as by the constructors.

use posterior_math::check::ParamError;
use serde::{Deserialize, Serialize};

use super::{Activation, Network, NetworkHyperparameters};
use crate::Error;

/// A network by its sizes.
#[derive(Serialize, Deserialize)]
pub(super) struct Sizes {
    inputs: usize,
    hidden: Vec<usize>,
    outputs: usize,
    activation: Activation,
}

impl From<Network> for Sizes {
    fn from(network: Network) -> Self {
        let before_last = network.layers().len() - 1;
        let hidden = network.layers()[..before_last].iter().map(super::Layer::units).collect();
        let (inputs, outputs, activation) = (network.inputs(), network.outputs(), network.activation());
        Self { inputs, hidden, outputs, activation }
    }
}

impl TryFrom<Sizes> for Network {
    type Error = Error;

    fn try_from(sizes: Sizes) -> Result<Self, Error> {
        Self::new(sizes.inputs, &sizes.hidden, sizes.outputs, sizes.activation)
    }
}

/// Hyperparameters before they are checked.
#[derive(Serialize, Deserialize)]
pub(super) struct Numbers {
    precisions: Vec<f64>,
    noise_variance: f64,
}

impl From<NetworkHyperparameters> for Numbers {
    fn from(checked: NetworkHyperparameters) -> Self {
        let noise_variance = checked.noise_variance();
        Self { precisions: checked.precisions().to_vec(), noise_variance }
    }
}

impl TryFrom<Numbers> for NetworkHyperparameters {
    type Error = ParamError;

    fn try_from(numbers: Numbers) -> Result<Self, ParamError> {
        Self::by_layer(&numbers.precisions)?.with_noise_variance(numbers.noise_variance)
    }
}
