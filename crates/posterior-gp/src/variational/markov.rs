//! One input and a Markov kernel: everything in linear time.

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{DMatrix, DVector};
use std::f64::consts::TAU;

use super::NaturalGradientOptions;
use super::batch::Expectations;
use crate::classification::{EvidenceGradient, LatentMoments, ObservationModel};
use crate::likelihood::{LogConcave, expectation};
use crate::markov::{MarkovOptions, MarkovProcessPosterior};
use crate::regression::Prediction;
use crate::{Error, GaussianProcess, Noise};

/// Observations that say less than this of their latent value, as a precision, count as saying so much: where
/// they stand is right all the same.
const LEAST_PRECISION: f64 = 1e-12;

/// A step is halved so often at most.
const MAX_HALVINGS: i32 = 40;

/// Newton steps to the mode at most: it is only a place to start from.
const MODE_STEPS: usize = 30;

/// The Gaussian posterior of a function of one input with the highest bound.
#[derive(Debug, Clone)]
pub struct VariationalMarkov<L: LogConcave> {
    prior: GaussianProcess,
    /// In the order of their inputs.
    observations: ObservationModel<L>,
    options: MarkovOptions,
    sites: Sites,
    /// The posterior given what the sites stand for.
    posterior: MarkovProcessPosterior,
    at_observations: Prediction,
    ln_bound: f64,
}

/// What each observation stands for: one with Gaussian noise, by its natural parameters.
#[derive(Debug, Clone)]
struct Sites {
    precision: DVector<f64>,
    linear: DVector<f64>,
}

impl Sites {
    /// The Gaussian terms with these slopes and curvatures of their logarithms at a place.
    fn at(place: &DVector<f64>, slopes: &DVector<f64>, curvatures: &DVector<f64>) -> Self {
        let precision = curvatures.map(|curvature| (-curvature).max(LEAST_PRECISION));
        let linear = slopes + precision.component_mul(place);
        Self { precision, linear }
    }

    fn between(&self, other: &Self, step: f64) -> Self {
        let mix = |a: &DVector<f64>, b: &DVector<f64>| a * (1.0 - step) + b * step;
        Self { precision: mix(&self.precision, &other.precision), linear: mix(&self.linear, &other.linear) }
    }

    fn outputs(&self) -> DVector<f64> {
        self.linear.component_div(&self.precision)
    }

    /// Σ E ln N(ỹᵢ; fᵢ, 1/λᵢ).
    fn expected(&self, marginals: &Prediction) -> f64 {
        let terms = self.outputs();
        let terms = terms.iter().zip(&self.precision).zip(marginals.mean.iter().zip(&marginals.variance));
        terms
            .map(|((output, precision), (mean, variance))| {
                0.5 * ((precision / TAU).ln() - precision * ((output - mean).powi(2) + variance))
            })
            .sum()
    }
}

impl<L: LogConcave> VariationalMarkov<L> {
    /// The distribution of the function before the observations.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.prior
    }

    /// What was observed, in the order of the inputs.
    pub const fn observations(&self) -> &ObservationModel<L> {
        &self.observations
    }

    /// The posterior as that of observations with Gaussian noise, one for each of those that there are: by it
    /// the terms of a kernel are separated.
    pub const fn gaussian(&self) -> &MarkovProcessPosterior {
        &self.posterior
    }

    /// The lower bound of ln p(y): Σ E ln p(yᵢ | fᵢ) less the divergence of the posterior from the prior.
    pub const fn ln_bound(&self) -> f64 {
        self.ln_bound
    }

    /// Mean and variance of the function at each row of `inputs`, in one pass over them and the observations.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<LatentMoments, Error> {
        let Prediction { mean, variance, .. } = self.posterior.latent(inputs)?;
        Ok(LatentMoments { mean, variance })
    }

    /// The derivatives of [`ln_bound`](Self::ln_bound) by the parameters of kernel, mean function and
    /// likelihood on their free scales, where the search converged: two passes.
    ///
    /// # Errors
    /// If numbers leave the range of f64 on the way.
    pub fn gradient(&self) -> Result<EvidenceGradient, Error> {
        // With the distribution at its best, the bound changes as ln p(ỹ) does.
        let mut kernel = self.posterior.gradient()?;
        let mean = kernel.split_off(self.prior.kernel().parameters().len());
        let likelihood = self.observations.likelihood();
        let of_parameter = |parameter: usize| {
            let outputs = self.observations.outputs().iter().enumerate();
            let terms = outputs.map(|(i, &output)| {
                let (mean, variance) = (self.at_observations.mean[i], self.at_observations.variance[i]);
                expectation(likelihood, mean, variance, |f| {
                    likelihood.parameter_derivatives(output, f, parameter)[0]
                })
            });
            terms.sum()
        };
        let likelihood = (0..likelihood.parameters().len()).map(of_parameter).collect();
        Ok(EvidenceGradient { kernel, mean, likelihood })
    }

    fn expectations(&self) -> Expectations {
        let Prediction { mean, variance, .. } = &self.at_observations;
        Expectations::of(self.observations.likelihood(), self.observations.outputs(), mean, variance)
    }

    /// With other sites.
    fn with_sites(&self, sites: Sites) -> Result<Self, Error> {
        let (prior, observations) = (self.prior.clone(), self.observations.clone());
        Self::new(prior, observations, self.options, sites)
    }

    fn new(
        prior: GaussianProcess,
        observations: ObservationModel<L>,
        options: MarkovOptions,
        sites: Sites,
    ) -> Result<Self, Error> {
        let noise = Noise::known_each(sites.precision.map(f64::recip).as_slice())?;
        let outputs = sites.outputs();
        let data = (observations.inputs(), outputs.as_slice());
        let posterior = MarkovProcessPosterior::new(&prior, data, &noise, &options)?;
        let at_observations = posterior.latent_at_observations()?;
        let mut model =
            Self { prior, observations, options, sites, posterior, at_observations, ln_bound: 0.0 };
        model.ln_bound = model.expectations().value - model.sites.expected(&model.at_observations)
            + model.posterior.ln_evidence();
        Ok(model)
    }

    /// Natural gradients, halved until the bound does not fall.
    fn climb(
        &mut self,
        options: &NaturalGradientOptions,
        progress: &mut Progress<'_, impl Observer + ?Sized>,
    ) -> Result<Stop, Error> {
        loop {
            if progress.exhausted() {
                return Ok(Stop::MaxIterations);
            }
            let expected = self.expectations();
            let target = Sites::at(&self.at_observations.mean, &expected.slopes, &expected.curvatures);
            let rounding = 1e-12 * self.ln_bound.abs().max(self.observations.len() as f64);
            let mut step = 1.0;
            let next = loop {
                if step < 0.5_f64.powi(MAX_HALVINGS) {
                    return Ok(Stop::Stalled);
                }
                match self.with_sites(self.sites.between(&target, step)) {
                    Ok(next) if next.ln_bound >= self.ln_bound - rounding => break next,
                    _ => step *= 0.5,
                }
            };
            let gain = next.ln_bound - self.ln_bound;
            *self = next;
            if progress.stopped_after(self.ln_bound) {
                return Ok(Stop::Observer);
            }
            if step == 1.0 && gain <= options.tolerance.max(rounding) {
                return Ok(Stop::Converged);
            }
        }
    }
}

/// The Gaussian posterior with the highest lower bound of ln p(y), for functions of one input with a Markov
/// kernel and a log-concave likelihood, in linear time and memory.
///
/// The same optimum as that of [`variational_inducing`](super::variational_inducing) with all inputs as
/// inducing inputs. The search begins at the mode of the posterior, found by Newton's method.
///
/// # Cost
/// Three passes of a filter for each of about twenty steps.
///
/// # Errors
/// As [`MarkovProcessPosterior::new`] for inputs and kernel; if the options have mini-batches; if the
/// observations are impossible under the prior.
pub fn variational_markov<L: LogConcave>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    markov: &MarkovOptions,
    options: &NaturalGradientOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<VariationalMarkov<L>>, Error> {
    if options.batches.is_some() {
        posterior_math::check::require(
            false,
            "variational_markov",
            "batches",
            f64::NAN,
            "none: a pass over all observations is a single one",
        )?;
    }
    let observations = sorted(observations)?;
    let sites = mode(&observations, prior, markov)?;
    let mut model = VariationalMarkov::new(prior.clone(), observations, *markov, sites)?;
    let mut progress = Progress::new(model.ln_bound, options.max_iterations, observer);
    let stop = model.climb(options, &mut progress)?;
    Ok(Fitted { model, report: progress.finish(stop) })
}

/// In the order of time; equal times stay as they are.
fn sorted<L: LogConcave>(observations: &ObservationModel<L>) -> Result<ObservationModel<L>, Error> {
    let inputs = observations.inputs();
    posterior_math::check::dimension("coordinates of inputs of a Markov process", 1, inputs.ncols())?;
    let mut order: Vec<usize> = (0..inputs.nrows()).collect();
    order.sort_by(|&a, &b| inputs[a].total_cmp(&inputs[b]));
    let outputs: Vec<L::Output> = order.iter().map(|&row| observations.outputs()[row]).collect();
    ObservationModel::new(inputs.select_rows(&order), &outputs, observations.likelihood().clone())
}

/// The Gaussian terms at the mode, about: Newton's method, of which each step is one pass. In the coordinates
/// r = ∇ ln p a part of a step is a part of the change of f, so that halving it costs nothing.
fn mode<L: LogConcave>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    options: &MarkovOptions,
) -> Result<Sites, Error> {
    let (likelihood, outputs) = (observations.likelihood(), observations.outputs());
    let prior_mean = prior.mean().values(observations.inputs());
    let at = |f: &DVector<f64>| Expectations::of(likelihood, outputs, f, &DVector::zeros(f.len()));
    let (mut f, mut weights) = (prior_mean.clone(), DVector::zeros(outputs.len()));
    let mut expected = at(&f);
    let mut objective = expected.value;
    for _ in 0..MODE_STEPS {
        let sites = Sites::at(&f, &expected.slopes, &expected.curvatures);
        let noise = Noise::known_each(sites.precision.map(f64::recip).as_slice())?;
        let pseudo = sites.outputs();
        let data = (observations.inputs(), pseudo.as_slice());
        let mean = MarkovProcessPosterior::new(prior, data, &noise, options)?.latent_at_observations()?.mean;
        let by_f = &mean - &f;
        let by_weights = sites.linear - sites.precision.component_mul(&mean) - &weights;
        let mut step = 1.0;
        let gain = loop {
            let (next, next_weights) = (&f + step * &by_f, &weights + step * &by_weights);
            let there = at(&next);
            let value = there.value - 0.5 * next_weights.dot(&(&next - &prior_mean));
            if value > objective {
                let gain = value - objective;
                (f, weights, expected, objective) = (next, next_weights, there, value);
                break gain;
            }
            step *= 0.5;
            if step < 1e-12 {
                break 0.0;
            }
        };
        if gain < 1e-3 {
            break;
        }
    }
    Ok(Sites::at(&f, &expected.slopes, &expected.curvatures))
}
