//! From the line-wise formats of counts to a stored corpus, a document in memory at a time.

use std::path::Path;

use super::corpus::StoredCorpus;
use super::writer::Writer;
use crate::Error;
use crate::corpus::{Source, lda_c, uci};

/// Stores the counts of a UCI `docword` file, whose entries have to be in the order of their documents.
///
/// # Errors
/// As [`read_uci`](crate::corpus::read_uci), for entries in another order, and if the file cannot be written.
pub fn store_uci(
    source: Source,
    vocabulary: Vec<String>,
    path: impl AsRef<Path>,
) -> Result<StoredCorpus, Error> {
    let mut rows = uci::Rows::new(source, vocabulary.len())?;
    store(|| rows.next_row(), vocabulary, path.as_ref())
}

/// Stores the counts of an LDA-C file.
///
/// # Errors
/// As [`read_lda_c`](crate::corpus::read_lda_c), and if the file cannot be written.
pub fn store_lda_c(
    source: Source,
    vocabulary: Vec<String>,
    path: impl AsRef<Path>,
) -> Result<StoredCorpus, Error> {
    let mut rows = lda_c::Rows::new(source, Some(vocabulary.len()));
    store(|| rows.next_row(), vocabulary, path.as_ref())
}

/// Stores rows of words and counts as documents that are numbered from 1.
fn store(
    mut next_row: impl FnMut() -> Result<Option<Vec<(u32, u32)>>, Error>,
    vocabulary: Vec<String>,
    path: &Path,
) -> Result<StoredCorpus, Error> {
    let mut writer = Writer::create(path, vocabulary)?;
    let mut number = 0_u64;
    while let Some(row) = next_row()? {
        number += 1;
        writer.push(&number.to_string(), row)?;
    }
    writer.finish()
}
