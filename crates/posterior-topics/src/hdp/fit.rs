//! The driver of a fit: sweeps, trace, observers, and estimates.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use posterior_math::iteration::Stop;
use serde::{Deserialize, Serialize};

use super::checkpoint::{Checkpoint, State};
use super::concentrations::Concentrations;
use super::direct_assignment::DirectAssignment;
use super::franchise::Franchise;
use super::held_topics::HeldTopics;
use super::model::Hdp;
use super::options::{Options, Representation};
use crate::checkpoint::contradiction;
use crate::{Corpus, Error, Fitted};

/// How a fit went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Sweeps done, those before a checkpoint included.
    pub sweeps: u32,
    /// Points along the way.
    pub trace: Vec<TracePoint>,
    /// Why the fit ended. A chain does not converge to a point, so that its usual end is
    /// [`Stop::MaxIterations`].
    pub stop: Stop,
    /// The sweep after which the number of topics was held, so that states could be pooled.
    pub held_from: u32,
    /// Wall time of the sweeps of this run, those before a checkpoint left out.
    pub sampling: Duration,
    /// Tokens drawn in that time.
    pub tokens_drawn: u64,
    /// Tokens of the corpus, all of which each sweep draws.
    pub tokens_in_sweep: u64,
}

impl Report {
    /// The share of the points of the trace with each number of topics: its posterior distribution, of the
    /// points after sweep `warm_up` and up to the sweep from which on it was held.
    pub fn topics_distribution(&self, warm_up: u32) -> BTreeMap<usize, f64> {
        let free = |point: &&TracePoint| point.sweep > warm_up && point.sweep <= self.held_from;
        let points = self.trace.iter().filter(free);
        let share = 1.0 / points.clone().count() as f64;
        let mut distribution = BTreeMap::new();
        for point in points {
            *distribution.entry(point.topics).or_default() += share;
        }
        distribution
    }
}

/// A point of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TracePoint {
    /// Sweeps done.
    pub sweep: u32,
    /// The number of topics that have tokens.
    pub topics: usize,
    /// The concentrations of the process.
    pub concentrations: Concentrations,
    /// ln p(W, Z | b, α₀, beta), where b are the weights of the topics, or their means given the tables in a
    /// [`Franchise`] and when the number of topics is held.
    pub ln_joint: f64,
}

/// What an observer sees after each sweep.
#[derive(Debug)]
pub struct Step<'s, 'a> {
    /// Sweeps done, from 1.
    pub sweep: u32,
    /// The number of topics that have tokens.
    pub topics: usize,
    /// The latest point of the trace, if one was taken yet.
    pub latest: Option<TracePoint>,
    /// Wall time since the start of this run.
    pub elapsed: Duration,
    run: &'s Run<'a>,
}

impl Step<'_, '_> {
    /// All that it takes to go on from here later. Copies the state: a few bytes a token and, once states are
    /// pooled, eight for each pair of a topic with a word or a document.
    pub fn checkpoint(&self) -> Checkpoint {
        self.run.checkpoint(self.sweep)
    }
}

/// Fits a hierarchical Dirichlet process by Gibbs sampling.
///
/// States of different numbers of topics have nothing in common that could be averaged. So the last
/// `(samples - 1) thin` sweeps, or half of all, hold the topics of the state that they start from, with its
/// weights and concentrations, and draw the topics of tokens only: `samples` states of them are pooled for
/// the estimates. What is said of the number of topics, [`Report::topics_distribution`], is from the sweeps
/// before.
///
/// `observer` is called after each sweep; when it returns [`ControlFlow::Break`] the fit ends there, with the
/// estimates of what was pooled so far or, if nothing was, of the last state. The result depends on the seed
/// alone; one thread does all.
///
/// Cost: `iterations` x tokens x topics.
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &Options,
    observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()>,
) -> Result<Fitted<Hdp, Report>, Error> {
    let chain = match options.representation {
        Representation::DirectAssignment => Chain::Direct(DirectAssignment::new(corpus, options)?),
        Representation::Franchise => Chain::Franchise(Franchise::new(corpus, options)?),
    };
    Ok(Run { corpus, options, chain, trace: Vec::new(), held_from: 0 }.finish(0, observer))
}

/// Continues a fit from a checkpoint, to the same bits as if it had never stopped.
///
/// # Errors
/// A checkpoint of another corpus, or one that is damaged.
pub fn resume(
    corpus: &Corpus,
    checkpoint: &Checkpoint,
    observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()>,
) -> Result<Fitted<Hdp, Report>, Error> {
    let (options, sweeps) = (checkpoint.options(), checkpoint.sweeps());
    let state = checkpoint.state(corpus)?;
    if options.is_held(sweeps) != matches!(state, State::Held(_)) {
        return Err(contradiction());
    }
    let chain = match state {
        State::DirectAssignment(state) => {
            Chain::Direct(DirectAssignment::restore(corpus, options, state, sweeps)?)
        }
        State::Franchise(state) => Chain::Franchise(Franchise::restore(corpus, options, state, sweeps)?),
        State::Held(state) => {
            options.check()?;
            Chain::Held(HeldTopics::restore(corpus, state)?)
        }
    };
    let trace = checkpoint.trace().to_vec();
    Ok(Run { corpus, options, chain, trace, held_from: checkpoint.held_from() }.finish(sweeps, observer))
}

#[derive(Debug)]
enum Chain<'a> {
    Direct(DirectAssignment<'a>),
    Franchise(Franchise<'a>),
    Held(HeldTopics),
}

/// A fit under way.
#[derive(Debug)]
struct Run<'a> {
    corpus: &'a Corpus,
    options: &'a Options,
    chain: Chain<'a>,
    trace: Vec<TracePoint>,
    held_from: u32,
}

impl Run<'_> {
    /// Goes on after `before` sweeps.
    fn finish(
        mut self,
        before: u32,
        mut observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()>,
    ) -> Fitted<Hdp, Report> {
        let start = Instant::now();
        let mut sampling = Duration::ZERO;
        let (mut stop, mut sweeps) = (Stop::MaxIterations, before);
        for sweep in before + 1..=self.options.iterations {
            let sweep_start = Instant::now();
            self.chain.sweep(self.options.seed, sweep);
            sampling += sweep_start.elapsed();
            sweeps = sweep;
            self.after(sweep);
            let (topics, latest) = (self.chain.topics(), self.trace.last().copied());
            let step = Step { sweep, topics, latest, elapsed: start.elapsed(), run: &self };
            if observer(&step).is_break() {
                stop = Stop::Observer;
                break;
            }
        }
        let vocabulary = self.corpus.vocabulary();
        let held = self.hold(sweeps);
        if held.states() == 0 {
            held.pool();
        }
        let (lda, doc_topic) = held.estimates(vocabulary);
        let model = Hdp::new(lda, held.concentrations(), held.unused_weight());
        let report = Report {
            sweeps,
            trace: self.trace,
            stop,
            held_from: self.held_from,
            sampling,
            tokens_drawn: u64::from(sweeps - before) * self.corpus.tokens(),
            tokens_in_sweep: self.corpus.tokens(),
        };
        Fitted { model, doc_topic, report }
    }

    fn after(&mut self, sweep: u32) {
        if sweep.is_multiple_of(self.options.trace_every) || sweep == self.options.iterations {
            let chain = &self.chain;
            let (topics, concentrations) = (chain.topics(), chain.concentrations());
            self.trace.push(TracePoint { sweep, topics, concentrations, ln_joint: chain.ln_joint() });
        }
        if self.options.is_held(sweep) {
            let pooled = self.options.is_pooled(sweep);
            let held = self.hold(sweep);
            if pooled {
                held.pool();
            }
        }
    }

    fn checkpoint(&self, sweeps: u32) -> Checkpoint {
        let state = match &self.chain {
            Chain::Direct(chain) => State::DirectAssignment(chain.save()),
            Chain::Franchise(chain) => State::Franchise(chain.save()),
            Chain::Held(held) => State::Held(held.save()),
        };
        Checkpoint::new(self.corpus, self.options, (sweeps, self.held_from), &self.trace, state)
    }

    /// Holds the topics from this sweep on, if they are not yet.
    fn hold(&mut self, sweep: u32) -> &mut HeldTopics {
        let concentrations = self.chain.concentrations();
        let held = match &self.chain {
            Chain::Direct(chain) => Some(HeldTopics::new(self.corpus, chain.state(), concentrations)),
            Chain::Franchise(chain) => {
                let (topics, counts, tables) = chain.state();
                Some(HeldTopics::new(self.corpus, (&topics, counts, tables), concentrations))
            }
            Chain::Held(_) => None,
        };
        if let Some(held) = held {
            self.chain = Chain::Held(held);
            self.held_from = sweep;
        }
        match &mut self.chain {
            Chain::Held(held) => held,
            Chain::Direct(_) | Chain::Franchise(_) => unreachable!("invariant: the topics are held by now"),
        }
    }
}

impl Chain<'_> {
    fn sweep(&mut self, seed: u64, sweep: u32) {
        match self {
            Self::Direct(chain) => chain.sweep(),
            Self::Franchise(chain) => chain.sweep(),
            Self::Held(held) => held.sweep(seed, sweep),
        }
    }

    fn topics(&self) -> usize {
        match self {
            Self::Direct(chain) => chain.topics(),
            Self::Franchise(chain) => chain.topics(),
            Self::Held(held) => held.topics(),
        }
    }

    fn concentrations(&self) -> Concentrations {
        match self {
            Self::Direct(chain) => chain.concentrations(),
            Self::Franchise(chain) => chain.concentrations(),
            Self::Held(held) => held.concentrations(),
        }
    }

    fn ln_joint(&self) -> f64 {
        match self {
            Self::Direct(chain) => chain.ln_joint(),
            Self::Franchise(chain) => chain.ln_joint(),
            Self::Held(held) => held.ln_joint(),
        }
    }
}
