//! The joint density of observations and parameters: what is climbed, and what samplers move on.

use posterior_dist::target::{EvalError, GradTarget, HessianTarget, Target};
use posterior_math::check;
use posterior_math::linalg::{DMatrix, transpose_multiply};

use super::forward::{BLOCK, Trace, with_ones};
use super::{Layer, Network, NetworkData, NetworkHyperparameters};
use crate::Error;

/// ln p(y, w | x), as a function of the parameters w of a network: a target with gradient and Hessian.
///
/// The normalisers of prior and likelihood are in it, so that its integral is the evidence.
///
/// ```
/// use posterior_dist::target::Target;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::network::{Activation, NetworkHyperparameters, Joint, Network, NetworkData};
///
/// let x = DMatrix::from_column_slice(2, 1, &[-1.0, 1.0]);
/// let observations = NetworkData::binary(x, &[false, true])?;
/// let network = Network::new(1, &[], 1, Activation::Tanh)?;
/// let joint = Joint::new(network, observations, NetworkHyperparameters::new(1.0)?)?;
/// // Two coins, and the normaliser of a prior on two parameters.
/// let expected = 2.0 * 0.5_f64.ln() - std::f64::consts::TAU.ln();
/// assert!((joint.ln_density(&[0.0, 0.0])? - expected).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Joint {
    network: Network,
    observations: NetworkData,
    hyperparameters: NetworkHyperparameters,
    batches: Vec<Batch>,
}

/// Rows that go through the network together.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    /// With a column of ones.
    pub(super) inputs: DMatrix<f64>,
    pub(super) targets: DMatrix<f64>,
}

impl Joint {
    /// The joint density of these observations and the parameters of this network.
    ///
    /// # Errors
    /// Other numbers of inputs or outputs than the network has, or precisions that are neither one nor one
    /// for each layer.
    pub fn new(
        network: Network,
        observations: NetworkData,
        hyperparameters: NetworkHyperparameters,
    ) -> Result<Self, Error> {
        network.check_inputs(observations.inputs())?;
        check::dimension("outputs of the network", observations.targets().ncols(), network.outputs())?;
        hyperparameters.check(&network)?;
        let batches = (0..observations.len())
            .step_by(BLOCK)
            .map(|start| {
                let rows = BLOCK.min(observations.len() - start);
                Batch {
                    inputs: with_ones(&observations.inputs().rows(start, rows).into_owned()),
                    targets: observations.targets().rows(start, rows).into_owned(),
                }
            })
            .collect();
        Ok(Self { network, observations, hyperparameters, batches })
    }

    /// The same observations under other hyperparameters.
    ///
    /// # Errors
    /// Precisions that are neither one nor one for each layer.
    pub fn with_hyperparameters(self, hyperparameters: NetworkHyperparameters) -> Result<Self, Error> {
        hyperparameters.check(&self.network)?;
        Ok(Self { hyperparameters, ..self })
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// What was observed.
    pub const fn observations(&self) -> &NetworkData {
        &self.observations
    }

    /// The hyperparameters.
    pub const fn hyperparameters(&self) -> &NetworkHyperparameters {
        &self.hyperparameters
    }

    /// ln p(y | w, x).
    ///
    /// # Errors
    /// Another number of parameters than the network has, or parameters that are not finite.
    pub fn ln_likelihood(&self, w: &[f64]) -> Result<f64, Error> {
        self.network.check_parameters(w)?;
        let matrices = self.network.matrices(w);
        Ok(self
            .batches
            .iter()
            .map(|batch| self.of_batch(&Trace::new(&self.network, &matrices, &batch.inputs), batch).0)
            .sum())
    }

    /// ln p(w).
    ///
    /// # Errors
    /// As for [`ln_likelihood`](Self::ln_likelihood).
    pub fn ln_prior(&self, w: &[f64]) -> Result<f64, Error> {
        self.network.check_parameters(w)?;
        Ok(self.ln_prior_at_zero() - self.penalty(w))
    }

    pub(super) fn batches(&self) -> &[Batch] {
        &self.batches
    }

    /// ln p of a batch, and its negative's derivatives by the outputs.
    pub(super) fn of_batch(&self, trace: &Trace<'_>, batch: &Batch) -> (f64, DMatrix<f64>) {
        let noise_variance = self.hyperparameters.noise_variance();
        self.observations.head().ln_likelihood(&trace.outputs, &batch.targets, noise_variance)
    }

    /// What ln p(w) is at w = 0, its largest value.
    pub(super) fn ln_prior_at_zero(&self) -> f64 {
        let of_layer = |(index, layer): (usize, &Layer)| {
            0.5 * layer.range().len() as f64
                * (self.hyperparameters.of_layer(index) / std::f64::consts::TAU).ln()
        };
        self.network.layers().iter().enumerate().map(of_layer).sum()
    }

    /// Half of the sum of precision · w².
    fn penalty(&self, w: &[f64]) -> f64 {
        let of_layer = |(index, layer): (usize, &Layer)| {
            let squares = w[layer.range()].iter().map(|w| w * w);
            0.5 * self.hyperparameters.of_layer(index) * squares.sum::<f64>()
        };
        self.network.layers().iter().enumerate().map(of_layer).sum()
    }

    /// -ln p(y of some batches | w) times `proportion` plus the penalty of the prior, and its gradient: -ln
    /// p(y, w) up to [`ln_prior_at_zero`](Self::ln_prior_at_zero).
    pub(super) fn loss<'a>(
        &'a self,
        batches: impl Iterator<Item = &'a Batch>,
        proportion: f64,
        w: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let matrices = self.network.matrices(w);
        gradient.fill(0.0);
        let mut value = 0.0;
        for batch in batches {
            let trace = Trace::new(&self.network, &matrices, &batch.inputs);
            let (ln_likelihood, slope) = self.of_batch(&trace, batch);
            value -= ln_likelihood;
            trace.pull_back(slope, |layer, delta| {
                let product = transpose_multiply(trace.layer_inputs(layer), delta);
                let range = self.network.layers()[layer].range();
                for (sum, term) in gradient[range].iter_mut().zip(product.as_slice()) {
                    *sum += term;
                }
            });
        }
        for (index, layer) in self.network.layers().iter().enumerate() {
            let precision = self.hyperparameters.of_layer(index);
            for (slope, w) in gradient[layer.range()].iter_mut().zip(&w[layer.range()]) {
                *slope = proportion * *slope + precision * w;
            }
        }
        proportion * value + self.penalty(w)
    }

    /// All observations that are in the given rows, as one batch.
    pub(super) fn rows(&self, rows: &[usize]) -> Batch {
        Batch {
            inputs: with_ones(&self.observations.inputs().select_rows(rows)),
            targets: self.observations.targets().select_rows(rows),
        }
    }
}

fn finite(value: f64) -> Result<f64, EvalError> {
    if value.is_nan() || value == f64::INFINITY {
        Err(EvalError::reject(format!("ln p(y, w) is {value}")))
    } else {
        Ok(value)
    }
}

impl Target for Joint {
    fn dim(&self) -> usize {
        self.network.parameters()
    }

    fn ln_density(&self, w: &[f64]) -> Result<f64, EvalError> {
        let ln_likelihood = self.ln_likelihood(w).map_err(EvalError::reject)?;
        finite(ln_likelihood + self.ln_prior_at_zero() - self.penalty(w))
    }
}

impl GradTarget for Joint {
    fn ln_density_grad(&self, w: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.network.check_parameters(w).map_err(EvalError::reject)?;
        let value = self.ln_prior_at_zero() - self.loss(self.batches.iter(), 1.0, w, gradient);
        for slope in gradient {
            *slope = -*slope;
        }
        finite(value)
    }
}

impl HessianTarget for Joint {
    fn ln_density_hessian(
        &self,
        w: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        let value = self.ln_density_grad(w, gradient)?;
        hessian.fill(0.0);
        self.add_negative_hessian(w, hessian);
        for (index, layer) in self.network.layers().iter().enumerate() {
            for at in layer.range() {
                hessian[(at, at)] += self.hyperparameters.of_layer(index);
            }
        }
        hessian.neg_mut();
        Ok(value)
    }
}
