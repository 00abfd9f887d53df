//! q(phi): a Dirichlet of words for each topic.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::elementwise;
use posterior_math::special::ln_pochhammer;
use rayon::prelude::*;

use crate::lanes::{Lane, ZERO, lane_sums, width};
use crate::lda::digamma::{digamma, sum_ln_gamma};

/// Words that one task looks after.
const WORDS_PER_TASK: usize = 64;

/// Concentrations from which on differences of ln Γ are taken one by one, for their digits.
const LARGE: f64 = 100.0;

/// Dirichlets with the parameters `lambda_kv = n_kv + smoothing`, and what follows from them.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lda) struct TopicPosterior {
    topics: usize,
    smoothing: f64,
    /// Words x topics: `n`.
    counts: Vec<Lane>,
    /// ψ of the sum of each topic's parameters.
    digamma_totals: Vec<Lane>,
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
    /// `sum_k ln B(lambda_k) - ln B(smoothing)`.
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
    pub(in crate::lda) fn new(topics: usize, smoothing: f64, counts: Vec<Lane>) -> Self {
        let words = counts.len() / width(topics);
        let mut posterior = Self {
            topics,
            smoothing,
            digamma_totals: vec![ZERO; width(topics)],
            weights: vec![ZERO; counts.len()],
            counts,
            ln_largest: vec![0.0; words],
            sums: Sums::default(),
        };
        posterior.refresh();
        posterior
    }

    /// Other counts of the same shape, and another smoothing.
    pub(in crate::lda) fn set(&mut self, smoothing: f64, counts: Vec<Lane>) {
        self.smoothing = smoothing;
        self.counts = counts;
        self.refresh();
    }

    fn refresh(&mut self) {
        let (width, words) = (width(self.topics), self.ln_largest.len());
        let totals = lane_sums(&self.counts, width);
        let all = words as f64 * self.smoothing;
        self.digamma_totals = totals.iter().map(|lane| lane.map(|total| total + all)).collect();
        digamma(self.digamma_totals.as_flattened_mut());
        let scheme = Scheme { topics: self.topics, smoothing: self.smoothing, totals: &self.digamma_totals };
        let parts: Vec<Sums> = self
            .weights
            .par_chunks_mut(WORDS_PER_TASK * width)
            .zip(self.ln_largest.par_chunks_mut(WORDS_PER_TASK))
            .zip(self.counts.par_chunks(WORDS_PER_TASK * width))
            .map(|((weights, ln_largest), counts)| scheme.fill(counts, weights, ln_largest))
            .collect();
        self.sums = parts.into_iter().fold(Sums::default(), Sums::add);
        let totals = &totals.as_flattened()[..self.topics];
        self.sums.ln_evidence -= totals.iter().map(|&total| ln_pochhammer(all, total)).sum::<f64>();
    }

    pub(in crate::lda) fn topics(&self) -> usize {
        self.topics
    }

    pub(in crate::lda) fn words(&self) -> usize {
        self.ln_largest.len()
    }

    /// Expected counts, words x topics.
    pub(in crate::lda) fn counts(&self) -> &[Lane] {
        &self.counts
    }

    /// What is added to the counts.
    pub(in crate::lda) fn smoothing(&self) -> f64 {
        self.smoothing
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
        let scheme = Scheme { topics: self.topics, smoothing: self.smoothing, totals: &self.digamma_totals };
        scheme.expected_ln(&self.counts[word * width..][..width], out);
    }
}

/// How counts become expected logarithms.
struct Scheme<'a> {
    topics: usize,
    smoothing: f64,
    totals: &'a [Lane],
}

impl Scheme<'_> {
    #[inline(always)]
    fn expected_ln(&self, counts: &[Lane], out: &mut [Lane]) {
        for (out, counts) in out.iter_mut().zip(counts) {
            *out = counts.map(|n| n + self.smoothing);
        }
        digamma(out.as_flattened_mut());
        for (out, totals) in out.iter_mut().zip(self.totals) {
            for (out, total) in out.iter_mut().zip(totals) {
                *out -= total;
            }
        }
        out.as_flattened_mut()[self.topics..].fill(f64::NEG_INFINITY);
    }

    fn fill(&self, counts: &[Lane], weights: &mut [Lane], ln_largest: &mut [f64]) -> Sums {
        let width = width(self.topics);
        let mut sums = Sums::default();
        let mut parameters = vec![0.0; self.topics];
        let none = sum_ln_gamma(&[self.smoothing]);
        for ((counts, weights), ln_largest) in
            counts.chunks_exact(width).zip(weights.chunks_exact_mut(width)).zip(ln_largest)
        {
            self.expected_ln(counts, weights);
            let weights = &mut weights.as_flattened_mut()[..self.topics];
            let counts = &counts.as_flattened()[..self.topics];
            let mut largest = f64::NEG_INFINITY;
            for ((ln, n), parameter) in weights.iter().zip(counts).zip(&mut parameters) {
                sums.counts_by_ln += n * ln;
                sums.ln += ln;
                largest = largest.max(*ln);
                *parameter = n + self.smoothing;
            }
            sums.ln_evidence += if self.smoothing > LARGE {
                counts.iter().map(|&n| ln_pochhammer(self.smoothing, n)).sum::<f64>()
            } else {
                sum_ln_gamma(&parameters) - self.topics as f64 * none
            };
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
}
