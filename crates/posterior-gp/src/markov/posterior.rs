//! The process given its data, by filter and smoother.

use posterior_math::check;
use std::ops::Range;

use posterior_kalman::continuous::Process;
use posterior_kalman::{FilterOptions, Smoothed, filter, ln_likelihood};
use posterior_math::linalg::{DMatrix, DVector};

use super::timeline::Observations;
use crate::kernel::{KernelParameter, ProcessOptions};
use crate::regression::{Prediction, check_outputs};
use crate::{Error, GaussianProcess, Noise};

/// Processes with larger states are refused: a step would take their square in memory and their cube in time.
const LARGEST_STATE: usize = 2000;

/// What is approximated, and how it is filtered.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MarkovOptions {
    /// How kernels are approximated that are not Markov; only `periodic` by default, to 10^-9.
    pub process: ProcessOptions,
    /// How the filter works: on roots of covariances by default.
    pub filter: FilterOptions,
}

/// The posterior of a process with a Markov kernel of one input.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkovProcessPosterior {
    pub(super) prior: GaussianProcess,
    pub(super) noise: Noise,
    pub(super) process: Process,
    pub(super) observations: Observations,
    options: MarkovOptions,
    ln_evidence: f64,
}

impl MarkovProcessPosterior {
    /// The posterior given outputs at inputs, one for each row.
    ///
    /// # Cost
    /// One pass of a filter with the [`states`](Self::states) of the process.
    ///
    /// # Errors
    /// If the inputs have not one coordinate, sizes do not agree, or a number is not finite; if the kernel is
    /// not Markov or its process has more than 2000 states, with the reason; if two observations without
    /// noise are at the same time.
    pub fn new(
        prior: &GaussianProcess,
        (inputs, outputs): (&DMatrix<f64>, &[f64]),
        noise: &Noise,
        options: &MarkovOptions,
    ) -> Result<Self, Error> {
        check::dimension("coordinates of inputs of a Markov process", 1, inputs.ncols())?;
        prior.check(inputs)?;
        check_outputs(inputs, outputs)?;
        let variances = noise.variances(outputs.len())?;
        let process = prior.kernel().process(&options.process)?;
        if process.states() > LARGEST_STATE {
            let reason = "its state has more than 2000 numbers, which is slower than a dense factor";
            return Err(Error::NotMarkov { kernel: prior.kernel().to_string(), reason });
        }
        let observations = Observations::new(inputs.as_slice(), outputs, variances);
        let timeline = observations.timeline(&process, prior.mean())?;
        let ln_evidence = ln_likelihood(&timeline.model, &timeline.series, &options.filter)?;
        Ok(Self {
            prior: prior.clone(),
            noise: noise.clone(),
            process,
            observations,
            options: *options,
            ln_evidence,
        })
    }

    /// The prior.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.prior
    }

    /// The noise of the observations.
    pub const fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The process of the kernel.
    pub const fn process(&self) -> &Process {
        &self.process
    }

    /// How many numbers make the state of the process.
    pub fn states(&self) -> usize {
        self.process.states()
    }

    /// A bound on the error of the covariances, over the span of the observations: 0 unless something is
    /// approximated.
    pub fn approximation_error(&self) -> f64 {
        let times = &self.observations.times;
        let horizon = times.iter().fold(0.0, |most: f64, time| most.max(time.abs()));
        self.process.approximation_error(horizon)
    }

    /// ln p(y).
    pub const fn ln_evidence(&self) -> f64 {
        self.ln_evidence
    }

    /// The parameters that a fit may move: those of the kernel, of the mean function, of the noise.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.prior.kernel().parameters();
        parameters.extend(self.prior.mean().parameters());
        parameters.extend(self.noise.parameters());
        parameters
    }

    /// Mean and variance of the function at each row of `inputs`: before, between and after the observations.
    ///
    /// One pass of filter and smoother for all of them together.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        let (smoothed, places) = self.smooth(inputs)?;
        let mut prediction = self.distribution_of_part(&smoothed, &places, 0..self.states());
        prediction.mean += self.prior.mean().values(inputs);
        Ok(prediction)
    }

    /// Mean and variance of each term of the kernel at each row of `inputs`; the mean function is in none of
    /// them.
    ///
    /// # Errors
    /// As [`predict`](Self::latent).
    pub fn latent_components(&self, inputs: &DMatrix<f64>) -> Result<Vec<Prediction>, Error> {
        let (smoothed, places) = self.smooth(inputs)?;
        let mut first = 0;
        let mut components = Vec::new();
        for term in self.prior.kernel().terms() {
            let states = term.process(&self.options.process)?.states();
            components.push(self.distribution_of_part(&smoothed, &places, first..first + states));
            first += states;
        }
        Ok(components)
    }

    /// Mean and variance of the function at the observations, in the order of time.
    pub(crate) fn latent_at_observations(&self) -> Result<Prediction, Error> {
        let timeline = self.observations.timeline(&self.process, self.prior.mean())?;
        let smoothed =
            filter(&timeline.model, &timeline.series, &self.options.filter)?.smooth(&timeline.model)?;
        let places: Vec<usize> = (0..timeline.times.len()).collect();
        let mut prediction = self.distribution_of_part(&smoothed, &places, 0..self.states());
        prediction.mean +=
            self.prior.mean().values(&DMatrix::from_column_slice(places.len(), 1, &timeline.times));
        Ok(prediction)
    }

    /// The states at all times of observations and of questions, and the places of the latter.
    fn smooth(&self, inputs: &DMatrix<f64>) -> Result<(Smoothed, Vec<usize>), Error> {
        check::dimension("coordinates of inputs of a Markov process", 1, inputs.ncols())?;
        self.prior.check(inputs)?;
        let (timeline, places) =
            self.observations.with_questions(&self.process, self.prior.mean(), inputs.as_slice())?;
        let smoothed =
            filter(&timeline.model, &timeline.series, &self.options.filter)?.smooth(&timeline.model)?;
        Ok((smoothed, places))
    }

    /// What is seen of some states, without the mean function.
    fn distribution_of_part(
        &self,
        smoothed: &Smoothed,
        places: &[usize],
        states: Range<usize>,
    ) -> Prediction {
        let row = DVector::from_column_slice(&self.process.observation()[states.clone()]);
        let mut mean = DVector::zeros(places.len());
        let mut variance = DVector::zeros(places.len());
        for (i, &place) in places.iter().enumerate() {
            let state = DVector::from_column_slice(&smoothed.mean(place)[states.clone()]);
            mean[i] = row.dot(&state);
            let covariance = smoothed.covariance(place);
            let block = covariance.view((states.start, states.start), (states.len(), states.len()));
            variance[i] = row.dot(&(block * &row)).max(0.0);
        }
        Prediction { mean, variance }
    }
}
