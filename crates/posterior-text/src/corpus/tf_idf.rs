//! Weights of words: high for those that a document has often and few other documents have.

use crate::Corpus;

/// The tf-idf weights of each document, as rows of `(word id, weight)` in order of the ids.
///
/// The weight of word w in document d is `n_dw ln(D / D_w)`, with `n_dw` its count there, `D` the number of
/// documents, empty ones included, and `D_w` the number of documents that have it (Spärck Jones 1972). A word
/// of every document weighs nothing.
///
/// ```
/// use posterior_text::{Corpus, corpus::tf_idf};
///
/// let words = vec!["peace".to_owned(), "war".to_owned()];
/// let names = vec!["first".to_owned(), "second".to_owned()];
/// let corpus = Corpus::from_rows(words, names, vec![vec![(0, 1)], vec![(0, 1), (1, 3)]])?;
/// assert_eq!(tf_idf(&corpus), [vec![(0, 0.0)], vec![(0, 0.0), (1, 3.0 * 2f64.ln())]]);
/// # Ok::<(), posterior_text::Error>(())
/// ```
pub fn tf_idf(corpus: &Corpus) -> Vec<Vec<(u32, f64)>> {
    let documents = corpus.documents() as f64;
    let ln_rarity: Vec<f64> =
        corpus.document_frequencies().into_iter().map(|with| (documents / with as f64).ln()).collect();
    let row = |(&word, &count): (&u32, &u32)| (word, f64::from(count) * ln_rarity[word as usize]);
    corpus.iter().map(|document| document.words.iter().zip(document.counts).map(row).collect()).collect()
}
