//! Checks of sizes and numbers.

use crate::{Corpus, Error};
use posterior_math::check;

/// Whether two sizes agree.
pub(crate) fn size(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    Ok(check::dimension(what, expected, found)?)
}

/// Whether one of so many has this number, counted from 0.
pub(crate) fn index(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::Index { what, index, count }) }
}

/// Whether each of so many tokens has a topic, one of `count`.
pub(crate) fn topics_of_tokens<T: Copy + Into<u32>>(
    tokens: u64,
    topics: &[T],
    count: usize,
) -> Result<(), Error> {
    size("topics of tokens", tokens as usize, topics.len())?;
    topics.iter().try_for_each(|&topic| index("topic", topic.into() as usize, count))
}

/// Whether each of so many documents has a label, one of `count` of what `what` names.
pub(crate) fn labels_of_documents(
    documents: usize,
    labels: &[usize],
    what: &'static str,
    count: usize,
) -> Result<(), Error> {
    size("labels of documents", documents, labels.len())?;
    labels.iter().try_for_each(|&label| index(what, label, count))
}

/// Whether all counts of the tokens of a corpus are numbers of 32 bits with a sign, which machines convert in
/// vectors.
pub(crate) fn sampleable(corpus: &Corpus) -> Result<(), Error> {
    match corpus.tokens() {
        tokens if tokens < 1 << 31 => Ok(()),
        tokens => Err(Error::Corpus(format!("{tokens} tokens: at most 2^31 - 1 can be sampled"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_tokens_that_can_be_sampled() {
        let of = |count: u32| {
            Corpus::from_rows(vec!["a".to_owned()], vec!["d".to_owned()], vec![vec![(0, count)]]).unwrap()
        };
        assert!(sampleable(&of((1 << 31) - 1)).is_ok());
        let error = sampleable(&of(1 << 31)).unwrap_err();
        assert_eq!(error.to_string(), "2147483648 tokens: at most 2^31 - 1 can be sampled");
    }
}
