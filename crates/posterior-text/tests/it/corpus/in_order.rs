//! Words in their order: of texts at a path, in another vocabulary, and parts of them.

use std::fs;

use posterior_text::corpus::{
    CorpusFormat, ReadOptions, StopWords, Text, Texts, Tokenizer, VocabularyOptions, read, read_texts,
};

use super::{complaint, gzip};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn texts(all: &[&str]) -> Texts {
    let text = |(d, text): (usize, &&str)| Text { name: d.to_string(), text: (*text).to_owned() };
    Texts::new(all.iter().enumerate().map(text).collect())
}

#[test]
fn texts_of_a_path_are_what_is_counted_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("texts")).unwrap();
    fs::write(at("texts/b.txt"), "war and peace").unwrap();
    fs::write(at("texts/a.txt"), "peace").unwrap();
    fs::write(at("t.csv"), "year,text\n1790,war and peace\n1791,peace\n").unwrap();
    fs::write(at("t.jsonl.gz"), gzip("{\"text\": \"war and peace\"}\n{\"text\": \"peace\"}\n")).unwrap();
    fs::write(at("t.tsv"), "b none war and peace\na none peace\n").unwrap();
    fs::write(at("t.mtx"), "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 2\n").unwrap();
    for name in ["texts", "t.csv", "t.jsonl.gz", "t.tsv"] {
        let format = (name == "t.tsv").then_some(CorpusFormat::MalletInstances);
        let options = ReadOptions { format, ..ReadOptions::default() };
        let found = read_texts(at(name), &options).unwrap().unwrap();
        let counted = read(at(name), &options).unwrap();
        assert_eq!(found.count(VocabularyOptions::default()).unwrap().0, counted.corpus, "{name}");
        assert_eq!(found.metadata, counted.metadata, "{name}");
    }
    let options = ReadOptions::default();
    assert_eq!(read_texts(at("t.mtx"), &options).unwrap(), None);
    assert_eq!(read_texts("-", &options).unwrap(), None);
    assert!(read_texts(at("gone"), &options).unwrap_err().is_io());
    let csv = ReadOptions { format: Some(CorpusFormat::Csv), ..ReadOptions::default() };
    assert!(complaint(read_texts(at("texts"), &csv)).0.contains("found a folder"));
    let small = ReadOptions { memory: Some(1), ..ReadOptions::default() };
    assert!(read_texts(at("t.csv"), &small).unwrap_err().is_memory());
}

#[test]
fn another_vocabulary_keeps_the_order_and_leaves_words_out() {
    let own = texts(&["stone river stone", "war", "river war stone"]);
    let (all, _) = own.sequences(VocabularyOptions::default()).unwrap();
    let vocabulary = words("stone zebra river");
    let there = all.in_vocabulary(vocabulary.clone()).unwrap();
    assert_eq!(there.documents(), [vec![0, 2, 0], vec![], vec![2, 0]]);
    assert_eq!(there, own.sequences_of(Tokenizer::default(), vocabulary.clone()).unwrap());
    let counted = all.corpus().unwrap().in_vocabulary(vocabulary).unwrap().0;
    assert_eq!(there.corpus().unwrap(), counted);
    assert!(all.in_vocabulary(Vec::new()).is_err());
}

#[test]
fn parts_and_halves() {
    let (all, _) = texts(&["aaa bbb ccc", "", "ddd eee"]).sequences(VocabularyOptions::default()).unwrap();
    assert_eq!(all.documents(), [vec![0, 1, 2], vec![], vec![3, 4]]);
    let some = all.select(&[2, 0]).unwrap();
    assert_eq!((some.names(), some.documents()), (&words("2 0")[..], &[vec![3, 4], vec![0, 1, 2]][..]));
    assert!(complaint(all.select(&[3])).0.contains("document 3 of 3"));
    let [first, rest] = all.halves();
    assert_eq!(first.documents(), [vec![0, 1], vec![], vec![3]]);
    assert_eq!(rest.documents(), [vec![2], vec![], vec![4]]);
    assert_eq!(rest.vocabulary(), all.vocabulary());
}

#[test]
fn stop_words_by_what_a_user_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.txt");
    fs::write(&file, "stone # one\n").unwrap();
    assert!(StopWords::named("none").unwrap().is_empty());
    assert!(StopWords::named("de").unwrap().contains("und"));
    let own = StopWords::named(&file).unwrap();
    assert!(own.contains("stone") && own.len() == 1);
    assert!(complaint(StopWords::named("zz")).1.contains("there are"));
    assert!(StopWords::named(folder.path().join("gone")).unwrap_err().is_io());
}
