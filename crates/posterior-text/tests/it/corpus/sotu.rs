//! The State of the Union counts, read from their source files, are the embedded ones.

use std::time::Instant;

use posterior_testkit::shared::shared_file;
use posterior_text::Corpus;
use posterior_text::corpus::*;

fn embedded() -> Corpus {
    let sotu = posterior_datasets::sotu::load();
    let names = (1..=sotu.addresses.len()).map(|number| number.to_string()).collect();
    let rows = sotu.addresses.into_iter().map(|address| address.counts).collect();
    Corpus::from_rows(sotu.vocabulary, names, rows).expect("the embedded counts are a corpus")
}

#[test]
fn the_docword_file_is_the_embedded_corpus() {
    let Some(folder) = shared_file("the_docword_file_is_the_embedded_corpus", "data/sotu") else { return };
    let vocabulary = read_vocabulary(Source::open(folder.join("vocab.txt")).unwrap()).unwrap();
    let start = Instant::now();
    let corpus = read_uci(Source::open(folder.join("docword.txt")).unwrap(), vocabulary).unwrap();
    println!("docword.txt read in {:?}", start.elapsed());
    assert_eq!(corpus, embedded());
    let mut bytes = Vec::new();
    write_uci(&corpus, &mut bytes).unwrap();
    assert!(bytes == std::fs::read(folder.join("docword.txt")).unwrap());
}

#[test]
fn counting_the_texts_gives_the_docword_file() {
    let Some(folder) = shared_file("counting_the_texts_gives_the_docword_file", "data/sotu") else { return };
    let tokenizer = Tokenizer { letters: LetterSet::Ascii, accents: Accents::Fold, ..Tokenizer::default() };
    let vocabulary = VocabularyOptions {
        tokenizer,
        stop_words: StopWords::read(Source::open(folder.join("stopwords.txt")).unwrap()).unwrap(),
        min_documents: 5,
        max_document_proportion: 0.9,
        max_words: Some(10_000),
        ..VocabularyOptions::default()
    };
    let start = Instant::now();
    let read = read(folder.join("raw"), &ReadOptions { vocabulary, ..ReadOptions::default() }).unwrap();
    println!("12 MB of texts read and counted in {:?}", start.elapsed());
    let report = read.report.unwrap();
    assert_eq!(report.kept.words + report.removed(Removed::BeyondSize).words, 10_478);

    // By name two texts of a year may stand in another order than by time.
    let sotu = posterior_datasets::sotu::load();
    let place = |address: &posterior_datasets::sotu::Address| {
        read.corpus.names().iter().position(|name| *name == address.name)
    };
    let order: Vec<usize> = sotu.addresses.iter().map(|address| place(address).unwrap()).collect();
    let names = embedded().names().to_vec();
    assert!(read.corpus.select(&order).unwrap().with_names(names).unwrap() == embedded());

    let meta = Metadata::read_csv(Source::open(folder.join("meta.csv")).unwrap()).unwrap();
    let (meta, column) = meta.for_documents(read.corpus.names()).unwrap();
    assert_eq!(column.as_deref(), Some("file"));
    for (name, year) in read.corpus.names().iter().zip(meta.text("year").unwrap()) {
        assert!(name.starts_with(year), "{name} {year}");
    }
}
