//! What a classifier says of one text or row.

use posterior_math::log_space::softmax_in_place;

/// The probabilities of the classes, given a text or row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ClassPosterior {
    /// p(class | x); they sum to one.
    pub probabilities: Vec<f64>,
    /// ln p(x), the classes summed out; of scores that are no probabilities, the logarithm of the sum of
    /// their exponentials.
    pub ln_evidence: f64,
    /// Tokens (of a table: values) that the model does not know and that were passed over.
    pub unknown: u64,
}

impl ClassPosterior {
    /// The posterior of scores ln p(x, class), unless all are -∞.
    pub(super) fn of_scores(mut scores: Vec<f64>, unknown: u64) -> Option<Self> {
        if scores.iter().all(|&score| score == f64::NEG_INFINITY) {
            return None;
        }
        let ln_evidence = softmax_in_place(&mut scores);
        Some(Self { probabilities: scores, ln_evidence, unknown })
    }

    /// The most probable class, the first of equals.
    pub fn class(&self) -> usize {
        first_largest(&self.probabilities)
    }

    /// The probability of the most probable class.
    pub fn confidence(&self) -> f64 {
        self.probabilities[self.class()]
    }
}

/// The place of the largest number, the first of equals.
pub(super) fn first_largest(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (index, number) in numbers.iter().enumerate() {
        if *number > numbers[best] {
            best = index;
        }
    }
    best
}
