//! `posterior data pack`, and `posterior topics store`, its older name.

use std::path::Path;

use posterior::topics::corpus::{
    self, PackedTexts, Source, StoredCorpus, pack, read_vocabulary, store_lda_c, store_uci, text_format,
};
use serde::Serialize;

use super::corpus_input;
use super::reading::{self, Reading};
use crate::args::{CorpusArgs, CorpusFormat, Format, TopicsStore, VocabularyArgs, uses};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::output_folder::never_an_input;

#[derive(Serialize)]
struct Sizes {
    file: String,
    documents: usize,
    vocabulary: usize,
    tokens: u64,
    blocks: usize,
}

/// Runs the verb.
pub(crate) fn run(args: &TopicsStore) -> Result<(), Failure> {
    never_an_input(&args.file, &["file"])?;
    let Stored { corpus, .. } = store(&args.corpus, (&args.texts, &args.words), &args.file, args.quiet)?;
    let sizes = Sizes {
        file: args.file.display().to_string(),
        documents: corpus.documents(),
        vocabulary: corpus.vocabulary().len(),
        tokens: corpus.tokens(),
        blocks: corpus.len(),
    };
    match args.format {
        Format::Json => output::print_json(&sizes),
        Format::Text => output::print(&format!(
            "{}: {} documents, {} words in all, a vocabulary of {}, {} blocks\n",
            sizes.file,
            grouped(sizes.documents as u64),
            grouped(sizes.tokens),
            grouped(sizes.vocabulary as u64),
            grouped(sizes.blocks as u64)
        )),
    }
}

/// A corpus in a file, the format that it was stored from, and how its texts became words.
pub(super) struct Stored {
    pub(super) corpus: StoredCorpus,
    pub(super) format: corpus::CorpusFormat,
    pub(super) reading: Reading,
}

impl Stored {
    /// Of counts, whose words are as they are.
    pub(super) fn of_counts(corpus: StoredCorpus, format: corpus::CorpusFormat) -> Self {
        Self { corpus, format, reading: Reading::every_word() }
    }
}

/// Stores the corpus at a path in a file: a document in memory at a time of texts, and of counts that
/// [`streamed`] takes.
pub(super) fn store(
    path: &Path,
    (texts, words): (&CorpusArgs, &VocabularyArgs),
    file: &Path,
    quiet: bool,
) -> Result<Stored, Failure> {
    if let Some(stored) = streamed(path, texts, file)? {
        return Ok(stored);
    }
    let (reading, vocabulary) = reading::words(words, texts)?;
    let options = corpus_input::read_options(texts, &reading, &vocabulary);
    if let Some(format) = text_format(path, &options)? {
        uses::check_facts(&[("input", format.name())])?;
    }
    if let Some(PackedTexts { corpus, report, format, .. }) = pack(path, &options, file)? {
        output::note(quiet, report.to_string().trim_end());
        return Ok(Stored { corpus, format, reading });
    }
    let read = corpus_input::read(path, texts, &reading, &vocabulary)?;
    Ok(Stored::of_counts(StoredCorpus::write(&read.corpus, file)?, read.format))
}

/// Counts that are stored a document at a time, where the command line says that the file has such, and what
/// its words are.
fn streamed(path: &Path, texts: &CorpusArgs, file: &Path) -> Result<Option<Stored>, Failure> {
    let Some(vocabulary) = &texts.vocab else { return Ok(None) };
    let format = texts.input.map(CorpusFormat::format).or_else(|| by_name(path));
    let is_streamed = |own: &_| matches!(own, corpus::CorpusFormat::Uci | corpus::CorpusFormat::LdaC);
    let Some(format) = format.filter(is_streamed) else { return Ok(None) };
    uses::check_facts(&[("input", format.name())])?;
    let (source, words) = (Source::open(path)?, read_vocabulary(Source::open(vocabulary)?)?);
    let corpus = match format {
        corpus::CorpusFormat::Uci => store_uci(source, words, file)?,
        _ => store_lda_c(source, words, file)?,
    };
    Ok(Some(Stored::of_counts(corpus, format)))
}

/// What the name of the file says.
fn by_name(path: &Path) -> Option<corpus::CorpusFormat> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    if name.starts_with("docword") {
        Some(corpus::CorpusFormat::Uci)
    } else {
        [".ldac", ".lda-c"].iter().any(|end| name.ends_with(end)).then_some(corpus::CorpusFormat::LdaC)
    }
}
