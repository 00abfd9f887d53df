//! The Gaussian at the mode, and the evidence that it gives.

mod predict;
#[cfg(feature = "serde")]
mod written;

use std::ops::Range;

use posterior_dist::target::EvalError;
use posterior_math::linalg::DVector;

use super::curvature::OfLikelihood;
use super::precision::Precision;
use super::{Head, HessianKind, Joint, Network, NetworkHyperparameters};
use crate::Error;

/// Laplace's approximation of the posterior of a network: w ~ N(w*, Λ⁻¹), with Λ the curvature of -ln p(y,
/// w | x) at the mode w*.
///
/// ln p(y) ≈ ln p(y | w*) + ln p(w*) + P/2 ln 2π - ½ ln |Λ|. Exact for a network without hidden layers and
/// Gaussian noise. Predictions linearise the outputs about the mode ([`latent`](Self::latent)), or average
/// drawn networks.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::network::{
///     Activation, HessianKind, NetworkHyperparameters, Joint, NetworkLaplace, Network, NetworkData, NetworkFitOptions, fit,
/// };
///
/// let x = DMatrix::from_column_slice(6, 1, &[-3.0, -2.0, -1.0, 1.0, 2.0, 3.0]);
/// let observations = NetworkData::binary(x, &[false, false, false, true, true, true])?;
/// let network = Network::new(1, &[8], 1, Activation::Rectifier)?;
/// let joint = Joint::new(network, observations, NetworkHyperparameters::new(0.1)?)?;
/// let mode = fit(&joint, &NetworkFitOptions::default(), &mut Silent)?.model;
/// let laplace = NetworkLaplace::new(&joint, &mode.weights, HessianKind::GaussNewton)?;
/// // Far away the network that was trained is certain; the average over networks is not.
/// let far = DMatrix::from_element(1, 1, 50.0);
/// assert!(laplace.plug_in_response(&far)?[0] > 0.999);
/// assert!(laplace.latent(&far)?.response()[0] < 0.95);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # References
/// D. MacKay, A practical Bayesian framework for backpropagation networks, Neural Computation 4, 1992; A.
/// Immer, M. Korzepa, M. Bauer, Improving predictions of Bayesian neural nets via local linearization,
/// AISTATS 2021.
#[derive(Debug, Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "written::AtMode", try_from = "written::AtMode")
)]
pub struct NetworkLaplace {
    network: Network,
    head: Head,
    kind: HessianKind,
    hyperparameters: NetworkHyperparameters,
    mode: Vec<f64>,
    fit: Fit,
    /// At the noise variance of `fit`.
    curvature: OfLikelihood,
    precision: Precision,
}

/// How the mode fits the observations.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Fit {
    ln_likelihood: f64,
    /// The sum of squared residuals.
    squares: f64,
    /// The number of numbers that were observed.
    numbers: usize,
    noise_variance: f64,
}

impl NetworkLaplace {
    /// The approximation at a mode, which a search has found: its gradient is taken to be zero.
    ///
    /// # Errors
    /// Another number of parameters than the network has, a density that is not finite there, or a precision
    /// that is not positive definite, which only [`HessianKind::Hessian`] can have.
    pub fn new(joint: &Joint, mode: &[f64], kind: HessianKind) -> Result<Self, Error> {
        let ln_likelihood = joint.ln_likelihood(mode)?;
        if !ln_likelihood.is_finite() {
            return Err(Error::Density(EvalError::reject(format!(
                "ln p(y | w) is {ln_likelihood} at the mode"
            ))));
        }
        let curvature = OfLikelihood::of(joint, mode, kind)?;
        let outputs = joint.network().outputs_at(mode, joint.observations().inputs())?;
        let noise_variance = joint.hyperparameters().noise_variance();
        let fit = Fit {
            ln_likelihood,
            squares: (outputs - joint.observations().targets()).norm_squared(),
            numbers: joint.observations().targets().len(),
            noise_variance,
        };
        let network = joint.network().clone();
        let hyperparameters = joint.hyperparameters().clone();
        let (head, mode) = (joint.observations().head(), mode.to_vec());
        let precision = precision(&network, head, kind, &hyperparameters, &fit, &curvature)?;
        Ok(Self { network, head, kind, hyperparameters, mode, fit, curvature, precision })
    }

    /// The same mode and curvature under other hyperparameters: what the evidence is compared by when they
    /// are tuned. The mode is not searched for again.
    ///
    /// # Errors
    /// Precisions that are neither one nor one for each layer, or a precision that is not positive definite.
    pub fn with_hyperparameters(&self, hyperparameters: NetworkHyperparameters) -> Result<Self, Error> {
        hyperparameters.check(&self.network)?;
        let Self { network, head, kind, fit, curvature, .. } = self;
        let precision = precision(network, *head, *kind, &hyperparameters, fit, curvature)?;
        Ok(Self { hyperparameters, precision, ..self.clone() })
    }

    /// The network.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The distribution of an observation given the outputs.
    pub const fn head(&self) -> Head {
        self.head
    }

    /// The hyperparameters.
    pub const fn hyperparameters(&self) -> &NetworkHyperparameters {
        &self.hyperparameters
    }

    /// The mode w*.
    pub fn mode(&self) -> &[f64] {
        &self.mode
    }

    /// The parameters that are uncertain: all, or those of the last layer.
    pub fn uncertain(&self) -> Range<usize> {
        self.kind.range(&self.network)
    }

    /// The standard deviations of the [`uncertain`](Self::uncertain) parameters.
    pub fn standard_deviations(&self) -> DVector<f64> {
        self.precision.variances().map(f64::sqrt)
    }

    /// ln p(y | w*).
    pub fn ln_likelihood(&self) -> f64 {
        let variance = self.hyperparameters.noise_variance();
        match self.head {
            Head::Gaussian if variance != self.fit.noise_variance => {
                let numbers = self.fit.numbers as f64;
                -0.5 * (self.fit.squares / variance + numbers * (std::f64::consts::TAU * variance).ln())
            }
            _ => self.fit.ln_likelihood,
        }
    }

    /// ln p(y), up to the error of the approximation. With [`HessianKind::LastLayer`] it is that of the model
    /// whose other layers are held fixed.
    pub fn ln_evidence(&self) -> f64 {
        let prior: f64 = self
            .groups()
            .map(|group| 0.5 * (group.size * group.precision.ln() - group.precision * group.square))
            .sum();
        self.ln_likelihood() + prior - 0.5 * self.precision.ln_determinant()
    }

    /// The number of parameters that the data determine, for each precision of the prior: Σ (1 - precision ·
    /// variance). What no data can reach counts 0, what the prior does not matter to counts 1.
    pub fn effective_parameters(&self) -> Vec<f64> {
        let mut effective = vec![0.0; self.hyperparameters.precisions().len()];
        for group in self.groups() {
            effective[group.index] += group.effective();
        }
        effective
    }

    /// The derivatives of [`ln_evidence`](Self::ln_evidence) by the logarithms of the precisions, and behind
    /// them of the noise variance if there is one, with mode and curvature held fixed.
    pub fn evidence_gradient(&self) -> Vec<f64> {
        let mut gradient = vec![0.0; self.hyperparameters.precisions().len()];
        for group in self.groups() {
            gradient[group.index] += 0.5 * (group.effective() - group.precision * group.square);
        }
        if self.head == Head::Gaussian {
            let effective: f64 = self.effective_parameters().iter().sum();
            let scaled = self.fit.squares / self.hyperparameters.noise_variance();
            gradient.push(0.5 * (scaled - self.fit.numbers as f64 + effective));
        }
        gradient
    }

    /// What would make the [gradient](Self::evidence_gradient) zero if the effective parameters stayed as
    /// they are; where there are none, the step of EM. Precisions, and then the noise variance.
    pub(super) fn fixed_point(&self) -> (Vec<f64>, f64) {
        let mut sums = vec![(0.0, 0.0, 0.0, 0.0); self.hyperparameters.precisions().len()];
        for group in self.groups() {
            let (size, square, trace, effective) = &mut sums[group.index];
            *size += group.size;
            *square += group.square;
            *trace += group.trace;
            *effective += group.effective();
        }
        let current = self.hyperparameters.precisions();
        let precisions = sums.iter().zip(current).map(|(&(size, square, trace, effective), &current)| {
            if size == 0.0 {
                current
            } else if effective > 0.0 {
                effective / square
            } else {
                size / (square + trace)
            }
        });
        let (effective, numbers) = (sums.iter().map(|sum| sum.3).sum::<f64>(), self.fit.numbers as f64);
        let current = self.hyperparameters.noise_variance();
        let noise_variance = if self.head != Head::Gaussian || self.fit.numbers == 0 {
            current
        } else if numbers > effective {
            self.fit.squares / (numbers - effective)
        } else {
            (self.fit.squares + current * effective) / numbers
        };
        (precisions.collect(), noise_variance)
    }

    /// The layers with uncertain parameters.
    fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        let (range, variances) = (self.uncertain(), self.precision.variances());
        self.network
            .layers()
            .iter()
            .enumerate()
            .filter(move |(_, layer)| layer.range().start >= range.start)
            .map(move |(index, layer)| {
                let start = self.uncertain().start;
                let own = layer.range();
                Group {
                    index: self.hyperparameters.group(index),
                    precision: self.hyperparameters.of_layer(index),
                    size: own.len() as f64,
                    square: self.mode[own.clone()].iter().map(|w| w * w).sum(),
                    trace: variances.rows_range(own.start - start..own.end - start).sum(),
                }
            })
    }
}

/// A layer with uncertain parameters.
struct Group {
    /// Which precision is its own.
    index: usize,
    precision: f64,
    /// The number of its parameters.
    size: f64,
    /// |w*|².
    square: f64,
    /// The sum of the variances.
    trace: f64,
}

impl Group {
    fn effective(&self) -> f64 {
        self.size - self.precision * self.trace
    }
}

/// The curvature with that of the prior, factored.
fn precision(
    network: &Network,
    head: Head,
    kind: HessianKind,
    hyperparameters: &NetworkHyperparameters,
    fit: &Fit,
    curvature: &OfLikelihood,
) -> Result<Precision, Error> {
    let scale = match head {
        Head::Gaussian => fit.noise_variance / hyperparameters.noise_variance(),
        _ => 1.0,
    };
    Ok(curvature.with_prior(scale, &priors(network, kind, hyperparameters))?)
}

/// The uncertain parameters of each layer, counted from the first of them, with their precision.
fn priors(
    network: &Network,
    kind: HessianKind,
    hyperparameters: &NetworkHyperparameters,
) -> Vec<(Range<usize>, f64)> {
    let start = kind.range(network).start;
    let layers = network.layers().iter().enumerate().filter(|(_, layer)| layer.range().start >= start);
    layers
        .map(|(index, layer)| {
            (layer.range().start - start..layer.range().end - start, hyperparameters.of_layer(index))
        })
        .collect()
}
