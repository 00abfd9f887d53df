//! From texts of any size to a stored corpus, in bounded memory.

mod segment;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use segment::{Packed, Segment, beside};

use super::stored::{StoredCorpus, Writer};
use crate::Error;
use crate::alphabet::Alphabet;
use crate::corpus::text_stream::for_each_text;
use crate::corpus::vocabulary::count_terms;
use crate::corpus::vocabulary_filter::{Usage, VocabularyFilter};
use crate::corpus::{CorpusFormat, Document, ReadOptions, VocabularyOptions, VocabularyReport};

/// Bytes for the words of texts, where nobody says how many.
const MEMORY: u64 = 512 << 20;

/// Takes texts one by one and stores the words that filters leave, in bounded memory: the same corpus as
/// that of a [`CorpusBuilder`](crate::corpus::CorpusBuilder), whatever the memory.
///
/// Words are counted in parts, which go to files beside the path when they take half of the memory; at the
/// end the parts are merged and their documents stored. The parts are removed when the packer goes.
///
/// ```
/// use posterior_text::corpus::{Packer, StopWords, VocabularyOptions};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.corpus");
///
/// let options = VocabularyOptions { stop_words: StopWords::english(), ..VocabularyOptions::default() };
/// let mut packer = Packer::create(&path, options, None)?;
/// packer.push("first", "The war and the peace")?;
/// packer.push("second", "Peace, war and prosperity")?;
/// let (stored, report) = packer.finish()?;
/// assert_eq!(stored.vocabulary(), ["peace", "prosperity", "war"]);
/// assert_eq!((stored.tokens(), report.kept.words), (5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Packer {
    path: PathBuf,
    options: VocabularyOptions,
    memory: u64,
    documents: usize,
    segment: Segment,
    finished: Vec<Packed>,
}

impl Packer {
    /// A corpus at `path`; words take at most about `memory` bytes while they are counted (default: 512 MiB),
    /// and those that are left have to fit beside them.
    ///
    /// # Errors
    /// Options out of range, or files that cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        options: VocabularyOptions,
        memory: Option<u64>,
    ) -> Result<Self, Error> {
        options.check()?;
        let path = path.as_ref().to_owned();
        let segment = Segment::create(beside(&path, 0))?;
        let (memory, finished) = (memory.unwrap_or(MEMORY), Vec::new());
        Ok(Self { path, options, memory, documents: 0, segment, finished })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn push(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let entries = count_terms(&self.options, &mut self.segment.words, text);
        self.segment.push(name, &entries)?;
        self.documents += 1;
        if self.segment.memory() as u64 > self.memory / 2 {
            let next = Segment::create(beside(&self.path, self.finished.len() + 1))?;
            self.finished.push(std::mem::replace(&mut self.segment, next).finish()?);
        }
        Ok(())
    }

    /// Stores all documents, words in alphabetical order, and says what each filter removed.
    ///
    /// # Errors
    /// There is no text, or no word is left; or a file cannot be written or read.
    pub fn finish(self) -> Result<(StoredCorpus, VocabularyReport), Error> {
        let Self { path, options, documents, segment, mut finished, .. } = self;
        finished.push(segment.finish()?);
        let (report, vocabulary) = merged(&finished, &options, documents)?;
        Ok((store(&finished, vocabulary, &path)?, report))
    }
}

/// The words that filters leave of all parts.
fn merged(
    parts: &[Packed],
    options: &VocabularyOptions,
    documents: usize,
) -> Result<(VocabularyReport, Vec<String>), Error> {
    let mut filter = VocabularyFilter::new(options, documents);
    let mut words = parts.iter().map(Packed::words).collect::<Result<Vec<_>, _>>()?;
    // The next word of each part, the first in the alphabet on top.
    let mut next = BinaryHeap::new();
    for (part, words) in words.iter_mut().enumerate() {
        next.extend(words.next_word()?.map(|(word, usage)| Reverse((word, part, Use(usage)))));
    }
    let mut current: Option<(String, Usage)> = None;
    while let Some(Reverse((word, part, Use(usage)))) = next.pop() {
        next.extend(words[part].next_word()?.map(|(word, usage)| Reverse((word, part, Use(usage)))));
        match &mut current {
            Some((own, sum)) if *own == word => {
                sum.documents += usage.documents;
                sum.tokens += usage.tokens;
            }
            _ => {
                if let Some((word, usage)) = current.replace((word, usage)) {
                    filter.add(&word, usage);
                }
            }
        }
    }
    if let Some((word, usage)) = current {
        filter.add(&word, usage);
    }
    filter.finish()
}

/// How often a word is used, which has no part in the order of words.
#[derive(Debug, Clone, Copy)]
struct Use(Usage);

impl PartialEq for Use {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Use {}

impl PartialOrd for Use {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Use {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

/// Stores the documents of all parts in the words of a vocabulary.
fn store(parts: &[Packed], vocabulary: Vec<String>, path: &Path) -> Result<StoredCorpus, Error> {
    let known: Alphabet = vocabulary.iter().collect();
    let mut writer = Writer::create(path, vocabulary)?;
    let (mut row, mut words, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let Some(documents) = part.documents()? else { continue };
        let new: Vec<Option<u32>> =
            documents.vocabulary().iter().map(|word| known.get(word).map(|id| id as u32)).collect();
        for block in documents.blocks() {
            let block = block?;
            for (name, document) in block.names().iter().zip(block.iter()) {
                row.clear();
                let own = document.words.iter().zip(document.counts);
                row.extend(own.filter_map(|(&word, &count)| Some((new[word as usize]?, count))));
                row.sort_unstable();
                words.clear();
                counts.clear();
                words.extend(row.iter().map(|&(word, _)| word));
                counts.extend(row.iter().map(|&(_, count)| count));
                writer.push_document(name, Document { words: &words, counts: &counts })?;
            }
        }
    }
    writer.finish()
}

/// Texts that were stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackedTexts {
    /// Their counts.
    pub corpus: StoredCorpus,
    /// The words that were removed.
    pub report: VocabularyReport,
    /// The format that they were read as.
    pub format: CorpusFormat,
}

/// Stores the texts at a path, a folder or a file, in bounded memory: of the options all count but the file
/// of a vocabulary. What else is known of the documents is not stored. `None` where the path has counts, of
/// which nothing is stored: [`store_uci`](super::store_uci) and [`store_lda_c`](super::store_lda_c) do that.
///
/// Cost: the texts are read once; their words take as much space beside the file while it is written.
///
/// # Errors
/// As [`read`](crate::corpus::read), and files that cannot be written.
pub fn pack(
    path: impl AsRef<Path>,
    options: &ReadOptions,
    file: impl AsRef<Path>,
) -> Result<Option<PackedTexts>, Error> {
    let path = path.as_ref();
    let mut packer = Packer::create(file, options.vocabulary.clone(), options.memory)?;
    let format = for_each_text(path, options, &mut |name, text| packer.push(name, text))?;
    let Some(format) = format else { return Ok(None) };
    let (corpus, report) = packer.finish().map_err(|error| error.in_file(path))?;
    Ok(Some(PackedTexts { corpus, report, format }))
}
