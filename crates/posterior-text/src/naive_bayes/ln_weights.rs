//! From counts to what each word adds to the score of each class.

use posterior_math::ParamError;
use posterior_math::check;
use posterior_math::streaming::NeumaierSum;

use super::class_counts::ClassCounts;
use super::options::EventModel;

/// Scores of a text: `base + Σ n weights[word]`, for each class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LnWeights {
    /// For each class the score of the text without a word, without the prior.
    pub(super) base: Vec<f64>,
    /// Words x classes, the classes of a word side by side. +∞ marks a word that a class always has.
    pub(super) by_word: Vec<f64>,
    /// For each class the number of words that it always has: without each of them a text is impossible.
    /// Empty where no class has one.
    pub(super) certain: Vec<u32>,
}

impl LnWeights {
    /// Of the model, except for the Pólya model, which has no weights.
    pub(super) fn new(model: EventModel, smoothing: f64, counts: &ClassCounts) -> Result<Self, ParamError> {
        let (classes, words) = (counts.classes(), counts.vocabulary());
        let mut weights = Self { base: vec![0.0; classes], by_word: Vec::new(), certain: Vec::new() };
        let all = match model {
            EventModel::Polya => return Ok(weights),
            EventModel::Bernoulli | EventModel::Multinomial => Vec::new(),
            EventModel::Complement | EventModel::NormalizedComplement => of_all_classes(counts),
        };
        weights.by_word = vec![0.0; words * classes];
        let mut certain = vec![0; classes];
        let mut column = vec![0.0; words];
        for class in 0..classes {
            match model {
                EventModel::Bernoulli => {
                    let (base, number) = bernoulli(counts, class, smoothing, &mut column)?;
                    weights.base[class] = base;
                    certain[class] = number;
                }
                EventModel::Multinomial | EventModel::Polya => {
                    multinomial(counts, class, smoothing, &mut column)?;
                }
                EventModel::Complement | EventModel::NormalizedComplement => {
                    complement(counts, &all, class, smoothing, &mut column);
                    let divisor = match model {
                        EventModel::NormalizedComplement => column.iter().sum(),
                        _ => -1.0,
                    };
                    for weight in &mut column {
                        *weight /= divisor;
                    }
                }
            }
            for (row, &weight) in weights.by_word.chunks_exact_mut(classes).zip(&column) {
                row[class] = weight;
            }
        }
        if certain.iter().any(|&number| number > 0) {
            weights.certain = certain;
        }
        Ok(weights)
    }
}

/// ln of a function of counts, most of which are small whole numbers.
struct LnCounts<F> {
    function: F,
    small: Vec<f64>,
}

impl<F: Fn(f64) -> f64> LnCounts<F> {
    fn new(function: F) -> Self {
        Self { small: (0..256).map(|n| function(f64::from(n)).ln()).collect(), function }
    }

    fn of(&self, n: f64) -> f64 {
        // Beyond the table or between its numbers, the logarithm itself.
        match self.small.get(n as usize) {
            Some(&ln) if n.trunc() == n => ln,
            _ => (self.function)(n).ln(),
        }
    }
}

/// ln θ of the words of a class.
fn multinomial(
    counts: &ClassCounts,
    class: usize,
    smoothing: f64,
    column: &mut [f64],
) -> Result<(), ParamError> {
    let all = counts.totals[class] + smoothing * counts.vocabulary as f64;
    check::require(all > 0.0, "NaiveBayesOptions", "smoothing", smoothing, "above 0: a class has no word")
        .map_err(|error| error.at(class))?;
    let (lns, ln_all) = (LnCounts::new(|n| n + smoothing), all.ln());
    for (weight, &n) in column.iter_mut().zip(counts.words_of(class)) {
        *weight = lns.of(n) - ln_all;
    }
    Ok(())
}

/// ln θ/(1 - θ) of the words of a class: the score of the text without a word, and the number of words with
/// θ = 1.
fn bernoulli(
    counts: &ClassCounts,
    class: usize,
    smoothing: f64,
    column: &mut [f64],
) -> Result<(f64, u32), ParamError> {
    let documents = counts.documents[class];
    let all = documents + 2.0 * smoothing;
    check::require(
        all > 0.0,
        "NaiveBayesOptions",
        "smoothing",
        smoothing,
        "above 0: a class has no document",
    )
    .map_err(|error| error.at(class))?;
    let with = LnCounts::new(|n| n + smoothing);
    // ln(documents - n + smoothing) at n: rounding of weighted counts must not make it negative.
    let without = LnCounts::new(|n| (documents - n).max(0.0) + smoothing);
    let ln_all = all.ln();
    let (mut base, mut certain) = (NeumaierSum::new(), 0);
    for (weight, &n) in column.iter_mut().zip(counts.words_of(class)) {
        let absent = without.of(n);
        if absent == f64::NEG_INFINITY {
            certain += 1;
            *weight = f64::INFINITY;
        } else {
            base.push(absent - ln_all);
            *weight = with.of(n) - absent;
        }
    }
    Ok((base.value(), certain))
}

/// For each word its count in all classes.
fn of_all_classes(counts: &ClassCounts) -> Vec<f64> {
    let mut all = vec![0.0; counts.vocabulary];
    for class in 0..counts.classes() {
        all.iter_mut().zip(counts.words_of(class)).for_each(|(sum, n)| *sum += n);
    }
    all
}

/// ln θ of the words of all other classes.
fn complement(counts: &ClassCounts, all: &[f64], class: usize, smoothing: f64, column: &mut [f64]) {
    let own = counts.words_of(class);
    let total: f64 = all.iter().zip(own).map(|(all, own)| (all - own).max(0.0) + smoothing).sum();
    let (lns, ln_total) = (LnCounts::new(|n| n + smoothing), total.ln());
    for ((weight, all), own) in column.iter_mut().zip(all).zip(own) {
        *weight = lns.of((all - own).max(0.0)) - ln_total;
    }
}
