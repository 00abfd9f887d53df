//! The fit: a chain whose topics are held at the end, and estimates.

use std::io::{self, Write};
use std::ops::ControlFlow;

use posterior_math::iteration::{Observer, Resumable, Step};

use super::checkpoint::{FORMAT, HdpCheckpoint, State};
use super::direct_assignment::DirectAssignment;
use super::franchise::Franchise;
use super::held_topics::HeldTopics;
use super::model::Hdp;
use super::options::{HdpOptions, Representation};
use super::state::HdpState;
use crate::chain::{Chain, Run, SweepReport};
use crate::checkpoint::{contradiction, fingerprint, same_corpus};
use crate::{Corpus, Error, FittedTopics};

/// Fits a hierarchical Dirichlet process by Gibbs sampling.
///
/// States of different numbers of topics have nothing in common that could be averaged. So the last
/// `(draws - 1) thin` sweeps, or half of all, hold the topics of the state that they start from, with its
/// weights and concentrations, and draw the topics of tokens only: `draws` states of them are pooled for
/// the estimates. What is said of the number of topics, [`SweepReport::topics_distribution`], is from the
/// sweeps before.
///
/// The observer sees the latest joint log-likelihood of the trace after each sweep, NaN before the first one
/// is taken, and can write a [checkpoint](Resumable). When it stops the fit, estimates are of what was pooled
/// so far or, if nothing was, of the last state. The result depends on the seed alone; one thread does all.
///
/// Cost: `iterations` x tokens x topics.
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &HdpOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Hdp, SweepReport<HdpState>>, Error> {
    let stage = match options.representation {
        Representation::DirectAssignment => Stage::Direct(DirectAssignment::new(corpus, options)?),
        Representation::Franchise => Stage::Franchise(Franchise::new(corpus, options)?),
    };
    finish(Run::new(HdpChain { corpus, options, stage }, options.schedule()), observer)
}

/// Continues a fit from a checkpoint, to the same bits as if it had never stopped.
///
/// # Errors
/// A checkpoint of another corpus, or one that is damaged.
pub fn resume(
    corpus: &Corpus,
    checkpoint: &HdpCheckpoint,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Hdp, SweepReport<HdpState>>, Error> {
    let (options, done) = (&checkpoint.options, checkpoint.iterations);
    same_corpus(checkpoint.corpus, corpus)?;
    options.check()?;
    if options.is_held(done) != matches!(checkpoint.state, State::Held(_)) {
        return Err(contradiction());
    }
    let stage = match &checkpoint.state {
        State::DirectAssignment(state) => {
            Stage::Direct(DirectAssignment::restore(corpus, options, state, done)?)
        }
        State::Franchise(state) => Stage::Franchise(Franchise::restore(corpus, options, state, done)?),
        State::Held(state) => Stage::Held(HeldTopics::restore(corpus, state)?),
    };
    let (chain, trace) = (HdpChain { corpus, options, stage }, checkpoint.trace.clone());
    finish(Run { chain, schedule: options.schedule(), done, trace }, observer)
}

fn finish(
    run: Run<HdpChain<'_>>,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Hdp, SweepReport<HdpState>>, Error> {
    let (mut chain, report) = run.finish(None, observer)?;
    let vocabulary = chain.corpus.vocabulary();
    let held = chain.hold();
    if held.states() == 0 {
        held.pool();
    }
    let (lda, doc_topic) = held.estimates(vocabulary);
    let model = Hdp::new(lda, held.concentrations(), held.unused_weight());
    Ok(FittedTopics { model, doc_topic, report })
}

#[derive(Debug)]
enum Stage<'a> {
    Direct(DirectAssignment<'a>),
    Franchise(Franchise<'a>),
    Held(HeldTopics),
}

/// The chain in one of its representations, and at the end with its topics held.
#[derive(Debug)]
struct HdpChain<'a> {
    corpus: &'a Corpus,
    options: &'a HdpOptions,
    stage: Stage<'a>,
}

impl HdpChain<'_> {
    /// Holds the topics from here on, if they are not yet.
    fn hold(&mut self) -> &mut HeldTopics {
        let concentrations = self.state().concentrations;
        let held = match &self.stage {
            Stage::Direct(chain) => Some(HeldTopics::new(self.corpus, chain.state(), concentrations)),
            Stage::Franchise(chain) => {
                let (topics, counts, tables) = chain.state();
                Some(HeldTopics::new(self.corpus, (&topics, counts, tables), concentrations))
            }
            Stage::Held(_) => None,
        };
        if let Some(held) = held {
            self.stage = Stage::Held(held);
        }
        match &mut self.stage {
            Stage::Held(held) => held,
            Stage::Direct(_) | Stage::Franchise(_) => unreachable!("invariant: the topics are held by now"),
        }
    }
}

impl Chain for HdpChain<'_> {
    type State = HdpState;

    fn corpus(&self) -> &Corpus {
        self.corpus
    }

    fn sweep(&mut self, iteration: usize) {
        match &mut self.stage {
            Stage::Direct(chain) => chain.sweep(),
            Stage::Franchise(chain) => chain.sweep(),
            Stage::Held(held) => held.sweep(self.options.seed, iteration),
        }
    }

    fn ln_joint(&self) -> f64 {
        match &self.stage {
            Stage::Direct(chain) => chain.ln_joint(),
            Stage::Franchise(chain) => chain.ln_joint(),
            Stage::Held(held) => held.ln_joint(),
        }
    }

    fn state(&self) -> HdpState {
        let (topics, concentrations, held) = match &self.stage {
            Stage::Direct(chain) => (chain.topics(), chain.concentrations(), false),
            Stage::Franchise(chain) => (chain.topics(), chain.concentrations(), false),
            Stage::Held(held) => (held.topics(), held.concentrations(), true),
        };
        HdpState { topics, concentrations, held }
    }

    fn settle(&mut self, iteration: usize) {
        if self.options.is_held(iteration) {
            self.hold();
        }
    }

    fn pool(&mut self) {
        if let Stage::Held(held) = &mut self.stage {
            held.pool();
        }
    }

    fn show(run: &Run<Self>, step: &Step, observer: &mut (impl Observer + ?Sized)) -> ControlFlow<()> {
        observer.resumable_step(step, run)
    }
}

impl Resumable for Run<HdpChain<'_>> {
    fn write_checkpoint(&self, writer: &mut dyn Write) -> io::Result<()> {
        let HdpChain { corpus, options, stage } = &self.chain;
        let checkpoint = HdpCheckpoint {
            format: FORMAT.to_owned(),
            corpus: fingerprint(corpus),
            options: (*options).clone(),
            iterations: self.done,
            trace: self.trace.clone(),
            state: match stage {
                Stage::Direct(chain) => State::DirectAssignment(chain.save()),
                Stage::Franchise(chain) => State::Franchise(chain.save()),
                Stage::Held(held) => State::Held(held.save()),
            },
        };
        checkpoint.write_to(writer)
    }
}
