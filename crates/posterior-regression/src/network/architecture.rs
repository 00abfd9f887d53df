//! A multilayer perceptron: its layers, and where their parameters stand in one vector.

use std::ops::Range;

use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::Activation;
use crate::Error;

/// More parameters than this are refused: 2 GB.
const MOST_PARAMETERS: usize = 1 << 28;

/// A multilayer perceptron: a function with parameters w, from inputs to outputs.
///
/// Each layer multiplies by its weights and adds its biases; between layers stands the activation. Without
/// hidden layers it is an affine function. All parameters are in one vector: layer after layer, within a
/// layer unit after unit, and for each unit the weights of its inputs, then its bias.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::network::{Activation, Network};
///
/// let network = Network::new(2, &[3], 1, Activation::Tanh)?;
/// assert_eq!(network.parameters(), 3 * (2 + 1) + (3 + 1));
/// let mut w = vec![0.0; network.parameters()];
/// w[network.layers()[1].bias(0)] = 0.5;
/// let x = DMatrix::from_row_slice(1, 2, &[1.0, -1.0]);
/// assert_eq!(network.outputs_at(&w, &x)?[(0, 0)], 0.5);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "super::written::Sizes", try_from = "super::written::Sizes")
)]
pub struct Network {
    layers: Vec<Layer>,
    activation: Activation,
}

/// One layer of a [`Network`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layer {
    inputs: usize,
    units: usize,
    start: usize,
}

impl Layer {
    /// The number of inputs of each unit, without the bias.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of units.
    pub const fn units(&self) -> usize {
        self.units
    }

    /// Where the parameters of the layer stand.
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + (self.inputs + 1) * self.units
    }

    /// Where the weight of an input of a unit stands.
    pub const fn weight(&self, input: usize, unit: usize) -> usize {
        self.start + unit * (self.inputs + 1) + input
    }

    /// Where the bias of a unit stands.
    pub const fn bias(&self, unit: usize) -> usize {
        self.weight(self.inputs, unit)
    }

    /// The parameters as a matrix: a column for each unit, the biases in the last row.
    pub(super) fn matrix(&self, w: &[f64]) -> DMatrix<f64> {
        DMatrix::from_column_slice(self.inputs + 1, self.units, &w[self.range()])
    }
}

impl Network {
    /// A network with hidden layers of these widths.
    ///
    /// # Errors
    /// A layer without units, or more than 2²⁸ parameters in all.
    pub fn new(
        inputs: usize,
        hidden: &[usize],
        outputs: usize,
        activation: Activation,
    ) -> Result<Self, Error> {
        let mut layers = Vec::with_capacity(hidden.len() + 1);
        let (mut inputs, mut start) = (inputs, 0_usize);
        for (index, &units) in hidden.iter().chain([&outputs]).enumerate() {
            let refused = |parameter, value: usize, requirement| {
                ParamError::new("Network", parameter, value as f64, requirement).at(index)
            };
            if units == 0 {
                return Err(refused("units", 0, "at least one").into());
            }
            let end = inputs
                .checked_add(1)
                .and_then(|rows| rows.checked_mul(units))
                .and_then(|size| size.checked_add(start))
                .filter(|&end| end <= MOST_PARAMETERS)
                .ok_or_else(|| refused("units", units, "fewer: at most 2^28 parameters in all"))?;
            layers.push(Layer { inputs, units, start });
            (inputs, start) = (units, end);
        }
        Ok(Self { layers, activation })
    }

    /// The layers, the one of the outputs last.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The activation of hidden units.
    pub const fn activation(&self) -> Activation {
        self.activation
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.last().units
    }

    /// The number of parameters.
    pub fn parameters(&self) -> usize {
        self.last().range().end
    }

    /// The layer of the outputs.
    pub(super) fn last(&self) -> &Layer {
        &self.layers[self.layers.len() - 1]
    }

    /// Parameters to start a search from: zero biases, and normal weights whose variance keeps the signal at
    /// one scale through the layers. It is 2 / (inputs + units), and 2 / inputs into units that cut half of
    /// their inputs off.
    ///
    /// # References
    /// X. Glorot, Y. Bengio, AISTATS 2010; K. He et al., ICCV 2015.
    pub fn initial_weights<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let mut w = vec![0.0; self.parameters()];
        for (index, layer) in self.layers.iter().enumerate() {
            let hidden = index + 1 < self.layers.len();
            let fan =
                if hidden && self.activation.halves() { layer.inputs } else { layer.inputs + layer.units };
            let deviation = (2.0 / fan.max(1) as f64).sqrt();
            for unit in 0..layer.units {
                for input in 0..layer.inputs {
                    w[layer.weight(input, unit)] = deviation * rng.sample::<f64, _>(StandardNormal);
                }
            }
        }
        w
    }

    /// The parameters as one matrix for each layer.
    pub(super) fn matrices(&self, w: &[f64]) -> Vec<DMatrix<f64>> {
        self.layers.iter().map(|layer| layer.matrix(w)).collect()
    }

    pub(super) fn check_parameters(&self, w: &[f64]) -> Result<(), Error> {
        check::dimension("parameters of the network", self.parameters(), w.len())?;
        match w.iter().position(|w| !w.is_finite()) {
            None => Ok(()),
            Some(at) => Err(ParamError::new("Network", "w", w[at], "finite").at(at).into()),
        }
    }

    pub(super) fn check_inputs(&self, x: &DMatrix<f64>) -> Result<(), Error> {
        check::dimension("columns of the inputs", self.inputs(), x.ncols())?;
        check_finite("the input", x)
    }
}

/// Refuses the first number that is not finite.
pub(super) fn check_finite(what: &'static str, x: &DMatrix<f64>) -> Result<(), Error> {
    match x.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => {
            Err(Error::Observation { what, row: at % x.nrows(), value: x[at], requirement: "finite" })
        }
    }
}
