//! Stochastic EM: what is hidden is drawn.

use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use rand::Rng;

use super::options::EmOptions;
use super::problem::{Expected, Problem};

/// A problem that can draw a completion of its data.
pub trait Impute: Problem {
    /// The statistics of the data completed by hidden values drawn from their posterior, and ln p(x | θ).
    ///
    /// # Errors
    /// As for [`e_step`](Problem::e_step).
    fn impute<R: Rng + ?Sized>(
        &self,
        model: &Self::Model,
        rng: &mut R,
    ) -> Result<Expected<Self::Statistics>, Self::Error>;
}

/// Runs stochastic EM (Celeux and Diebolt 1985) for `options.max_iterations` steps, and returns the best
/// model that it visited.
///
/// The models wander about a maximum, which lets them leave saddles and poor maxima that hold EM; they do not
/// converge, and the objectives in the trace go up and down. The usual end is [`Stop::MaxIterations`]; the
/// tolerance is not used. A few steps of EM from the returned model are a good end.
///
/// # Errors
/// Those of the problem's steps.
pub fn stochastic_em<P: Impute + ?Sized, R: Rng + ?Sized>(
    problem: &P,
    start: P::Model,
    options: &EmOptions,
    rng: &mut R,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<P::Model>, P::Error>
where
    P::Model: Clone,
{
    let mut draw = |model: &P::Model| -> Result<(P::Statistics, f64), P::Error> {
        let Expected { statistics, ln_likelihood } = problem.impute(model, rng)?;
        Ok((statistics, ln_likelihood + problem.ln_prior(model)))
    };
    let mut model = start;
    let (mut statistics, objective) = draw(&model)?;
    let (mut best, mut highest) = (model.clone(), objective);
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        model = problem.m_step(&statistics, &model)?;
        let (drawn, objective) = draw(&model)?;
        statistics = drawn;
        if !objective.is_finite() {
            break Stop::Stalled;
        }
        if objective > highest {
            (best, highest) = (model.clone(), objective);
        }
        if progress.stopped_after(objective) {
            break Stop::Observer;
        }
    };
    Ok(Fitted { model: best, report: progress.finish(stop) })
}
