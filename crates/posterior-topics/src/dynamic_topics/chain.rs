//! The chain over topics of tokens, paths of words and the drift.

use posterior_dist::InverseGamma;
use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::special::ln_rising_factorial;
use rand::RngExt;
use rayon::prelude::*;

use super::options::{DynamicTopicsOptions, NAME};
use super::path::Walk;
use super::topic::Topic;
use crate::checks::{sampleable, size};
use crate::slice_draw::draw_positive;
use crate::{Corpus, Error};

/// The names of the random streams under the seed.
const INITIAL: u64 = 0;
const TOKENS: u64 = 1;
const PATHS: u64 = 2;
const DRIFT: u64 = 3;
const EXCHANGES: u64 = 4;

/// The drift at most while topics are found.
const STEADY: f64 = 1e-3;

/// The periods of a corpus: distinct times in their order.
#[derive(Debug, Clone)]
pub(super) struct Periods {
    pub(super) times: Vec<f64>,
    /// Of each document.
    pub(super) of_documents: Vec<usize>,
}

impl Periods {
    pub(super) fn new(corpus: &Corpus, times: &[f64]) -> Result<Self, Error> {
        size("times of documents", corpus.documents(), times.len())?;
        for (d, &time) in times.iter().enumerate() {
            check::finite(NAME, "times", time).map_err(|error| error.at(d))?;
        }
        let mut distinct = times.to_vec();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        let of_documents = times.iter().map(|time| distinct.partition_point(|other| other < time)).collect();
        Ok(Self { times: distinct, of_documents })
    }

    /// The gaps between them, in units of their median.
    fn gaps(&self) -> Vec<f64> {
        let gaps: Vec<f64> = self.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut sorted = gaps.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(1.0);
        gaps.iter().map(|gap| gap / median).collect()
    }
}

/// A state of the chain.
#[derive(Debug)]
pub(super) struct DynamicChain<'a> {
    pub(super) corpus: &'a Corpus,
    pub(super) periods: Periods,
    pub(super) alpha: Vec<f64>,
    pub(super) drift: f64,
    /// The proportion of paths that moved in the last sweep.
    pub(super) accepted: f64,
    pub(super) walk: Walk,
    drift_prior: [f64; 2],
    pub(super) topics: Vec<Topic>,
    /// Periods x words x topics, row by row: probabilities of words.
    pub(super) phi: Vec<f64>,
    /// The word and the topic of each token, document by document.
    pub(super) tokens: Vec<Vec<(u32, u16)>>,
    /// Documents x topics, row by row.
    pub(super) document_topic: Vec<u32>,
    seed: u64,
    sweeps: u64,
    /// Sweeps at the start in which the drift stays small.
    steady: u64,
}

impl<'a> DynamicChain<'a> {
    /// Topics at random, and paths that are level. For a quarter of the sweeps the drift stays small, so that
    /// topics are found that all times have in common.
    pub(super) fn new(
        corpus: &'a Corpus,
        times: &[f64],
        options: &DynamicTopicsOptions,
    ) -> Result<Self, Error> {
        options.check()?;
        sampleable(corpus)?;
        let periods = Periods::new(corpus, times)?;
        let (count, words) = (options.topics, corpus.vocabulary().len());
        let mut rng = stream(options.seed, &[INITIAL]);
        let tokens: Vec<Vec<(u32, u16)>> = corpus
            .iter()
            .map(|document| {
                let words = document.words.iter().zip(document.counts);
                let all = words.flat_map(|(&word, &n)| std::iter::repeat_n(word, n as usize));
                all.map(|word| (word, rng.random_range(0..count) as u16)).collect()
            })
            .collect();
        let size = words * periods.times.len();
        let mut chain = Self {
            corpus,
            alpha: options.alpha.of_topics(count)?,
            drift: most_probable(options.drift_prior).min(STEADY),
            accepted: f64::NAN,
            walk: Walk { first: options.first_variance, gaps: periods.gaps() },
            drift_prior: options.drift_prior,
            topics: vec![Topic::new(words, periods.times.len()); count],
            phi: vec![0.0; size * count],
            document_topic: vec![0; corpus.documents() * count],
            tokens,
            periods,
            seed: options.seed,
            sweeps: 0,
            steady: options.iterations as u64 / 4,
        };
        chain.count();
        for topic in &mut chain.topics {
            topic.level(options.first_variance);
        }
        chain.set_phi();
        Ok(chain)
    }

    /// Draws everything once, on the threads of the current rayon pool.
    ///
    /// Cost: tokens x topics + topics x words x periods x steps of Newton.
    pub(super) fn sweep(&mut self) {
        if self.sweeps == self.steady {
            self.drift = most_probable(self.drift_prior);
        }
        self.draw_tokens();
        self.count();
        self.draw_paths();
        self.exchange_topics(&mut stream(self.seed, &[EXCHANGES, self.sweeps]));
        if self.sweeps >= self.steady {
            self.draw_drift();
        }
        self.set_phi();
        self.sweeps += 1;
    }

    fn draw_tokens(&mut self) {
        let (count, words) = (self.topics.len(), self.corpus.vocabulary().len());
        let (seed, sweep, alpha, phi) = (self.seed, self.sweeps, &self.alpha, &self.phi);
        let periods = &self.periods.of_documents;
        let documents = self.tokens.par_iter_mut().zip(self.document_topic.par_chunks_mut(count));
        documents.enumerate().for_each(|(d, (tokens, counts))| {
            let mut rng = stream(seed, &[TOKENS, sweep, d as u64]);
            let mut weights = vec![0.0; count];
            let phi = &phi[periods[d] * words * count..][..words * count];
            for (word, topic) in tokens {
                counts[usize::from(*topic)] -= 1;
                let row = &phi[*word as usize * count..][..count];
                let mut sum = 0.0;
                for (((weight, a), &n), p) in weights.iter_mut().zip(alpha).zip(&*counts).zip(row) {
                    sum += (a + f64::from(n)) * p;
                    *weight = sum;
                }
                let at = rng.random::<f64>() * sum;
                let drawn = weights.partition_point(|&running| running <= at).min(count - 1);
                *topic = drawn as u16;
                counts[drawn] += 1;
            }
        });
    }

    /// Counts the tokens of documents and topics.
    fn count(&mut self) {
        let (count, periods) = (self.topics.len(), self.periods.times.len());
        for topic in &mut self.topics {
            topic.counts.fill(0.0);
        }
        self.document_topic.fill(0);
        for (d, tokens) in self.tokens.iter().enumerate() {
            let period = self.periods.of_documents[d];
            for &(word, topic) in tokens {
                self.topics[usize::from(topic)].counts[word as usize * periods + period] += 1.0;
                self.document_topic[d * count + usize::from(topic)] += 1;
            }
        }
    }

    fn draw_paths(&mut self) {
        let (seed, sweep, walk, drift) = (self.seed, self.sweeps, &self.walk, self.drift);
        let moved: Vec<usize> = self
            .topics
            .par_iter_mut()
            .enumerate()
            .map(|(k, topic)| topic.draw(walk, drift, &mut stream(seed, &[PATHS, sweep, k as u64])))
            .collect();
        let all = self.topics.len() * self.corpus.vocabulary().len();
        self.accepted = moved.iter().sum::<usize>() as f64 / all as f64;
    }

    /// Draws the variance of steps twice: given the paths, and given the paths in units of its root, with which
    /// they stretch. Where words are many the one moves it far, where they are few the other (Yu and Meng 2011).
    /// What all words of a topic have in common no token tells of: it is left out of the first, and drawn again
    /// after it.
    fn draw_drift(&mut self) {
        let mut rng = stream(self.seed, &[DRIFT, self.sweeps]);
        let steps = self.periods.times.len() - 1;
        let words = self.corpus.vocabulary().len();
        let [shape, scale] = self.drift_prior;
        let walk = &self.walk;
        self.topics.par_iter_mut().for_each(Topic::centre);
        let squares: f64 = self.topics.iter().map(|topic| topic.squares(walk)).sum();
        let free = self.topics.len() * (words - 1) * steps;
        let posterior = InverseGamma::new(shape + 0.5 * free as f64, scale + 0.5 * squares)
            .expect("invariant: shape and scale are positive");
        self.drift = posterior.sample_ln(&mut rng).exp();
        for topic in &mut self.topics {
            topic.draw_means(walk, self.drift, &mut rng);
        }
        if steps == 0 {
            return;
        }
        let (topics, before) = (&self.topics, self.drift);
        // The density of the logarithm.
        let ln_density = |drift: f64| {
            let by = (drift / before).sqrt();
            let words: Vec<f64> = topics.par_iter().map(|topic| topic.ln_words_stretched(by)).collect();
            words.iter().sum::<f64>() - shape * drift.ln() - scale / drift
        };
        self.drift = draw_positive(before, ln_density, &mut rng);
        let by = (self.drift / before).sqrt();
        self.topics.par_iter_mut().for_each(|topic| topic.stretch(by));
    }

    /// The probabilities of words from their paths.
    fn set_phi(&mut self) {
        let (count, words) = (self.topics.len(), self.corpus.vocabulary().len());
        let (topics, periods) = (&self.topics, self.periods.times.len());
        self.phi.par_chunks_mut(words * count).enumerate().for_each(|(t, phi)| {
            for (k, topic) in topics.iter().enumerate() {
                let x = |v: usize| topic.paths[v * periods + t];
                let largest = (0..words).map(x).fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = (0..words).map(|v| (x(v) - largest).exp()).sum();
                for v in 0..words {
                    phi[v * count + k] = (x(v) - largest).exp() / sum;
                }
            }
        });
    }

    /// ln p(W, Z | paths): proportions of the documents integrated out.
    pub(super) fn ln_joint(&self) -> f64 {
        let (count, words) = (self.topics.len(), self.corpus.vocabulary().len());
        let all: f64 = self.alpha.iter().sum();
        let document = |(d, tokens): (usize, &Vec<(u32, u16)>)| {
            let counts = self.document_topic[d * count..][..count].iter().zip(&self.alpha);
            let rises: f64 = counts.map(|(&n, &a)| ln_rising_factorial(a, u64::from(n))).sum();
            let phi = &self.phi[self.periods.of_documents[d] * words * count..][..words * count];
            let of_words: f64 =
                tokens.iter().map(|&(v, k)| phi[v as usize * count + usize::from(k)].ln()).sum();
            rises - ln_rising_factorial(all, tokens.len() as u64) + of_words
        };
        self.tokens.iter().enumerate().map(document).sum()
    }

    /// The topic of each token.
    #[cfg(test)]
    fn assignment(&self) -> Vec<u16> {
        self.tokens.iter().flatten().map(|&(_, topic)| topic).collect()
    }
}

/// The mode of an inverse gamma distribution of this shape and scale.
fn most_probable([shape, scale]: [f64; 2]) -> f64 {
    scale / (shape + 1.0)
}

#[cfg(test)]
mod tests;
