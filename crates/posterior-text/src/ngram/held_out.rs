//! Interpolation weights learned from text that was not counted.

use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
use posterior_math::iteration::{Fitted, Observer};

use super::counts::NGramCounts;
use super::estimate::bucket;
use super::smoothing::Unigrams;
use super::trie::{ROOT, Trie};
use crate::error::Error;

/// The most probable weights of [`Smoothing::Interpolation`](super::Smoothing::Interpolation) given
/// `held_out`, by EM.
///
/// Each weight λ has the prior Beta(2, 2), worth one symbol for and one against: the objective is ln
/// p(held-out) + Σ (ln λ + ln(1 - λ)), and an M step takes (taken + 1) / (met + 2). So no weight becomes 0
/// or 1. The likelihood alone would make it 1 where everything held out was seen after contexts of a size,
/// and leave nothing for what another text has that was never seen there: an infinite perplexity. Sizes of
/// context that the held-out text never meets keep the weight 1/2. With [`Unigrams::Plain`] the weight of
/// single symbols is 1, without a prior.
///
/// O(n) for each held-out symbol and step.
///
/// # Errors
/// Nothing held out, a symbol beyond the vocabulary; one that cannot occur because it was never counted and
/// unigrams are plain.
pub fn held_out_weights<S: AsRef<[usize]>>(
    counts: &NGramCounts,
    held_out: &[S],
    unigrams: Unigrams,
    options: &EmOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Vec<Vec<f64>>>, Error> {
    let evidence = Evidence::of(counts, held_out, unigrams)?;
    if evidence.ends.is_empty() {
        return Err(Error::TooFew { what: "learning weights", needed: "a held-out symbol" });
    }
    let mut start: Vec<Vec<f64>> = evidence.buckets.iter().map(|&buckets| vec![0.5; buckets]).collect();
    start[..evidence.fixed].iter_mut().for_each(|weights| weights.fill(1.0));
    expectation_maximization(&evidence, start, options, observer)
}

/// How many symbols for a weight, and how many against it, its prior is worth: a - 1 = b - 1 of Beta(a, b).
const PSEUDO_COUNT: f64 = 1.0;

/// For each held-out symbol its relative frequencies after longer and longer contexts.
struct Evidence {
    /// Order, bucket of the context's size, and c/N; the shortest context first.
    proportions: Vec<(usize, usize, f64)>,
    /// Where those of each symbol end.
    ends: Vec<usize>,
    /// The number of buckets of each order.
    buckets: Vec<usize>,
    /// How many orders have weights that are not fitted but 1.
    fixed: usize,
    outcomes: f64,
}

impl Evidence {
    fn of<S: AsRef<[usize]>>(
        counts: &NGramCounts,
        held_out: &[S],
        unigrams: Unigrams,
    ) -> Result<Self, Error> {
        let (trie, vocabulary) = (&counts.trie, counts.vocabulary());
        let totals = totals(counts);
        let mut buckets = vec![1; counts.order()];
        for (order, buckets) in buckets.iter_mut().enumerate() {
            let largest = trie.level(order).map(|context| totals[context]).fold(1.0, f64::max);
            *buckets = bucket(largest) + 1;
        }
        let outcomes = vocabulary.outcomes() as f64;
        let fixed = usize::from(unigrams == Unigrams::Plain);
        let mut evidence = Self { proportions: Vec::new(), ends: Vec::new(), buckets, fixed, outcomes };
        for (number, sequence) in held_out.iter().enumerate() {
            vocabulary.check(number, sequence.as_ref())?;
            let mut context = super::model::begin(trie, vocabulary).node as usize;
            let symbols = sequence.as_ref().iter().copied().chain(vocabulary.end());
            for (position, symbol) in symbols.enumerate() {
                evidence.push(counts, &totals, context, symbol);
                let seen = counts.counts[1 + symbol] > 0;
                if unigrams == Unigrams::Plain && !seen {
                    let message = format!("symbol {symbol} was never counted");
                    return Err(Error::Observation { sequence: number, position, message });
                }
                context = after(trie, context, symbol);
            }
        }
        Ok(evidence)
    }

    fn push(&mut self, counts: &NGramCounts, totals: &[f64], context: usize, symbol: usize) {
        let trie = &counts.trie;
        let from = self.proportions.len();
        let mut node = context;
        loop {
            if totals[node] > 0.0 {
                let count = trie.child(node, symbol).map_or(0, |child| counts.counts[child]);
                let proportion = f64::from(count) / totals[node];
                self.proportions.push((trie.depth(node), bucket(totals[node]), proportion));
            }
            if node == ROOT {
                break;
            }
            node = trie.suffix(node);
        }
        self.proportions[from..].reverse();
        self.ends.push(self.proportions.len());
    }
}

/// The sizes of all contexts.
fn totals(counts: &NGramCounts) -> Vec<f64> {
    let size = |node| {
        let children = counts.trie.children(node).filter(|&child| !counts.is_begin(child));
        children.map(|child| f64::from(counts.counts[child])).sum()
    };
    (0..counts.trie.nodes()).map(size).collect()
}

/// The longest context at which something was seen, after one more symbol.
fn after(trie: &Trie, mut context: usize, symbol: usize) -> usize {
    loop {
        if let Some(child) = trie.child(context, symbol) {
            return trie.context_at(child);
        }
        context = trie.suffix(context);
    }
}

/// For each weight, how often it was taken and how often it was not.
type Choices = Vec<Vec<(f64, f64)>>;

impl Problem for Evidence {
    type Model = Vec<Vec<f64>>;
    type Statistics = Choices;
    type Error = Error;

    fn e_step(&self, weights: &Self::Model) -> Result<Expected<Choices>, Error> {
        let mut choices: Choices = self.buckets.iter().map(|&buckets| vec![(0.0, 0.0); buckets]).collect();
        let (mut from, mut ln_likelihood) = (0, 0.0);
        let mut mixed = Vec::new();
        for &end in &self.ends {
            let proportions = &self.proportions[from..end];
            mixed.clear();
            let mut probability = 1.0 / self.outcomes;
            for &(order, bucket, proportion) in proportions {
                let weight = weights[order][bucket];
                probability = weight * proportion + (1.0 - weight) * probability;
                mixed.push(probability);
            }
            ln_likelihood += probability.ln();
            // From the longest context down: the probability that the choice went that far.
            let mut reached = 1.0;
            for (&(order, bucket, proportion), &mixed) in proportions.iter().zip(&mixed).rev() {
                if mixed > 0.0 {
                    let taken = reached * weights[order][bucket] * proportion / mixed;
                    let choices = &mut choices[order][bucket];
                    choices.0 += taken;
                    choices.1 += reached - taken;
                    reached -= taken;
                }
            }
            from = end;
        }
        Ok(Expected::new(choices, ln_likelihood))
    }

    fn m_step(&self, choices: &Choices, previous: &Self::Model) -> Result<Self::Model, Error> {
        let weight =
            |&(taken, passed): &(f64, f64)| (taken + PSEUDO_COUNT) / (taken + passed + 2.0 * PSEUDO_COUNT);
        let learned = choices[self.fixed..].iter().map(|choices| choices.iter().map(weight).collect());
        Ok(previous[..self.fixed].iter().cloned().chain(learned).collect())
    }

    fn ln_prior(&self, weights: &Self::Model) -> f64 {
        let ln = |&weight: &f64| PSEUDO_COUNT * (weight.ln() + (-weight).ln_1p());
        weights[self.fixed..].iter().flatten().map(ln).sum()
    }
}
