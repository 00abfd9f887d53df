//! The joint log-likelihood of words and topics, and the collapsed conditional of one topic.

use posterior_math::special::ln_rising_factorial;

use super::word_concentrations::WordConcentrations;

/// ln B(a + n) - ln B(a) for the Dirichlet concentrations `a` and counts `n`: the log probability of a
/// sequence with these counts under a Dirichlet-multinomial.
fn ln_sequence(counts: &[u32], concentration: impl Fn(usize) -> f64, sum: f64) -> f64 {
    let mut total = 0_u64;
    let mut ln = 0.0;
    for (k, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
        total += u64::from(count);
        ln += ln_rising_factorial(concentration(k), u64::from(count));
    }
    ln - ln_rising_factorial(sum, total)
}

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

/// ln p(W, Z | alpha, beta) from the counts of topics in documents and of topics in words.
///
/// `documents` yields rows of `n_dk`, `words` rows of `n_kw` over topics, one a word; `prior` has `beta`.
/// The order of tokens is given, so there is no multinomial coefficient.
pub(super) fn ln_joint<'a>(
    documents: impl Iterator<Item = &'a [u32]>,
    words: impl Iterator<Item = &'a [u32]>,
    alpha: &[f64],
    prior: &WordConcentrations,
) -> f64 {
    let alpha_sum: f64 = alpha.iter().sum();
    let topics_in_documents: f64 = documents.map(|row| ln_sequence(row, |k| alpha[k], alpha_sum)).sum();
    let mut totals = vec![0_u64; alpha.len()];
    let mut words_in_topics = 0.0;
    for (word, row) in words.enumerate() {
        for (k, &count) in row.iter().enumerate().filter(|&(_, &count)| count > 0) {
            totals[k] += u64::from(count);
            words_in_topics += ln_rising_factorial(prior.of(word, k), u64::from(count));
        }
    }
    let sums = prior.sums();
    let normalizers: f64 = totals.iter().zip(sums).map(|(&total, sum)| ln_rising_factorial(sum, total)).sum();
    topics_in_documents + words_in_topics - normalizers
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
