//! How many symbols the next one depends on.

use posterior_dist::{ChiSquared, Univariate};
use posterior_math::check::DimensionError;
use posterior_math::log_space::softmax_in_place;

use super::{MarkovPrior, TransitionCounts};
use crate::error::Error;

/// What one order makes of the sequences.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OrderScore {
    /// Order m of the chain.
    pub order: usize,
    /// ln p(symbols), all rows integrated out.
    pub ln_evidence: f64,
    /// ln p(symbols) under the most likely chain.
    pub ln_likelihood: f64,
    /// Contexts that were seen.
    pub contexts: usize,
}

/// Orders 0 to the largest, of the same symbols.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderComparison {
    symbols: usize,
    compared: u64,
    scores: Vec<OrderScore>,
}

/// A test of an order against a larger one.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OrderTest {
    /// Twice the difference of the ln likelihoods.
    pub statistic: f64,
    /// By how many free probabilities of contexts that were seen the larger chain has more.
    pub degrees_of_freedom: f64,
    /// How often chance alone makes the statistic as large, if the smaller order is true and all that can
    /// happen did.
    pub p_value: f64,
}

/// The orders 0 to `largest`, by how well they predict the same symbols: those which at least `largest`
/// others precede.
///
/// # Errors
/// Tables that are too large; no sequence longer than `largest`; with its place, a symbol that there is not.
pub fn compare_orders<S: AsRef<[usize]>>(
    symbols: usize,
    largest: usize,
    sequences: &[S],
    prior: &MarkovPrior,
) -> Result<OrderComparison, Error> {
    let mut scores = Vec::with_capacity(largest.saturating_add(1).min(64));
    let compared: usize = sequences.iter().map(|own| own.as_ref().len().saturating_sub(largest)).sum();
    if compared == 0 {
        return Err(Error::TooFew {
            what: "a comparison of orders",
            needed: "a sequence longer than the largest",
        });
    }
    for order in 0..=largest {
        let mut counts = TransitionCounts::new(symbols, order)?;
        for (sequence, own) in sequences.iter().enumerate() {
            counts.push_from(own.as_ref(), largest).map_err(|error| error.of_sequence(sequence))?;
        }
        let seen = counts.rows().filter(|row| row.iter().any(|&count| count > 0));
        scores.push(OrderScore {
            order,
            ln_evidence: prior.ln_evidence(&counts)?,
            ln_likelihood: counts.rows().map(ln_likelihood).sum(),
            contexts: seen.count(),
        });
    }
    Ok(OrderComparison { symbols, compared: compared as u64, scores })
}

/// Σ c(x) ln (c(x) / c).
fn ln_likelihood(row: &[u64]) -> f64 {
    let total = row.iter().sum::<u64>() as f64;
    let seen = row.iter().filter(|count| **count > 0);
    seen.map(|&count| count as f64 * (count as f64 / total).ln()).sum()
}

impl OrderComparison {
    /// Each order, from 0 on.
    pub fn scores(&self) -> &[OrderScore] {
        &self.scores
    }

    /// How many symbols were predicted.
    pub const fn compared(&self) -> u64 {
        self.compared
    }

    /// The order of the largest evidence, the smallest of equal ones.
    pub fn best(&self) -> usize {
        let better = |best: usize, own: &OrderScore| {
            if own.ln_evidence > self.scores[best].ln_evidence { own.order } else { best }
        };
        self.scores.iter().fold(0, better)
    }

    /// The probability of each order, all being as probable before.
    pub fn probabilities(&self) -> Vec<f64> {
        let mut probabilities: Vec<f64> = self.scores.iter().map(|own| own.ln_evidence).collect();
        softmax_in_place(&mut probabilities);
        probabilities
    }

    /// The likelihood-ratio test of the order `smaller` against `larger`.
    ///
    /// # Errors
    /// Unless `smaller` < `larger` <= the largest order; if no context offers a choice.
    pub fn test(&self, smaller: usize, larger: usize) -> Result<OrderTest, Error> {
        if larger >= self.scores.len() || smaller >= larger {
            let (expected, found) = (self.scores.len().saturating_sub(1).min(larger), smaller);
            return Err(
                DimensionError::new("an order below that of the larger chain", expected, found).into()
            );
        }
        let (small, large) = (&self.scores[smaller], &self.scores[larger]);
        let statistic = 2.0 * (large.ln_likelihood - small.ln_likelihood).max(0.0);
        let contexts = large.contexts - small.contexts.min(large.contexts);
        let degrees_of_freedom = (contexts * (self.symbols - 1)) as f64;
        let p_value = ChiSquared::new(degrees_of_freedom)?.sf(statistic);
        Ok(OrderTest { statistic, degrees_of_freedom, p_value })
    }
}
