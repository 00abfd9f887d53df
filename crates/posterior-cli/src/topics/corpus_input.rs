//! The corpus of a run, with what is known of its documents.

use std::path::Path;

use posterior::datasets::sotu::{self, Address, Delivery};
use posterior::math::linalg::DMatrix;
use posterior::math::memory::size_text;
use posterior::table::MemoryLimit;
use posterior::topics::Corpus;
use posterior::topics::corpus::{
    self, Metadata, ReadCorpus, ReadOptions, Removed, Source, VocabularyOptions, VocabularyReport,
    WordSequences,
};
use posterior::topics::dirichlet_regression::FeatureRecipe;
use posterior::topics::labelled_topics::DocumentLabels;
use posterior::topics::structural_topics::DocumentCovariates;
use posterior_report::Stretch;

use super::covariates::Covariates;
use super::features;
use super::reading::{Reading, words};
use super::texts::{Place, without_order};
use crate::args::{CorpusArgs, CorpusFormat, Model, TopicsFit, uses};
use crate::failure::Failure;
use crate::output::grouped;

/// What a reader of American history looks for, in years with their parts.
const EVENTS: [(&str, f64, f64); 4] = [
    ("Civil War", 1861.3, 1865.4),
    ("World War I", 1917.3, 1918.9),
    ("Great Depression", 1929.8, 1939.0),
    ("World War II", 1941.9, 1945.7),
];

/// Bytes of a number in a file.
const NUMBER: u64 = 8;

/// Matrices of topics by words and by documents that are held at a time: counts, probabilities, those of the
/// page, and as they are written.
const COPIES: u64 = 4;

/// Bytes for a word of a text: itself, and its topic.
const OF_TOKEN: u64 = 12;

/// Files are announced from so many bytes on.
const LARGE: u64 = 100 << 20;

/// A corpus with its story.
pub(super) struct Input {
    pub(super) corpus: Corpus,
    /// The headline of the report, where it does not speak of the number of topics.
    headline: Option<&'static str>,
    /// What the corpus is called.
    name: String,
    /// What the documents are, in the plural: `State of the Union addresses`.
    pub(super) title: String,
    /// The time of each document; NaN where there is none.
    pub(super) times: Option<Vec<f64>>,
    /// The name of the stretch of time that each document belongs to.
    pub(super) bands: Option<Vec<String>>,
    /// What features are made of, and those of the documents.
    pub(super) features: Option<(FeatureRecipe, DMatrix<f64>)>,
    /// What covariates are made of, and those of the documents.
    pub(super) covariates: Option<(Covariates, DocumentCovariates)>,
    /// The labels of the documents.
    pub(super) labels: Option<DocumentLabels>,
    /// What topics predict of each document; NaN where it is not known.
    pub(super) responses: Option<Vec<f64>>,
    /// The words of the documents in their order, where the run needs them.
    pub(super) sequences: Option<WordSequences>,
    /// The format that the corpus was read as; `None` for the embedded one.
    pub(super) format: Option<corpus::CorpusFormat>,
    /// Events that pictures over time mark.
    pub(super) events: Vec<Stretch>,
    /// Facts worth a line each.
    pub(super) notes: Vec<String>,
    /// Where the data are from.
    pub(super) source: String,
    /// How texts become words.
    pub(super) reading: Reading,
}

impl Input {
    /// The corpus that the command line names, or the embedded one.
    pub(super) fn load(args: &TopicsFit) -> Result<Self, Failure> {
        let (mut input, metadata) = match &args.corpus {
            None => (embedded()?, None),
            Some(path) => read_with_notes(path, args)?,
        };
        let metadata = match &args.meta {
            Some(path) => Some(Metadata::read_csv(Source::open(path)?)?),
            None => metadata,
        };
        let metadata = match metadata {
            Some(metadata) => {
                let (metadata, column) = metadata.for_documents(input.corpus.names())?;
                input
                    .notes
                    .extend(column.map(|name| format!("documents joined to the table by column {name:?}")));
                Some(metadata)
            }
            None => None,
        };
        let known = |option: &str| {
            let message = format!("--{option} names a column, and there is no table of the documents");
            Failure::data(message).with_hint("give the table with --meta, or use a CSV or JSONL corpus")
        };
        if let Some(column) = &args.time {
            let metadata = metadata.as_ref().ok_or_else(|| known("time"))?;
            let times = metadata.optional_numbers(column)?;
            input.times = Some(times.into_iter().map(|time| time.unwrap_or(f64::NAN)).collect());
        }
        if let Some(column) = &args.band {
            let metadata = metadata.as_ref().ok_or_else(|| known("band"))?;
            input.bands = Some(metadata.text(column)?.into_iter().map(str::to_owned).collect());
        }
        if !args.features.is_empty() {
            let metadata = metadata.as_ref().ok_or_else(|| known("features"))?;
            input.features = Some(features::learn(metadata, &args.features)?);
        }
        if args.prevalence.is_some() || args.content.is_some() {
            let option = if args.prevalence.is_some() { "prevalence" } else { "content" };
            let metadata = metadata.as_ref().ok_or_else(|| known(option))?;
            input.covariates = Some(Covariates::of(args, metadata)?);
        }
        if let Some(column) = &args.labels {
            let metadata = metadata.as_ref().ok_or_else(|| known("labels"))?;
            input.labels = Some(labels(&metadata.text(column)?));
        }
        if let Some(column) = &args.response {
            let metadata = metadata.as_ref().ok_or_else(|| known("response"))?;
            let numbers = metadata.optional_numbers(column)?;
            input.responses = Some(numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect());
        }
        let needs_order = match (args.model, args.coherence.window) {
            (Model::Bigram, _) => Some("--model bigram"),
            (_, Some(_)) => Some("--coherence in windows"),
            _ => None,
        };
        if let Some(who) = needs_order {
            let found = input.place(args).sequences(&input.reading, &input.corpus)?;
            input.sequences = Some(found.ok_or_else(|| without_order(who))?);
        }
        Ok(input)
    }

    /// Where the documents were read.
    pub(super) fn place<'a>(&self, args: &'a TopicsFit) -> Place<'a> {
        Place { path: args.corpus.as_deref(), format: self.format, name: args.texts.name.as_deref() }
    }

    /// Refuses a fit whose topics and proportions, with so many bytes beside them, take more than is allowed,
    /// and says how large its files become where they are large.
    pub(super) fn plan(&mut self, topics: usize, beside: u64, memory: MemoryLimit) -> Result<(), Failure> {
        let (documents, words) = (self.corpus.documents() as u64, self.corpus.vocabulary().len() as u64);
        let of_words = NUMBER.saturating_mul(topics as u64).saturating_mul(words);
        let of_documents = NUMBER.saturating_mul(topics as u64).saturating_mul(documents);
        let of_matrices = COPIES.saturating_mul(of_words.saturating_add(of_documents));
        let of_tokens = OF_TOKEN.saturating_mul(self.corpus.tokens());
        let needed = of_matrices.saturating_add(of_tokens).saturating_add(beside);
        let (k, d, v) = (grouped(topics as u64), grouped(documents), grouped(words));
        let checked = memory.check(
            &format!("{}: a fit of {k} topics to {d} documents with {v} different words takes", self.name),
            needed,
            "take fewer topics (--topics), words (--max-vocabulary) or documents",
        );
        checked.map_err(|error| Failure::from(error).for_memory())?;
        self.notes.extend(large_files(topics, words, documents));
        Ok(())
    }

    /// The headline of the report.
    pub(super) fn headline(&self, topics: usize) -> String {
        self.headline.map_or_else(|| format!("{topics} topics in {}", self.name), str::to_owned)
    }

    /// The corpus in a few lines.
    pub(super) fn summary(&self) -> String {
        let size = format!(
            "{}: {} documents, {} words in all, a vocabulary of {}",
            self.title,
            grouped(self.corpus.documents() as u64),
            grouped(self.corpus.tokens()),
            grouped(self.corpus.vocabulary().len() as u64)
        );
        std::iter::once(&size).chain(&self.notes).map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// The document that a name or an unambiguous part of one means.
    pub(super) fn find(&self, name: &str) -> Result<usize, Failure> {
        let names = self.corpus.names();
        if let Some(d) = names.iter().position(|other| other == name) {
            return Ok(d);
        }
        let part = name.to_lowercase();
        let matches: Vec<usize> =
            (0..names.len()).filter(|&d| names[d].to_lowercase().contains(&part)).collect();
        match matches.as_slice() {
            &[d] => Ok(d),
            [] => Err(Failure::data(format!("no document is named {name:?}"))
                .with_hint(format!("names look like {:?}", names[0]))),
            several => {
                let some: Vec<&str> = several.iter().take(5).map(|&d| names[d].as_str()).collect();
                let message = format!("{} documents have {name:?} in their names", several.len());
                Err(Failure::data(message).with_hint(format!("such as {}", some.join(", "))))
            }
        }
    }
}

/// The sizes of the files of a fit, where they are large.
pub(super) fn large_files(topics: usize, words: u64, documents: u64) -> Option<String> {
    let of_rows = |rows: u64| NUMBER.saturating_mul(topics as u64).saturating_mul(rows);
    let (of_words, of_documents) = (of_rows(words), of_rows(documents));
    (of_words.saturating_add(of_documents) >= LARGE).then(|| {
        let (of_words, of_documents) = (size_text(of_words), size_text(of_documents));
        format!("files of the fit: topic_word.npy {of_words}, doc_topic.npy {of_documents}")
    })
}

/// The labels of cells in which they are separated by semicolons.
fn labels(cells: &[&str]) -> DocumentLabels {
    let own = |cell: &&str| {
        cell.split(';').map(|label| label.trim().to_owned()).filter(|l| !l.is_empty()).collect()
    };
    DocumentLabels::of_names(&cells.iter().map(own).collect::<Vec<Vec<String>>>())
}

fn embedded() -> Result<Input, Failure> {
    let sotu = sotu::load();
    let addresses = &sotu.addresses;
    let spoken = addresses.iter().filter(|address| address.form == Delivery::Speech).count();
    let mut notes = vec![format!("{spoken} spoken, {} written", addresses.len() - spoken)];
    let shortest = addresses.iter().min_by_key(|address| address.tokens());
    let longest = addresses.iter().max_by_key(|address| address.tokens());
    if let (Some(shortest), Some(longest)) = (shortest, longest) {
        let length = |address: &Address| format!("{} ({} words)", address.title(), grouped(address.tokens()));
        notes.push(format!("shortest {}, longest {}", length(shortest), length(longest)));
    }
    let names = addresses.iter().map(Address::title).collect();
    let times = addresses.iter().map(|address| f64::from(address.year)).collect();
    let bands = addresses.iter().map(|address| address.president.clone()).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    Ok(Input {
        corpus: Corpus::from_rows(sotu.vocabulary, names, rows)?,
        headline: Some("What presidents tell Congress, 1790\u{2013}2022"),
        name: "sotu".to_owned(),
        title: "State of the Union addresses".to_owned(),
        times: Some(times),
        bands: Some(bands),
        features: None,
        covariates: None,
        labels: None,
        responses: None,
        sequences: None,
        format: None,
        events: EVENTS.map(|(label, from, to)| Stretch { label: label.to_owned(), from, to }).to_vec(),
        notes,
        source: sotu::provenance().to_owned(),
        reading: Reading::default(),
    })
}

fn read_with_notes(path: &Path, args: &TopicsFit) -> Result<(Input, Option<Metadata>), Failure> {
    let (reading, vocabulary) = words(&args.words, &args.texts)?;
    let ReadCorpus { corpus, metadata, report, format, .. } = read(path, &args.texts, &reading, &vocabulary)?;
    let mut notes = Vec::new();
    // Counts have no report: their words are as they are.
    let reading = if report.is_some() { reading } else { Reading::every_word() };
    notes.extend(report.as_ref().and_then(removed));
    notes.extend(empty_documents(&corpus));
    let title = path.file_name().map_or_else(|| "standard input".into(), |name| name.to_string_lossy());
    let input = Input {
        headline: None,
        title: format!("documents of {title}"),
        name: title.into_owned(),
        times: None,
        bands: None,
        features: None,
        covariates: None,
        labels: None,
        responses: None,
        sequences: None,
        format: Some(format),
        events: Vec::new(),
        notes,
        source: format!("Corpus: {}", path.display()),
        reading,
        corpus,
    };
    Ok((input, metadata))
}

/// The options with which a corpus is read whose texts become words as `reading` says.
pub(super) fn read_options(
    args: &CorpusArgs,
    reading: &Reading,
    vocabulary: &VocabularyOptions,
) -> ReadOptions {
    let vocabulary =
        VocabularyOptions { tokenizer: reading.tokenizer(), stop_words: reading.stop_words(), ..*vocabulary };
    ReadOptions {
        format: args.input.map(CorpusFormat::format),
        text_column: args.text.as_ref().unwrap_or(&reading.text).into(),
        name_column: args.name.clone(),
        vocabulary_file: args.vocab.clone(),
        memory: Some(MemoryLimit::new(args.memory).limit()),
        vocabulary,
        ..ReadOptions::default()
    }
}

/// Reads the corpus at `path`; its texts become words as `reading` says.
pub(super) fn read(
    path: &Path,
    args: &CorpusArgs,
    reading: &Reading,
    vocabulary: &VocabularyOptions,
) -> Result<ReadCorpus, Failure> {
    let options = read_options(args, reading, vocabulary);
    let read = corpus::read(path, &options).map_err(|error| {
        if !error.is_memory() {
            return Failure::from(error);
        }
        let refused = Failure::data(error.to_string());
        refused.with_hint("take fewer documents, or allow more: --memory SIZE").for_memory()
    })?;
    uses::check_facts(&[("input", read.format.name())])?;
    Ok(read)
}

impl CorpusFormat {
    pub(crate) fn format(self) -> corpus::CorpusFormat {
        match self {
            Self::Folder => corpus::CorpusFormat::Folder,
            Self::Jsonl => corpus::CorpusFormat::JsonLines,
            Self::Csv => corpus::CorpusFormat::Csv,
            Self::Uci => corpus::CorpusFormat::Uci,
            Self::LdaC => corpus::CorpusFormat::LdaC,
            Self::Mtx => corpus::CorpusFormat::MatrixMarket,
            Self::Mallet => corpus::CorpusFormat::MalletInstances,
            Self::MalletState => corpus::CorpusFormat::MalletState,
            Self::Stored => corpus::CorpusFormat::Stored,
        }
    }
}

/// What each filter took from the texts.
fn removed(report: &VocabularyReport) -> Option<String> {
    let proportion = |filter: Removed| {
        let removed = report.removed(filter);
        let percent = 100.0 * removed.tokens as f64 / report.found.tokens.max(1) as f64;
        (removed.tokens > 0).then(|| format!("{} {percent:.1} %", filter.label()))
    };
    let proportions: Vec<String> = Removed::ALL.into_iter().filter_map(proportion).collect();
    (!proportions.is_empty())
        .then(|| format!("left out of {} words: {}", grouped(report.found.tokens), proportions.join(", ")))
}

fn empty_documents(corpus: &Corpus) -> Option<String> {
    let empty = corpus.empty_documents();
    let some: Vec<&str> = empty.iter().take(5).map(|&d| corpus.names()[d].as_str()).collect();
    let more = if empty.len() > some.len() { ", .." } else { "" };
    (!empty.is_empty())
        .then(|| format!("documents without a word, kept: {} ({}{more})", empty.len(), some.join(", ")))
}
