//! The Kalman filter: the distribution of the state given what was seen so far.

mod convergence;
mod covariances;
mod diffuse;
mod exact;
mod filtered;
mod joseph;
mod means;
mod recursion;
mod square_root;
mod steady_state;
mod steps;

pub use filtered::Filtered;
pub use steady_state::{Stationary, steady_state};

pub(crate) use convergence::Convergence;
pub(crate) use covariances::CovariancePass;
pub(crate) use diffuse::{DiffusePhase, DiffuseStep, Link, compressed};
pub(crate) use joseph::Joseph;
pub(crate) use means::{MeanPass, Means};
pub(crate) use recursion::{Recursion, Scratch, ScratchMemory};
pub(crate) use square_root::SquareRoot;
pub(crate) use steps::Steps;

use crate::dimension::{Dimension, SizedWork, with_sizes};
use crate::reflection::product_transposed;
use crate::{Error, Series, StateSpace};

/// How covariances are updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CovarianceForm {
    /// Roots of the covariances only, by one orthogonal reduction a step: positive semidefinite whatever
    /// rounding does, and with twice the digits. The default.
    #[default]
    SquareRoot,
    /// (I - K H) P (I - K H)ᵀ + K R Kᵀ: positive semidefinite as long as the model is not ill-conditioned. A
    /// model whose start is diffuse is followed in square-root form all the same.
    Joseph,
}

/// What to do when the covariances no longer change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SteadyState {
    /// Keep them. In a model whose matrices are constant, once all changes that are still to come are
    /// estimated to be less than 1e-14 of a standard deviation; a missing observation ends it. The default.
    #[default]
    Detect,
    /// Go on computing them.
    Ignore,
}

/// How to filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilterOptions {
    /// How covariances are updated.
    pub form: CovarianceForm,
    /// What to do when they no longer change.
    pub steady_state: SteadyState,
}

/// The distributions of the state given what was seen before each time, and up to it.
///
/// Cost: of the order of (n + m)³ operations for each time, and of n (n + m) from the steady state on; memory
/// for the means of all times, and for the covariances of those at which they differ.
///
/// # Errors
/// If the series does not fit the model, an innovation has a singular covariance, or numbers grow beyond the
/// range of f64.
pub fn filter(model: &StateSpace, series: &Series, options: &FilterOptions) -> Result<Filtered, Error> {
    model.check(series)?;
    let steps = Covariances::of(model, series, *options)?;
    let mut means = [Means::new(model.states(), model.width(), series.len())];
    let pass = MeanPass::new(model, [series]);
    with_sizes(
        model.states(),
        model.width(),
        AllMeans { pass, steps: &steps.steps, means: Some(&mut means) },
    )?;
    let [means] = means;
    Ok(Filtered::new(std::sync::Arc::new(steps), means))
}

/// What a gradient needs of a filter: covariances in the form of Joseph, but for the times at which something
/// is diffuse; of all times gains, and distributions only if `distributions` are asked for. `None` if the
/// whole series is spent on what is diffuse, or does not tell of all of it.
pub(crate) fn filter_for_score(
    model: &StateSpace,
    series: &Series,
    distributions: bool,
) -> Result<Option<Filtered>, Error> {
    model.check(series)?;
    let (n, m) = (model.states(), model.width());
    let (mut distribution, mut steps) = (Joseph::initial(model)?, Steps::new(n, m));
    let mut diffuse = Vec::new();
    if let Some(phase) = DiffusePhase::new(model, series)? {
        let left = phase.diffuse.last().is_none_or(|step| step.directions.ncols() > 0);
        if left || phase.diffuse.len() == series.len() || phase.diffuse.iter().any(|step| step.lost) {
            return Ok(None);
        }
        product_transposed(n, n, n, &phase.root, &phase.root, &mut distribution);
        (steps, diffuse) = (phase.steps, phase.diffuse);
    }
    let steps = if distributions { steps } else { steps.gains_only() };
    let pass = CovariancePass::<Joseph>::new(model, distribution, SteadyState::Detect);
    let steps = with_sizes(n, m, covariances::AllSteps { pass, series, steps })?;
    let mut means = [Means::new(n, m, series.len())];
    let pass = MeanPass::new(model, [series]);
    with_sizes(n, m, AllMeans { pass, steps: &steps, means: Some(&mut means) })?;
    let [means] = means;
    let (form, steady_state) = (CovarianceForm::Joseph, SteadyState::Detect);
    Ok(Some(Filtered::new(std::sync::Arc::new(Covariances { form, steady_state, steps, diffuse }), means)))
}

/// ln p(y), without keeping anything.
///
/// The same number, to the last bit, as that of [`filter`](filter()).
///
/// # Errors
/// As [`filter`](filter()).
pub fn ln_likelihood(model: &StateSpace, series: &Series, options: &FilterOptions) -> Result<f64, Error> {
    model.check(series)?;
    let phase = DiffusePhase::new(model, series)?;
    let mut mean = MeanPass::new(model, [series]);
    let sizes = (model.states(), model.width());
    let steady_state = options.steady_state;
    match options.form {
        CovarianceForm::Joseph if phase.is_none() => {
            let pass = CovariancePass::<Joseph>::new(model, Joseph::initial(model)?, steady_state);
            let steps = Steps::new(sizes.0, sizes.1);
            with_sizes(sizes.0, sizes.1, InBlocks { pass, mean, series, steps, done: 0 })
        }
        _ => {
            let (distribution, steps, done) = start(model, phase)?;
            if done > 0 {
                mean.advance(
                    (crate::dimension::Dynamic(sizes.0), crate::dimension::Dynamic(sizes.1)),
                    (&steps, 0),
                    None,
                )?;
            }
            let pass = CovariancePass::<SquareRoot>::new(model, distribution, steady_state);
            with_sizes(sizes.0, sizes.1, InBlocks { pass, mean, series, steps, done })
        }
    }
}

/// The root with which the regular recursion begins, the steps before, and how many these are.
fn start(model: &StateSpace, phase: Option<DiffusePhase>) -> Result<(Vec<f64>, Steps, usize), Error> {
    match phase {
        None => Ok((SquareRoot::initial(model)?, Steps::new(model.states(), model.width()), 0)),
        Some(phase) => {
            let done = phase.steps.len();
            Ok((phase.root, phase.steps, done))
        }
    }
}

/// All that a filter knows before it sees the observations, but which of them are missing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Covariances {
    pub(crate) form: CovarianceForm,
    pub(crate) steady_state: SteadyState,
    pub(crate) steps: Steps,
    /// For each time at which something is diffuse, what goes beyond the steps.
    pub(crate) diffuse: Vec<DiffuseStep>,
}

impl Covariances {
    pub(crate) fn of(model: &StateSpace, series: &Series, options: FilterOptions) -> Result<Self, Error> {
        let (n, m) = (model.states(), model.width());
        let mut phase = DiffusePhase::new(model, series)?;
        let diffuse = phase.as_mut().map(|phase| std::mem::take(&mut phase.diffuse)).unwrap_or_default();
        let steady_state = options.steady_state;
        if options.form == CovarianceForm::Joseph && phase.is_none() {
            let pass = CovariancePass::<Joseph>::new(model, Joseph::initial(model)?, steady_state);
            let work = covariances::AllSteps { pass, series, steps: Steps::new(n, m) };
            return Ok(Self {
                form: CovarianceForm::Joseph,
                steady_state,
                steps: with_sizes(n, m, work)?,
                diffuse,
            });
        }
        let (distribution, steps, _) = start(model, phase)?;
        let pass = CovariancePass::<SquareRoot>::new(model, distribution, steady_state);
        let work = covariances::AllSteps { pass, series, steps };
        Ok(Self { form: CovarianceForm::SquareRoot, steady_state, steps: with_sizes(n, m, work)?, diffuse })
    }
}

/// The means at all times, as work for sizes that are known; gives ln p of each series.
#[derive(Debug)]
pub(crate) struct AllMeans<'a, const L: usize> {
    pub(crate) pass: MeanPass<'a, L>,
    pub(crate) steps: &'a Steps,
    pub(crate) means: Option<&'a mut [Means; L]>,
}

impl<const L: usize> SizedWork for AllMeans<'_, L> {
    type Output = Result<[f64; L], Error>;

    fn run<N: Dimension, M: Dimension>(mut self, n: N, m: M) -> Self::Output {
        self.pass.advance((n, m), (self.steps, 0), self.means)?;
        Ok(self.pass.ln_likelihood)
    }
}

/// Times of which the covariances are in memory together, if nothing is kept.
const BLOCK: usize = 64;

/// The log-likelihood of a series whose first times are done.
struct InBlocks<'a, R> {
    pass: CovariancePass<'a, R>,
    mean: MeanPass<'a, 1>,
    series: &'a Series,
    steps: Steps,
    done: usize,
}

impl<R: Recursion> SizedWork for InBlocks<'_, R> {
    type Output = Result<f64, Error>;

    fn run<N: Dimension, M: Dimension>(mut self, n: N, m: M) -> Self::Output {
        let mut from = self.done;
        while from < self.series.len() {
            let to = (from + BLOCK).min(self.series.len());
            self.steps.restart();
            self.pass.advance((n, m), self.series, from..to, &mut self.steps)?;
            self.mean.advance((n, m), (&self.steps, from), None)?;
            from = to;
        }
        Ok(self.mean.ln_likelihood[0])
    }
}
