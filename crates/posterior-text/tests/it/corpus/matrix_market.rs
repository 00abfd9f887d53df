//! MatrixMarket: what is read, and what is refused.

use posterior_text::corpus::{ReadOptions, read, read_matrix_market, write_matrix_market};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{complaint, message, source, words};

const BANNER: &str = "%%MatrixMarket matrix coordinate integer general\n";

#[test]
fn counts_with_comments_in_any_order() {
    let text = format!("{BANNER}% made by hand\n\n3 2 4\n3 1 5\n1 2 1\n1 2 2\n1 1 0\n");
    let corpus = read_matrix_market(source("m.mtx", &text), Some(words("war peace"))).unwrap();
    assert_eq!((corpus.documents(), corpus.tokens()), (3, 8));
    assert_eq!((corpus.document(0).words, corpus.document(0).counts), (&[1][..], &[3][..]));
    assert_eq!(corpus.empty_documents(), [1]);
    let numbered = read_matrix_market(source("m.mtx", &text), None).unwrap();
    assert_eq!(numbered.vocabulary(), words("1 2"));
    let real = text.replace("integer", "real").replace("3 1 5", "3 1 5.0e0");
    assert_eq!(read_matrix_market(source("m.mtx", real), Some(words("war peace"))).unwrap(), corpus);
}

#[test]
fn a_file_is_known_by_its_name_and_by_its_first_line() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["counts.mtx", "counts.txt"] {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("{BANNER}1 2 1\n1 2 1\n")).unwrap();
        let found = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!((found.format.name(), found.corpus.tokens()), ("mtx", 1));
    }
}

#[test]
fn what_is_wrong_is_named() {
    let fault = |text: &str| message(read_matrix_market(source("m.mtx", text), Some(words("a b"))));
    let with = |rest: &str| fault(&format!("{BANNER}{rest}"));
    assert_eq!(fault(""), "m.mtx: empty file: expected a MatrixMarket matrix");
    assert!(fault("1 2 3\n").starts_with("m.mtx:1: expected a MatrixMarket banner"));
    assert!(
        fault("%%MatrixMarket matrix array real general\n").contains("general integer or real coordinates")
    );
    assert!(fault("%%MatrixMarket matrix coordinate real symmetric\n").contains("general integer or real"));
    assert!(with("% only comments\n").contains("before the line of sizes"));
    assert!(with("1 2\n").contains("expected three numbers `documents words entries`"));
    assert!(with("1 2 1\n1 3 1\n").contains("word 3, but 2 are announced"));
    assert!(with("1 2 1\n2 1 1\n").contains("document 2, but 1 are announced"));
    assert!(with("1 2 1\n0 1 1\n").contains("numbers start at 1"));
    assert!(with("1 2 1\n1 1\n").contains("expected three numbers"));
    assert!(with("1 2 1\n1 1 -1\n").contains("negative"));
    assert!(with("1 2 1\n1 1 1\n1 2 1\n").contains("one entry more than the 1 announced"));
    assert!(with("1 2 2\n1 1 1\n").contains("the file ends after 1 of the 2 entries"));
    assert!(with("4000000000 2 1\n1 1 1\n").contains("only 1 entries follow"));
    let (text, hint) =
        complaint(read_matrix_market(source("m.mtx", format!("{BANNER}1 3 1\n1 1 1\n")), Some(words("a b"))));
    assert!(text.contains("3 columns announced, but the vocabulary has 2") && hint.contains("transpose"));
    let real = "%%MatrixMarket matrix coordinate real general\n1 2 1\n1 1 ";
    for value in ["0.5", "-1", "nan", "inf", "1e300", "x"] {
        assert!(fault(&format!("{real}{value}\n")).contains("a whole number from 0 up"), "{value}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in vec(vec((0..9_u32, 1..5_u32), 0..6), 1..6)) {
        let names = (1..=rows.len()).map(|number| number.to_string()).collect();
        let vocabulary: Vec<String> = (0..9).map(|word| format!("w{word}")).collect();
        prop_assume!(rows.iter().any(|row| !row.is_empty()));
        let corpus = posterior_text::Corpus::from_rows(vocabulary.clone(), names, rows).unwrap();
        let mut bytes = Vec::new();
        write_matrix_market(&corpus, &mut bytes).unwrap();
        prop_assert_eq!(read_matrix_market(source("m.mtx", bytes), Some(vocabulary)).unwrap(), corpus);
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..120)) {
        let _ = read_matrix_market(source("m.mtx", &bytes), None);
        let _ = read_matrix_market(source("m.mtx", [BANNER.as_bytes(), &bytes].concat()), None);
    }
}
