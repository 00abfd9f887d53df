//! Documents whose words are numbered among themselves, and how often each word is used.
//!
//! The words of very many texts may be more than memory holds. A segment has its own numbers; when its words
//! take too much, it goes to files, and the next begins. Files of words are sorted: merged, they give each
//! word of all segments once.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::alphabet::Alphabet;
use crate::corpus::Document;
use crate::corpus::stored::bytes::{put, put_text};
use crate::corpus::stored::{StoredCorpus, Writer};
use crate::corpus::vocabulary_filter::Usage;

/// Bytes of a word beside its letters: its end, its place in the table, how often it is used.
const OF_WORD: usize = 8 + 16 + 16;

/// Documents under way to files.
#[derive(Debug)]
pub(super) struct Segment {
    path: PathBuf,
    pub(super) words: Alphabet,
    usage: Vec<Usage>,
    letters: usize,
    writer: Writer,
}

impl Segment {
    /// In files whose names begin with `path`.
    pub(super) fn create(path: PathBuf) -> Result<Self, Error> {
        // Its words are known at its end.
        let writer = Writer::create(path.with_extension("documents"), vec![String::new()])?;
        Ok(Self { path, words: Alphabet::new(), usage: Vec::new(), letters: 0, writer })
    }

    /// Adds a document of words by their numbers, in increasing order.
    pub(super) fn push(&mut self, name: &str, entries: &[(u32, u32)]) -> Result<(), Error> {
        for word in self.usage.len()..self.words.len() {
            self.letters += self.words.known(word).len();
        }
        self.usage.resize(self.words.len(), Usage::default());
        for &(word, count) in entries {
            let usage = &mut self.usage[word as usize];
            usage.documents += 1;
            usage.tokens += u64::from(count);
        }
        let (words, counts): (Vec<u32>, Vec<u32>) = entries.iter().copied().unzip();
        self.writer.push_document(name, Document { words: &words, counts: &counts })
    }

    /// Bytes that its words take.
    pub(super) fn memory(&self) -> usize {
        self.letters + OF_WORD * self.words.len()
    }

    /// Writes what is left.
    pub(super) fn finish(self) -> Result<Packed, Error> {
        let Self { path, words, usage, writer, .. } = self;
        let [documents, sorted] = ["documents", "words"].map(|ending| path.with_extension(ending));
        let mut packed = Packed { documents, words: sorted, blocks: 0 };
        let io_error = |source| Error::io(&packed.words, source);
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_unstable_by_key(|&word| words.known(word));
        let mut out = BufWriter::new(File::create(&packed.words).map_err(io_error)?);
        let mut bytes = Vec::new();
        for word in order {
            bytes.clear();
            put_text(&mut bytes, words.known(word));
            put(&mut bytes, usage[word].documents as u64);
            put(&mut bytes, usage[word].tokens);
            out.write_all(&bytes).map_err(io_error)?;
        }
        out.flush().map_err(io_error)?;
        let mut names: Vec<String> = words.iter().map(str::to_owned).collect();
        if names.is_empty() {
            // A vocabulary is never empty, and no text has this word.
            names.push(String::new());
        }
        packed.blocks = writer.finish_with(names)?.len();
        Ok(packed)
    }
}

/// A segment in files, which go with it.
#[derive(Debug)]
pub(super) struct Packed {
    documents: PathBuf,
    words: PathBuf,
    blocks: usize,
}

impl Packed {
    /// Its documents, and its words by their numbers.
    pub(super) fn documents(&self) -> Result<Option<StoredCorpus>, Error> {
        if self.blocks == 0 { Ok(None) } else { StoredCorpus::open(&self.documents).map(Some) }
    }

    /// Its words in alphabetical order.
    pub(super) fn words(&self) -> Result<SortedWords, Error> {
        let path = self.words.clone();
        let file = File::open(&path).map_err(|source| Error::io(&path, source))?;
        Ok(SortedWords { reader: BufReader::with_capacity(1 << 16, file), path })
    }
}

impl Drop for Packed {
    fn drop(&mut self) {
        // They are of no use to anyone: that one cannot be removed is no reason to fail.
        let _ = fs::remove_file(&self.documents);
        let _ = fs::remove_file(&self.words);
    }
}

/// Words of a file in alphabetical order, with how often each is used.
#[derive(Debug)]
pub(super) struct SortedWords {
    reader: BufReader<File>,
    path: PathBuf,
}

impl SortedWords {
    pub(super) fn next_word(&mut self) -> Result<Option<(String, Usage)>, Error> {
        let Some(length) = self.number()? else { return Ok(None) };
        let mut letters = Vec::new();
        let taken = (&mut self.reader).take(length).read_to_end(&mut letters);
        taken.map_err(|source| Error::io(&self.path, source))?;
        let word = String::from_utf8(letters).map_err(|_| self.damaged())?;
        let documents = self.number()?.and_then(|number| usize::try_from(number).ok());
        let documents = documents.ok_or_else(|| self.damaged())?;
        let tokens = self.number()?.ok_or_else(|| self.damaged())?;
        Ok(Some((word, Usage { documents, tokens })))
    }

    fn number(&mut self) -> Result<Option<u64>, Error> {
        let mut number = 0_u64;
        for place in 0..10 {
            let mut byte = [0];
            if self.reader.read(&mut byte).map_err(|source| Error::io(&self.path, source))? == 0 {
                return if place == 0 { Ok(None) } else { Err(self.damaged()) };
            }
            number |= u64::from(byte[0] & 0x7f) << (7 * place);
            if byte[0] < 0x80 {
                return Ok(Some(number));
            }
        }
        Err(self.damaged())
    }

    fn damaged(&self) -> Error {
        Error::contents(&self.path, "the words of a part are damaged: another program has changed them")
    }
}

/// The names of the files of a part beside a path.
pub(super) fn beside(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{number}.part"));
    path.with_file_name(name)
}
