//! Writing a corpus a document at a time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::block::put_document;
use super::corpus::StoredCorpus;
use super::index::{Entry, Index};
use super::{END, MAGIC, checksum};
use crate::corpus::Document;
use crate::{Corpus, Error};

/// Bytes of a block, about.
const BLOCK: usize = 1 << 20;

/// Takes documents one by one and keeps at most a block of them in memory.
///
/// It writes beside the path, to a name that ends in `.partial`, which [`finish`](Self::finish) renames: the
/// path has the whole corpus or what was there before. A writer that is dropped unfinished removes that file.
///
/// ```
/// use posterior_text::corpus::{StoredCorpus, Writer};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.corpus");
/// let mut writer = Writer::create(&path, vec!["peace".to_owned(), "war".to_owned()])?;
/// writer.push("first", vec![(1, 3), (0, 1)])?;
/// let stored: StoredCorpus = writer.finish()?;
/// assert_eq!((stored.documents(), stored.tokens()), (1, 4));
/// assert_eq!(stored.block(0)?.document(0).words, [0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    out: BufWriter<File>,
    path: PathBuf,
    partial: Partial,
    index: Index,
    place: u64,
    payload: Vec<u8>,
    current: Entry,
}

/// A file that goes unless it got another name.
#[derive(Debug)]
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        // It is not there when all went well, and who could not write has a reason to report already.
        let _ = std::fs::remove_file(&self.0);
    }
}

const EMPTY: Entry = Entry { place: 0, documents: 0, entries: 0, tokens: 0 };

impl Writer {
    /// A corpus at `path`, of documents over this vocabulary.
    ///
    /// # Errors
    /// The vocabulary is empty or the file cannot be written.
    pub fn create(path: impl AsRef<Path>, vocabulary: Vec<String>) -> Result<Self, Error> {
        if vocabulary.is_empty() {
            return Err(Error::Corpus("the vocabulary is empty: no word is left".to_owned()));
        }
        let path = path.as_ref().to_owned();
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = Partial(path.with_file_name(name));
        let file = File::create(&partial.0).map_err(|source| Error::io(&partial.0, source))?;
        let (out, payload) = (BufWriter::with_capacity(1 << 18, file), Vec::new());
        let index = Index { vocabulary, blocks: Vec::new() };
        let mut writer = Self { out, path, partial, index, place: 0, payload, current: EMPTY };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    /// Adds a document of `(word id, count)`, in any order; repeated words are added up and zero counts
    /// dropped.
    ///
    /// # Errors
    /// A word id outside the vocabulary, a count beyond `u32`, or the file cannot be written.
    pub fn push(&mut self, name: &str, mut row: Vec<(u32, u32)>) -> Result<(), Error> {
        row.retain(|&(_, count)| count > 0);
        row.sort_unstable_by_key(|&(word, _)| word);
        let size = self.index.vocabulary.len();
        if let Some(&(word, _)) = row.last().filter(|&&(word, _)| word as usize >= size) {
            return Err(Error::Corpus(format!("document {name}: word id {word} in a vocabulary of {size}")));
        }
        let (mut words, mut counts) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
        for same in row.chunk_by(|a, b| a.0 == b.0) {
            let count: u64 = same.iter().map(|&(_, count)| u64::from(count)).sum();
            let word = same[0].0;
            words.push(word);
            counts.push(u32::try_from(count).map_err(|_| {
                let word = &self.index.vocabulary[word as usize];
                Error::Corpus(format!("document {name}: the count of {word:?} exceeds {}", u32::MAX))
            })?);
        }
        self.push_document(name, Document { words: &words, counts: &counts })
    }

    /// As [`push`](Self::push), of words that are known to be good.
    pub(in crate::corpus) fn push_document(
        &mut self,
        name: &str,
        document: Document<'_>,
    ) -> Result<(), Error> {
        put_document(&mut self.payload, name, document);
        self.current.documents += 1;
        self.current.entries += document.words.len();
        self.current.tokens += document.tokens();
        if self.payload.len() >= BLOCK { self.write_block() } else { Ok(()) }
    }

    /// Writes what is left and the index, and opens the corpus.
    ///
    /// # Errors
    /// The file cannot be written, or no document has a word.
    pub fn finish(mut self) -> Result<StoredCorpus, Error> {
        self.write_rest()?;
        if self.index.blocks.iter().all(|block| block.tokens == 0) {
            return Err(Error::Corpus("no document has a word of the vocabulary".to_owned()));
        }
        self.write_index()
    }

    /// Writes what is left, with or without a word, and an index with this vocabulary.
    pub(in crate::corpus) fn finish_with(mut self, vocabulary: Vec<String>) -> Result<StoredCorpus, Error> {
        self.write_rest()?;
        self.index.vocabulary = vocabulary;
        self.write_index()
    }

    fn write_rest(&mut self) -> Result<(), Error> {
        if self.current.documents > 0 { self.write_block() } else { Ok(()) }
    }

    fn write_index(mut self) -> Result<StoredCorpus, Error> {
        let (place, index) = (self.place, self.index.write());
        self.put(&index)?;
        self.put(&place.to_le_bytes())?;
        self.put(&(index.len() as u64).to_le_bytes())?;
        self.put(&checksum(&index).to_le_bytes())?;
        self.put(END)?;
        let Self { mut out, path, partial, index, .. } = self;
        let done = out.flush().and_then(|()| out.get_ref().sync_all());
        done.map_err(|source| Error::io(&partial.0, source))?;
        drop(out);
        std::fs::rename(&partial.0, &path).map_err(|source| Error::io(&path, source))?;
        Ok(StoredCorpus::new(path, index))
    }

    fn write_block(&mut self) -> Result<(), Error> {
        let payload = std::mem::take(&mut self.payload);
        let length = u32::try_from(payload.len())
            .map_err(|_| Error::Corpus("a document takes more than 4 GiB".to_owned()))?;
        self.index.blocks.push(Entry { place: self.place, ..std::mem::replace(&mut self.current, EMPTY) });
        self.put(&length.to_le_bytes())?;
        self.put(&checksum(&payload).to_le_bytes())?;
        self.put(&payload)?;
        self.payload = payload;
        self.payload.clear();
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.place += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|source| Error::io(&self.partial.0, source))
    }
}

impl StoredCorpus {
    /// Stores a corpus that is in memory.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(corpus: &Corpus, path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut writer = Writer::create(path, corpus.vocabulary().to_vec())?;
        for (name, document) in corpus.names().iter().zip(corpus.iter()) {
            writer.push_document(name, document)?;
        }
        writer.finish()
    }
}
