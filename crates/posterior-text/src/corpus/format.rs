//! The formats of corpora, and how a file's is detected from its name or its first lines.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::number::whole;
use super::open::Source;
use super::stored;
use crate::Error;

/// How files of serialized Java objects begin.
const JAVA_OBJECTS: &[u8] = &[0xac, 0xed];

/// The file format of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CorpusFormat {
    /// A folder of `.txt` files, each a document: `folder`.
    Folder,
    /// One JSON object a line, with a field of text: `jsonl`.
    JsonLines,
    /// A table with a header and a column of text: `csv`.
    Csv,
    /// Three numbers, then `document word count` a line: `uci`.
    Uci,
    /// `n word:count word:count ...` a line: `lda-c`.
    LdaC,
    /// A MatrixMarket coordinate file of documents x words: `mtx`.
    MatrixMarket,
    /// A name, a label and a text a line, as MALLET imports them: `mallet`. It is never detected.
    MalletInstances,
    /// The topics of all tokens, as MALLET writes the state of its sampler: `mallet-state`.
    MalletState,
    /// A [stored corpus](crate::corpus::StoredCorpus): `stored`.
    Stored,
}

impl CorpusFormat {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Folder,
        Self::JsonLines,
        Self::Csv,
        Self::Uci,
        Self::LdaC,
        Self::MatrixMarket,
        Self::MalletInstances,
        Self::MalletState,
        Self::Stored,
    ];

    /// The short name, as in "jsonl".
    pub fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Uci => "uci",
            Self::LdaC => "lda-c",
            Self::MatrixMarket => "mtx",
            Self::MalletInstances => "mallet",
            Self::MalletState => "mallet-state",
            Self::Stored => "stored",
        }
    }

    /// What the name of a file says: its ending (`.gz` apart), or `docword` at its start.
    pub(super) fn of_path(path: &Path) -> Option<Self> {
        let file = path.file_name()?.to_string_lossy().to_lowercase();
        let file = file.strip_suffix(".gz").unwrap_or(&file);
        let ending = Path::new(file).extension().map(|ending| ending.to_string_lossy());
        match ending.as_deref() {
            Some("jsonl" | "ndjson") => Some(Self::JsonLines),
            Some("csv") => Some(Self::Csv),
            Some("ldac" | "lda-c") => Some(Self::LdaC),
            Some("mtx") => Some(Self::MatrixMarket),
            _ => file.starts_with("docword").then_some(Self::Uci),
        }
    }

    /// What the start of a file looks like; a CSV table is known by its column of text.
    fn of_start(start: &str, text_column: &str) -> Option<Self> {
        let mut lines = start.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.next()?;
        let is_number = |line: &str| whole("", line).is_ok();
        if first.starts_with(['{', '[']) {
            Some(Self::JsonLines)
        } else if first.starts_with("%%MatrixMarket") {
            Some(Self::MatrixMarket)
        } else if first.starts_with("#doc ") || first.starts_with("#alpha :") {
            Some(Self::MalletState)
        } else if start.as_bytes().starts_with(stored::MAGIC) {
            Some(Self::Stored)
        } else if is_number(first) && lines.by_ref().take(2).filter(|line| is_number(line)).count() == 2 {
            Some(Self::Uci)
        } else if is_lda_c(first) {
            Some(Self::LdaC)
        } else if first.split(',').any(|column| column.trim().trim_matches('"') == text_column) {
            Some(Self::Csv)
        } else {
            None
        }
    }

    /// Whether it has texts, whose words are counted, and no counts.
    pub(super) fn has_texts(self) -> bool {
        matches!(self, Self::Folder | Self::JsonLines | Self::Csv | Self::MalletInstances)
    }

    /// The format of a file that nobody named.
    ///
    /// # Errors
    /// Neither the name nor the start of the file tells; or it is empty or cannot be read.
    pub(super) fn detect(source: &mut Source, text_column: &str) -> Result<Self, Error> {
        if let Some(format) = Self::of_path(source.path()) {
            return Ok(format);
        }
        let start = source.start()?;
        if start.is_empty() {
            return Err(Error::contents(source.path(), "empty file: expected a corpus"));
        }
        if start.starts_with(JAVA_OBJECTS) {
            let error =
                Error::contents(source.path(), "objects of Java, such as MALLET's own lists of instances");
            return Err(error
                .with_hint("give the texts that MALLET imported, or the state that --output-state writes"));
        }
        Self::of_start(&String::from_utf8_lossy(&start), text_column).ok_or_else(|| {
            let error = Error::contents(source.path(), "cannot tell the format from the name and the first lines");
            error.with_hint(
                "name the format (jsonl, csv, uci, lda-c or mtx); plain texts go into a folder, one .txt file each",
            )
        })
    }
}

/// Whether a line starts as `n word:count`.
fn is_lda_c(line: &str) -> bool {
    let is_number = |text: &str| whole("", text).is_ok();
    let mut fields = line.split_ascii_whitespace();
    let (Some(number), Some(pair)) = (fields.next(), fields.next()) else { return false };
    let pair = pair.split_once(':');
    is_number(number) && pair.is_some_and(|(word, count)| is_number(word) && is_number(count))
}

impl fmt::Display for CorpusFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CorpusFormat {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::Corpus(format!("no corpus format {name:?}; there are: {names}"))
        })
    }
}
