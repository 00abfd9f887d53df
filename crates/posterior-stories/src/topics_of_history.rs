//! Topics of American history: the State of the Union addresses from 1790 to 2022, with the library alone.
//!
//! Reads the embedded counts and prints what they hold, and what each filter of the words removed where the
//! texts are (`sotu/raw` of the sources); why components of a singular value decomposition are no topics;
//! how well a model with one topic, one topic a document and several topics a document complete addresses
//! that they have not seen; what three inferences of the last one find, on which way, and how far they
//! agree; how the proportions of topics changed over two centuries, with bands, from a prior that knows the
//! year, the president and the form of an address, and whether that prior helps to predict years that were
//! left out; and which addresses are typical, alike, or a turn.

mod baselines;
mod closing;
mod curves;
mod filters;
mod inferences;
mod words;

use std::io::Write;

use posterior::datasets::sotu::{self, Delivery};
use posterior::report::Page;
use posterior::topics::Corpus;
use posterior::topics::corpus::{CompletionSplit, DocumentSplit, split_documents, split_tokens};

use crate::{Ending, Outcome, Sources};

const SEED: u64 = 0;

/// The addresses, and what is known of them.
struct Addresses {
    corpus: Corpus,
    years: Vec<f64>,
    presidents: Vec<String>,
    forms: Vec<&'static str>,
    /// Nine tenths to learn from, and the rest in halves to judge by.
    split: DocumentSplit,
    halves: CompletionSplit,
}

/// Tells the story.
///
/// # Errors
/// If `out` cannot be written.
pub fn tell(out: &mut dyn Write, sources: &Sources) -> Outcome<Ending> {
    let addresses = read(out, sources.either(1, 10))?;
    let mut page = Page::new("Topics of American history", "What presidents tell Congress");
    filters::filters(out, sources, &mut page)?;
    baselines::components(out, &addresses, &mut page)?;
    baselines::completions(out, &addresses, &mut page)?;
    let fitted = inferences::compare(out, &addresses, sources.either(400, 100), &mut page)?;
    closing::close(out, &addresses, &fitted, &mut page)?;
    curves::follow(out, &addresses, &mut page)?;
    sotu::provenance().clone_into(&mut page.source);
    Ok(Ending::Completed(page))
}

/// Each `step`-th address.
fn read(out: &mut dyn Write, step: usize) -> Outcome<Addresses> {
    let mut sotu = sotu::load();
    sotu.addresses = sotu.addresses.into_iter().step_by(step).collect();
    let names = sotu.addresses.iter().map(sotu::Address::title).collect();
    let years = sotu.addresses.iter().map(|address| f64::from(address.year)).collect();
    let presidents = sotu.addresses.iter().map(|address| address.president.clone()).collect();
    let form = |address: &sotu::Address| match address.form {
        Delivery::Speech => "speech",
        Delivery::Written => "written",
    };
    let forms: Vec<&str> = sotu.addresses.iter().map(form).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    let corpus = Corpus::from_rows(sotu.vocabulary, names, rows)?;
    let tokens = |d: &usize| corpus.document(*d).tokens();
    let shortest = (0..corpus.documents()).min_by_key(tokens).ok_or("no address")?;
    let longest = (0..corpus.documents()).max_by_key(tokens).ok_or("no address")?;
    writeln!(
        out,
        "{} addresses ({} spoken), {} words, {} distinct; the shortest {} ({}), the longest {} ({})",
        corpus.documents(),
        forms.iter().filter(|form| **form == "speech").count(),
        corpus.tokens(),
        corpus.vocabulary().len(),
        corpus.names()[shortest],
        tokens(&shortest),
        corpus.names()[longest],
        tokens(&longest),
    )?;
    let split = split_documents(&corpus, 0.1, SEED)?;
    let halves = split_tokens(&split.test, SEED)?;
    Ok(Addresses { corpus, years, presidents, forms, split, halves })
}
