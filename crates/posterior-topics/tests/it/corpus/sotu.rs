//! The State of the Union counts, read from their source files, are the embedded ones.

use std::time::Instant;

use posterior_topics::Corpus;
use posterior_topics::corpus::{Source, read_uci, read_vocabulary, write_uci};

use super::shared_sotu;

fn embedded() -> Corpus {
    let sotu = posterior_datasets::sotu::load();
    let names = (1..=sotu.addresses.len()).map(|number| number.to_string()).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    Corpus::from_rows(sotu.vocabulary, names, rows).expect("the embedded counts are a corpus")
}

#[test]
fn the_docword_file_is_the_embedded_corpus() {
    let Some(folder) = shared_sotu() else { return };
    let vocabulary = read_vocabulary(Source::open(folder.join("vocab.txt")).unwrap()).unwrap();
    let start = Instant::now();
    let corpus = read_uci(Source::open(folder.join("docword.txt")).unwrap(), vocabulary).unwrap();
    println!("docword.txt read in {:?}", start.elapsed());
    assert_eq!(corpus, embedded());
    let mut bytes = Vec::new();
    write_uci(&corpus, &mut bytes).unwrap();
    assert!(bytes == std::fs::read(folder.join("docword.txt")).unwrap());
}
