//! The search for the most probable parameters.

use std::ops::ControlFlow;

use posterior_dist::target::EvalError;
use posterior_inference::best_of;
use posterior_math::check::ParamError;
use posterior_math::iteration::{Fitted, Observer, Report, Step};
use posterior_math::optimize::{
    LbfgsOptions, Minimum, StepSchedule, StochasticOptions, minimize, minimize_stochastic,
};
use rand::Rng;
use rand::seq::SliceRandom;

use super::Joint;
use crate::Error;

/// How the most probable parameters are searched for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NetworkOptimizer {
    /// L-BFGS on all observations: what converges, and what Laplace's method wants.
    Lbfgs(LbfgsOptions),
    /// Steps along the gradient of a few observations at a time, then L-BFGS from there on all of them: zero
    /// iterations leave it out.
    Stochastic {
        /// The steps, Adam's for example. The report holds the noisy objectives.
        steps: StochasticOptions,
        /// Observations in each step (at least one); every observation comes once in each round.
        batch: usize,
        /// What follows.
        polish: LbfgsOptions,
    },
}

impl NetworkOptimizer {
    /// Adam with batches of this size, its steps falling from `length` to zero along a cosine, and L-BFGS
    /// afterwards.
    pub fn adam(batch: usize, length: f64, steps: usize) -> Self {
        let schedule = StepSchedule::Cosine { initial: length, steps };
        let steps = StochasticOptions { schedule, max_iterations: steps, ..StochasticOptions::default() };
        Self::Stochastic { steps, batch, polish: LbfgsOptions::default() }
    }
}

/// How to train a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkFitOptions {
    /// L-BFGS by default, until no component of the gradient is above 10⁻⁶ of -ln p(y, w | x) without the
    /// normaliser of the prior, or 2000 steps.
    pub method: NetworkOptimizer,
    /// The number of random starts, of which the best is kept. 1 by default.
    pub starts: usize,
    /// The seed of the starts and of the batches. 0 by default.
    pub seed: u64,
}

impl Default for NetworkFitOptions {
    fn default() -> Self {
        let search =
            LbfgsOptions { gradient_tolerance: 1e-6, max_iterations: 2000, ..LbfgsOptions::default() };
        Self { method: NetworkOptimizer::Lbfgs(search), starts: 1, seed: 0 }
    }
}

/// The most probable parameters that a search found.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TrainedMode {
    /// The parameters.
    pub weights: Vec<f64>,
    /// ln p(y, w | x) there.
    pub ln_joint: f64,
    /// The largest component of its gradient there.
    pub gradient_norm: f64,
    /// Where each start ended: ln p(y, w | x), or `None` where it has no value.
    pub starts: Vec<Option<f64>>,
}

/// Trains a network from random starts, and returns the best; the report is that of the best, and its
/// objective ln p(y, w | x).
///
/// One step of L-BFGS costs one or two passes of all observations through the network and back.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::network::{
///     Activation, NetworkHyperparameters, Joint, Network, NetworkData, NetworkFitOptions, fit,
/// };
///
/// let x = DMatrix::from_row_slice(4, 2, &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
/// let xor = NetworkData::binary(x.clone(), &[false, true, true, false])?;
/// let network = Network::new(2, &[4], 1, Activation::Tanh)?;
/// let joint = Joint::new(network, xor, NetworkHyperparameters::new(0.01)?)?;
/// let fitted = fit(&joint, &NetworkFitOptions { starts: 5, ..NetworkFitOptions::default() }, &mut Silent)?;
/// let f = joint.network().outputs_at(&fitted.model.weights, &x)?;
/// assert!(f[0] < -1.0 && f[1] > 1.0 && f[2] > 1.0 && f[3] < -1.0);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # Errors
/// No start has a finite density, or batches without observations. Not to converge is no error: the report
/// says so.
pub fn fit(
    joint: &Joint,
    options: &NetworkFitOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<TrainedMode>, Error> {
    let found = best_of(options.starts, options.seed, |rng| {
        let start = joint.network().initial_weights(rng);
        climb(joint, &options.method, &start, rng, observer)
    })?;
    let starts = found.outcomes.iter().map(|outcome| outcome.as_ref().ok().copied()).collect();
    let Fitted { model, report } = found.best;
    Ok(Fitted { model: TrainedMode { starts, ..model }, report })
}

/// Trains a network from given parameters by L-BFGS.
///
/// # Errors
/// Another number of parameters than the network has, or no finite density at the start.
pub fn train_from(
    joint: &Joint,
    start: &[f64],
    options: &LbfgsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<TrainedMode>, Error> {
    joint.network().check_parameters(start)?;
    let objective = |w: &[f64], gradient: &mut [f64]| joint.loss(joint.batches().iter(), 1.0, w, gradient);
    let shift = joint.ln_prior_at_zero();
    mode(minimize(objective, start, options, &mut Shifted { observer, shift }), shift)
}

fn climb<R: Rng + ?Sized>(
    joint: &Joint,
    method: &NetworkOptimizer,
    start: &[f64],
    rng: &mut R,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<TrainedMode>, Error> {
    match method {
        NetworkOptimizer::Lbfgs(options) => train_from(joint, start, options, observer),
        NetworkOptimizer::Stochastic { steps, batch, polish } => {
            if *batch == 0 {
                return Err(ParamError::new("Method", "batch", 0.0, "at least one").into());
            }
            let shift = joint.ln_prior_at_zero();
            let mut rounds = Rounds { order: (0..joint.observations().len()).collect(), next: 0, rng };
            let objective = |w: &[f64], gradient: &mut [f64]| {
                let rows = rounds.next(*batch);
                let proportion = joint.observations().len() as f64 / rows.len().max(1) as f64;
                joint.loss(std::iter::once(&joint.rows(rows)), proportion, w, gradient)
            };
            let rough = minimize_stochastic(objective, start, steps, &mut Shifted { observer, shift });
            let mut fitted = train_from(joint, &rough.model.point, polish, observer)?;
            let noisy = rough.report.trace.iter().map(|value| shift - value);
            fitted.report.trace.splice(..0, noisy);
            Ok(fitted)
        }
    }
}

/// The observations in random order, again and again.
struct Rounds<'a, R: ?Sized> {
    order: Vec<usize>,
    next: usize,
    rng: &'a mut R,
}

impl<R: Rng + ?Sized> Rounds<'_, R> {
    /// The next rows; fewer than `count` at the end of a round.
    fn next(&mut self, count: usize) -> &[usize] {
        if self.next >= self.order.len() || self.next == 0 {
            self.order.shuffle(self.rng);
            self.next = 0;
        }
        let start = self.next;
        self.next = start.saturating_add(count).min(self.order.len());
        &self.order[start..self.next]
    }
}

fn mode(found: Fitted<Minimum>, shift: f64) -> Result<Fitted<TrainedMode>, Error> {
    let Fitted { model: found, report } = found;
    if !found.value.is_finite() {
        let why = format!("-ln p(y, w) is {} at the start", found.value);
        return Err(Error::Density(EvalError::reject(why)));
    }
    let mode = TrainedMode {
        weights: found.point,
        ln_joint: shift - found.value,
        gradient_norm: found.gradient_norm,
        starts: vec![Some(shift - found.value)],
    };
    let trace = report.trace.iter().map(|value| shift - value).collect();
    Ok(Fitted { model: mode, report: Report::new(trace, report.stop) })
}

/// An observer that sees ln p(y, w | x) instead of what is minimised.
struct Shifted<'a, O: ?Sized> {
    observer: &'a mut O,
    shift: f64,
}

impl<O: Observer + ?Sized> Observer for Shifted<'_, O> {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.observer.step(&Step::new(step.iteration, self.shift - step.objective, step.elapsed))
    }
}
