//! Parts of a corpus to learn from and parts to be judged by.
//!
//! Both splits depend on the seed and on nothing else; each document has a random stream of its own, so that
//! its halves do not depend on the documents around it.

use posterior_dist::stream::stream;
use posterior_math::ParamError;
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::{Corpus, Error};

/// The names of the random streams under the seed.
const DOCUMENTS: u64 = 0;
const TOKENS: u64 = 1;

/// Some documents to learn from, the others to be judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentSplit {
    /// The documents to learn from, in their order.
    pub train: Corpus,
    /// The held-out documents, in their order.
    pub test: Corpus,
    /// The places of the first in the whole corpus.
    pub train_documents: Vec<usize>,
    /// The places of the second in the whole corpus.
    pub test_documents: Vec<usize>,
}

/// Every document in two halves: one to read, one to be predicted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionSplit {
    /// The halves to read; of an odd number of tokens they have one more.
    pub observed: Corpus,
    /// The halves to score.
    pub scored: Corpus,
}

/// Holds out a proportion of the documents: `held_out` of them, rounded, but at least one, and at most all
/// but one.
///
/// Both parts keep the whole vocabulary.
///
/// # Errors
/// `held_out` is not between 0 and 1, there are fewer than two documents, or one part has no token at all.
pub fn split_documents(corpus: &Corpus, held_out: f64, seed: u64) -> Result<DocumentSplit, Error> {
    if !(held_out > 0.0 && held_out < 1.0) {
        return Err(ParamError::new("split_documents", "held_out", held_out, "between 0 and 1").into());
    }
    let documents = corpus.documents();
    if documents < 2 {
        return Err(Error::Corpus(format!("{documents} documents cannot be split in two")));
    }
    let size = ((held_out * documents as f64).round() as usize).clamp(1, documents - 1);
    let mut order: Vec<usize> = (0..documents).collect();
    let mut rng = stream(seed, &[DOCUMENTS]);
    for last in (1..documents).rev() {
        order.swap(last, rng.random_range(0..=last as u64) as usize);
    }
    let mut train_documents = order.split_off(size);
    let mut test_documents = order;
    train_documents.sort_unstable();
    test_documents.sort_unstable();
    let part = |documents: &[usize], name: &str| {
        corpus.select(documents).map_err(|error| match error {
            Error::Corpus(message) => Error::Corpus(format!("the {name} documents: {message}")),
            other => other,
        })
    };
    let (train, test) = (part(&train_documents, "training")?, part(&test_documents, "held-out")?);
    Ok(DocumentSplit { train, test, train_documents, test_documents })
}

/// Splits the tokens of each document into two halves, at random without replacement.
///
/// A document of `n` tokens has `n - n / 2` observed and `n / 2` (rounded down) scored ones, and every choice
/// of so many of its tokens is equally likely. Both halves keep the names and the vocabulary.
///
/// # Errors
/// No document has two tokens, so that there is nothing to score.
pub fn split_tokens(corpus: &Corpus, seed: u64) -> Result<CompletionSplit, Error> {
    if corpus.iter().all(|document| document.tokens() < 2) {
        return Err(Error::Corpus("no document has two words: none can be split into halves".to_owned()));
    }
    let mut observed = Vec::with_capacity(corpus.documents());
    let mut scored = Vec::with_capacity(corpus.documents());
    for (number, document) in (0..).zip(corpus.iter()) {
        let mut rng = stream(seed, &[TOKENS, number]);
        let mut left = document.tokens();
        let mut wanted = left / 2;
        let (mut read, mut predicted) = (Vec::new(), Vec::new());
        for (&word, &count) in document.words.iter().zip(document.counts) {
            let taken = take(&mut rng, &mut left, &mut wanted, count);
            read.push((word, count - taken));
            predicted.push((word, taken));
        }
        observed.push(read);
        scored.push(predicted);
    }
    let corpus_of = |rows| Corpus::from_rows(corpus.vocabulary().to_vec(), corpus.names().to_vec(), rows);
    Ok(CompletionSplit { observed: corpus_of(observed)?, scored: corpus_of(scored)? })
}

/// How many of the next `count` tokens are among the `wanted` of the `left`: selection sampling, a token at a
/// time, taken with probability wanted / left (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
fn take(rng: &mut Pcg64, left: &mut u64, wanted: &mut u64, count: u32) -> u32 {
    let mut taken = 0;
    for _ in 0..count {
        if rng.random_range(0..*left) < *wanted {
            taken += 1;
            *wanted -= 1;
        }
        *left -= 1;
    }
    taken
}
