//! The one entry: formats detected from names and contents, vocabularies found beside the counts.

use std::fs;
use std::path::Path;

use posterior_text::corpus::{CorpusFormat, ReadCorpus, ReadOptions, StoredCorpus, read};
use posterior_text::{Corpus, Error};
use tempfile::TempDir;

use super::{complaint, gzip, message};

const UCI: &str = "2\n3\n2\n1 1 1\n2 3 2\n";
const LDA_C: &str = "1 0:1\n1 2:2\n";
const WORDS: &str = "act\nbill\nlaw\n";

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, contents) in files {
        fs::write(folder.path().join(name), contents).expect("the temporary folder takes files");
    }
    folder
}

fn read_file(folder: &TempDir, file: &str) -> Result<ReadCorpus, Error> {
    read(folder.path().join(file), &ReadOptions::default())
}

fn shape(corpus: &Corpus) -> (usize, usize, u64) {
    (corpus.documents(), corpus.vocabulary().len(), corpus.tokens())
}

#[test]
fn formats_are_reported_from_names_and_contents() {
    let jsonl: &[u8] = b"{\"text\": \"the act\"}\n{\"text\": \"the land\"}\n";
    let csv: &[u8] = b"id,text\n1,the act\n2,the land\n";
    for (file, contents, format) in [
        ("docword.txt", UCI.as_bytes(), CorpusFormat::Uci),
        ("counts", UCI.as_bytes(), CorpusFormat::Uci),
        ("counts.ldac", LDA_C.as_bytes(), CorpusFormat::LdaC),
        ("ap.dat", LDA_C.as_bytes(), CorpusFormat::LdaC),
        ("d.jsonl", jsonl, CorpusFormat::JsonLines),
        ("d.json", jsonl, CorpusFormat::JsonLines),
        ("d.csv", csv, CorpusFormat::Csv),
        ("d.txt", csv, CorpusFormat::Csv),
    ] {
        let folder = folder(&[(file, contents), ("vocab.txt", WORDS.as_bytes())]);
        let read = read_file(&folder, file).unwrap();
        assert_eq!((read.format, read.corpus.documents()), (format, 2), "{file}");
        let packed = format!("{file}.gz");
        fs::write(folder.path().join(&packed), gzip(contents)).unwrap();
        let unpacked = read_file(&folder, &packed).unwrap();
        assert_eq!((unpacked.format, unpacked.corpus), (format, read.corpus), "{packed}");
    }
}

#[test]
fn folders_of_texts_are_counted_with_a_report() {
    let folder = folder(&[("b.txt", b"The land"), ("a.txt", b"An act, the act"), ("c.txt", b"1790")]);
    let read = read(folder.path(), &ReadOptions::default()).unwrap();
    assert_eq!((read.format, shape(&read.corpus)), (CorpusFormat::Folder, (3, 3, 5)));
    assert_eq!(read.corpus.names(), ["a", "b", "c"]);
    assert_eq!(read.corpus.empty_documents(), [2]);
    assert_eq!(read.report.map(|report| report.found.tokens), Some(6));
}

#[test]
fn columns_are_chosen_and_the_others_kept() {
    let folder = folder(&[("d.csv", b"who,body,year\nA,the act,1790\nB,the land,1791\n")]);
    let options = ReadOptions {
        text_column: "body".into(),
        name_column: Some("who".to_owned()),
        ..ReadOptions::default()
    };
    let read = read(folder.path().join("d.csv"), &options).unwrap();
    assert_eq!(read.corpus.names(), ["A", "B"]);
    assert_eq!(read.metadata.unwrap().numbers("year").unwrap(), [1790.0, 1791.0]);
}

#[test]
fn vocabularies_are_found_beside_the_counts_or_named() {
    let own = folder(&[
        ("docword.nips.txt", UCI.as_bytes()),
        ("vocab.nips.txt", WORDS.as_bytes()),
        ("vocab.txt", b"just\ntwo\n"),
    ]);
    let nips = own.path().join("docword.nips.txt");
    assert_eq!(
        read_file(&own, "docword.nips.txt").unwrap().corpus.vocabulary()[2],
        WORDS.lines().nth(2).unwrap()
    );
    let named = ReadOptions { vocabulary_file: Some(own.path().join("vocab.txt")), ..ReadOptions::default() };
    let error = message(read(&nips, &named));
    assert_eq!(error, format!("{}:2: 3 words announced, but the vocabulary has 2", nips.display()));
    let none = folder(&[("docword.txt", UCI.as_bytes()), ("ap.dat", LDA_C.as_bytes())]);
    let (message, hint) = complaint(read_file(&none, "docword.txt"));
    let file = none.path().join("docword.txt");
    let expected = "no vocabulary: these counts need one, and no vocab.txt is beside them";
    assert_eq!(message, format!("{}: {expected}", file.display()));
    assert_eq!(hint, "give the file of the vocabulary, one word a line");
    assert_eq!(read_file(&none, "ap.dat").unwrap().corpus.vocabulary(), ["0", "1", "2"]);
}

#[test]
fn a_named_format_wins() {
    let folder = folder(&[("counts.csv", LDA_C.as_bytes()), ("a.txt", b"the act")]);
    let options = ReadOptions { format: Some(CorpusFormat::LdaC), ..ReadOptions::default() };
    assert_eq!(read(folder.path().join("counts.csv"), &options).unwrap().format, CorpusFormat::LdaC);
    let (message, hint) = complaint(read(folder.path(), &options));
    let path = folder.path().display();
    assert_eq!(message, format!("{path}: expected a file in the format lda-c, found a folder"));
    assert_eq!(hint, "give the file in the folder");
    let options = ReadOptions { format: Some(CorpusFormat::Folder), ..ReadOptions::default() };
    let error = super::message(read(folder.path().join("a.txt"), &options));
    assert_eq!(error, format!("{path}/a.txt: expected a folder of .txt files, found a file"));
}

#[test]
fn formats_have_names() {
    for format in CorpusFormat::ALL {
        assert_eq!(format.to_string().parse::<CorpusFormat>().unwrap(), format);
    }
    let error = message("xml".parse::<CorpusFormat>());
    assert_eq!(
        error,
        "no corpus format \"xml\"; there are: folder, jsonl, csv, uci, lda-c, mtx, mallet, mallet-state, stored"
    );
}

#[test]
fn what_is_no_corpus_is_refused() {
    let folder = folder(&[
        ("empty", b""),
        ("plain.txt", b"It was the best of times\nit was the worst of times\n"),
        ("docword.txt", UCI.as_bytes()),
        ("stop.jsonl", b"{\"text\": \"of a\"}\n"),
    ]);
    let path = |file: &str| folder.path().join(file).display().to_string();
    assert_eq!(
        message(read_file(&folder, "empty")),
        format!("{}: empty file: expected a corpus", path("empty"))
    );
    let (plain, hint) = complaint(read_file(&folder, "plain.txt"));
    let expected = "cannot tell the format from the name and the first lines";
    assert_eq!(plain, format!("{}: {expected}", path("plain.txt")));
    assert_eq!(
        hint,
        "name the format (jsonl, csv, uci, lda-c or mtx); plain texts go into a folder, one .txt file each"
    );
    let (counts, hint) = complaint(read(folder.path(), &ReadOptions::default()));
    let here = folder.path().display();
    assert_eq!(counts, format!("{here}: a folder with a docword file: expected texts, found counts"));
    assert_eq!(hint, "give the docword file itself, or say that the format is folder");
    let (none, hint) = complaint(read_file(&folder, "stop.jsonl"));
    let expected = "no words are left of 2 distinct ones: 2 too short";
    assert_eq!(none, format!("{}: {expected}", path("stop.jsonl")));
    assert_eq!(hint, "allow words of fewer than 3 letters");
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let error = read("no/such/file.jsonl", &ReadOptions::default()).unwrap_err();
    assert!(error.is_io() && !error.is_parse());
    assert!(error.to_string().starts_with("no/such/file.jsonl: "), "{error}");
    assert_eq!(error.hint(), Some("check the spelling; a relative path starts at the current folder"));
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read_are_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("docword.txt", UCI.as_bytes())]);
    let file = folder.path().join("docword.txt");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        println!("skipped: this user may read every file");
        return;
    }
    let error = read(Path::new(&file), &ReadOptions::default()).unwrap_err();
    assert!(error.is_io());
    assert_eq!(error.hint(), Some("ask its owner for the permission to read it"));
}

#[test]
fn files_of_mallet_are_read() {
    let state = "#doc source pos typeindex type topic\n#alpha : 0.1 0.1\n#beta : 0.01\n0 a 0 0 war 1\n0 a 1 1 peace 0\n";
    let lines = "a\tnews\twar and peace\n\nb, novel peace\n";
    let folder = folder(&[
        ("state.gz.txt", state.as_bytes()),
        ("lines.txt", lines.as_bytes()),
        ("own.mallet", &[0xac, 0xed, 0, 5]),
        ("short.txt", b"a news\n"),
    ]);
    let found = read_file(&folder, "state.gz.txt").unwrap();
    assert_eq!(
        (found.format, found.corpus.vocabulary()),
        (CorpusFormat::MalletState, &["war", "peace"].map(str::to_owned)[..])
    );
    let named = |file: &str| {
        let mut options =
            ReadOptions { format: Some(CorpusFormat::MalletInstances), ..ReadOptions::default() };
        options.vocabulary.max_document_proportion = 1.0;
        read(folder.path().join(file), &options)
    };
    let found = named("lines.txt").unwrap();
    assert_eq!(found.corpus.names(), ["a", "b"]);
    assert_eq!(found.corpus.vocabulary(), ["and", "peace", "war"]);
    assert_eq!(found.metadata.unwrap().text("label").unwrap(), ["news", "novel"]);
    let (message, hint) = complaint(named("short.txt"));
    assert!(message.ends_with("short.txt:1: expected a name, a label and a text"), "{message}");
    assert_eq!(hint, "each line is a document, as `first news War and peace`");
    let (message, hint) = complaint(read_file(&folder, "own.mallet"));
    assert!(
        message.ends_with("own.mallet: objects of Java, such as MALLET's own lists of instances"),
        "{message}"
    );
    assert!(hint.contains("--output-state"), "{hint}");
}

#[test]
fn a_stored_corpus_is_read_as_a_whole() {
    let folder = folder(&[("docword.txt", UCI.as_bytes()), ("vocab.txt", b"act\nbill\ncourt\n")]);
    let counts = read_file(&folder, "docword.txt").unwrap().corpus;
    StoredCorpus::write(&counts, folder.path().join("all.corpus")).unwrap();
    let found = read_file(&folder, "all.corpus").unwrap();
    assert_eq!((found.format, &found.corpus), (CorpusFormat::Stored, &counts));
    let options = ReadOptions { memory: Some(10), ..ReadOptions::default() };
    assert!(read(folder.path().join("all.corpus"), &options).unwrap_err().is_memory());
}
