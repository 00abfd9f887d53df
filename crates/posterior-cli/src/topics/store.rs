//! `posterior topics store`.

use std::path::Path;

use posterior::topics::corpus::{
    self, ReadCorpus, Source, StoredCorpus, read_vocabulary, store_lda_c, store_uci,
};
use serde::Serialize;

use super::{corpus_input, reading};
use crate::args::{CorpusFormat, Format, TopicsStore};
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
    let stored = if let Some(stored) = streamed(args)? {
        stored
    } else {
        let (reading, vocabulary) = reading::words(&args.words, &args.texts)?;
        let ReadCorpus { corpus, report, .. } =
            corpus_input::read(&args.corpus, &args.texts, &reading, &vocabulary)?;
        if let Some(report) = report {
            output::note(args.quiet, report.to_string().trim_end());
        }
        StoredCorpus::write(&corpus, &args.file)?
    };
    let sizes = Sizes {
        file: args.file.display().to_string(),
        documents: stored.documents(),
        vocabulary: stored.vocabulary().len(),
        tokens: stored.tokens(),
        blocks: stored.len(),
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

/// Counts that are stored a document at a time, where the command line says that the file has such, and what
/// its words are.
fn streamed(args: &TopicsStore) -> Result<Option<StoredCorpus>, Failure> {
    let Some(vocabulary) = &args.texts.vocab else { return Ok(None) };
    let format = args.texts.input.map(CorpusFormat::format).or_else(|| by_name(&args.corpus));
    let words = || -> Result<Vec<String>, Failure> { Ok(read_vocabulary(Source::open(vocabulary)?)?) };
    Ok(match format {
        Some(corpus::CorpusFormat::Uci) => {
            Some(store_uci(Source::open(&args.corpus)?, words()?, &args.file)?)
        }
        Some(corpus::CorpusFormat::LdaC) => {
            Some(store_lda_c(Source::open(&args.corpus)?, words()?, &args.file)?)
        }
        _ => None,
    })
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
