//! What all fits by Markov chains do: sweeps, the trace, the observer, the report.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use posterior_math::iteration::{Observer, Step, Stop};
use posterior_math::{ParamError, check};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::{Corpus, Error};

/// The report of a fit by a Markov chain. The trace holds an `S` of each state beside its probability.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SweepReport<S = ()> {
    /// Sweeps done, those before a checkpoint included.
    pub iterations: usize,
    /// Points along the way.
    pub trace: Vec<SweepPoint<S>>,
    /// The reason for the end of the fit. A chain does not converge to a point, so that its usual end is
    /// [`Stop::MaxIterations`].
    pub stop: Stop,
    /// Wall time of the sweeps of this run, those before a checkpoint left out.
    pub sampling: Duration,
    /// Tokens drawn in that time.
    pub tokens_drawn: u64,
    /// Tokens of the corpus, all of which each sweep draws.
    pub tokens_in_sweep: u64,
}

/// A point of the trace of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SweepPoint<S = ()> {
    /// Sweeps done.
    pub iteration: usize,
    /// The logarithm of the probability of words, topics and whatever else the chain draws, given the
    /// parameters.
    pub ln_joint: f64,
    /// Further numbers of the state, which depend on the model.
    pub state: S,
}

/// When the states of a chain are pooled and when its trace is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) iterations: usize,
    pub(crate) draws: usize,
    pub(crate) thin: usize,
    pub(crate) trace_every: usize,
    /// Whether the chain fits its concentrations from time to time.
    pub(crate) optimizes: bool,
}

impl Schedule {
    /// Every number is at least one.
    pub(crate) fn check(self, of: &'static str) -> Result<(), ParamError> {
        let Self { iterations, draws, thin, trace_every, .. } = self;
        check::at_least_one(of, "iterations", iterations)?;
        check::at_least_one(of, "draws", draws)?;
        check::at_least_one(of, "thin", thin)?;
        check::at_least_one(of, "trace_every", trace_every)?;
        Ok(())
    }

    /// Whether fewer states are left than are pooled, thinned.
    pub(crate) fn is_last(self, iteration: usize) -> bool {
        self.iterations.saturating_sub(iteration) / self.thin < self.draws
    }

    /// Whether the state after this sweep is one of those that are pooled, the last one included.
    pub(crate) fn is_pooled(self, iteration: usize) -> bool {
        self.is_last(iteration) && self.iterations.saturating_sub(iteration).is_multiple_of(self.thin)
    }

    /// Whether concentrations are fitted after this sweep: from time to time, until the first pooled state.
    pub(crate) fn is_fitted(self, iteration: usize) -> bool {
        let warm_up = self.iterations.saturating_sub(self.thin.saturating_mul(self.draws - 1));
        self.optimizes && iteration > 20 && iteration.is_multiple_of(10) && iteration < warm_up
    }

    pub(crate) fn is_traced(self, iteration: usize) -> bool {
        iteration.is_multiple_of(self.trace_every) || iteration == self.iterations
    }
}

/// A chain with the sums of its pooled states.
pub(crate) trait Chain: Sized {
    /// What the trace holds of a state.
    type State: Copy + Send;

    fn corpus(&self) -> &Corpus;

    fn sweep(&mut self, iteration: usize);

    /// Fits the concentrations, when the schedule says so: after a sweep, before the trace.
    fn optimize(&mut self) {}

    /// After a sweep, before the trace: what is fitted by a schedule of the chain's own.
    fn fit_parameters(&mut self, _: usize) -> Result<(), Error> {
        Ok(())
    }

    fn ln_joint(&self) -> f64;

    fn state(&self) -> Self::State;

    /// After the trace of a sweep, before the state is pooled.
    fn settle(&mut self, _: usize) {}

    /// Adds the state to the sums: after the trace, when the schedule says so.
    fn pool(&mut self);

    /// Shows a step to the observer; chains that can be resumed also show how.
    fn show(_: &Run<Self>, step: &Step, observer: &mut (impl Observer + ?Sized)) -> ControlFlow<()> {
        observer.step(step)
    }
}

/// A fit under way.
#[derive(Debug)]
pub(crate) struct Run<C: Chain> {
    pub(crate) chain: C,
    pub(crate) schedule: Schedule,
    /// Sweeps done.
    pub(crate) done: usize,
    pub(crate) trace: Vec<SweepPoint<C::State>>,
}

impl<C: Chain + Send> Run<C> {
    /// A fit that begins.
    pub(crate) fn new(chain: C, schedule: Schedule) -> Self {
        Self { chain, schedule, done: 0, trace: Vec::new() }
    }

    /// Sweeps to the end, or until the observer has had enough; on the threads of a pool, if there is one.
    pub(crate) fn finish(
        mut self,
        threads: Option<&ThreadPool>,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<(C, SweepReport<C::State>), Error> {
        let (start, before) = (Instant::now(), self.done);
        let (mut sampling, mut stop) = (Duration::ZERO, Stop::MaxIterations);
        while self.done < self.schedule.iterations {
            sampling += match threads {
                Some(threads) => threads.install(|| self.advance())?,
                None => self.advance()?,
            };
            let latest = self.trace.last().map_or(f64::NAN, |point| point.ln_joint);
            if C::show(&self, &Step::new(self.done, latest, start.elapsed()), observer).is_break() {
                stop = Stop::Observer;
                break;
            }
        }
        let tokens = self.chain.corpus().tokens();
        let report = SweepReport {
            iterations: self.done,
            trace: self.trace,
            stop,
            sampling,
            tokens_drawn: (self.done - before) as u64 * tokens,
            tokens_in_sweep: tokens,
        };
        Ok((self.chain, report))
    }

    /// One sweep and all that follows it; the time of the sweep.
    fn advance(&mut self) -> Result<Duration, Error> {
        let (start, iteration) = (Instant::now(), self.done + 1);
        self.chain.sweep(iteration);
        let elapsed = start.elapsed();
        self.done = iteration;
        if self.schedule.is_fitted(iteration) {
            self.chain.optimize();
        }
        self.chain.fit_parameters(iteration)?;
        if self.schedule.is_traced(iteration) {
            self.note();
        }
        self.chain.settle(iteration);
        if self.schedule.is_pooled(iteration) {
            self.chain.pool();
        }
        Ok(elapsed)
    }

    /// Adds the state to the trace.
    pub(crate) fn note(&mut self) {
        let (ln_joint, state) = (self.chain.ln_joint(), self.chain.state());
        self.trace.push(SweepPoint { iteration: self.done, ln_joint, state });
    }
}
