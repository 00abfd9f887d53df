//! Topics that move with each batch.

use posterior_dist::stream::stream;
use posterior_math::ParamError;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, ln_gamma};
use rand_distr::{Distribution, Exp1};
use rayon::prelude::*;

use super::document::{self, Read, Topics};
use super::options::HdpOnlineOptions;
use super::sticks::BrokenSticks;
use crate::corpus::Document;
use crate::distributions::{column_sums, heaviest_first};
use crate::hdp::{Concentrations, Hdp};
use crate::lda::online::Batch;
use crate::lda::{Lda, concentration};
use crate::{Corpus, Error};

/// Expected tokens with which a topic is one of the fitted model.
const SEEN: f64 = 1.0;

/// Topics of a stream of documents over one vocabulary, as many as it asks for.
///
/// ```
/// use posterior_topics::hdp::online::{HdpOnlineOptions, OnlineHdp};
/// use posterior_topics::{Corpus, TopicModel};
///
/// let words = ["river", "stone", "money", "loan"].map(str::to_owned).to_vec();
/// let options = HdpOnlineOptions { topics: 10, beta: 0.1, ..HdpOnlineOptions::default() };
/// let mut stream = OnlineHdp::new(words.clone(), &options)?;
/// for _ in 0..30 {
///     let names = ["shore", "branch"].map(str::to_owned).to_vec();
///     let rows = vec![vec![(0, 9), (1, 8)], vec![(2, 7), (3, 8)]];
///     stream.push(&Corpus::from_rows(words.clone(), names, rows)?)?;
/// }
/// let topics = stream.model();
/// let [shore, branch] = [[0, 1], [2, 3]].map(|words| {
///     topics.proportions(posterior_topics::corpus::Document { words: &words, counts: &[9, 9] })
/// });
/// assert!(shore.iter().zip(&branch).map(|(a, b)| (a - b).abs()).sum::<f64>() > 1.5);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug)]
pub struct OnlineHdp {
    vocabulary: Vec<String>,
    options: HdpOnlineOptions,
    pool: rayon::ThreadPool,
    /// Expected tokens, words x topics.
    tokens: Vec<f64>,
    /// Expected sticks of documents by topic.
    sticks: Vec<f64>,
    batches: u64,
    seen: usize,
}

impl OnlineHdp {
    /// A stream that begins with noise: a token or so of each word in each topic.
    ///
    /// # Errors
    /// Options out of range, or no word.
    pub fn new(vocabulary: Vec<String>, options: &HdpOnlineOptions) -> Result<Self, Error> {
        options.check()?;
        if vocabulary.is_empty() {
            return Err(Error::Corpus("the vocabulary is empty: no word is left".to_owned()));
        }
        let mut rng = stream(options.seed, &[0]);
        let tokens = (0..vocabulary.len() * options.topics).map(|_| Exp1.sample(&mut rng)).collect();
        Ok(Self {
            vocabulary,
            pool: concentration::thread_pool(options.threads)?,
            tokens,
            sticks: vec![1.0; options.topics],
            options: options.clone(),
            batches: 0,
            seen: 0,
        })
    }

    /// Moves the topics by a batch of documents.
    ///
    /// Cost: steps x distinct words of the documents x sticks x topics, and words x topics.
    ///
    /// # Errors
    /// Another vocabulary, or no document.
    pub fn push(&mut self, batch: &Corpus) -> Result<Batch, Error> {
        if batch.vocabulary() != self.vocabulary {
            return Err(Error::Corpus("the batch has another vocabulary than the stream".to_owned()));
        }
        if batch.documents() == 0 {
            return Err(ParamError::new("Hdp", "documents of the batch", 0.0, "at least 1").into());
        }
        Ok(self.push_documents(&batch.iter().collect::<Vec<_>>()))
    }

    /// As [`push`](Self::push), of documents over the vocabulary of the stream; there must be one.
    pub(super) fn push_documents(&mut self, batch: &[Document<'_>]) -> Batch {
        let rate = self.options.rate(self.batches);
        self.batches += 1;
        self.seen = self.seen.saturating_add(batch.len());
        let scale = self.options.documents.unwrap_or(self.seen) as f64 / batch.len() as f64;
        let global = self.ln_weights();
        let (words, read) = self.read(batch, &global.0);
        let bound = read.iter().map(|own| own.bound).sum();
        let report = Batch::new(rate, bound, scale * bound - global.1 - self.divergence_of_words(), batch);
        self.move_topics(batch, &words, &read, rate, scale);
        report
    }

    /// Expected logarithms of the weights of topics, and the divergence of their factors from the prior.
    fn ln_weights(&self) -> (Vec<f64>, f64) {
        let (order, sticks) = self.broken();
        let mut ln_weights = vec![0.0; order.len()];
        for (&k, ln_weight) in order.iter().zip(&sticks.ln_weights) {
            ln_weights[k] = *ln_weight;
        }
        (ln_weights, sticks.divergence)
    }

    /// The sticks of the corpus, the heaviest topics first.
    fn broken(&self) -> (Vec<usize>, BrokenSticks) {
        let order = heaviest_first(&self.sticks);
        let counts: Vec<f64> = order.iter().map(|&k| self.sticks[k]).collect();
        let sticks = BrokenSticks::new(counts.into_iter(), self.options.gamma);
        (order, sticks)
    }

    /// The distinct words of a batch, and what each of its documents says.
    fn read(&self, batch: &[Document<'_>], ln_weights: &[f64]) -> (Vec<u32>, Vec<Read>) {
        let topics = self.options.topics;
        let mut words: Vec<u32> = batch.iter().flat_map(|document| document.words.iter().copied()).collect();
        words.sort_unstable();
        words.dedup();
        let beta = self.options.beta;
        let all = self.vocabulary.len() as f64 * beta;
        let totals: Vec<f64> =
            column_sums(&self.tokens, topics).iter().map(|total| digamma(all + total)).collect();
        self.pool.install(|| {
            let of_word = |&word: &u32| {
                let row = &self.tokens[word as usize * topics..][..topics];
                row.iter().zip(&totals).map(|(n, total)| digamma(beta + n) - total).collect::<Vec<f64>>()
            };
            let ln_words = words.par_iter().flat_map_iter(of_word).collect::<Vec<f64>>();
            let known = Topics { ln_weights, ln_words: &ln_words };
            let one = |document: &Document<'_>| {
                let own: Vec<(usize, f64)> = rows(&words, document).collect();
                document::read(&own, known, &self.options)
            };
            let read = batch.par_iter().map(one).collect();
            (words, read)
        })
    }

    fn move_topics(&mut self, batch: &[Document<'_>], words: &[u32], read: &[Read], rate: f64, scale: f64) {
        let topics = self.options.topics;
        for count in self.tokens.iter_mut().chain(&mut self.sticks) {
            *count *= 1.0 - rate;
        }
        for (document, own) in batch.iter().zip(read) {
            for ((row, _), tokens) in rows(words, document).zip(own.tokens.chunks_exact(topics)) {
                let sums = &mut self.tokens[words[row] as usize * topics..][..topics];
                for (sum, n) in sums.iter_mut().zip(tokens) {
                    *sum += rate * scale * n;
                }
            }
            for (sum, n) in self.sticks.iter_mut().zip(&own.sticks) {
                *sum += rate * scale * n;
            }
        }
    }

    /// From the Dirichlet prior of words to the factors of all topics, in nats.
    fn divergence_of_words(&self) -> f64 {
        let (topics, beta) = (self.options.topics, self.options.beta);
        let words = self.vocabulary.len() as f64;
        let prior = ln_gamma(words * beta) - words * ln_gamma(beta);
        let totals = column_sums(&self.tokens, topics);
        let of_totals = |total: &f64| ln_gamma(words * beta + total) - total * digamma(words * beta + total);
        let of_word = |n: &f64| n * digamma(beta + n) - ln_gamma(beta + n);
        totals.iter().map(|total| of_totals(total) - prior).sum::<f64>()
            + self.tokens.iter().map(of_word).sum::<f64>()
    }

    /// The expected proportions of topics in documents: documents x topics of [`model`](Self::model).
    pub(super) fn proportions(&self, documents: &[Document<'_>]) -> DMatrix<f64> {
        let kept = self.kept();
        let (_, read) = self.read(documents, &self.ln_weights().0);
        let mut matrix = DMatrix::from_fn(read.len(), kept.len(), |d, k| read[d].proportions[kept[k]]);
        for mut row in matrix.row_iter_mut() {
            let sum = row.sum();
            row /= sum;
        }
        matrix
    }

    /// The topics with a token at least, the heaviest first; of none the heaviest.
    fn kept(&self) -> Vec<usize> {
        let totals = column_sums(&self.tokens, self.options.topics);
        let mut order = heaviest_first(&totals);
        let seen = order.iter().take_while(|&&k| totals[k] >= SEEN).count();
        order.truncate(seen.max(1));
        order
    }

    /// Batches so far.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Documents so far.
    pub fn documents(&self) -> usize {
        self.seen
    }

    /// The topics as they are now: those with an expected token at least, the heaviest first.
    pub fn model(&self) -> Hdp {
        let (topics, kept) = (self.options.topics, self.kept());
        let (order, sticks) = self.broken();
        let mut weights = vec![0.0; topics];
        for (&k, &weight) in order.iter().zip(&sticks.weights) {
            weights[k] = weight;
        }
        let tokens = self.tokens.chunks_exact(topics).flat_map(|row| kept.iter().map(|&k| row[k])).collect();
        let alpha: Vec<f64> = kept.iter().map(|&k| self.options.alpha * weights[k]).collect();
        let used: f64 = kept.iter().map(|&k| weights[k]).sum();
        let lda = Lda::from_counts(self.vocabulary.clone(), alpha, self.options.beta, tokens);
        let concentrations = Concentrations { alpha: self.options.alpha, gamma: self.options.gamma };
        Hdp::new(lda, concentrations, (1.0 - used).clamp(0.0, 1.0))
    }
}

/// The places of a document's words among those of the batch, with their counts.
fn rows<'a>(words: &'a [u32], document: &Document<'a>) -> impl Iterator<Item = (usize, f64)> + use<'a> {
    let mut from = 0;
    document.words.iter().zip(document.counts).map(move |(word, &count)| {
        from += words[from..].partition_point(|own| own < word);
        (from, f64::from(count))
    })
}
