//! The driver of a fit: sweeps, trace, learning of the concentrations, pooling, and observers.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use posterior_math::ParamError;
use posterior_math::iteration::Stop;
use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::collapsed_gibbs::CollapsedGibbs;
use super::options::Options;
use super::pooled::PooledCounts;
use crate::lda::Lda;
use crate::{Corpus, Error, Fitted};

/// How a fit went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Sweeps done, those before a checkpoint included.
    pub sweeps: u32,
    /// The joint log-likelihood along the way.
    pub trace: Vec<TracePoint>,
    /// Why the fit ended. A chain does not converge to a point, so that its usual end is
    /// [`Stop::MaxIterations`].
    pub stop: Stop,
    /// Wall time of the sweeps of this run, those before a checkpoint left out.
    pub sampling: Duration,
    /// Tokens drawn in that time.
    pub tokens_drawn: u64,
    /// Tokens of the corpus, all of which each sweep draws.
    pub tokens_in_sweep: u64,
}

/// One value of the joint log-likelihood.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TracePoint {
    /// Sweeps done.
    pub sweep: u32,
    /// ln p(W, Z | alpha, beta).
    pub ln_joint: f64,
}

/// What an observer sees after each sweep.
#[derive(Debug)]
pub struct Step<'s, 'a> {
    /// Sweeps done, from 1.
    pub sweep: u32,
    /// The latest value of the joint log-likelihood, if one was taken yet.
    pub latest: Option<TracePoint>,
    /// Wall time since the start of this run.
    pub elapsed: Duration,
    run: &'s Run<'a>,
}

impl Step<'_, '_> {
    /// All that it takes to go on from here later. Copies the state: a few bytes a token.
    pub fn checkpoint(&self) -> Checkpoint {
        self.run.checkpoint()
    }
}

/// Fits latent Dirichlet allocation by collapsed Gibbs sampling.
///
/// `observer` is called after each sweep; when it returns [`ControlFlow::Break`] the fit ends there, with the
/// estimates of what was pooled so far or, if nothing was, of the last state.
///
/// Cost: `iterations` x tokens x topics.
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &Options,
    observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()> + Send,
) -> Result<Fitted<Lda, Report>, Error> {
    let run = Run {
        chain: CollapsedGibbs::new(corpus, options)?,
        options: options.clone(),
        pooled: PooledCounts::new(corpus, options.topics),
        trace: Vec::new(),
    };
    run.finish(observer)
}

/// Continues a fit from a checkpoint, to the same bits as if it had never stopped.
///
/// # Errors
/// A checkpoint of another corpus, or one that is damaged.
pub fn resume(
    corpus: &Corpus,
    checkpoint: &Checkpoint,
    threads: usize,
    observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()> + Send,
) -> Result<Fitted<Lda, Report>, Error> {
    let run = Run {
        chain: checkpoint.chain(corpus)?,
        options: Options { threads, ..checkpoint.options().clone() },
        pooled: checkpoint.pooled().clone(),
        trace: checkpoint.trace().to_vec(),
    };
    run.finish(observer)
}

/// A fit under way.
#[derive(Debug)]
struct Run<'a> {
    chain: CollapsedGibbs<'a>,
    options: Options,
    pooled: PooledCounts,
    trace: Vec<TracePoint>,
}

impl Run<'_> {
    fn finish(
        mut self,
        observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()> + Send,
    ) -> Result<Fitted<Lda, Report>, Error> {
        // Zero asks for all cores. More threads than groups would find nothing to do.
        let threads = self.options.threads.min(self.chain.groups());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| {
            ParamError::new("Lda", "threads", self.options.threads as f64, "as many as the system can start")
        })?;
        Ok(pool.install(move || {
            let before = self.chain.sweeps();
            let (stop, sampling) = self.sweep_all(observer);
            self.fitted(stop, sampling, before)
        }))
    }

    fn sweep_all(&mut self, mut observer: impl FnMut(&Step<'_, '_>) -> ControlFlow<()>) -> (Stop, Duration) {
        let start = Instant::now();
        let mut sampling = Duration::ZERO;
        while self.chain.sweeps() < self.options.iterations {
            let before = Instant::now();
            self.chain.sweep();
            sampling += before.elapsed();
            self.after_sweep();
            let step = Step {
                sweep: self.chain.sweeps(),
                latest: self.trace.last().copied(),
                elapsed: start.elapsed(),
                run: self,
            };
            if observer(&step).is_break() {
                return (Stop::Observer, sampling);
            }
        }
        (Stop::MaxIterations, sampling)
    }

    fn after_sweep(&mut self) {
        let sweep = self.chain.sweeps();
        if self.options.is_optimized(sweep) {
            self.chain.optimize_hyperparameters();
        }
        if self.options.is_pooled(sweep) {
            self.pooled.add(&self.chain);
        }
        if sweep.is_multiple_of(self.options.trace_every) || sweep == self.options.iterations {
            self.trace.push(TracePoint { sweep, ln_joint: self.chain.ln_joint() });
        }
    }

    fn fitted(mut self, stop: Stop, sampling: Duration, sweeps_before: u32) -> Fitted<Lda, Report> {
        if self.pooled.samples() == 0 {
            self.pooled.add(&self.chain);
        }
        let (chain, mut alpha) = (&self.chain, self.chain.alpha().to_vec());
        if chain.seeds().is_empty() {
            self.pooled.sort_topics(&mut alpha);
        }
        let mut word_topic = self.pooled.mean_word_topic();
        for seed in chain.seeds() {
            word_topic[seed.word * alpha.len() + seed.topic] += seed.weight;
        }
        let report = Report {
            sweeps: chain.sweeps(),
            trace: self.trace,
            stop,
            sampling,
            tokens_drawn: u64::from(chain.sweeps() - sweeps_before) * chain.corpus().tokens(),
            tokens_in_sweep: chain.corpus().tokens(),
        };
        Fitted {
            doc_topic: self.pooled.doc_topic(&alpha),
            model: Lda::from_counts(chain.corpus().vocabulary().to_vec(), alpha, chain.beta(), word_topic),
            report,
        }
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(&self.chain, &self.options, &self.pooled, &self.trace)
    }
}
