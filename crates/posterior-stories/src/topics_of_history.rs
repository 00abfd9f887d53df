//! Topics of American history: the State of the Union addresses from 1790 to 2022, with the library alone.
//!
//! `cargo run --release -p posterior --example topics_of_history [-- --out DIR]`
//!
//! Reads the embedded counts and prints what they hold; why components of a singular value decomposition are no topics; how well a model
//! with one topic, one topic a document and several topics a document complete addresses that they have not seen; what five inferences of
//! the last one find, and how far they agree; how the shares of topics changed over two centuries, with bands, from a prior that knows the
//! year, the president and the form of an address, and whether that prior helps to foretell years that were left out; and which addresses are
//! typical, alike, or a turn. With `--out` it writes a page with the pictures.

mod baselines;
mod closing;
mod curves;
mod inferences;
mod words;

use std::error::Error;
use std::path::PathBuf;

use posterior::datasets::sotu::{self, Form};
use posterior::report::Page;
use posterior::topics::Corpus;
use posterior::topics::corpus::{CompletionSplit, DocumentSplit, split_documents, split_tokens};

type Outcome<T> = Result<T, Box<dyn Error>>;

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

fn main() -> Outcome<()> {
    let out = out_folder()?;
    let addresses = read()?;
    let mut page = Page::new("Topics of American history", "What presidents tell Congress");
    baselines::components(&addresses)?;
    baselines::completions(&addresses)?;
    let fitted = inferences::compare(&addresses)?;
    closing::print(&addresses, &fitted);
    curves::follow(&addresses, &mut page)?;
    if let Some(folder) = out {
        std::fs::create_dir_all(&folder)?;
        "cargo run --release -p posterior --example topics_of_history -- --out DIR"
            .clone_into(&mut page.command);
        sotu::provenance().clone_into(&mut page.source);
        std::fs::write(folder.join("report.html"), page.html())?;
        println!("\nwrote {}", folder.join("report.html").display());
    }
    Ok(())
}

fn out_folder() -> Outcome<Option<PathBuf>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(None),
        ["--out", folder] => Ok(Some(PathBuf::from(folder))),
        _ => Err("expected nothing, or --out DIR".into()),
    }
}

fn read() -> Outcome<Addresses> {
    let sotu = sotu::load();
    let names = sotu.addresses.iter().map(sotu::Address::title).collect();
    let years = sotu.addresses.iter().map(|address| f64::from(address.year)).collect();
    let presidents = sotu.addresses.iter().map(|address| address.president.clone()).collect();
    let form = |address: &sotu::Address| match address.form {
        Form::Speech => "speech",
        Form::Written => "written",
    };
    let forms: Vec<&str> = sotu.addresses.iter().map(form).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    let corpus = Corpus::from_rows(sotu.vocabulary, names, rows)?;
    let tokens = |d: &usize| corpus.document(*d).tokens();
    let shortest = (0..corpus.documents()).min_by_key(tokens).ok_or("no address")?;
    let longest = (0..corpus.documents()).max_by_key(tokens).ok_or("no address")?;
    println!(
        "{} addresses ({} spoken), {} words, {} distinct; the shortest {} ({}), the longest {} ({})",
        corpus.documents(),
        forms.iter().filter(|form| **form == "speech").count(),
        corpus.tokens(),
        corpus.vocabulary().len(),
        corpus.names()[shortest],
        tokens(&shortest),
        corpus.names()[longest],
        tokens(&longest),
    );
    let split = split_documents(&corpus, 0.1, SEED)?;
    let halves = split_tokens(&split.test, SEED)?;
    Ok(Addresses { corpus, years, presidents, forms, split, halves })
}
