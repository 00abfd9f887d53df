//! Estimates in the order in which they are shown.

use posterior_math::linalg::DMatrix;

use super::Lda;
use super::word_concentrations::WordConcentrations;
use crate::distributions::{column_sums, heaviest_first};

/// The model of expected counts (words x topics, row by row) with the topics by falling weight, unless the
/// prior tells them apart, and documents' proportions: the rows of `doc_topic` divided by their sums.
pub(super) fn by_weight(
    vocabulary: &[String],
    (alpha, prior): (&[f64], &WordConcentrations),
    counts: &[f64],
    doc_topic: &DMatrix<f64>,
) -> (Lda, DMatrix<f64>) {
    let topics = alpha.len();
    let order = if prior.tells_topics_apart() {
        (0..topics).collect()
    } else {
        heaviest_first(&column_sums(counts, topics))
    };
    let mut counts: Vec<f64> =
        counts.chunks_exact(topics).flat_map(|row| order.iter().map(|&k| row[k])).collect();
    prior.add_excess(&mut counts);
    let alpha = order.iter().map(|&k| alpha[k]).collect();
    let sums: Vec<f64> = doc_topic.row_iter().map(|row| row.sum()).collect();
    let doc_topic = DMatrix::from_fn(doc_topic.nrows(), topics, |d, k| doc_topic[(d, order[k])] / sums[d]);
    (Lda::from_counts(vocabulary.to_vec(), alpha, prior.least(), counts), doc_topic)
}
