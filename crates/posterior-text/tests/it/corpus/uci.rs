//! The UCI bag of words.

use posterior_text::corpus::{Document, read_uci, read_vocabulary, write_uci};
use posterior_text::{Corpus, Error};

use super::{complaint, gzip, message, source, words};

fn read(docword: &str) -> Result<Corpus, Error> {
    read_uci(source("d.txt", docword), words("peace war"))
}

#[test]
fn counts_are_read_in_any_order_and_empty_documents_kept() {
    let corpus = read("3\n2\n4\n3 2 5\n1 2 1\n1 1 7\n3 2 1\n").unwrap();
    assert_eq!((corpus.documents(), corpus.tokens(), corpus.entries()), (3, 14, 3));
    assert_eq!(corpus.document(0), Document { words: &[0, 1], counts: &[7, 1] });
    assert_eq!(corpus.document(2), Document { words: &[1], counts: &[6] });
    assert_eq!(corpus.empty_documents(), [1]);
    assert_eq!(corpus.names(), ["1", "2", "3"]);
}

#[test]
fn windows_line_ends_marks_blanks_and_gzip_are_accepted() {
    let plain = "3\n2\n1\n1 2 4\n";
    let expected = read(plain).unwrap();
    for same in ["3\r\n2\r\n1\r\n1 2 4\r\n", "\u{feff}3\n2\n1\n1 2 4", "3 \n2\n1\n\n 1\t2  4\n\n\n"] {
        assert_eq!(read(same).unwrap(), expected, "{same:?}");
    }
    let mut two_members = gzip("3\n2\n");
    two_members.extend(gzip("1\n1 2 4\n"));
    for packed in [gzip(plain), two_members] {
        assert_eq!(read_uci(source("d.gz", packed), words("peace war")).unwrap(), expected);
    }
}

#[test]
fn a_header_that_is_not_one_is_refused() {
    let hint = "a UCI bag of words starts with three lines: documents, words, entries".to_owned();
    for (docword, expected) in [
        ("", "d.txt: empty file: expected a UCI bag of words"),
        ("\n\n", "d.txt:2: the file ends before the number of documents"),
        ("3\n2\n", "d.txt:2: the file ends before the number of entries"),
        ("1 1 3\n", "d.txt:1: expected the number of documents, a whole number, found \"1 1 3\""),
        ("-1\n2\n", "d.txt:1: the number of documents -1 is negative: expected a whole number from 0 up"),
        ("1\n2\n1.5\n", "d.txt:3: expected the number of entries, a whole number, found \"1.5\""),
    ] {
        assert_eq!(complaint(read(docword)), (expected.to_owned(), hint.clone()), "{docword:?}");
    }
}

#[test]
fn a_vocabulary_of_another_length_is_refused() {
    let (message, hint) = complaint(read("1\n3\n1\n1 1 1\n"));
    assert_eq!(message, "d.txt:2: 3 words announced, but the vocabulary has 2");
    assert_eq!(hint, "give the vocabulary that belongs to these counts");
}

#[test]
fn entries_that_are_not_counts_are_refused() {
    for (entry, expected) in [
        ("1 1", "expected three numbers `document word count`, found \"1 1\""),
        ("1 1 1 1", "expected three numbers `document word count`, found \"1 1 1 1\""),
        ("1 1 x", "expected the count, a whole number, found \"x\""),
        ("1 1 2.0", "expected the count, a whole number, found \"2.0\""),
        ("1 1 -2", "the count -2 is negative: expected a whole number from 0 up"),
        ("1 1 4294967296", "the count 4294967296 is above 4294967295, the largest that is read"),
        ("0 1 1", "document 0: numbers start at 1"),
        ("1 0 1", "word 0: numbers start at 1"),
        ("3 1 1", "document 3, but the header announces 2"),
        ("1 3 1", "word 3, but the header announces 2"),
        ("\u{3bb} 1 1", "expected the document, a whole number, found \"\u{3bb}\""),
    ] {
        let error = read(&format!("2\n2\n2\n1 1 1\n{entry}\n")).unwrap_err();
        assert_eq!(error.to_string(), format!("d.txt:5: {expected}"));
        assert!(error.is_parse() && !error.is_io() && error.line() == Some(5));
    }
    let (_, hint) = complaint(read("2\n2\n1\n1 0 1\n"));
    assert_eq!(hint, "the UCI format counts from 1 (LDA-C counts from 0)");
}

#[test]
fn a_wrong_number_of_entries_is_refused() {
    let (few, hint) = complaint(read("2\n2\n3\n1 1 1\n2 1 1\n"));
    assert_eq!(few, "d.txt:5: the file ends after 2 of the 3 entries announced");
    assert_eq!(hint, "it may be cut off: copy or download it again");
    let many = message(read("2\n2\n1\n1 1 1\n2 1 1\n"));
    assert_eq!(many, "d.txt:5: one entry more than the 1 announced");
}

#[test]
fn headers_do_not_take_memory_that_the_entries_do_not_need() {
    let error = message(read("4294967295\n2\n1\n1 1 1\n"));
    assert_eq!(error, "d.txt:1: 4294967295 documents announced, but only 1 entries follow");
    let error = message(read("1\n2\n4294967295\n1 1 1\n"));
    assert_eq!(error, "d.txt:4: the file ends after 1 of the 4294967295 entries announced");
}

#[test]
fn no_words_and_overflowing_sums_are_refused_with_the_file() {
    let error = read("1\n2\n0\n").unwrap_err();
    assert!(error.is_corpus());
    assert_eq!(error.to_string(), "d.txt: no document has a word of the vocabulary");
    let error = message(read("1\n2\n2\n1 1 4294967295\n1 1 1\n"));
    assert_eq!(error, "d.txt: document 1: the count of \"peace\" exceeds 4294967295");
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_place() {
    let (message, hint) = complaint(read_uci(source("d.txt", b"1\n2\n1\n1 \xe9 1\n"), words("a b")));
    assert_eq!(message, "d.txt:4: not UTF-8 text: byte 0xe9 at offset 8");
    assert_eq!(hint, "save it as UTF-8, for instance by `iconv -f LATIN1 -t UTF-8`");
    let (message, hint) = complaint(read_uci(source("d.txt", b"\xff\xfe1\0\n\0"), words("a b")));
    assert_eq!(message, "d.txt:1: not UTF-8 text: byte 0xff at offset 0");
    assert_eq!(hint, "it looks like UTF-16: save it as UTF-8");
}

#[test]
fn damaged_gzip_is_named() {
    let packed = gzip("1\n2\n1\n1 1 1\n");
    let cut = read_uci(source("d.gz", &packed[..packed.len() - 9]), words("a b"));
    let error = cut.unwrap_err();
    assert!(error.is_io());
    assert_eq!(error.to_string(), "d.gz: the gzip data end early: the file is cut off");
    let mut damaged = packed.clone();
    let last = damaged.len() - 5;
    damaged[last] ^= 1;
    let error = message(read_uci(source("d.gz", damaged), words("a b")));
    assert!(error.starts_with("d.gz: the gzip data are damaged"), "{error}");
}

#[test]
fn what_is_written_is_read_again() {
    let corpus = read("3\n2\n3\n1 1 7\n1 2 1\n3 2 5\n").unwrap();
    let mut bytes = Vec::new();
    write_uci(&corpus, &mut bytes).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), "3\n2\n3\n1 1 7\n1 2 1\n3 2 5\n");
}

#[test]
fn vocabularies_are_read_beside() {
    let vocabulary = read_vocabulary(source("v.txt", "peace\r\nwar\r\n")).unwrap();
    assert_eq!(vocabulary, words("peace war"));
}
