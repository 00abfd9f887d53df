//! Texts that are stored in bounded memory are the corpus that is counted as a whole.

use std::path::Path;

use posterior_text::corpus::*;
use proptest::collection::vec;
use proptest::prelude::*;

use super::message;

/// The files of a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn options(min_documents: usize, max_words: Option<usize>) -> VocabularyOptions {
    VocabularyOptions {
        min_documents,
        max_words,
        max_document_proportion: 0.8,
        stop_words: StopWords::new(["word3".to_owned(), "the".to_owned()]),
        ..VocabularyOptions::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn parts_of_any_size_make_the_corpus_of_the_whole(
        texts in vec(vec(0..40_u32, 0..12), 1..20),
        (min_documents, most) in (1..3_usize, 0..30_usize),
        memory in prop_oneof![Just(0_u64), 200..2_000_u64, Just(1 << 20)],
    ) {
        // Words of letters, since digits separate them.
        let word = |n: &u32| char::from(b'a' + (n % 26) as u8).to_string().repeat(2 + *n as usize / 26 + 1);
        let texts: Vec<String> =
            texts.iter().map(|own| own.iter().map(word).collect::<Vec<_>>().join(" ")).collect();
        let options = options(min_documents, (most > 0).then_some(most));
        let mut builder = CorpusBuilder::new(options.clone()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.corpus");
        let mut packer = Packer::create(&path, options, Some(memory)).unwrap();
        for (d, text) in texts.iter().enumerate() {
            builder.push(d.to_string(), text);
            packer.push(&d.to_string(), text).unwrap();
        }
        match (builder.build(), packer.finish()) {
            (Ok((corpus, report)), Ok((stored, packed))) => {
                prop_assert_eq!(stored.load().unwrap(), corpus);
                prop_assert_eq!(packed, report);
                prop_assert_eq!(files(folder.path()), ["c.corpus"]);
            }
            (Err(whole), Err(parts)) => {
                prop_assert_eq!(whole.to_string(), parts.to_string());
                prop_assert_eq!(whole.hint(), parts.hint());
            }
            (whole, parts) => prop_assert!(false, "{:?} and {:?}", whole.is_ok(), parts.is_ok()),
        }
    }
}

#[test]
fn every_format_of_texts_is_packed_as_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.jsonl"), "{\"text\": \"war peace war\", \"id\": 7}\n\n{\"text\": \"peace\"}\n")
        .unwrap();
    std::fs::write(path("b.csv"), "title,text\nx,war peace war\ny,\"peace, war\"\n").unwrap();
    std::fs::write(path("c.mallet"), "first news war peace\nsecond news peace\n").unwrap();
    std::fs::create_dir(path("texts")).unwrap();
    std::fs::write(path("texts/one.txt"), "war and peace").unwrap();
    std::fs::write(path("texts/two.txt"), "peace").unwrap();
    let mallet = Some(CorpusFormat::MalletInstances);
    for (name, format, named) in [
        ("a.jsonl", None, None),
        ("b.csv", None, Some("title")),
        ("c.mallet", mallet, None),
        ("texts", None, None),
    ] {
        let options = ReadOptions { format, name_column: named.map(str::to_owned), ..ReadOptions::default() };
        let read = read(path(name), &options).unwrap();
        let packed = pack(path(name), &options, path("out.corpus")).unwrap().unwrap();
        assert_eq!(packed.corpus.load().unwrap(), read.corpus, "{name}");
        assert_eq!((packed.format, Some(packed.report)), (read.format, read.report), "{name}");
        assert_eq!(text_format(path(name), &options).unwrap(), Some(read.format), "{name}");
    }
}

#[test]
fn what_is_wrong_with_texts_is_said_as_readers_say_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, contents) in [
        ("a.jsonl", "{\"text\": \"war\"}\n{\"text\": 3}\n"),
        ("a.jsonl", ""),
        ("a.jsonl", "{\"body\": \"war\"}\n"),
        ("b.csv", "title\nx\n"),
        ("b.csv", "text\n"),
        ("b.csv", "text,name\nwar\n"),
        ("b.csv", "text\na\n"),
    ] {
        std::fs::write(path(name), contents).unwrap();
        let options = ReadOptions::default();
        let whole = message(read(path(name), &options));
        let parts = pack(path(name), &options, path("out.corpus"));
        assert_eq!(message(parts.map(Option::unwrap)), whole, "{contents:?}");
        assert_eq!(files(folder.path()), [name], "{contents:?}");
        std::fs::remove_file(path(name)).unwrap();
    }
    // Counts are left to those who store them.
    std::fs::write(path("docword.txt"), "1\n1\n1\n1 1 1\n").unwrap();
    let options = ReadOptions { format: Some(CorpusFormat::Uci), ..ReadOptions::default() };
    assert!(pack(path("docword.txt"), &options, path("out.corpus")).unwrap().is_none());
    assert_eq!(files(folder.path()), ["docword.txt"]);
    let error = pack(folder.path(), &ReadOptions::default(), path("out.corpus")).unwrap_err();
    assert!(error.to_string().contains("expected texts, found counts"), "{error}");
    assert!(pack(path("none"), &ReadOptions::default(), path("out.corpus")).unwrap_err().is_io());
    assert!(Packer::create(path("no/where"), VocabularyOptions::default(), None).unwrap_err().is_io());
}

/// A packer that ends early leaves nothing, and neither does one that cannot write.
#[test]
fn what_is_not_finished_goes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.corpus");
    let mut packer = Packer::create(&path, VocabularyOptions::default(), Some(0)).unwrap();
    packer.push("first", "war and peace").unwrap();
    packer.push("second", "peace").unwrap();
    assert!(files(folder.path()).len() > 3);
    drop(packer);
    assert!(files(folder.path()).is_empty());
    let mut writer = Writer::create(&path, vec!["war".to_owned()]).unwrap();
    writer.push("empty", Vec::new()).unwrap();
    assert!(message(writer.finish()).contains("no document has a word"));
    assert!(files(folder.path()).is_empty());
}
