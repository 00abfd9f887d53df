//! The State of the Union counts, read from their source files, are the embedded ones.

use std::time::Instant;

use posterior_topics::Corpus;
use posterior_topics::corpus::*;

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

#[test]
fn counting_the_texts_gives_the_docword_file() {
    let Some(folder) = shared_sotu() else { return };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder.join("raw")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // In order of the table of addresses, which differs from the alphabet in years with two texts.
    let meta = std::fs::read_to_string(folder.join("meta.csv")).unwrap();
    let place = |path: &std::path::PathBuf| meta.find(path.file_name().unwrap().to_str().unwrap());
    paths.sort_by_key(place);
    let tokenizer = Tokenizer::default().with_letters(Letters::Ascii).with_accents(Accents::Fold);
    let options = VocabularyOptions::default()
        .with_tokenizer(tokenizer)
        .with_stop_words(StopWords::read(Source::open(folder.join("stopwords.txt")).unwrap()).unwrap())
        .with_min_documents(5)
        .with_max_document_share(0.9)
        .with_max_words(Some(10_000));
    let mut builder = CorpusBuilder::new(options).unwrap();
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let start = Instant::now();
    for (number, text) in (1..).zip(&texts) {
        builder.push(number.to_string(), text);
    }
    let (corpus, report) = builder.build().unwrap();
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    println!("{megabytes} MB counted in {:?}: {report:?}", start.elapsed());
    let expected = embedded();
    assert_eq!(report.kept.words + report.removed(Removed::BeyondSize).words, 10_478);
    assert_eq!(corpus.vocabulary(), expected.vocabulary());
    assert!(corpus == expected);
}
