//! The chain: proportions and topics given the topics of tokens, and these given the former.

use std::sync::atomic::{AtomicU32, Ordering};

use posterior_dist::stream::stream;
use rand::RngExt;
use rayon::prelude::*;

use super::draws::{TopicDraw, Weights};
use super::options::LdaBlockedGibbsOptions;
use crate::checks::topics_of_tokens;
use crate::distributions::{column_sums, draw_ln_dirichlet};
use crate::lda::tally::Tally;
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{hyperparameters, joint};
use crate::{Corpus, Error};

/// Documents of one task. They share a random stream, so that the number shapes the chain.
const DOCUMENTS_PER_TASK: usize = 32;

/// Words of one task. Nothing is drawn in it.
const WORDS_PER_TASK: usize = 256;

/// The names of the random streams under the seed.
const INITIAL: u64 = 0;
const TOPICS: u64 = 1;
const DOCUMENTS: u64 = 2;

/// A chain of proportions, topics, and topics of tokens.
///
/// Of the tokens of one word in one document all are alike, and of their topics the counts are kept: they are
/// all that proportions and topics are drawn by. A sweep draws proportions and topics first and then the
/// tokens, so that after it `theta`, `phi` and the counts are one joint draw. The chain depends on the seed,
/// never on threads.
///
/// Cost of a sweep: pairs of documents and distinct words x topics, and a gamma variate for each word and
/// topic and for each document and topic. Memory: 28 bytes for each word and topic while topics are drawn, 12
/// for each document and topic.
#[derive(Debug, Clone)]
pub struct LdaBlockedGibbs<'a> {
    corpus: &'a Corpus,
    alpha: Vec<f64>,
    prior: WordConcentrations,
    seed: u64,
    sweeps: usize,
    /// Documents x topics.
    document_topic: Vec<u32>,
    /// Words x topics.
    word_topic: Vec<u32>,
    /// `theta`, documents x topics.
    proportions: Vec<f64>,
    /// `phi`, words x topics.
    topic_words: Vec<f64>,
    ln_topic_words: Vec<f64>,
}

impl<'a> LdaBlockedGibbs<'a> {
    /// A chain in which each token starts with a topic drawn uniformly.
    ///
    /// # Errors
    /// Options out of range, or a corpus of 2^31 tokens or more.
    pub fn new(corpus: &'a Corpus, options: &LdaBlockedGibbsOptions) -> Result<Self, Error> {
        options.check()?;
        let mut rng = stream(options.seed, &[INITIAL]);
        Self::start(corpus, options, || rng.random_range(0..options.topics))
    }

    /// A chain that starts from the given topics, one a token in the order of documents, of words within a
    /// document, and of repetitions: such as
    /// [`LdaGibbs::assignments`](crate::lda::gibbs::LdaGibbs::assignments) gives.
    ///
    /// # Errors
    /// As [`LdaBlockedGibbs::new`]; or another number of topics than there are tokens, or a topic
    /// out of range.
    #[expect(clippy::missing_panics_doc, reason = "there are as many topics as tokens by then")]
    pub fn from_assignments(
        corpus: &'a Corpus,
        options: &LdaBlockedGibbsOptions,
        assignments: &[u16],
    ) -> Result<Self, Error> {
        options.check()?;
        topics_of_tokens(corpus.tokens(), assignments, options.topics)?;
        let mut next = assignments.iter().map(|&z| usize::from(z));
        Self::start(corpus, options, || next.next().expect("invariant: there is a topic for each token"))
    }

    fn start(
        corpus: &'a Corpus,
        options: &LdaBlockedGibbsOptions,
        mut topic: impl FnMut() -> usize,
    ) -> Result<Self, Error> {
        crate::checks::sampleable(corpus)?;
        let topics = options.topics;
        let mut document_topic = vec![0; corpus.documents() * topics];
        let mut word_topic = vec![0; corpus.vocabulary().len() * topics];
        for (document, row) in corpus.iter().zip(document_topic.chunks_exact_mut(topics)) {
            for (&word, &count) in document.words.iter().zip(document.counts) {
                for _ in 0..count {
                    let k = topic();
                    row[k] += 1;
                    word_topic[word as usize * topics + k] += 1;
                }
            }
        }
        let mut chain = Self {
            corpus,
            alpha: options.alpha.of_topics(topics)?,
            prior: options.word_weights.concentrations(topics, corpus.vocabulary().len(), options.beta)?,
            seed: options.seed,
            sweeps: 0,
            proportions: vec![0.0; document_topic.len()],
            topic_words: vec![0.0; word_topic.len()],
            ln_topic_words: vec![0.0; word_topic.len()],
            document_topic,
            word_topic,
        };
        chain.set_means();
        Ok(chain)
    }

    /// `theta` and `phi` before the first sweep: their means given the topics of the tokens.
    fn set_means(&mut self) {
        let topics = self.alpha.len();
        let alpha: f64 = self.alpha.iter().sum();
        let rows = self.proportions.chunks_exact_mut(topics).zip(self.document_topic.chunks_exact(topics));
        for (row, counts) in rows {
            let tokens: f64 = counts.iter().map(|&n| f64::from(n)).sum();
            for ((theta, &n), a) in row.iter_mut().zip(counts).zip(&self.alpha) {
                *theta = (f64::from(n) + a) / (tokens + alpha);
            }
        }
        let mut totals = self.prior.sums();
        for row in self.word_topic.chunks_exact(topics) {
            totals.iter_mut().zip(row).for_each(|(total, &n)| *total += f64::from(n));
        }
        for (i, (phi, &n)) in self.topic_words.iter_mut().zip(&self.word_topic).enumerate() {
            *phi = (f64::from(n) + self.prior.of(i / topics, i % topics)) / totals[i % topics];
            self.ln_topic_words[i] = phi.ln();
        }
    }

    /// Draws all proportions and topics, and then the topics of all tokens, on the threads of the current
    /// rayon pool.
    pub fn sweep(&mut self) {
        self.draw_topics();
        self.draw_documents();
        self.sweeps += 1;
    }

    fn draw_topics(&mut self) {
        let topics = self.alpha.len();
        let (seed, sweep, prior) = (self.seed, self.sweeps as u64, &self.prior);
        let counts = &self.word_topic;
        let columns: Vec<Vec<f64>> = (0..topics)
            .into_par_iter()
            .map(|k| {
                let column = counts.iter().skip(k).step_by(topics).enumerate();
                let concentrations: Vec<f64> =
                    column.map(|(word, &n)| f64::from(n) + prior.of(word, k)).collect();
                draw_ln_dirichlet(&concentrations, &mut stream(seed, &[TOPICS, sweep, k as u64]))
            })
            .collect();
        let size = WORDS_PER_TASK * topics;
        let rows = self.topic_words.par_chunks_mut(size).zip(self.ln_topic_words.par_chunks_mut(size));
        rows.enumerate().for_each(|(task, (phi, ln_phi))| {
            for (word, row) in (task * WORDS_PER_TASK..).zip(ln_phi.chunks_exact_mut(topics)) {
                row.iter_mut().zip(&columns).for_each(|(ln, column)| *ln = column[word]);
            }
            phi.iter_mut().zip(&*ln_phi).for_each(|(phi, ln)| *phi = ln.exp());
        });
    }

    fn draw_documents(&mut self) {
        let topics = self.alpha.len();
        // Sums of integers, in whatever order threads come to add.
        let word_topic: Vec<AtomicU32> = self.word_topic.iter().map(|_| AtomicU32::new(0)).collect();
        let (corpus, seed, sweep, alpha) = (self.corpus, self.seed, self.sweeps as u64, &self.alpha);
        let (topic_words, ln_topic_words) = (&self.topic_words, &self.ln_topic_words);
        let size = DOCUMENTS_PER_TASK * topics;
        let tasks = self.document_topic.par_chunks_mut(size).zip(self.proportions.par_chunks_mut(size));
        tasks.enumerate().for_each(|(task, (counts, proportions))| {
            let mut rng = stream(seed, &[DOCUMENTS, sweep, task as u64]);
            let mut draw = TopicDraw::new(topics);
            let rows = counts.chunks_exact_mut(topics).zip(proportions.chunks_exact_mut(topics));
            for (d, (counts, proportions)) in (task * DOCUMENTS_PER_TASK..).zip(rows) {
                let concentrations: Vec<f64> =
                    counts.iter().zip(alpha).map(|(&n, a)| f64::from(n) + a).collect();
                let ln_proportions = draw_ln_dirichlet(&concentrations, &mut rng);
                proportions.iter_mut().zip(&ln_proportions).for_each(|(theta, ln)| *theta = ln.exp());
                counts.fill(0);
                let theta = Weights { linear: proportions, ln: &ln_proportions };
                let document = corpus.document(d);
                for (&word, &tokens) in document.words.iter().zip(document.counts) {
                    let row = word as usize * topics..(word as usize + 1) * topics;
                    let phi = Weights { linear: &topic_words[row.clone()], ln: &ln_topic_words[row.clone()] };
                    draw.draw(theta, phi, tokens, &mut rng, |k, n| {
                        counts[k] += n;
                        word_topic[row.start + k].fetch_add(n, Ordering::Relaxed);
                    });
                }
            }
        });
        self.word_topic = word_topic.into_iter().map(AtomicU32::into_inner).collect();
    }

    /// Moves `alpha` and `beta` uphill in the joint likelihood: to the Dirichlet-multinomial maximum for the
    /// current counts, from where they are.
    pub fn optimize_hyperparameters(&mut self) {
        let topics = self.alpha.len();
        self.alpha = hyperparameters::improve_alpha(self.document_topic.chunks_exact(topics), &self.alpha);
        // Words with concentrations of their own keep them.
        if self.prior.is_equal() {
            let words = self.word_topic.chunks_exact(topics);
            let beta = hyperparameters::improve_beta(words, topics, self.prior.least());
            self.prior.set_equal(beta);
        }
    }

    /// The corpus.
    pub fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Sweeps done so far.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// The Dirichlet concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The Dirichlet concentration of each word in a topic; the least, where they differ.
    pub fn beta(&self) -> f64 {
        self.prior.least()
    }

    /// The concentrations of words in topics.
    pub(super) fn prior(&self) -> &WordConcentrations {
        &self.prior
    }

    /// Topic counts of document `d`.
    pub fn document_counts(&self, d: usize) -> &[u32] {
        row(&self.document_topic, self.alpha.len(), d)
    }

    /// Topic counts of word `v`.
    pub fn word_counts(&self, v: usize) -> &[u32] {
        row(&self.word_topic, self.alpha.len(), v)
    }

    /// `theta_d`, the proportions of document `d`. Before the first sweep their mean given the topics of the
    /// tokens.
    pub fn proportions(&self, d: usize) -> &[f64] {
        row(&self.proportions, self.alpha.len(), d)
    }

    /// `phi_kv` of word `v`, its probability in each topic. Before the first sweep the mean given the topics
    /// of the tokens.
    pub fn word_probabilities(&self, v: usize) -> &[f64] {
        row(&self.topic_words, self.alpha.len(), v)
    }

    /// ln p(W, Z | alpha, beta), with proportions and topics integrated out and the order of tokens given:
    /// the same function of the counts as
    /// [`LdaGibbs::ln_joint`](crate::lda::gibbs::LdaGibbs::ln_joint).
    pub fn ln_joint(&self) -> f64 {
        let topics = self.alpha.len();
        let (documents, words) =
            (self.document_topic.chunks_exact(topics), self.word_topic.chunks_exact(topics));
        let totals = column_sums(&self.word_topic, topics);
        let unequal = joint::ln_unequal_words(words.clone().enumerate(), &self.prior);
        let tally = Tally::of_rows(topics, documents, words);
        joint::ln_joint(&tally, totals.into_iter().map(u64::from), &self.alpha, &self.prior, &[unequal])
    }

    /// Topic counts of documents, and of words, row by row.
    pub(super) fn tables(&self) -> (&[u32], &[u32]) {
        (&self.document_topic, &self.word_topic)
    }
}

#[track_caller]
fn row<T>(table: &[T], topics: usize, i: usize) -> &[T] {
    &table[i * topics..][..topics]
}
