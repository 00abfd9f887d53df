//! How much of each count goes to what was not seen.

use super::smoothing::Smoothing;

/// The discounts that a rule takes from the counts of one order, and their source.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Discounting {
    /// The length of the n-grams.
    pub order: usize,
    /// The numbers of them that have the (for Kneser and Ney's rules modified) counts 1, 2, …
    pub counts_of_counts: Vec<u64>,
    /// The discounts of the counts 1, 2, …; the last number is taken from all that are larger.
    pub discounts: Vec<f64>,
    /// The source of the discounts.
    pub from: DiscountsFrom,
}

/// The source of discounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DiscountsFrom {
    /// They were given, or the rule has none.
    Given,
    /// The formula of the rule.
    Formula,
    /// The rule's formula has no sense for these counts of counts (a count that nothing has, a negative
    /// discount): the single D = n₁/(n₁ + 2 n₂) for all counts.
    Single,
    /// Nothing was seen once, or nothing twice: D = 1/2 for all counts.
    Half,
}

/// How many counts of counts a rule looks at.
pub(super) fn counts_needed(smoothing: &Smoothing) -> usize {
    match smoothing {
        Smoothing::GoodTuring { threshold } => threshold + 1,
        Smoothing::ModifiedKneserNey => 4,
        _ => 2,
    }
}

/// The discounts of a rule that has some.
pub(super) fn discounts(smoothing: &Smoothing, order: usize, counts_of_counts: Vec<u64>) -> Discounting {
    let formula = match smoothing {
        Smoothing::AbsoluteDiscounting { discount: Some(given) }
        | Smoothing::KneserNey { discount: Some(given) } => {
            let discounts = vec![*given];
            return Discounting { order, counts_of_counts, discounts, from: DiscountsFrom::Given };
        }
        Smoothing::AbsoluteDiscounting { discount: None } | Smoothing::KneserNey { discount: None } => {
            single(&counts_of_counts).map(|discount| vec![discount])
        }
        Smoothing::ModifiedKneserNey => modified(&counts_of_counts),
        Smoothing::GoodTuring { .. } => good_turing(&counts_of_counts),
        _ => {
            let discounts = vec![0.0];
            return Discounting { order, counts_of_counts, discounts, from: DiscountsFrom::Given };
        }
    };
    let (discounts, from) = match (formula, single(&counts_of_counts)) {
        (Some(discounts), _) => (discounts, DiscountsFrom::Formula),
        (None, Some(discount)) => (vec![discount], DiscountsFrom::Single),
        (None, None) => (vec![0.5], DiscountsFrom::Half),
    };
    Discounting { order, counts_of_counts, discounts, from }
}

/// n₁/(n₁ + 2 n₂), unless one of them is zero.
fn single(counts_of_counts: &[u64]) -> Option<f64> {
    let &[ones, twos, ..] = counts_of_counts else { return None };
    (ones > 0 && twos > 0).then(|| ones as f64 / (ones as f64 + 2.0 * twos as f64))
}

/// Chen and Goodman's three discounts, r - (r + 1) Y n_(r+1)/n_r, unless one of them is negative or
/// undefined.
fn modified(counts_of_counts: &[u64]) -> Option<Vec<f64>> {
    let scale = single(counts_of_counts)?;
    let discount = |r: usize| {
        let (now, next) = (counts_of_counts[r - 1] as f64, counts_of_counts[r] as f64);
        r as f64 - (r + 1) as f64 * scale * next / now
    };
    let discounts: Vec<f64> = (1..=3).map(discount).collect();
    discounts.iter().all(|&discount| discount >= 0.0 && discount.is_finite()).then_some(discounts)
}

/// Katz's discounts of counts up to the threshold k: r (1 - d_r) with d_r = (r*/r - x)/(1 - x), x = (k + 1)
/// n_(k+1)/n₁.
fn good_turing(counts_of_counts: &[u64]) -> Option<Vec<f64>> {
    let threshold = counts_of_counts.len() - 1;
    let number = |r: usize| counts_of_counts[r - 1] as f64;
    if counts_of_counts[..threshold].contains(&0) {
        return None;
    }
    let kept_above = (threshold + 1) as f64 * number(threshold + 1) / number(1);
    let discount = |r: usize| {
        let adjusted = (r + 1) as f64 * number(r + 1) / number(r);
        let ratio = (adjusted / r as f64 - kept_above) / (1.0 - kept_above);
        r as f64 * (1.0 - ratio)
    };
    let mut discounts: Vec<f64> = (1..=threshold).map(discount).collect();
    let sensible = discounts.iter().zip(1..).all(|(&discount, r)| discount >= 0.0 && discount < f64::from(r));
    discounts.push(0.0);
    sensible.then_some(discounts)
}
