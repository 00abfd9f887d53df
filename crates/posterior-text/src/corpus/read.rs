//! One entry for every corpus: a path, and the format that it is in.

use std::path::{Path, PathBuf};

use super::folder::read_folder_within;
use super::format::CorpusFormat;
use super::json_lines::read_json_lines;
use super::lda_c::read_lda_c;
use super::mallet_instances::read_mallet_instances;
use super::mallet_state::read_mallet_state;
use super::matrix_market::read_matrix_market;
use super::metadata::Metadata;
use super::metered::Allowance;
use super::open::{STDIN, Source};
use super::stored::StoredCorpus;
use super::texts::{Texts, read_csv_texts};
use super::uci::read_uci;
use super::vocabulary_options::VocabularyOptions;
use super::vocabulary_report::VocabularyReport;
use super::word_list::read_vocabulary;
use crate::{Corpus, Error};

/// Bytes of a count in memory: as it is read, and in the corpus.
const OF_ENTRY: u64 = 24;

/// Options of [`read`].
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// The format (default: detected from the path, its ending and the first lines).
    pub format: Option<CorpusFormat>,
    /// The column or field of the text, for CSV and JSON Lines (default: "text").
    pub text_column: String,
    /// The column or field of the documents' names, for CSV and JSON Lines (default: they are numbered).
    pub name_column: Option<String>,
    /// The vocabulary of UCI, LDA-C and MatrixMarket counts (default: `vocab.txt` beside the counts).
    pub vocabulary_file: Option<PathBuf>,
    /// The words of texts that are kept; counts keep all of theirs.
    pub vocabulary: VocabularyOptions,
    /// The bytes of memory that the corpus may take, as estimated while it is read: more is refused (default:
    /// any number).
    pub memory: Option<u64>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            format: None,
            text_column: "text".to_owned(),
            name_column: None,
            vocabulary_file: None,
            vocabulary: VocabularyOptions::default(),
            memory: None,
        }
    }
}

/// A corpus that was read, and what came with it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadCorpus {
    /// The counts.
    pub corpus: Corpus,
    /// The format that it was read as.
    pub format: CorpusFormat,
    /// The other columns of CSV and JSON Lines, one row a document.
    pub metadata: Option<Metadata>,
    /// The words that were removed from texts; counts are taken as they are.
    pub report: Option<VocabularyReport>,
}

/// Reads the corpus at `path`, a folder or a file; `-` is standard input. Gzip'd files are unpacked.
///
/// # Errors
/// The path is missing or may not be read, takes more memory than is allowed, its format cannot be detected,
/// or it is not in that format; every message names the file, and the line where there is one.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<ReadCorpus, Error> {
    let path = path.as_ref();
    if path.is_dir() {
        return read_directory(path, options);
    }
    let mut source = Source::open(path)?;
    let format = match options.format {
        Some(format) => format,
        None => CorpusFormat::detect(&mut source, &options.text_column)?,
    };
    let label = source.path().to_owned();
    if format.has_texts() {
        return count(texts_of(source, format, options)?, &label, format, options);
    }
    if format == CorpusFormat::Stored {
        return read_stored(path, options);
    }
    let source = source.metered(options.memory.map(Allowance::of_counts));
    let corpus = match format {
        CorpusFormat::Uci => read_uci(source, required_vocabulary(path, &label, options)?)?,
        CorpusFormat::LdaC => read_lda_c(source, vocabulary(path, options)?)?,
        CorpusFormat::MatrixMarket => read_matrix_market(source, vocabulary(path, options)?)?,
        _ => read_mallet_state(source)?.corpus,
    };
    Ok(ReadCorpus { corpus, format, metadata: None, report: None })
}

/// The texts of a file in a format of texts.
pub(super) fn texts_of(source: Source, format: CorpusFormat, options: &ReadOptions) -> Result<Texts, Error> {
    let (text, name) = (options.text_column.as_str(), options.name_column.as_deref());
    let source = source.metered(options.memory.map(Allowance::of_texts));
    match format {
        CorpusFormat::JsonLines => read_json_lines(source, text, name),
        CorpusFormat::Csv => read_csv_texts(source, text, name),
        CorpusFormat::MalletInstances => read_mallet_instances(source),
        _ => Err(Error::contents(source.path(), "expected a folder of .txt files, found a file")),
    }
}

/// A stored corpus as a whole, where that is allowed.
fn read_stored(path: &Path, options: &ReadOptions) -> Result<ReadCorpus, Error> {
    let stored = StoredCorpus::open(path)?;
    let needed = (stored.entries() as u64).saturating_mul(OF_ENTRY);
    if let Some(allowance) = options.memory.map(Allowance::of_counts).filter(|own| own.bytes < needed) {
        return Err(Error::io(path, allowance.error(Some(needed))));
    }
    let corpus = stored.load()?;
    Ok(ReadCorpus { corpus, format: CorpusFormat::Stored, metadata: None, report: None })
}

fn read_directory(path: &Path, options: &ReadOptions) -> Result<ReadCorpus, Error> {
    count(folder_of_texts(path, options)?, path, CorpusFormat::Folder, options)
}

/// The texts of a folder, unless its counts are meant, or a file in it.
pub(super) fn folder_of_texts(path: &Path, options: &ReadOptions) -> Result<Texts, Error> {
    match options.format {
        None | Some(CorpusFormat::Folder) => {
            refuse_counts(path, options)?;
            read_folder_within(path, options.memory)
        }
        Some(format) => {
            let error =
                Error::contents(path, format!("expected a file in the format {format}, found a folder"));
            Err(error.with_hint("give the file in the folder"))
        }
    }
}

/// Refuses a folder of counts, which end in `.txt` as texts do, unless its format is named.
pub(super) fn refuse_counts(folder: &Path, options: &ReadOptions) -> Result<(), Error> {
    if options.format.is_some() || !is_bag_of_words(folder) {
        return Ok(());
    }
    let error = Error::contents(folder, "a folder with a docword file: expected texts, found counts");
    Err(error.with_hint("give the docword file itself, or say that the format is folder"))
}

fn is_bag_of_words(folder: &Path) -> bool {
    ["docword.txt", "docword.txt.gz"].iter().any(|file| folder.join(file).is_file())
}

fn count(
    texts: Texts,
    path: &Path,
    format: CorpusFormat,
    options: &ReadOptions,
) -> Result<ReadCorpus, Error> {
    let (corpus, report) = texts.count(options.vocabulary.clone()).map_err(|error| error.in_file(path))?;
    Ok(ReadCorpus { corpus, format, metadata: texts.metadata, report: Some(report) })
}

fn required_vocabulary(path: &Path, label: &Path, options: &ReadOptions) -> Result<Vec<String>, Error> {
    vocabulary(path, options)?.ok_or_else(|| {
        let error =
            Error::contents(label, "no vocabulary: these counts need one, and no vocab.txt is beside them");
        error.with_hint("give the file of the vocabulary, one word a line")
    })
}

/// The vocabulary that is named, else one beside the counts.
fn vocabulary(path: &Path, options: &ReadOptions) -> Result<Option<Vec<String>>, Error> {
    let file = options.vocabulary_file.clone().or_else(|| vocabulary_beside(path));
    file.map(|file| read_vocabulary(Source::open(file)?)).transpose()
}

/// `vocab.txt` beside the counts; `vocab.nips.txt` is preferred beside `docword.nips.txt`.
fn vocabulary_beside(path: &Path) -> Option<PathBuf> {
    if path == Path::new(STDIN) {
        return None;
    }
    let file = path.file_name()?.to_string_lossy();
    let file = file.strip_suffix(".gz").unwrap_or(&file);
    let own = file.strip_prefix("docword").map(|rest| format!("vocab{rest}"));
    let candidates = own.into_iter().chain(["vocab.txt".to_owned()]);
    let packed = |name: String| [name.clone(), name + ".gz"];
    candidates.flat_map(packed).map(|name| path.with_file_name(name)).find(|candidate| candidate.is_file())
}
