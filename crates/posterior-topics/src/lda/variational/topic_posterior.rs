//! q(phi): a Dirichlet of words for each topic, or a point.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::elementwise;
use posterior_math::special::{ln_gamma, ln_pochhammer};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::lanes::{LANES, Lane, ZERO, lane_sums, width, without_padding};
use crate::lda::digamma::{digamma, ln, sum_ln_gamma};
use crate::lda::word_concentrations::WordConcentrations;

/// Words that one task looks after.
const WORDS_PER_TASK: usize = 64;

/// Concentrations from which on differences of ln Γ are taken one by one, for their digits.
const LARGE: f64 = 100.0;

/// What is known of a topic's words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TopicFactor {
    /// A distribution over topics, `q(phi_k) = Dir(lambda_k)`: the default.
    #[default]
    Dirichlet,
    /// A point: topics are parameters, and only the proportions of documents are integrated over (Blei, Ng
    /// and Jordan 2003, section 5.3: EM with variational documents). The prior is `Dir(beta + 1)`, whose mode
    /// given expected counts `n` is `phi_kv ∝ beta_kv + n_kv`; with `beta` near zero it is the maximum
    /// likelihood. The bound is on `ln p(W | phi) + ln p(phi)`. `beta` stays as it is where hyperparameters
    /// are fitted.
    Point,
}

/// Dirichlets with the parameters `lambda_kv = n_kv + beta_kv`, or points in proportion to them, and what
/// follows from them.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lda) struct TopicPosterior {
    topics: usize,
    factor: TopicFactor,
    /// The least `beta_kv`.
    smoothing: f64,
    /// Words x topics: `beta_kv` less that; nothing where all are equal.
    excess: Vec<Lane>,
    /// `sum_v beta_kv`, by topic.
    smoothing_totals: Vec<f64>,
    /// Words x topics: `n`.
    counts: Vec<Lane>,
    /// ψ of the sum of each topic's parameters, or of a point its logarithm.
    ln_totals: Vec<Lane>,
    /// Words x topics: `exp(E ln phi)`, by word divided by the largest. The padding is zero.
    weights: Vec<Lane>,
    /// The logarithms of the largest, by word.
    ln_largest: Vec<f64>,
    sums: Sums,
}

/// Sums over words and topics.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::lda) struct Sums {
    /// `sum n_kv E ln phi_kv`.
    pub(in crate::lda) counts_by_ln: f64,
    /// `sum E ln phi_kv`.
    pub(in crate::lda) ln: f64,
    /// `sum_k ln B(lambda_k) - ln B(beta_k)`; of points, `sum_kv n_kv ln phi_kv` and their prior density.
    pub(in crate::lda) ln_evidence: f64,
}

impl Sums {
    fn add(self, other: Self) -> Self {
        Self {
            counts_by_ln: self.counts_by_ln + other.counts_by_ln,
            ln: self.ln + other.ln,
            ln_evidence: self.ln_evidence + other.ln_evidence,
        }
    }
}

impl TopicPosterior {
    /// The posterior of these counts, padded with zeros.
    pub(in crate::lda) fn new(prior: &WordConcentrations, factor: TopicFactor, counts: Vec<Lane>) -> Self {
        let smoothing_totals = prior.sums();
        let topics = smoothing_totals.len();
        let words = counts.len() / width(topics);
        let mut posterior = Self {
            topics,
            factor,
            smoothing: prior.least(),
            excess: prior.excess(),
            smoothing_totals,
            ln_totals: vec![ZERO; width(topics)],
            weights: vec![ZERO; counts.len()],
            counts,
            ln_largest: vec![0.0; words],
            sums: Sums::default(),
        };
        posterior.refresh();
        posterior
    }

    /// Other counts of the same shape, and another prior.
    pub(in crate::lda) fn set(&mut self, prior: &WordConcentrations, counts: Vec<Lane>) {
        self.smoothing = prior.least();
        self.smoothing_totals = prior.sums();
        if self.excess.is_empty() != prior.is_equal() {
            self.excess = prior.excess();
        }
        self.counts = counts;
        self.refresh();
    }

    fn refresh(&mut self) {
        let width = width(self.topics);
        let totals = lane_sums(&self.counts, width);
        self.ln_totals = vec![[1.0; LANES]; width];
        let known = totals.as_flattened().iter().zip(&self.smoothing_totals);
        for (ln_total, (total, all)) in self.ln_totals.as_flattened_mut().iter_mut().zip(known) {
            *ln_total = total + all;
        }
        self.factor.expected_ln(self.ln_totals.as_flattened_mut());
        let scheme = Scheme {
            topics: self.topics,
            factor: self.factor,
            smoothing: self.smoothing,
            excess: &self.excess,
            totals: &self.ln_totals,
        };
        let parts: Vec<Sums> = self
            .weights
            .par_chunks_mut(WORDS_PER_TASK * width)
            .zip(self.ln_largest.par_chunks_mut(WORDS_PER_TASK))
            .zip(self.counts.par_chunks(WORDS_PER_TASK * width))
            .enumerate()
            .map(|(task, ((weights, ln_largest), counts))| {
                scheme.fill(task * WORDS_PER_TASK, counts, weights, ln_largest)
            })
            .collect();
        self.sums = parts.into_iter().fold(Sums::default(), Sums::add);
        let words = self.ln_largest.len() as f64;
        let totals = totals.as_flattened().iter().zip(&self.smoothing_totals);
        self.sums.ln_evidence += match self.factor {
            TopicFactor::Dirichlet => -totals.map(|(&total, &all)| ln_pochhammer(all, total)).sum::<f64>(),
            TopicFactor::Point => self.smoothing_totals.iter().map(|all| ln_gamma(all + words)).sum(),
        };
    }

    pub(in crate::lda) fn topics(&self) -> usize {
        self.topics
    }

    pub(in crate::lda) fn factor(&self) -> TopicFactor {
        self.factor
    }

    pub(in crate::lda) fn words(&self) -> usize {
        self.ln_largest.len()
    }

    /// Expected counts, words x topics.
    pub(in crate::lda) fn counts(&self) -> &[Lane] {
        &self.counts
    }

    /// `lambda_kv = n_kv + beta_kv`, words x topics, row by row.
    pub(in crate::lda) fn parameters(&self) -> Vec<f64> {
        let mut rows = without_padding(&self.counts, self.topics);
        for n in &mut rows {
            *n += self.smoothing;
        }
        for (n, excess) in rows.iter_mut().zip(without_padding(&self.excess, self.topics)) {
            *n += excess;
        }
        rows
    }

    pub(in crate::lda) fn sums(&self) -> Sums {
        self.sums
    }

    /// `exp(E ln phi)` by word, up to a factor for each word.
    pub(in crate::lda) fn weights(&self) -> &[Lane] {
        &self.weights
    }

    /// The weights of one word.
    pub(in crate::lda) fn weight(&self, word: usize) -> &[Lane] {
        let width = width(self.topics);
        &self.weights[word * width..][..width]
    }

    /// The logarithms of these factors.
    pub(in crate::lda) fn ln_largest(&self) -> &[f64] {
        &self.ln_largest
    }

    /// `E ln phi` of a word; the padding is -∞.
    pub(in crate::lda) fn expected_ln(&self, word: usize, out: &mut [Lane]) {
        let width = width(self.topics);
        let scheme = Scheme {
            topics: self.topics,
            factor: self.factor,
            smoothing: self.smoothing,
            excess: &self.excess,
            totals: &self.ln_totals,
        };
        scheme.expected_ln(word, &self.counts[word * width..][..width], out);
    }
}

impl TopicFactor {
    /// Of parameters, or of their sums, what expected logarithms are made of.
    #[inline(always)]
    fn expected_ln(self, parameters: &mut [f64]) {
        match self {
            Self::Dirichlet => digamma(parameters),
            Self::Point => ln(parameters),
        }
    }
}

/// How counts become expected logarithms.
struct Scheme<'a> {
    topics: usize,
    factor: TopicFactor,
    smoothing: f64,
    excess: &'a [Lane],
    totals: &'a [Lane],
}

impl Scheme<'_> {
    /// What a word has beyond the least concentration; nothing where all are equal.
    fn excess(&self, word: usize) -> &[Lane] {
        let width = self.totals.len();
        if self.excess.is_empty() { &[] } else { &self.excess[word * width..][..width] }
    }

    #[inline(always)]
    fn expected_ln(&self, word: usize, counts: &[Lane], out: &mut [Lane]) {
        for (out, counts) in out.iter_mut().zip(counts) {
            *out = counts.map(|n| n + self.smoothing);
        }
        for (out, excess) in out.iter_mut().zip(self.excess(word)) {
            for (out, excess) in out.iter_mut().zip(excess) {
                *out += excess;
            }
        }
        self.factor.expected_ln(out.as_flattened_mut());
        for (out, totals) in out.iter_mut().zip(self.totals) {
            for (out, total) in out.iter_mut().zip(totals) {
                *out -= total;
            }
        }
        out.as_flattened_mut()[self.topics..].fill(f64::NEG_INFINITY);
    }

    /// Weights of words from the first on.
    fn fill(&self, first: usize, counts: &[Lane], weights: &mut [Lane], ln_largest: &mut [f64]) -> Sums {
        let width = width(self.topics);
        let mut sums = Sums::default();
        let mut parameters = vec![0.0; self.topics];
        let rows = counts.chunks_exact(width).zip(weights.chunks_exact_mut(width)).zip(ln_largest);
        for (word, ((counts, weights), ln_largest)) in (first..).zip(rows) {
            self.expected_ln(word, counts, weights);
            let weights = &mut weights.as_flattened_mut()[..self.topics];
            let counts = &counts.as_flattened()[..self.topics];
            let mut largest = f64::NEG_INFINITY;
            for ((ln, n), parameter) in weights.iter().zip(counts).zip(&mut parameters) {
                sums.counts_by_ln += n * ln;
                sums.ln += ln;
                largest = largest.max(*ln);
                *parameter = n + self.smoothing;
            }
            sums.ln_evidence += self.ln_evidence(word, counts, weights, &parameters);
            for weight in &mut *weights {
                *weight -= largest;
            }
            elementwise::exp(weights);
            *ln_largest = largest;
        }
        for row in weights.chunks_exact_mut(width) {
            row.as_flattened_mut()[self.topics..].fill(0.0);
        }
        sums
    }

    /// A word's part of the evidence: of its counts, their expected logarithms, and the sums of counts and
    /// smoothing.
    fn ln_evidence(&self, word: usize, counts: &[f64], ln: &[f64], parameters: &[f64]) -> f64 {
        let excess = self.excess(word).as_flattened();
        let beta = |k: usize| self.smoothing + excess.get(k).copied().unwrap_or(0.0);
        if self.factor == TopicFactor::Point {
            let terms = counts.iter().zip(ln).enumerate();
            return terms.map(|(k, (n, ln))| (n + beta(k)) * ln - ln_gamma(1.0 + beta(k))).sum();
        }
        if self.smoothing > LARGE || !excess.is_empty() {
            return counts.iter().enumerate().map(|(k, &n)| ln_pochhammer(beta(k), n)).sum();
        }
        sum_ln_gamma(parameters) - self.topics as f64 * sum_ln_gamma(&[self.smoothing])
    }
}
