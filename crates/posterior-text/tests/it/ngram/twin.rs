//! The formulas of smoothing over a sorted map of n-grams: slow, and plain to read.

use std::collections::{BTreeMap, BTreeSet};

use posterior_text::ngram::{NGramOptions, NgramVocabulary, Smoothing, Unigrams};

pub(super) struct Twin {
    counts: BTreeMap<Vec<usize>, f64>,
    /// The distinct symbols before n-grams of fewer symbols than the order.
    before: BTreeMap<Vec<usize>, BTreeSet<usize>>,
    vocabulary: NgramVocabulary,
    order: usize,
}

impl Twin {
    pub(super) fn of(text: &[Vec<usize>], vocabulary: NgramVocabulary, order: usize) -> Self {
        let mut counts: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
        for sequence in text {
            let marked = marked(sequence, vocabulary);
            for length in 1..=order {
                for window in marked.windows(length) {
                    *counts.entry(window.to_vec()).or_insert(0.0) += 1.0;
                }
            }
        }
        let mut before: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
        for longer in counts.keys().filter(|ngram| ngram.len() > 1) {
            before.entry(longer[1..].to_vec()).or_default().insert(longer[0]);
        }
        Self { counts, before, vocabulary, order }
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = (Vec<usize>, u64)> + '_ {
        self.counts.iter().map(|(ngram, &count)| (ngram.clone(), count as u64))
    }

    fn raw(&self, ngram: &[usize]) -> f64 {
        self.counts.get(ngram).copied().unwrap_or(0.0)
    }

    /// The count that a rule works on.
    fn count(&self, smoothing: &Smoothing, ngram: &[usize]) -> f64 {
        if Some(ngram[0]) == self.vocabulary.begin() && ngram.len() == 1 {
            return 0.0;
        }
        let continuations = matches!(smoothing, Smoothing::KneserNey { .. } | Smoothing::ModifiedKneserNey);
        if !continuations || ngram.len() == self.order || Some(ngram[0]) == self.vocabulary.begin() {
            return self.raw(ngram);
        }
        if self.before.is_empty() {
            return self.raw(ngram);
        }
        self.before.get(ngram).map_or(0.0, |before| before.len() as f64)
    }

    /// p(symbol | context) by the definition of the rule.
    pub(super) fn probability(&self, options: &NGramOptions, context: &[usize], symbol: usize) -> f64 {
        let context = &context[context.len() - context.len().min(self.order - 1)..];
        self.recursive(options, context, symbol)
    }

    fn recursive(&self, options: &NGramOptions, context: &[usize], symbol: usize) -> f64 {
        let smoothing = &options.smoothing;
        let outcomes = self.vocabulary.outcomes();
        let count = |symbol| self.count(smoothing, &[context, &[symbol]].concat());
        let total: f64 = (0..outcomes).map(count).sum();
        if let Smoothing::AddK { k } = smoothing {
            return (count(symbol) + k) / (total + k * outcomes as f64);
        }
        let lower = |symbol| match context {
            [] => 1.0 / outcomes as f64,
            [_, shorter @ ..] => self.recursive(options, shorter, symbol),
        };
        if total == 0.0 {
            return lower(symbol);
        }
        let seen: Vec<usize> = (0..outcomes).filter(|&symbol| count(symbol) > 0.0).collect();
        let distinct = seen.len() as f64;
        let c = count(symbol);
        if context.is_empty() && options.unigrams == Unigrams::Plain {
            return c / total;
        }
        match smoothing {
            Smoothing::MaximumLikelihood => c / total,
            Smoothing::Dirichlet { concentration } => {
                (c + concentration * lower(symbol)) / (total + concentration)
            }
            Smoothing::WittenBell => (c + distinct * lower(symbol)) / (total + distinct),
            Smoothing::Interpolation { weights } => {
                let of_order = &weights[context.len()];
                // N = 1 has the first weight, all larger the last of two.
                let weight = of_order[usize::from(total >= 2.0).min(of_order.len() - 1)];
                weight * c / total + (1.0 - weight) * lower(symbol)
            }
            Smoothing::GoodTuring { .. } => self.katz(options, context, symbol, total, &seen),
            _ => {
                let discount = |c: f64| self.discount(smoothing, context.len() + 1, c);
                let freed: f64 = seen.iter().map(|&symbol| discount(count(symbol))).sum();
                (c - discount(c)) / total + freed / total * lower(symbol)
            }
        }
    }

    fn katz(
        &self,
        options: &NGramOptions,
        context: &[usize],
        symbol: usize,
        total: f64,
        seen: &[usize],
    ) -> f64 {
        let smoothing = &options.smoothing;
        let count = |symbol| self.count(smoothing, &[context, &[symbol]].concat());
        let proportion = |symbol| {
            let c = count(symbol);
            (c - self.discount(smoothing, context.len() + 1, c)) / total
        };
        let outcomes = self.vocabulary.outcomes();
        let lower = |symbol| match context {
            [] => 1.0 / outcomes as f64,
            [_, shorter @ ..] => self.recursive(options, shorter, symbol),
        };
        let shared: f64 = seen.iter().map(|&symbol| proportion(symbol)).sum();
        let unseen: f64 = (0..outcomes).filter(|symbol| !seen.contains(symbol)).map(lower).sum();
        let is_seen = seen.contains(&symbol);
        if unseen == 0.0 {
            return if is_seen { proportion(symbol) / shared } else { 0.0 };
        }
        let freed: f64 = seen
            .iter()
            .map(|&symbol| self.discount(smoothing, context.len() + 1, count(symbol)))
            .sum::<f64>()
            / total;
        if freed == 0.0 {
            return if is_seen {
                count(symbol) / (total + 1.0)
            } else {
                lower(symbol) / unseen / (total + 1.0)
            };
        }
        if is_seen { proportion(symbol) } else { freed * lower(symbol) / unseen }
    }

    fn discount(&self, smoothing: &Smoothing, length: usize, count: f64) -> f64 {
        if count == 0.0 {
            return 0.0;
        }
        let of_length = || self.counts.keys().filter(|ngram| ngram.len() == length);
        let n = |r: f64| of_length().filter(|ngram| self.count(smoothing, ngram) == r).count() as f64;
        let single = if n(1.0) > 0.0 && n(2.0) > 0.0 { n(1.0) / (n(1.0) + 2.0 * n(2.0)) } else { 0.5 };
        match smoothing {
            Smoothing::AbsoluteDiscounting { discount } | Smoothing::KneserNey { discount } => {
                discount.unwrap_or(single)
            }
            Smoothing::ModifiedKneserNey => {
                let one = 1.0 - 2.0 * single * n(2.0) / n(1.0);
                let two = 2.0 - 3.0 * single * n(3.0) / n(2.0);
                let three = 3.0 - 4.0 * single * n(4.0) / n(3.0);
                if [one, two, three].iter().any(|discount| !(*discount >= 0.0 && discount.is_finite())) {
                    single
                } else if count == 1.0 {
                    one
                } else if count == 2.0 {
                    two
                } else {
                    three
                }
            }
            Smoothing::GoodTuring { threshold } => {
                let k = *threshold as f64;
                let x = (k + 1.0) * n(k + 1.0) / n(1.0);
                let ratio = |r: f64| ((r + 1.0) * n(r + 1.0) / (n(r) * r) - x) / (1.0 - x);
                let fine = (1..=*threshold).all(|r| {
                    let ratio = ratio(r as f64);
                    n(r as f64) > 0.0 && ratio > 0.0 && ratio <= 1.0
                });
                match fine {
                    true if count > k => 0.0,
                    true => count * (1.0 - ratio(count)),
                    false => single,
                }
            }
            _ => 0.0,
        }
    }

    /// The entropy of the next symbol given its n - 1 predecessors, in the text itself, in nats.
    pub(super) fn entropy_of_contexts(&self) -> f64 {
        let (mut sum, mut tokens) = (0.0, 0.0);
        for (ngram, &count) in &self.counts {
            let begun = Some(ngram[0]) == self.vocabulary.begin();
            if ngram.len() == self.order || begun && ngram.len() > 1 {
                if begun && ngram.len() == 1 {
                    continue;
                }
                let (_, context) = ngram.split_last().unwrap();
                let total: f64 = self
                    .counts
                    .iter()
                    .filter(|(other, _)| other.len() == ngram.len() && other.starts_with(context))
                    .filter(|(other, _)| Some(*other.last().unwrap()) != self.vocabulary.begin())
                    .map(|(_, count)| count)
                    .sum();
                sum -= count * (count / total).ln();
                tokens += count;
            }
        }
        sum / tokens
    }
}

fn marked(sequence: &[usize], vocabulary: NgramVocabulary) -> Vec<usize> {
    vocabulary.begin().into_iter().chain(sequence.iter().copied()).chain(vocabulary.end()).collect()
}

/// The sum of ln((α + c)/(V α + N)) as the counts of each context grow.
pub(super) fn ln_evidence(text: &[Vec<usize>], vocabulary: NgramVocabulary, order: usize, alpha: f64) -> f64 {
    let mut counts: BTreeMap<(Vec<usize>, usize), f64> = BTreeMap::new();
    let mut totals: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
    let mut sum = 0.0;
    for sequence in text {
        let marked = marked(sequence, vocabulary);
        for position in usize::from(vocabulary.begin().is_some())..marked.len() {
            let context = marked[(position + 1).saturating_sub(order)..position].to_vec();
            let count = counts.entry((context.clone(), marked[position])).or_insert(0.0);
            let total = totals.entry(context).or_insert(0.0);
            sum += ((alpha + *count) / (alpha * vocabulary.outcomes() as f64 + *total)).ln();
            *count += 1.0;
            *total += 1.0;
        }
    }
    sum
}
