//! q(theta) of all documents of a corpus, and the expected counts of words that follow.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::special;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::document_step::{DocumentPosterior, FaintWord, Proportions, Workspace};
use super::topic_posterior::TopicPosterior;
use super::word_index::{Occurrence, WordIndex};
use crate::corpus::Document;
use crate::lanes::{Lane, ZERO, width};
use crate::lda::digamma::digamma;

/// Documents of one task.
const DOCUMENTS_PER_TASK: usize = 32;

/// Words of one task.
const WORDS_PER_TASK: usize = 64;

/// Where the fixed point of a document begins, and when it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::lda) struct Limits {
    pub(in crate::lda) begin: DocumentStart,
    pub(in crate::lda) steps: usize,
    pub(in crate::lda) tolerance: f64,
}

/// The start of the fixed point of a document in each pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentStart {
    /// Its end in the pass before, so that the bound never falls. The default.
    #[default]
    Continue,
    /// At equal proportions of all topics: it takes more steps, forgets what documents were thought to be
    /// while topics were still unclear, and often ends at a better bound, but a pass may lower it.
    Restart,
}

/// The documents' part of an approximate posterior.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::lda) struct Documents {
    /// Documents x topics.
    pub(in crate::lda) gamma: Vec<Lane>,
    theta: Vec<Lane>,
    /// By pair of document and distinct word.
    ratios: Vec<f64>,
    faint: Vec<FaintWord>,
    /// The documents' terms of the bound.
    pub(in crate::lda) bound: f64,
}

/// The slices of one task.
struct Task<'a> {
    first: usize,
    gamma: &'a mut [Lane],
    theta: &'a mut [Lane],
    ratios: &'a mut [f64],
}

impl Documents {
    /// All topics have the same proportion of each document.
    pub(in crate::lda) fn new(documents: &[Document<'_>], prior: &Proportions) -> Self {
        let width = width(prior.alpha().len());
        let mut gamma = vec![ZERO; documents.len() * width];
        for (document, gamma) in documents.iter().zip(gamma.chunks_exact_mut(width)) {
            prior.start(document.tokens() as f64, gamma);
        }
        Self {
            theta: vec![ZERO; gamma.len()],
            gamma,
            ratios: vec![0.0; documents.iter().map(|document| document.words.len()).sum()],
            faint: Vec::new(),
            bound: 0.0,
        }
    }

    /// Goes on with the fixed point of each document, given the topics.
    pub(in crate::lda) fn update(
        &mut self,
        documents: &[Document<'_>],
        prior: &Proportions,
        topics: &TopicPosterior,
        limits: Limits,
    ) {
        let width = width(topics.topics());
        let tasks = tasks(documents, &mut self.gamma, &mut self.theta, &mut self.ratios, width);
        let parts: Vec<(f64, Vec<FaintWord>)> =
            tasks.into_par_iter().map(|task| task.run(documents, prior, topics, limits)).collect();
        self.bound = parts.iter().map(|(bound, _)| bound).sum();
        self.faint = parts.into_iter().flat_map(|(_, faint)| faint).collect();
    }

    /// Expected counts of words in topics under the last q(z), words x topics.
    pub(in crate::lda) fn word_counts(&self, index: &WordIndex, topics: &TopicPosterior) -> Vec<Lane> {
        let width = width(topics.topics());
        let mut counts = vec![ZERO; topics.counts().len()];
        let arch = Arch::new();
        counts.par_chunks_mut(WORDS_PER_TASK * width).enumerate().for_each(|(task, rows)| {
            for (word, row) in (task * WORDS_PER_TASK..).zip(rows.chunks_exact_mut(width)) {
                let Self { theta, ratios, .. } = self;
                let weights = topics.weight(word);
                arch.dispatch(Gather { occurrences: index.of(word), theta, ratios, weights, row });
            }
        });
        for faint in &self.faint {
            let row = &mut counts[faint.word as usize * width..][..width];
            for (row, n) in row.as_flattened_mut().iter_mut().zip(faint.counts.as_flattened()) {
                *row += n;
            }
        }
        counts
    }

    /// The mean of E ln theta over the documents.
    pub(in crate::lda) fn mean_ln_theta(&self, topics: usize) -> Vec<f64> {
        let mut sums = vec![0.0; topics];
        let mut ln = vec![ZERO; width(topics)];
        for gamma in self.gamma.chunks_exact(ln.len()) {
            let total: f64 = gamma.as_flattened()[..topics].iter().sum();
            ln.copy_from_slice(gamma);
            digamma(ln.as_flattened_mut());
            let total = special::digamma(total);
            for (sum, ln) in sums.iter_mut().zip(ln.as_flattened()) {
                *sum += ln - total;
            }
        }
        let documents = (self.gamma.len() / ln.len()) as f64;
        sums.iter().map(|sum| sum / documents).collect()
    }
}

/// Cuts the documents into tasks.
fn tasks<'a>(
    documents: &[Document<'_>],
    gamma: &'a mut [Lane],
    theta: &'a mut [Lane],
    mut ratios: &'a mut [f64],
    width: usize,
) -> Vec<Task<'a>> {
    let size = DOCUMENTS_PER_TASK * width;
    let mut tasks = Vec::new();
    for (i, (gamma, theta)) in gamma.chunks_mut(size).zip(theta.chunks_mut(size)).enumerate() {
        let first = i * DOCUMENTS_PER_TASK;
        let own = &documents[first..][..gamma.len() / width];
        let entries = own.iter().map(|document| document.words.len()).sum();
        let (own, rest) = ratios.split_at_mut(entries);
        ratios = rest;
        tasks.push(Task { first, gamma, theta, ratios: own });
    }
    tasks
}

impl Task<'_> {
    fn run(
        self,
        documents: &[Document<'_>],
        prior: &Proportions,
        topics: &TopicPosterior,
        limits: Limits,
    ) -> (f64, Vec<FaintWord>) {
        let width = width(topics.topics());
        let mut work = Workspace::new(topics.topics());
        let (mut bound, mut faint) = (0.0, Vec::new());
        let mut ratios = self.ratios;
        for ((d, gamma), theta) in
            (self.first..).zip(self.gamma.chunks_exact_mut(width)).zip(self.theta.chunks_exact_mut(width))
        {
            let document = documents[d];
            let (own, rest) = ratios.split_at_mut(document.words.len());
            ratios = rest;
            if limits.begin == DocumentStart::Restart {
                prior.start(document.tokens() as f64, gamma);
            }
            let mut posterior = DocumentPosterior { gamma, theta, ratios: own };
            for _ in 0..limits.steps {
                if work.step(document, prior, topics, &mut posterior) <= limits.tolerance {
                    break;
                }
            }
            bound += work.bound(document, prior, topics, &posterior);
            faint.extend(work.take_faint());
        }
        (bound, faint)
    }
}

/// Expected counts of one word: the sum of its ratios times the weights of its documents, times its own
/// weights.
struct Gather<'a> {
    occurrences: &'a [Occurrence],
    theta: &'a [Lane],
    ratios: &'a [f64],
    weights: &'a [Lane],
    row: &'a mut [Lane],
}

impl WithSimd for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { occurrences, theta, ratios, weights, row } = self;
        let width = weights.len();
        let row = &mut row[..width];
        let (tiles, rest) = occurrences.as_chunks::<4>();
        let of = |o: &Occurrence| &theta[o.document as usize * width..][..width];
        let ratio = |o: &Occurrence| ratios[o.entry as usize];
        for tile in tiles {
            let (rows, ratios) = (tile.each_ref().map(of), tile.each_ref().map(ratio));
            for j in 0..width {
                for (theta, ratio) in rows.iter().zip(&ratios) {
                    for i in 0..row[j].len() {
                        row[j][i] += ratio * theta[j][i];
                    }
                }
            }
        }
        for occurrence in rest {
            let (theta, ratio) = (of(occurrence), ratio(occurrence));
            for (row, theta) in row.iter_mut().zip(theta) {
                for i in 0..row.len() {
                    row[i] += ratio * theta[i];
                }
            }
        }
        for (row, weights) in row.iter_mut().zip(weights) {
            for i in 0..row.len() {
                row[i] *= weights[i];
            }
        }
    }
}
