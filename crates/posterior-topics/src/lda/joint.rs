//! The joint log-likelihood of words and topics, and the collapsed conditional of one topic.

use posterior_math::special::ln_rising_factorial;

use super::tally::Tally;
use super::word_concentrations::WordConcentrations;

/// ln p(W | Z) of words that are drawn from topics with Dir(beta, .., beta) priors: of the counts of words in
/// topics, in any order, and the tokens of each topic.
pub(crate) fn ln_words(
    counts: impl Iterator<Item = u32>,
    totals: impl Iterator<Item = u64>,
    vocabulary: usize,
    beta: f64,
) -> f64 {
    let words: f64 = counts.filter(|&n| n > 0).map(|n| ln_rising_factorial(beta, u64::from(n))).sum();
    let beta_sum = vocabulary as f64 * beta;
    words - totals.map(|n| ln_rising_factorial(beta_sum, n)).sum::<f64>()
}

/// ln p(W, Z | alpha, beta) from the counts of documents and words, and the tokens of the topics.
///
/// `unequal` has, of each part of the words, the [sum](ln_unequal_words) that stands for the tally of the
/// words where concentrations differ. The order of tokens is given, so there is no multinomial coefficient.
pub(super) fn ln_joint(
    tally: &Tally,
    totals: impl Iterator<Item = u64>,
    alpha: &[f64],
    prior: &WordConcentrations,
    unequal: &[f64],
) -> f64 {
    let words = if prior.is_equal() { tally.words.ln_rises(prior.least()) } else { unequal.iter().sum() };
    let normalizers: f64 = totals.zip(prior.sums()).map(|(n, sum)| ln_rising_factorial(sum, n)).sum();
    tally.ln_documents(alpha) + words - normalizers
}

/// The sum of ln b (b + 1) .. (b + n - 1) over the topic counts `n` of some words, rows of them, where `b`
/// is the concentration of the word in the topic; nothing where all are equal.
pub(super) fn ln_unequal_words<'a>(
    words: impl Iterator<Item = (usize, &'a [u32])>,
    prior: &WordConcentrations,
) -> f64 {
    if prior.is_equal() {
        return 0.0;
    }
    let counts = words.flat_map(|(v, row)| row.iter().enumerate().map(move |(k, &n)| (v, k, n)));
    counts.filter(|&(.., n)| n > 0).map(|(v, k, n)| ln_rising_factorial(prior.of(v, k), u64::from(n))).sum()
}

/// p(z = k | all other topics, words) for a token whose counts, without it, are these.
pub(super) fn conditional(
    document: &[u32],
    word: &[u32],
    totals: &[u64],
    alpha: &[f64],
    concentrations: &[f64],
    sums: &[f64],
) -> Vec<f64> {
    let weights: Vec<f64> = (0..alpha.len())
        .map(|k| {
            (f64::from(document[k]) + alpha[k]) * (f64::from(word[k]) + concentrations[k])
                / (totals[k] as f64 + sums[k])
        })
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}
