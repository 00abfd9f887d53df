//! The smoothing under which the words of the classes are most probable.

use std::collections::BTreeMap;

use posterior_math::optimize::{ScalarOptions, minimize_scalar};
use posterior_math::special::{ln_beta, ln_pochhammer};

use super::class_counts::{ClassCounts, Counted};
use crate::Error;

/// The smallest and largest concentrations that are looked at.
const RANGE: (f64, f64) = (1e-8, 1e4);

/// Steps of the coarse grid on which the search starts.
const STEPS: usize = 48;

/// The concentration k of the symmetric prior that maximises the evidence ln p(words | classes, k), and that
/// evidence: type-II maximum likelihood. Presence is counted as by the Bernoulli model, occurrences as by the
/// multinomial.
///
/// Looked for between 10^-8 and 10^4: at an end, the evidence has no maximum between.
///
/// # Errors
/// Nothing was counted.
pub fn smoothing_by_evidence(counts: &ClassCounts) -> Result<(f64, f64), Error> {
    if !(counts.totals.iter().sum::<f64>() > 0.0) {
        return Err(Error::Corpus("no words to choose the smoothing by".to_owned()));
    }
    let histograms = Histograms::new(counts);
    let (low, high) = (RANGE.0.ln(), RANGE.1.ln());
    let loss = |ln_k: f64| -histograms.ln_evidence(ln_k.exp());
    // The best of a coarse grid first: the evidence may have more than one maximum.
    let at = |i: usize| low + (high - low) * i as f64 / STEPS as f64;
    let losses: Vec<f64> = (0..=STEPS).map(|i| loss(at(i))).collect();
    let best = (0..=STEPS).min_by(|&a, &b| losses[a].total_cmp(&losses[b])).unwrap_or(0);
    let (a, b) = (at(best.saturating_sub(1)), at((best + 1).min(STEPS)));
    let found = minimize_scalar(loss, a, b, &ScalarOptions::default());
    if found.value <= losses[best] {
        Ok((found.point.exp(), -found.value))
    } else {
        Ok((at(best).exp(), -losses[best]))
    }
}

/// For each class how many words have each count above zero.
struct Histograms<'a> {
    counts: &'a ClassCounts,
    /// Count and number of words, for each class.
    by_class: Vec<Vec<(f64, f64)>>,
}

impl<'a> Histograms<'a> {
    fn new(counts: &'a ClassCounts) -> Self {
        let histogram = |class| {
            let mut sizes = BTreeMap::<u64, f64>::new();
            for n in counts.words_of(class).iter().filter(|&&n| n > 0.0) {
                // The bits of positive numbers are in their order.
                *sizes.entry(n.to_bits()).or_default() += 1.0;
            }
            sizes.into_iter().map(|(bits, words)| (f64::from_bits(bits), words)).collect()
        };
        Self { counts, by_class: (0..counts.classes()).map(histogram).collect() }
    }

    fn ln_evidence(&self, k: f64) -> f64 {
        let vocabulary = self.counts.vocabulary as f64;
        let mut ln = 0.0;
        for (class, histogram) in self.by_class.iter().enumerate() {
            match self.counts.counted {
                Counted::Occurrences => {
                    ln -= ln_pochhammer(vocabulary * k, self.counts.totals[class]);
                    ln += histogram.iter().map(|&(n, words)| words * ln_pochhammer(k, n)).sum::<f64>();
                }
                Counted::Presence => {
                    let documents = self.counts.documents[class];
                    let term = |n: f64| ln_beta(k + n, k + (documents - n).max(0.0)) - ln_beta(k, k);
                    let seen: f64 = histogram.iter().map(|&(_, words)| words).sum();
                    ln += (vocabulary - seen) * term(0.0);
                    ln += histogram.iter().map(|&(n, words)| words * term(n)).sum::<f64>();
                }
            }
        }
        ln
    }
}
