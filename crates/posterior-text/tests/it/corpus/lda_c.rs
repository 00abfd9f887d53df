//! The LDA-C format.

use posterior_text::corpus::{Document, read_lda_c, write_lda_c};
use posterior_text::{Corpus, Error};

use super::{complaint, gzip, message, source, words};

fn read(counts: impl AsRef<[u8]>) -> Result<Corpus, Error> {
    read_lda_c(source("c.dat", counts), Some(words("peace war")))
}

#[test]
fn documents_are_lines_and_words_count_from_zero() {
    let corpus = read("2 1:4 0:1\n0\n1 1:2\n\n").unwrap();
    assert_eq!((corpus.documents(), corpus.tokens()), (3, 7));
    assert_eq!(corpus.document(0), Document { words: &[0, 1], counts: &[1, 4] });
    assert_eq!(corpus.empty_documents(), [1]);
    for same in ["2 1:4 0:1\r\n0\r\n1 1:2\r\n", "\u{feff}2  1:4\t0:1\n0\n1 1:2"] {
        assert_eq!(read(same).unwrap(), corpus);
        assert_eq!(read(gzip(same)).unwrap(), corpus);
    }
}

#[test]
fn without_a_vocabulary_words_are_numbers() {
    let corpus = read_lda_c(source("c", "1 2:5\n"), None).unwrap();
    assert_eq!(corpus.vocabulary(), ["0", "1", "2"]);
    let (message, hint) = complaint(read_lda_c(source("c", "1 4294967295:5\n"), None));
    assert_eq!(message, "c: the largest word is 4294967295, but there are only 1 entries");
    assert_eq!(hint, "give the vocabulary");
}

#[test]
fn lines_that_are_not_documents_are_refused() {
    for (line, expected) in [
        ("x 0:1", "expected the number of distinct words, a whole number, found \"x\""),
        ("-1 0:1", "the number of distinct words -1 is negative: expected a whole number from 0 up"),
        ("1 0", "expected `word:count`, found \"0\""),
        ("1 0:1.5", "expected the count, a whole number, found \"1.5\""),
        ("1 a:1", "expected the word, a whole number, found \"a\""),
        ("1 0:-1", "the count -1 is negative: expected a whole number from 0 up"),
        ("1 0:99999999999", "the count 99999999999 is above 4294967295, the largest that is read"),
        ("3 0:1 1:1", "3 distinct words announced, 2 found"),
        ("1 0:1 1:1", "1 distinct words announced, 2 found"),
        ("1 2:1", "word 2 in a vocabulary of 2"),
        ("\n1 0:1", "expected a document (`0` for an empty one), found a blank line"),
    ] {
        assert_eq!(message(read(format!("1 0:1\n{line}\n"))), format!("c.dat:2: {expected}"));
    }
    let (_, hint) = complaint(read("1 2:1\n"));
    assert_eq!(hint, "LDA-C counts words from 0; the UCI format counts from 1");
    assert_eq!(message(read("")), "c.dat: empty file: expected LDA-C counts, a document a line");
    assert_eq!(message(read("0\n")), "c.dat: no document has a word of the vocabulary");
    assert_eq!(message(read(b"1 0:1\n1 \xe9\n")), "c.dat:2: not UTF-8 text: byte 0xe9 at offset 8");
}

#[test]
fn what_is_written_is_read_again() {
    let text = "2 0:1 1:4\n0\n1 1:2\n";
    let mut bytes = Vec::new();
    write_lda_c(&read(text).unwrap(), &mut bytes).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), text);
}
