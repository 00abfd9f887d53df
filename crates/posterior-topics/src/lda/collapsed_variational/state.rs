//! q(z) of all tokens, with the counts that follow from it.

use posterior_math::ParamError;
use pulp::Arch;
use rayon::prelude::*;

use super::blocks::{Block, Cut, Moments, Span, Storage};
use super::concentrations::{improve_alpha, improve_beta};
use super::kernel::{Mode, Prior, Sweep};
use super::{LdaCollapsedVariationalOptions, Order};
use crate::lanes::{LANES, Lane, ZERO, lane_sums, width};
use crate::lda::digamma::ln;
use crate::lda::word_concentrations::WordConcentrations;
use crate::{Corpus, Error};

/// A fit under way.
#[derive(Debug, Clone)]
pub(super) struct State<S> {
    topics: usize,
    cut: Cut,
    /// By group of documents and then of words.
    blocks: Vec<Vec<Block<S>>>,
    /// By group.
    documents: Vec<Moments>,
    /// Tokens of each document, by group.
    tokens: Vec<Vec<f64>>,
    /// By group.
    words: Vec<Moments>,
    totals: Moments,
    prior: Prior,
    concentrations: WordConcentrations,
    /// What concentrations have beyond the least, words x topics; nothing where all are equal. The means of
    /// the counts of words hold it.
    excess: Vec<Lane>,
}

impl<S: Storage> State<S> {
    /// q(z) by the topics of expected counts (words x topics) and, as a document is gone through, by what of
    /// it was seen.
    pub(super) fn new(
        corpus: &Corpus,
        options: &LdaCollapsedVariationalOptions,
        alpha: &[f64],
        counts: &[Lane],
    ) -> Result<Self, Error> {
        let width = width(options.topics);
        corpus.entries().checked_mul(width * size_of::<[S; LANES]>()).ok_or_else(|| {
            ParamError::new(
                "Lda",
                "topics",
                options.topics as f64,
                "so few that the probabilities fit into memory",
            )
        })?;
        let cut = Cut::new(corpus, options.groups);
        let second = options.order == Order::Second;
        let concentrations =
            options.word_weights.concentrations(options.topics, corpus.vocabulary().len(), options.beta)?;
        let mut state = Self {
            topics: options.topics,
            blocks: cut.blocks(corpus, width),
            documents: cut.documents.iter().map(|group| Moments::zeros(group.len(), width, second)).collect(),
            tokens: cut
                .documents
                .iter()
                .map(|group| group.clone().map(|d| corpus.document(d).tokens() as f64).collect())
                .collect(),
            words: cut.words.iter().map(|group| Moments::zeros(group.len(), width, second)).collect(),
            totals: Moments::zeros(1, width, second),
            cut,
            prior: prior(alpha, concentrations.least(), corpus.vocabulary().len()),
            excess: concentrations.excess(),
            concentrations,
        };
        let topics = state.probabilities(counts.to_vec());
        state.begin(&topics);
        state.add_excess();
        state.add_up();
        Ok(state)
    }

    fn begin(&mut self, topics: &[Lane]) {
        let Self { cut, blocks, documents, prior, topics: k, .. } = self;
        let width = prior.alpha.len();
        blocks.par_iter_mut().zip(&*documents).for_each(|(blocks, documents)| {
            let mut seen = documents.means.clone();
            for (block, words) in blocks.iter_mut().zip(&cut.words) {
                for Span { document, entries } in &block.spans {
                    let seen = &mut seen[document * width..][..width];
                    for entry in entries.clone() {
                        let topics = &topics[(words.start + block.words[entry] as usize) * width..][..width];
                        let mut row: Vec<Lane> = seen.to_vec();
                        for ((row, alpha), topics) in row.iter_mut().zip(&prior.alpha).zip(topics) {
                            for i in 0..LANES {
                                row[i] = (row[i] + alpha[i]) * topics[i];
                            }
                        }
                        let sum: f64 = row.as_flattened()[..*k].iter().sum();
                        let count = f64::from(block.counts[entry]);
                        let own = &mut block.proportions[entry * width..][..width];
                        for ((own, row), seen) in own.iter_mut().zip(&row).zip(&mut *seen) {
                            for i in 0..LANES {
                                own[i] = S::rounded(row[i] / sum);
                                seen[i] += count * own[i].number();
                            }
                        }
                    }
                }
            }
        });
    }

    /// All counts anew from q(z).
    fn add_up(&mut self) {
        let width = self.prior.alpha.len();
        let mut row = vec![ZERO; width];
        for (blocks, documents) in self.blocks.iter().zip(&mut self.documents) {
            for (block, words) in blocks.iter().zip(&mut self.words) {
                for Span { document, entries } in &block.spans {
                    for entry in entries.clone() {
                        for (row, own) in row.iter_mut().zip(&block.proportions[entry * width..][..width]) {
                            *row = own.map(S::number);
                        }
                        let (count, word) = (f64::from(block.counts[entry]), block.words[entry] as usize);
                        add(documents, document * width, &row, count);
                        add(words, word * width, &row, count);
                        add(&mut self.totals, 0, &row, count);
                    }
                }
            }
        }
    }

    /// Goes through all pairs, and returns the sum of ln p(token | all others).
    pub(super) fn sweep(&mut self, mode: Mode) -> f64 {
        let groups = self.blocks.len();
        let alpha_total: f64 = self.prior.alpha.as_flattened().iter().sum();
        let mut objective = 0.0;
        for round in 0..groups {
            let Self { blocks, documents, tokens, words, totals, prior, .. } = self;
            let mut words: Vec<Option<&mut Moments>> = words.iter_mut().map(Some).collect();
            let tasks: Vec<_> = blocks
                .iter_mut()
                .zip(documents)
                .zip(&*tokens)
                .enumerate()
                .map(|(g, ((blocks, documents), tokens))| {
                    let h = (g + round) % groups;
                    let words =
                        words[h].take().expect("invariant: each group of words is on the diagonal once");
                    (&mut blocks[h], documents, words, tokens, totals.clone())
                })
                .collect();
            let parts: Vec<(f64, Moments)> = tasks
                .into_par_iter()
                .map(|(block, documents, words, tokens, mut totals)| {
                    let sweep =
                        Sweep { block: &mut *block, documents, words, totals: &mut totals, prior, mode };
                    let (normalizers, shifts) = Arch::new().dispatch(sweep);
                    (ln_predictive(block, tokens, alpha_total, normalizers, &shifts), totals)
                })
                .collect();
            let before = totals.clone();
            for (part, after) in parts {
                objective += part;
                add_difference(&mut totals.means, &after.means, &before.means);
                add_difference(&mut totals.variances, &after.variances, &before.variances);
            }
        }
        objective
    }

    /// One step of the fixed points of the concentrations (Minka 2000), on expected counts.
    pub(super) fn improve_concentrations(&mut self) {
        let k = self.topics;
        let words = self.cut.words.last().map_or(0, |last| last.end);
        let documents = self.documents.iter().map(|group| &group.means[..]);
        let alpha = &self.prior.alpha.as_flattened()[..k];
        let alpha = improve_alpha(documents, self.tokens.iter().flatten().copied(), alpha);
        let counts = self.words.iter().map(|group| &group.means[..]);
        let totals = &self.totals.means.as_flattened()[..k];
        // Words with concentrations of their own keep them.
        if self.concentrations.is_equal() {
            self.concentrations.set_equal(improve_beta(counts, totals, words, self.prior.beta));
        }
        self.prior = prior(&alpha, self.concentrations.least(), words);
    }

    /// `(n_kw + beta_kw) / (n_k + sum_v beta_kv)` in place of counts. The padding does not matter.
    fn probabilities(&self, counts: Vec<Lane>) -> Vec<Lane> {
        let width = width(self.topics);
        let mut rows = counts;
        for (row, excess) in rows.iter_mut().zip(&self.excess) {
            add_lanes(row, excess, 1.0);
        }
        let totals = lane_sums(&rows, width);
        for row in rows.chunks_exact_mut(width) {
            for (row, totals) in row.iter_mut().zip(&totals) {
                for i in 0..LANES {
                    row[i] = (row[i] + self.prior.beta) / (totals[i] + self.prior.smoothing);
                }
            }
        }
        rows
    }

    /// Adds what concentrations have beyond the least to the counts of words: it is known, and
    /// adds nothing to their variances.
    fn add_excess(&mut self) {
        let width = width(self.topics);
        let words = self.words.iter_mut().flat_map(|group| &mut group.means);
        for (place, (mean, excess)) in words.zip(&self.excess).enumerate() {
            add_lanes(mean, excess, 1.0);
            add_lanes(&mut self.totals.means[place % width], excess, 1.0);
        }
    }

    pub(super) fn alpha(&self) -> &[f64] {
        &self.prior.alpha.as_flattened()[..self.topics]
    }

    pub(super) fn concentrations(&self) -> &WordConcentrations {
        &self.concentrations
    }

    /// Expected counts of words in topics, row by row and padded.
    pub(super) fn word_counts(&self) -> Vec<Lane> {
        let mut counts: Vec<Lane> = self.words.iter().flat_map(|group| &group.means).copied().collect();
        for (count, excess) in counts.iter_mut().zip(&self.excess) {
            add_lanes(count, excess, -1.0);
        }
        counts
    }

    /// Expected counts of topics in documents, row by row and padded.
    pub(super) fn document_counts(&self) -> Vec<Lane> {
        self.documents.iter().flat_map(|group| &group.means).copied().collect()
    }
}

fn prior(alpha: &[f64], beta: f64, words: usize) -> Prior {
    let mut lanes = vec![ZERO; width(alpha.len())];
    lanes.as_flattened_mut()[..alpha.len()].copy_from_slice(alpha);
    Prior { alpha: lanes, beta, smoothing: words as f64 * beta }
}

fn add_lanes(sum: &mut Lane, more: &Lane, times: f64) {
    for i in 0..LANES {
        sum[i] += times * more[i];
    }
}

fn add(moments: &mut Moments, row: usize, proportions: &[Lane], count: f64) {
    for (mean, proportions) in moments.means[row..].iter_mut().zip(proportions) {
        for i in 0..LANES {
            mean[i] += count * proportions[i];
        }
    }
    if !moments.variances.is_empty() {
        for (variance, proportions) in moments.variances[row..].iter_mut().zip(proportions) {
            for i in 0..LANES {
                variance[i] += count * (proportions[i] * (1.0 - proportions[i]));
            }
        }
    }
}

fn add_difference(sums: &mut [Lane], after: &[Lane], before: &[Lane]) {
    for ((sum, after), before) in sums.iter_mut().zip(after).zip(before) {
        for i in 0..LANES {
            sum[i] += after[i] - before[i];
        }
    }
}

/// The sum over the tokens of a block of ln p(token | all others).
fn ln_predictive<S>(
    block: &Block<S>,
    tokens: &[f64],
    alpha_total: f64,
    mut normalizers: Vec<f64>,
    shifts: &[f64],
) -> f64 {
    ln(&mut normalizers);
    for (normalizer, shift) in normalizers.iter_mut().zip(shifts) {
        *normalizer += shift;
    }
    let mut sum = 0.0;
    for Span { document, entries } in &block.spans {
        let others = (tokens[*document] - 1.0 + alpha_total).ln();
        let own = block.counts[entries.clone()].iter().zip(&normalizers[entries.clone()]);
        sum += own.map(|(&count, ln)| f64::from(count) * (ln - others)).sum::<f64>();
    }
    sum
}
