//! What can be learned: models whose evidence is a smooth function of parameters.

use posterior_math::check;
use std::sync::Arc;

use posterior_math::linalg::{DMatrix, DVector};

use super::WeakPrior;
use crate::kernel::KernelParameter;
use crate::regression::{Data, GaussianProcessPosterior};
use crate::{Error, GaussianProcess, Noise};

/// A model with data whose evidence is a smooth function of its parameters on their free scales.
pub trait Learnable: Sync {
    /// What the parameters make of the data.
    type Model;

    /// The parameters, with the values to start from. Their names differ.
    fn parameters(&self) -> Vec<KernelParameter>;

    /// The model with other parameters, and its ln evidence.
    ///
    /// # Errors
    /// If there is none with these.
    fn model(&self, free: &[f64]) -> Result<(Self::Model, f64), Error>;

    /// Writes the derivatives of the ln evidence, all of them, and returns the ln evidence.
    ///
    /// # Errors
    /// If there is no model with these parameters: a search takes a shorter step.
    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error>;

    /// By how much each parameter has to move on its free scale to make a difference; 1 for those on a
    /// logarithmic scale.
    fn scales(&self) -> Vec<f64> {
        vec![1.0; self.parameters().len()]
    }

    /// Between which values each parameter is likely to be, for starts at random.
    fn start_ranges(&self) -> Vec<(f64, f64)> {
        let around = |parameter: &KernelParameter| match parameter.scale {
            crate::kernel::FreeScale::Ln => (0.1 * parameter.value, 10.0 * parameter.value),
            _ => (parameter.value - 1.0, parameter.value + 1.0),
        };
        self.parameters().iter().map(around).collect()
    }

    /// What is assumed of each parameter where they are integrated out: weakly, and of its logarithm where it
    /// is positive.
    ///
    /// Of models of data a length scale is about a tenth of the extent of the inputs, a variance about that
    /// of the outputs (each up to a factor of 4.5: a standard deviation of the logarithm of 1.5), the noise
    /// about a tenth of it (7.4: 2), a period about its value (1.6: 0.5), and any other parameter about its
    /// value (7.4: 2). The weights of a mean function are as good as free.
    fn weak_priors(&self) -> Vec<WeakPrior> {
        let scales = self.scales();
        self.parameters().iter().zip(scales).map(|(own, scale)| WeakPrior::around(own, scale)).collect()
    }

    /// How many numbers the evidence is the density of.
    fn observations(&self) -> usize;
}

/// What a search sees of a [`Learnable`]: numbers alone, so that it is compiled once for all of them.
pub(super) trait Evidence: Sync {
    /// ln p(y).
    fn value(&self, free: &[f64]) -> Result<f64, Error>;

    /// ln p(y), with its derivatives.
    fn value_and_gradient(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error>;
}

impl<L: Learnable> Evidence for L {
    fn value(&self, free: &[f64]) -> Result<f64, Error> {
        Ok(self.model(free)?.1)
    }

    fn value_and_gradient(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        self.ln_evidence(free, gradient)
    }
}

/// Exact regression, to be learned: a prior, noise, and checked data.
#[derive(Debug, Clone)]
pub struct Regression {
    process: GaussianProcess,
    noise: Noise,
    data: Arc<Data>,
}

impl Regression {
    /// A prior process and noise with their parameters to start from, and observations.
    ///
    /// # Errors
    /// As [`GaussianProcess::condition`].
    pub fn new(
        process: GaussianProcess,
        noise: Noise,
        inputs: &DMatrix<f64>,
        outputs: &[f64],
    ) -> Result<Self, Error> {
        let data = Arc::new(Data::checked(&process, inputs, outputs, &noise)?);
        Ok(Self { process, noise, data })
    }

    /// The prior with its parameters to start from.
    pub const fn process(&self) -> &GaussianProcess {
        &self.process
    }

    /// The inputs.
    pub fn inputs(&self) -> &DMatrix<f64> {
        &self.data.inputs
    }

    /// The outputs.
    pub fn outputs(&self) -> &DVector<f64> {
        &self.data.outputs
    }

    /// The noise with its parameters to start from.
    pub const fn noise(&self) -> &Noise {
        &self.noise
    }

    /// Prior and noise with other parameters.
    pub(crate) fn at(&self, free: &[f64]) -> Result<(GaussianProcess, Noise), Error> {
        let parameters = self.parameters();
        check::dimension("free parameters", parameters.len(), free.len())?;
        let values: Vec<f64> =
            parameters.iter().zip(free).map(|(parameter, &free)| parameter.scale.value(free)).collect();
        let (kernel, rest) = values.split_at(self.process.kernel().parameters().len());
        let (mean, noise) = rest.split_at(self.process.mean().parameters().len());
        let process = GaussianProcess::new(self.process.kernel().with_parameters(kernel)?)
            .with_mean(self.process.mean().with_parameters(mean)?);
        Ok((process, self.noise.with_parameters(noise)?))
    }

    fn posterior(&self, free: &[f64]) -> Result<GaussianProcessPosterior, Error> {
        let (process, noise) = self.at(free)?;
        GaussianProcessPosterior::of_data(process, noise, Arc::clone(&self.data))
    }
}

impl Learnable for Regression {
    type Model = GaussianProcessPosterior;

    fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.process.kernel().parameters();
        parameters.extend(self.process.mean().parameters());
        parameters.extend(self.noise.parameters());
        parameters
    }

    fn model(&self, free: &[f64]) -> Result<(GaussianProcessPosterior, f64), Error> {
        let posterior = self.posterior(free)?;
        let ln_evidence = posterior.ln_evidence();
        Ok((posterior, ln_evidence))
    }

    fn ln_evidence(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, Error> {
        let posterior = self.posterior(free)?;
        gradient.copy_from_slice(&posterior.gradient());
        Ok(posterior.ln_evidence())
    }

    fn scales(&self) -> Vec<f64> {
        let mut scales = vec![1.0; self.process.kernel().parameters().len()];
        scales.extend(super::start::mean_scales(&self.process, &self.data));
        scales.resize(self.parameters().len(), 1.0);
        scales
    }

    fn start_ranges(&self) -> Vec<(f64, f64)> {
        let spread = super::start::variance(self.data.outputs.as_slice());
        super::start::ranges(&self.parameters(), &self.scales(), &self.data.inputs, spread)
    }

    fn weak_priors(&self) -> Vec<WeakPrior> {
        let spread = super::start::variance(self.data.outputs.as_slice());
        super::start::weak_priors(&self.parameters(), &self.scales(), &self.data.inputs, spread)
    }

    fn observations(&self) -> usize {
        self.data.outputs.len()
    }
}
