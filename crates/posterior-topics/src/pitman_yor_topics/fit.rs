//! The driver of a fit: sweeps, trace, observers, and estimates.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use posterior_math::iteration::Stop;
use posterior_math::linalg::DMatrix;

use super::chain::PitmanYorGibbs;
use super::level::Level;
use super::model::PitmanYorTopics;
use super::options::Options;
use crate::{Corpus, Error, Fitted, Topics};

/// How a fit went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Sweeps done.
    pub sweeps: u32,
    /// Points along the way.
    pub trace: Vec<TracePoint>,
    /// Why the fit ended. A chain does not converge to a point, so that its usual end is
    /// [`Stop::MaxIterations`].
    pub stop: Stop,
    /// Wall time of the sweeps.
    pub sampling: Duration,
    /// Tokens of the corpus, all of which each sweep draws.
    pub tokens_in_sweep: u64,
}

/// A point of the chain.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TracePoint {
    /// Sweeps done.
    pub sweep: u32,
    /// ln p(W, Z, tables | parameters).
    pub ln_joint: f64,
    /// Discount and strength of the topics.
    pub level: Level,
}

/// What an observer sees after each sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Step {
    /// Sweeps done, from 1.
    pub sweep: u32,
    /// The latest point of the trace, if one was taken yet.
    pub latest: Option<TracePoint>,
    /// Wall time since the start of the fit.
    pub elapsed: Duration,
}

/// Fits Pitman-Yor topics by collapsed Gibbs sampling.
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
    mut observer: impl FnMut(&Step) -> ControlFlow<()>,
) -> Result<Fitted<PitmanYorTopics, Report>, Error> {
    let mut chain = PitmanYorGibbs::new(corpus, options)?;
    let mut pooled = Pooled::new(&chain);
    let start = Instant::now();
    let (mut sampling, mut trace, mut stop) = (Duration::ZERO, Vec::new(), Stop::MaxIterations);
    for sweep in 1..=options.iterations {
        let before = Instant::now();
        chain.sweep();
        sampling += before.elapsed();
        if options.is_optimized(sweep) {
            chain.optimize_alpha();
        }
        if options.is_pooled(sweep) {
            pooled.add(&chain);
        }
        if sweep.is_multiple_of(options.trace_every) || sweep == options.iterations {
            trace.push(TracePoint { sweep, ln_joint: chain.ln_joint(), level: chain.level() });
        }
        if observer(&Step { sweep, latest: trace.last().copied(), elapsed: start.elapsed() }).is_break() {
            stop = Stop::Observer;
            break;
        }
    }
    if pooled.states == 0.0 {
        pooled.add(&chain);
    }
    let (model, doc_topic) = pooled.estimates(&chain)?;
    let (sweeps, tokens_in_sweep) = (chain.sweeps(), corpus.tokens());
    Ok(Fitted { model, doc_topic, report: Report { sweeps, trace, stop, sampling, tokens_in_sweep } })
}

/// Sums over the pooled states.
struct Pooled {
    states: f64,
    /// Topics x words: probabilities.
    topic_word: DMatrix<f64>,
    /// Documents x topics: tokens.
    document_topic: DMatrix<f64>,
}

impl Pooled {
    fn new(chain: &PitmanYorGibbs<'_>) -> Self {
        let (corpus, topics) = (chain.corpus(), chain.alpha().len());
        Self {
            states: 0.0,
            topic_word: DMatrix::zeros(topics, corpus.vocabulary().len()),
            document_topic: DMatrix::zeros(corpus.documents(), topics),
        }
    }

    fn add(&mut self, chain: &PitmanYorGibbs<'_>) {
        self.states += 1.0;
        for (word, mut column) in self.topic_word.column_iter_mut().enumerate() {
            for (sum, p) in column.iter_mut().zip(chain.word_probabilities(word)) {
                *sum += p;
            }
        }
        for (d, mut row) in self.document_topic.row_iter_mut().enumerate() {
            for (sum, &count) in row.iter_mut().zip(chain.document_counts(d)) {
                *sum += f64::from(count);
            }
        }
    }

    /// The model and the proportions of the documents, topics numbered by their tokens, most first.
    fn estimates(&self, chain: &PitmanYorGibbs<'_>) -> Result<(PitmanYorTopics, DMatrix<f64>), Error> {
        let corpus = chain.corpus();
        let totals: Vec<f64> = self.document_topic.column_iter().map(|column| column.sum()).collect();
        let mut order: Vec<usize> = (0..totals.len()).collect();
        // Counts are whole numbers, so that their bits order as they do.
        order.sort_by_key(|&k| Reverse(totals[k].to_bits()));
        let alpha: Vec<f64> = order.iter().map(|&k| chain.alpha()[k]).collect();
        let prior: f64 = alpha.iter().sum();
        let lengths: Vec<f64> = corpus.iter().map(|document| document.tokens() as f64).collect();
        let doc_topic = DMatrix::from_fn(corpus.documents(), order.len(), |d, k| {
            (alpha[k] + self.document_topic[(d, order[k])] / self.states) / (prior + lengths[d])
        });
        let all: f64 = totals.iter().sum();
        let weights = order.iter().map(|&k| totals[k] / all).collect();
        let mut word_shares = vec![0.0; corpus.vocabulary().len()];
        for document in corpus.iter() {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                word_shares[word as usize] += f64::from(count) / corpus.tokens() as f64;
            }
        }
        let shape = (order.len(), corpus.vocabulary().len());
        let mut topic_word =
            DMatrix::from_fn(shape.0, shape.1, |k, word| self.topic_word[(order[k], word)] / self.states);
        for mut row in topic_word.row_iter_mut() {
            // One but for rounding.
            let sum = row.sum();
            row /= sum;
        }
        let topics = Topics::new(corpus.vocabulary().to_vec(), topic_word, weights, word_shares)?;
        Ok((PitmanYorTopics::new(topics, alpha, chain.level(), chain.base_level()), doc_topic))
    }
}
