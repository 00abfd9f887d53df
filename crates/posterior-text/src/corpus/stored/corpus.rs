//! A corpus in a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::block::Block;
use super::index::Index;
use super::{END, MAGIC, TAIL, checksum};
use crate::checks::index;
use crate::{Corpus, Error};

/// A corpus in a file: its vocabulary and its sizes are in memory, its documents are read block by block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCorpus {
    path: PathBuf,
    index: Index,
}

impl StoredCorpus {
    pub(super) const fn new(path: PathBuf, index: Index) -> Self {
        Self { path, index }
    }

    /// Whether a file begins as a stored corpus of this version does; false where it cannot be read.
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let mut start = vec![0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
    }

    /// Opens a corpus that a [`Writer`](super::Writer) wrote. Documents are checked when their block is read.
    ///
    /// # Errors
    /// The file cannot be read, is something else, is cut off, or its index is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let io_error = |source| Error::io(path, source);
        let mut file = File::open(path).map_err(io_error)?;
        let size = file.metadata().map_err(io_error)?.len();
        let mut start = vec![0; MAGIC.len()];
        if size < (MAGIC.len() + TAIL) as u64 || file.read_exact(&mut start).is_err() || start != MAGIC {
            let error = Error::contents(path, "not a stored corpus of this version");
            return Err(error.with_hint("write one from texts or counts first"));
        }
        let damaged = |what: &str| {
            let error = Error::contents(path, format!("the stored corpus is damaged: {what}"));
            error.with_hint("it may be cut off: write it again")
        };
        let tail = read_at(&mut file, size - TAIL as u64, TAIL).map_err(io_error)?;
        if !tail.ends_with(END) {
            return Err(damaged("its end is missing"));
        }
        let (place, length) = (word64(&tail), word64(&tail[8..]));
        if place.checked_add(length).and_then(|end| end.checked_add(TAIL as u64)) != Some(size) {
            return Err(damaged("its index is elsewhere"));
        }
        let length = usize::try_from(length).map_err(|_| damaged("its index is too long"))?;
        let bytes = read_at(&mut file, place, length).map_err(io_error)?;
        if checksum(&bytes) != word32(&tail[16..]) {
            return Err(damaged("the checksum of its index is another"));
        }
        let index = Index::read(&bytes, place).ok_or_else(|| damaged("its index is none"))?;
        Ok(Self { path: path.to_owned(), index })
    }

    /// The words, by id.
    pub fn vocabulary(&self) -> &[String] {
        &self.index.vocabulary
    }

    /// The number of documents.
    pub fn documents(&self) -> usize {
        self.index.blocks.iter().map(|block| block.documents).sum()
    }

    /// The number of distinct (document, word) pairs.
    pub fn entries(&self) -> usize {
        self.index.blocks.iter().map(|block| block.entries).sum()
    }

    /// The number of words in all documents together.
    pub fn tokens(&self) -> u64 {
        self.index.blocks.iter().map(|block| block.tokens).sum()
    }

    /// The number of blocks, of about a mebibyte each.
    pub fn len(&self) -> usize {
        self.index.blocks.len()
    }

    /// Whether there is no block: never of a corpus that was written.
    pub fn is_empty(&self) -> bool {
        self.index.blocks.is_empty()
    }

    /// Reads a block of documents.
    ///
    /// # Errors
    /// There is no such block, or the file cannot be read or is damaged there.
    pub fn block(&self, number: usize) -> Result<Block, Error> {
        let mut file = File::open(&self.path).map_err(|source| Error::io(&self.path, source))?;
        self.read_block(&mut file, number)
    }

    /// All blocks in order, one in memory at a time.
    pub fn blocks(&self) -> impl Iterator<Item = Result<Block, Error>> + '_ {
        let mut file = None;
        (0..self.len()).map(move |number| {
            let file = match &mut file {
                Some(file) => file,
                none => none.insert(File::open(&self.path).map_err(|source| Error::io(&self.path, source))?),
            };
            self.read_block(file, number)
        })
    }

    /// The whole corpus in memory.
    ///
    /// # Errors
    /// As [`block`](Self::block).
    pub fn load(&self) -> Result<Corpus, Error> {
        let (mut names, mut rows) = (Vec::new(), Vec::new());
        for block in self.blocks() {
            let block = block?;
            let row = |document: crate::corpus::Document<'_>| {
                document.words.iter().copied().zip(document.counts.iter().copied()).collect()
            };
            rows.extend(block.iter().map(row));
            names.extend(block.names);
        }
        Corpus::from_rows(self.vocabulary().to_vec(), names, rows)
    }

    fn read_block(&self, file: &mut File, number: usize) -> Result<Block, Error> {
        index("block", number, self.len())?;
        let entry = &self.index.blocks[number];
        let damaged = |what: &str| {
            let error = Error::contents(
                &self.path,
                format!("block {number}, at byte {}, is damaged: {what}", entry.place),
            );
            error.with_hint("write the stored corpus again")
        };
        let io_error = |source: io::Error| match source.kind() {
            io::ErrorKind::UnexpectedEof => damaged("the file ends in it"),
            _ => Error::io(&self.path, source),
        };
        let head = read_at(file, entry.place, 8).map_err(io_error)?;
        let payload = read_at(file, entry.place + 8, word32(&head) as usize).map_err(io_error)?;
        if checksum(&payload) != word32(&head[4..]) {
            return Err(damaged("its checksum is another"));
        }
        let block = Block::read(&payload, entry.documents, entry.entries, self.vocabulary().len());
        let block = block.map_err(damaged)?;
        if block.tokens() == entry.tokens { Ok(block) } else { Err(damaged("its counts are others")) }
    }
}

/// So many bytes from a place; memory is taken as they come.
fn read_at(file: &mut File, place: u64, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// The first 8 bytes as a number; of fewer bytes 0.
fn word64(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn word32(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
