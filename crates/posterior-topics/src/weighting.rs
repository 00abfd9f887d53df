//! What a count of a word in a document weighs in a factorisation.

use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error};

/// The weight of a count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weighting {
    /// Itself.
    #[default]
    Counts,
    /// n ln(D / D_w), as in [`tf_idf`](crate::corpus::tf_idf): a word of every document weighs nothing.
    TfIdf,
}

impl Weighting {
    /// By what the counts of each word are multiplied. A word that no document has weighs nothing, or itself.
    fn word_factors(self, corpus: &Corpus) -> Vec<f64> {
        match self {
            Self::Counts => vec![1.0; corpus.vocabulary().len()],
            Self::TfIdf => {
                let documents = corpus.documents() as f64;
                let factor = |with: usize| if with == 0 { 0.0 } else { (documents / with as f64).ln() };
                corpus.document_frequencies().into_iter().map(factor).collect()
            }
        }
    }

    /// The factors of the words, and the documents x words weighted by them, of which not all are zero.
    pub(crate) fn matrix(self, corpus: &Corpus) -> Result<(Vec<f64>, TermMatrix), Error> {
        let factors = self.word_factors(corpus);
        let matrix = TermMatrix::weighted(corpus, &factors);
        if matrix.values().iter().all(|&value| value == 0.0) {
            return Err(Error::Corpus("the words of all documents weigh nothing".to_owned()));
        }
        Ok((factors, matrix))
    }
}
