//! How well each topic would suit all words of a table together.

use std::f64::consts::LN_2;

use super::topic_counts::TopicCounts;
use crate::lanes::LANES;

/// Factors of a product before its exponent is set apart: few enough that it cannot leave the range of f64.
const FACTORS: usize = 4;

const EXPONENT_BITS: u32 = 52;
const ONE: u64 = 1023 << EXPONENT_BITS;
const FRACTION: u64 = (1 << EXPONENT_BITS) - 1;

/// Probabilities by slot as `fraction x 2^exponent`, and their logarithms.
#[derive(Debug, Clone, Default)]
pub(super) struct TableWeights {
    fractions: Vec<f64>,
    exponents: Vec<i64>,
    numerators: Vec<f64>,
    denominators: Vec<f64>,
}

impl TableWeights {
    /// `prior_k p(words | words of topic k)` for all slots up to a common factor, and `prior_new p(words)` up
    /// to the same for a topic without tokens. `words` are in increasing order and not among the counts.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    pub(super) fn weigh(
        &mut self,
        counts: &TopicCounts,
        words: &[u32],
        prior: &[f64],
        prior_new: f64,
    ) -> (&[f64], f64) {
        let smoothing = counts.words as f64 * counts.beta;
        let slots = counts.slots;
        self.fractions.clear();
        self.fractions.resize(slots, 1.0);
        self.exponents.clear();
        self.exponents.resize(slots, 0);
        let (mut repetition, mut ln_new) = (0, prior_new.ln());
        for (chunk, part) in words.chunks(FACTORS).enumerate() {
            self.numerators.clear();
            self.numerators.resize(slots, 1.0);
            self.denominators.clear();
            self.denominators.resize(slots, 1.0);
            let mut new = 1.0;
            for (i, &word) in part.iter().enumerate() {
                let before = chunk * FACTORS + i;
                repetition = if before > 0 && words[before - 1] == word { repetition + 1 } else { 0 };
                let (numerator, denominator) =
                    (counts.beta + f64::from(repetition), smoothing + before as f64);
                self.multiply(counts, word as usize, numerator, denominator);
                new *= numerator / denominator;
            }
            self.normalize();
            ln_new += new.ln();
        }
        self.scaled(prior, ln_new)
    }

    /// Multiplies by `(n_kw + numerator) / (n_k + denominator)`.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn multiply(&mut self, counts: &TopicCounts, word: usize, numerator: f64, denominator: f64) {
        let (row, _) = counts.row(word).as_chunks::<LANES>();
        let (totals, _) = counts.totals.as_chunks::<LANES>();
        let (numerators, _) = self.numerators.as_chunks_mut::<LANES>();
        let (denominators, _) = self.denominators.as_chunks_mut::<LANES>();
        for (((row, totals), numerators), denominators) in
            row.iter().zip(totals).zip(numerators).zip(denominators)
        {
            for lane in 0..LANES {
                // By way of i32, which machines convert in vectors; a count never reaches 2^31.
                numerators[lane] *= f64::from(row[lane].cast_signed()) + numerator;
                denominators[lane] *= f64::from(totals[lane].cast_signed()) + denominator;
            }
        }
    }

    /// Takes in the factors and moves the powers of two to the exponents.
    #[expect(clippy::inline_always, reason = "has to be compiled with the vector instructions of its caller")]
    #[inline(always)]
    fn normalize(&mut self) {
        let factors = self.numerators.iter().zip(&self.denominators);
        for ((fraction, exponent), (numerator, denominator)) in
            self.fractions.iter_mut().zip(&mut self.exponents).zip(factors)
        {
            let bits = (*fraction * (numerator / denominator)).to_bits();
            *exponent += (bits >> EXPONENT_BITS).cast_signed();
            *exponent -= 1023;
            *fraction = f64::from_bits(bits & FRACTION | ONE);
        }
    }

    /// The weights, of which the largest is one.
    fn scaled(&mut self, prior: &[f64], ln_new: f64) -> (&[f64], f64) {
        let mut largest = ln_new;
        for ((fraction, &exponent), &prior) in self.fractions.iter_mut().zip(&self.exponents).zip(prior) {
            if prior > 0.0 {
                *fraction = (*fraction * prior).ln() + exponent as f64 * LN_2;
                largest = largest.max(*fraction);
            } else {
                *fraction = f64::NEG_INFINITY;
            }
        }
        for weight in &mut self.fractions {
            *weight = if *weight == f64::NEG_INFINITY { 0.0 } else { (*weight - largest).exp() };
        }
        (&self.fractions, (ln_new - largest).exp())
    }
}

#[cfg(test)]
mod tests {
    use posterior_math::special::ln_rising_factorial;

    use super::TableWeights;
    use crate::hdp::topic_counts::TopicCounts;

    /// Against `B(beta + n_k + c) / B(beta + n_k)`, also where products of probabilities are far below the
    /// range of f64.
    #[test]
    fn weights_are_ratios_of_beta_functions() {
        for beta in [1e-30, 0.01, 3.0, 1e30] {
            let mut counts = TopicCounts::new(5, 3, beta);
            for i in 0..4000_usize {
                counts.shift(i * i % 5, i % 3, 1);
            }
            for repeats in [1_usize, 3, 400] {
                let words: Vec<u32> =
                    [0, 1, 4].into_iter().flat_map(|w| std::iter::repeat_n(w, repeats)).collect();
                let ln = |row: &dyn Fn(usize) -> f64, total: f64| -> f64 {
                    let c = repeats as u64;
                    [0, 1, 4].map(|w| ln_rising_factorial(row(w) + beta, c)).iter().sum::<f64>()
                        - ln_rising_factorial(total + 5.0 * beta, 3 * c)
                };
                let prior = [0.5, 1e-3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0];
                let mut expected: Vec<f64> = (0..3)
                    .map(|k| {
                        let row = |w: usize| f64::from(counts.row(w)[k]);
                        f64::ln(prior[k]) + ln(&row, f64::from(counts.totals[k]))
                    })
                    .collect();
                expected.push(0.7_f64.ln() + ln(&|_| 0.0, 0.0));
                let largest = expected.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let mut weights = TableWeights::default();
                let (known, new) = weights.weigh(&counts, &words, &prior, 0.7);
                assert!(known[3..].iter().all(|&weight| weight == 0.0));
                for (found, expected) in known[..3].iter().chain([&new]).zip(&expected) {
                    let expected = (expected - largest).exp();
                    assert!((found - expected).abs() < 1e-9, "{beta} {repeats}: {found} {expected}");
                }
            }
        }
    }
}
