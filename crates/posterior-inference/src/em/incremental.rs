//! Incremental EM: an M step after every batch.

use posterior_math::check::ParamError;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};

use super::batches::{Batched, TotalOfParts, counted};
use super::options::EmOptions;

/// Fits a model by EM that takes an M step after the E step of each batch (Neal and Hinton 1998), with the
/// same limits as EM.
///
/// The statistics of all batches are kept, and one batch's are replaced at a time. A step is a pass over all
/// batches: as costly as a step of EM but for the M steps. The first passes are worth several of EM where
/// batches are alike; near the limit, where EM creeps, so does this. Memory is that of the statistics of all
/// batches.
///
/// The trace holds the sum of the log-likelihoods that the batches had in their own E steps of the pass, each
/// under the model of that moment: at the limit the objective, before it a little behind. It need not rise.
///
/// # Errors
/// Those of the problem's steps; no batches, or statistics that do not add up.
pub fn incremental_em<P: Batched + ?Sized>(
    problem: &P,
    start: P::Model,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<P::Model>, P::Error>
where
    P::Error: From<ParamError>,
{
    let batches = counted(problem)?;
    let mut model = start;
    let (mut parts, mut objective) = (Vec::with_capacity(batches), problem.ln_prior(&model));
    for batch in 0..batches {
        let found = problem.e_step_of_batch(&model, batch)?;
        parts.push(found.statistics);
        objective += found.ln_likelihood;
    }
    let mut sums = TotalOfParts::of(parts)?;
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if !objective.is_finite() {
            break Stop::Stalled;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let mut ln_likelihood = 0.0;
        for batch in 0..batches {
            model = problem.m_step(sums.total(), &model)?;
            let found = problem.e_step_of_batch(&model, batch)?;
            sums.replace(batch, found.statistics)?;
            ln_likelihood += found.ln_likelihood;
        }
        let last = objective;
        objective = ln_likelihood + problem.ln_prior(&model);
        if progress.stopped_after(objective) {
            break Stop::Observer;
        }
        if (objective - last).abs() <= options.tolerance * objective.abs().max(1.0) {
            break Stop::Converged;
        }
    };
    Ok(Fitted { model, report: progress.finish(stop) })
}
