//! From counts to probabilities, context by context, short ones first.

use super::counts::{NGramCounts, counts_of_counts};
use super::discounts::{Discounting, counts_needed, discounts};
use super::smoothing::{NGramOptions, Smoothing, Unigrams};
use super::table::{Base, Table};
use super::trie::ROOT;
use crate::error::Error;

/// What a rule leaves of the counts of one context.
enum Rule<'a> {
    /// (c - D_c)/N.
    Discounted(&'a [f64]),
    /// c/(N + a).
    Concentrated(f64),
    /// c/(N + T).
    WittenBell,
    /// λ c/N, λ by the size of N.
    Weighted(&'a [f64]),
}

impl Rule<'_> {
    /// Writes the proportions of the counts and gives what is left, which is 1 if there is no count.
    fn proportions(&self, counts: &[u32], proportions: &mut [f64]) -> f64 {
        let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        if total == 0.0 {
            proportions.fill(0.0);
            return 1.0;
        }
        match *self {
            Self::Discounted(discounts) => {
                let mut left = 0.0;
                for (proportion, &count) in proportions.iter_mut().zip(counts) {
                    let discount = match count {
                        0 => 0.0,
                        _ => discounts[(count as usize).min(discounts.len()) - 1],
                    };
                    left += discount;
                    *proportion = (f64::from(count) - discount) / total;
                }
                left / total
            }
            Self::Concentrated(concentration) => {
                scale(counts, proportions, total + concentration);
                concentration / (total + concentration)
            }
            Self::WittenBell => {
                let distinct = counts.iter().filter(|&&count| count > 0).count() as f64;
                scale(counts, proportions, total + distinct);
                distinct / (total + distinct)
            }
            Self::Weighted(weights) => {
                let weight = weights[bucket(total).min(weights.len() - 1)];
                scale(counts, proportions, total / weight);
                1.0 - weight
            }
        }
    }
}

/// Which of the interpolation weights of an order is for contexts seen `total` times: ⌊log₂ N⌋.
pub(super) fn bucket(total: f64) -> usize {
    total.log2() as usize
}

fn scale(counts: &[u32], proportions: &mut [f64], total: f64) {
    for (proportion, &count) in proportions.iter_mut().zip(counts) {
        *proportion = f64::from(count) / total;
    }
}

/// The probabilities of all n-grams, and what was discounted at each order.
pub(super) fn estimate(
    counts: &NGramCounts,
    options: &NGramOptions,
) -> Result<(Table, Vec<Discounting>), Error> {
    let trie = &counts.trie;
    let smoothing = &options.smoothing;
    let refuses_nothing = matches!(smoothing, Smoothing::MaximumLikelihood)
        || options.unigrams == Unigrams::Plain && !matches!(smoothing, Smoothing::AddK { .. });
    if refuses_nothing && counts.tokens() == 0 {
        return Err(Error::TooFew { what: "a model of relative frequencies", needed: "a symbol" });
    }
    let outcomes = counts.vocabulary().outcomes();
    let base = if let Smoothing::AddK { .. } = smoothing { Base::Uniform(outcomes) } else { Base::Shorter };
    let adjusted = adjusted_counts(counts, smoothing);
    let table = Table { probability: vec![0.0; trie.nodes()], remainder: vec![1.0; trie.nodes()], base };
    let mut estimate = Estimate { counts, options, adjusted, table };
    let mut discounting = Vec::new();
    for order in 1..=counts.order() {
        let found =
            counts_of_counts(trie, counts.vocabulary(), &estimate.adjusted, order, counts_needed(smoothing));
        let of_order = discounts(smoothing, order, found);
        for context in trie.level(order - 1) {
            estimate.context(context, order, &of_order.discounts);
        }
        discounting.push(of_order);
    }
    Ok((estimate.table, discounting))
}

/// The counts that a rule works on; those of the mark of the beginning alone are zero.
fn adjusted_counts(counts: &NGramCounts, smoothing: &Smoothing) -> Vec<u32> {
    let trie = &counts.trie;
    let mut adjusted = counts.counts.clone();
    if smoothing.counts_continuations() {
        // What nothing comes before because it begins with the mark keeps its count.
        let begin = counts.vocabulary().begin();
        let mut begun = begin.map_or(0..0, |begin| 1 + begin..2 + begin);
        for length in 1..counts.order() {
            for node in trie.level(length).filter(|node| !begun.contains(node)) {
                adjusted[node] = 0;
            }
            for node in trie.level(length + 1) {
                let suffix = trie.suffix(node);
                if counts.counts[node] > 0 && !begun.contains(&suffix) {
                    adjusted[suffix] += 1;
                }
            }
            begun = trie.first_child[begun.start] as usize..trie.first_child[begun.end] as usize;
        }
        // Without a bigram nothing has a predecessor, and symbols count themselves.
        let singles = trie.level(1);
        if adjusted[singles.clone()].iter().all(|&count| count == 0) {
            adjusted[singles.clone()].copy_from_slice(&counts.counts[singles]);
        }
    }
    if let Some(begin) = counts.vocabulary().begin() {
        adjusted[1 + begin] = 0;
    }
    adjusted
}

struct Estimate<'a> {
    counts: &'a NGramCounts,
    options: &'a NGramOptions,
    adjusted: Vec<u32>,
    table: Table,
}

impl Estimate<'_> {
    /// The distribution after one context; those of shorter ones are known.
    fn context(&mut self, context: usize, order: usize, discounts: &[f64]) {
        let children = self.counts.trie.children(context);
        if children.is_empty() {
            return;
        }
        let outcomes = self.counts.vocabulary().outcomes() as f64;
        let plain = context == ROOT && self.options.unigrams == Unigrams::Plain;
        let rule = match &self.options.smoothing {
            Smoothing::AddK { k } => Rule::Concentrated(k * outcomes),
            _ if plain => Rule::Discounted(&[0.0]),
            Smoothing::Dirichlet { concentration } => Rule::Concentrated(*concentration),
            Smoothing::Interpolation { weights } => Rule::Weighted(&weights[order - 1]),
            Smoothing::WittenBell => Rule::WittenBell,
            _ => Rule::Discounted(discounts),
        };
        let proportions = &mut self.table.probability[children.clone()];
        let mut left = rule.proportions(&self.adjusted[children.clone()], proportions);
        if context != ROOT {
            let smallest = self.options.minimum_count(order);
            for (proportion, child) in proportions.iter_mut().zip(children.clone()) {
                if self.counts.counts[child] < smallest {
                    left += *proportion;
                    *proportion = 0.0;
                }
            }
        }
        match self.options.smoothing {
            Smoothing::GoodTuring { .. } if !plain => self.back_off(context, left),
            _ => self.interpolate(context, left),
        }
    }

    /// The probability of a child's symbol after the shorter context.
    fn lower(&self, context: usize, child: usize) -> f64 {
        match self.table.base {
            Base::Uniform(outcomes) => 1.0 / outcomes as f64,
            Base::Shorter if context == ROOT => {
                let begin = self.counts.is_begin(child);
                if begin { 0.0 } else { 1.0 / self.counts.vocabulary().outcomes() as f64 }
            }
            Base::Shorter => self.table.probability[self.counts.trie.suffix(child)],
        }
    }

    /// Adds to every proportion its part of what is left.
    fn interpolate(&mut self, context: usize, left: f64) {
        for child in self.counts.trie.children(context) {
            self.table.probability[child] += left * self.lower(context, child);
        }
        self.table.remainder[context] = left;
        if let Some(begin) = self.counts.vocabulary().begin().filter(|_| context == ROOT) {
            self.table.probability[1 + begin] = 0.0;
        }
    }

    /// Gives what is left to the symbols without a proportion, in proportion to their probabilities after the
    /// shorter context.
    fn back_off(&mut self, context: usize, mut left: f64) {
        let children = self.counts.trie.children(context);
        let unseen = self.unseen(context);
        let shared: f64 = children.clone().map(|child| self.table.probability[child]).sum();
        if unseen <= 0.0 || (left <= 0.0 && unseen > 0.0) {
            // Nobody to give to: all to the seen. Nothing to give: as if the context had been seen once more.
            let total: f64 = children.clone().map(|child| f64::from(self.adjusted[child])).sum();
            left = if unseen <= 0.0 { 0.0 } else { 1.0 / (total + 1.0) };
            let factor = if shared > 0.0 { (1.0 - left) / shared } else { 1.0 };
            for child in children.clone() {
                self.table.probability[child] *= factor;
            }
        }
        let remainder = if left > 0.0 { left / unseen } else { 0.0 };
        for child in children {
            if self.table.probability[child] == 0.0 && !self.counts.is_begin(child) {
                self.table.probability[child] = remainder * self.lower(context, child);
            }
        }
        self.table.remainder[context] = remainder;
    }

    /// The probability, after the shorter context, of all symbols without a proportion.
    fn unseen(&self, context: usize) -> f64 {
        let children = self.counts.trie.children(context);
        let seen = children.clone().filter(|&child| self.table.probability[child] > 0.0);
        let rest = 1.0 - seen.map(|child| self.lower(context, child)).sum::<f64>();
        if rest > 1e-3 {
            return rest;
        }
        // The difference has lost digits: add up what is unseen.
        let outcomes = self.counts.vocabulary().outcomes();
        let mut lower = vec![1.0 / outcomes as f64; outcomes];
        if context != ROOT {
            self.table.predict_node(&self.counts.trie, self.counts.trie.suffix(context), &mut lower);
        }
        for child in children.filter(|&child| self.table.probability[child] > 0.0) {
            if let Some(lower) = lower.get_mut(self.counts.trie.symbols[child] as usize) {
                *lower = 0.0;
            }
        }
        lower.iter().sum()
    }
}
