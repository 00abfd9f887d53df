//! Online EM: statistics that forget, and a model that follows them.

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::optimize::StepSchedule;

use super::batches::{Batched, counted};
use super::problem::Expected;
use crate::additive::{Additive, blend};

/// How to run online EM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlineOptions {
    /// The rate at which the statistics move to those of the next batch, in [0, 1]: (1 + t)^-0.6 for batch t
    /// by default. A power above ½ and up to 1 is needed for convergence.
    pub schedule: StepSchedule,
    /// How many batches are seen before the first M step, where one of them is not enough to fit a model. 1
    /// by default.
    pub warm_up: usize,
    /// The number of batches that are taken, in a circle. 1000 by default.
    pub max_iterations: usize,
}

impl Default for OnlineOptions {
    fn default() -> Self {
        Self {
            schedule: StepSchedule::Power { initial: 1.0, delay: 1.0, power: 0.6 },
            warm_up: 1,
            max_iterations: 1000,
        }
    }
}

/// Fits a model by online EM (Cappé and Moulines 2009): after each batch the statistics s become
/// (1 - ρₜ) s + ρₜ (those of the batch / its proportion of the data), and the model follows in an M step.
///
/// For data of which a small part already says much: a model is there after the first batch, and no
/// statistics but one set are kept. With one batch and a rate of 1 it is EM. Batches come in a circle, so
/// that data in a meaningful order are to be shuffled before. The trace holds estimates of the objective,
/// each from the one batch that was seen last; the usual end is [`Stop::MaxIterations`].
///
/// # Errors
/// Those of the problem's steps; no batches, a proportion that is not positive, a rate outside of [0, 1], or
/// statistics that do not add up.
pub fn online_em<P: Batched + ?Sized>(
    problem: &P,
    start: P::Model,
    options: &OnlineOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<P::Model>, P::Error>
where
    P::Error: From<ParamError>,
{
    let batches = counted(problem)?;
    let mut model = start;
    let (mut statistics, objective) = estimate(problem, &model, 0)?;
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let seen = progress.iterations() + 1;
        if seen >= options.warm_up {
            model = problem.m_step(&statistics, &model)?;
        }
        let (found, objective) = estimate(problem, &model, seen % batches)?;
        if !objective.is_finite() {
            break Stop::Stalled;
        }
        blend(&mut statistics, found, options.schedule.length(seen))?;
        if progress.stopped_after(objective) {
            break Stop::Observer;
        }
    };
    Ok(Fitted { model, report: progress.finish(stop) })
}

/// The statistics and the objective of all data, as far as one batch tells.
fn estimate<P: Batched + ?Sized>(
    problem: &P,
    model: &P::Model,
    batch: usize,
) -> Result<(P::Statistics, f64), P::Error>
where
    P::Error: From<ParamError>,
{
    let Expected { mut statistics, ln_likelihood } = problem.e_step_of_batch(model, batch)?;
    let proportion = check::positive("Batched", "proportion", problem.proportion(batch))?;
    statistics.scale(proportion.recip())?;
    Ok((statistics, ln_likelihood / proportion + problem.ln_prior(model)))
}
