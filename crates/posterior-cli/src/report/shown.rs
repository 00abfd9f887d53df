//! The part of a fit that a page shows: all topics of a usual fit, the largest ones of a fit with very many.

use std::borrow::Cow;

use posterior::math::linalg::DMatrix;
use posterior::topics::{Error, Topics, top_words};

/// The most topics that a page shows: beyond, nobody reads it, and pairs of topics take longer than a fit.
const MOST: usize = 200;

/// Sievert and Shirley's weight of probability against lift.
pub(crate) const RELEVANCE: f64 = 0.6;

/// Relevant words of each topic that are known.
const WORDS: usize = 15;

/// The topics of a page. They are the first of all, which are in the order of their weights.
pub(crate) struct Shown<'a> {
    /// Their weights are proportions of what they have together.
    pub(super) topics: Cow<'a, Topics>,
    /// Documents x topics; one more column for all the others together, where there are others.
    pub(super) doc_topic: Cow<'a, DMatrix<f64>>,
}

impl<'a> Shown<'a> {
    pub(crate) fn of(topics: &'a Topics, doc_topic: &'a DMatrix<f64>) -> Result<Self, Error> {
        if topics.len() <= MOST {
            return Ok(Self { topics: Cow::Borrowed(topics), doc_topic: Cow::Borrowed(doc_topic) });
        }
        let mut proportions = doc_topic.columns(0, MOST + 1).into_owned();
        for other in doc_topic.columns(MOST + 1, topics.len() - MOST - 1).column_iter() {
            let mut rest = proportions.column_mut(MOST);
            rest += other;
        }
        Ok(Self { topics: Cow::Owned(topics.first(MOST)?), doc_topic: Cow::Owned(proportions) })
    }

    pub(crate) fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether there are topics that are not shown.
    pub(super) fn is_part(&self) -> bool {
        self.doc_topic.ncols() > self.len()
    }
}

/// For each topic its most relevant words, as ids, in their order.
pub(crate) fn relevant_words(topics: &Topics) -> Vec<Vec<top_words::RankedWord>> {
    (0..topics.len()).map(|k| top_words::by_relevance(topics, k, WORDS, RELEVANCE)).collect()
}
