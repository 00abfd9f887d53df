//! Learning of a model, from several starts or from labels.

use posterior::dist::stream::stream;
use posterior::inference::em::EmOptions;
use posterior::math::iteration::Silent;
use posterior::sequence::Error;
use posterior::sequence::baum_welch::{BaumWelch, BaumWelchOptions, DirichletPrior, FittedHmm};
use posterior::sequence::emission::{Emissions, LearnEmissions, Sequence, Sequences};
use posterior::sequence::hmm::{HiddenMarkovModel, Topology};
use rand::Rng;

use super::chain::Chain;
use super::labels::Labels;
use super::learned::{Learned, TOLERANCE};
use super::segments;
use super::windows::Window;
use crate::args::{HmmFit, HmmModel, TopologyShape};
use crate::cluster::incident;

/// Rows that short runs see, of more than twice as many, and rows of a part of them.
const SAMPLE: usize = 10_000;
const WINDOW: usize = 1000;

/// A model for a fit to begin with, before states are given rows at random.
pub(super) type Draw<'a, E> = &'a dyn Fn(&mut dyn Rng) -> Result<HiddenMarkovModel<E>, Error>;

/// What a fit is asked for.
pub(super) struct Task<'a, E> {
    pub(super) args: &'a HmmFit,
    pub(super) topology: &'a Topology,
    /// A model of this kind.
    pub(super) like: &'a HiddenMarkovModel<E>,
    /// What each start begins with, if not with `like`.
    pub(super) draw: Option<Draw<'a, E>>,
    pub(super) labels: Option<&'a Labels>,
    /// Whether known states leave nothing to be expected.
    pub(super) is_counted: bool,
}

impl<E: Clone> Task<'_, E> {
    fn start(&self, rng: &mut dyn Rng) -> Result<HiddenMarkovModel<E>, Error> {
        self.draw.map_or_else(|| Ok(self.like.clone()), |draw| draw(rng))
    }
}

/// What short runs see: nothing, unless chains may begin anywhere and there are many rows; then some parts of
/// them at equal distances.
pub(super) fn windows<X>(args: &HmmFit, values: &[Vec<X>]) -> Vec<Window> {
    let rows: usize = values.iter().map(Vec::len).sum();
    if rows <= 2 * SAMPLE || args.topology != TopologyShape::Ergodic || args.columns.labels.is_some() {
        return Vec::new();
    }
    let parts = |(own, values): (usize, &Vec<X>)| {
        let end = values.len();
        (0..end).step_by(WINDOW).map(move |start| (own, start..end.min(start + WINDOW)))
    };
    values.iter().enumerate().flat_map(parts).step_by(rows / SAMPLE).collect()
}

/// These parts as sequences.
pub(super) fn of_windows<'a, X>(
    windows: &[Window],
    values: &'a [Vec<X>],
    missing: &'a [Vec<bool>],
) -> Sequences<'a, [X]> {
    let part = |(own, range): &Window| {
        Sequence::new(&values[*own][range.clone()]).with_missing(&missing[*own][range.clone()])
    };
    Sequences::new(windows.iter().map(part).collect())
}

/// A model of the kind that was asked for.
pub(super) fn learn<E, L>(
    task: &Task<'_, E>,
    (all, few): (&Sequences<'_, E::Data>, &Sequences<'_, E::Data>),
    learn: L,
) -> Result<(Chain<E>, Learned), Error>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Clone + Sync,
{
    let (model, mut learned, failed) = markov(task, (all, few), learn.clone())?;
    let chain = if task.args.model == HmmModel::Hmm {
        Chain::Markov(model)
    } else {
        // What is said of the start is no longer so.
        let (model, of_segments) = segments::learn(task.args, all, learn, &model)?;
        learned = of_segments;
        Chain::SemiMarkov(model)
    };
    if failed > 0 {
        learned.warnings.push(format!("{failed} of {} starts failed", task.args.restarts));
    }
    Ok((chain, learned))
}

/// From labels; else the best of several starts, which see `few` of the observations, or all if these are
/// none. Also the number of starts that failed.
fn markov<E, L>(
    task: &Task<'_, E>,
    (all, few): (&Sequences<'_, E::Data>, &Sequences<'_, E::Data>),
    learn: L,
) -> Result<(HiddenMarkovModel<E>, Learned, usize), Error>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Clone + Sync,
{
    let args = task.args;
    let steps = EmOptions { tolerance: TOLERANCE, max_iterations: args.iterations as usize };
    let mut options = BaumWelchOptions { em: steps, ..BaumWelchOptions::default() };
    if let Some(added) = args.pseudocount {
        let prior = DirichletPrior::symmetric(1.0 + added)?;
        options = BaumWelchOptions { initial_prior: prior.clone(), step_prior: prior, ..options };
    }
    if let Some(labels) = task.labels {
        let (model, learned) = labelled(task, labels, all, learn, options)?;
        return Ok((model, learned, 0));
    }
    let few = BaumWelch::new(few, learn.clone(), options.clone()).ok();
    let problem = BaumWelch::new(all, learn, options)?;
    let few = few.as_ref().unwrap_or(&problem);
    let mut first = args.topology == TopologyShape::LeftToRight;
    let found = problem.fit_short_runs(few, usize::from(args.restarts), args.common.seed, |rng| {
        let like = task.start(rng)?;
        // The natural start of a chain without a way back: equal parts.
        if std::mem::take(&mut first) {
            let parts = equal_parts::<E>(all, task.topology.states());
            if let Ok(start) = problem.start_from_states(&parts, &like) {
                return task.topology.uniform(start.into_emissions());
            }
        }
        few.random_start(&like, rng)
    })?;
    let failed = found.outcomes.iter().filter(|outcome| outcome.is_err()).count();
    let (model, learned) =
        finished(found.best.model, (found.best.report.converged(), found.best.report.trace));
    Ok((model, learned, failed))
}

/// Counts where all is known; else goes on from the counts by expectation maximisation that keeps to what is
/// known.
fn labelled<E, L>(
    task: &Task<'_, E>,
    labels: &Labels,
    all: &Sequences<'_, E::Data>,
    learn: L,
    options: BaumWelchOptions,
) -> Result<(HiddenMarkovModel<E>, Learned), Error>
where
    E: Emissions<Data: Sync> + Clone + Sync,
    L: LearnEmissions<E, Statistics: Send> + Clone + Sync,
{
    let states = task.topology.states();
    let like = task.start(&mut stream(task.args.common.seed, &[]))?;
    let problem = BaumWelch::new(all, learn.clone(), options.clone())?;
    let start = problem.start_from_states(&labels.filled(), &like)?;
    if task.is_counted && labels.gaps() == 0 {
        return Ok((start, Learned::new((true, Vec::new()), Vec::new())));
    }
    let known = all.as_slice().iter().zip(&labels.known).enumerate().map(|(number, (sequence, known))| {
        sequence.clone().with_states(known, states).map_err(|error| error.of_sequence(number))
    });
    let known = Sequences::new(known.collect::<Result<_, _>>()?);
    let fitted = BaumWelch::new(&known, learn, options)?.fit(start, &mut Silent)?;
    Ok(finished(fitted.model, (fitted.report.converged(), fitted.report.trace)))
}

/// A fit that has ended, and what is to be said of it.
fn finished<E>(fitted: FittedHmm<E>, ended: (bool, Vec<f64>)) -> (HiddenMarkovModel<E>, Learned) {
    let incidents = fitted.incidents.iter();
    let warnings = incidents.map(|own| incident("state", own, "had no rows left", "what it showed"));
    (fitted.hmm, Learned::new(ended, warnings.collect()))
}

/// Each sequence in as many equal parts as there are states.
fn equal_parts<E: Emissions>(all: &Sequences<'_, E::Data>, states: usize) -> Vec<Vec<usize>> {
    let part = |length: usize| (0..length).map(|t| t * states / length).collect();
    all.as_slice().iter().map(|sequence| part(E::length(sequence.data()))).collect()
}
