//! Checks of sizes and numbers.

use crate::Error;
use posterior_math::check;

/// Whether two sizes agree.
pub(crate) fn size(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    Ok(check::dimension(what, expected, found)?)
}

/// Whether one of so many has this number, counted from 0.
pub(crate) fn index(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::Index { what, index, count }) }
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
