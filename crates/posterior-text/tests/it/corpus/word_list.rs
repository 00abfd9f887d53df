//! Vocabulary files.

use posterior_text::corpus::read_vocabulary;

use super::{message, source};

#[test]
fn one_word_a_line() {
    assert_eq!(read_vocabulary(source("v", "\u{feff}war \nnaïve\n\n")).unwrap(), ["war", "naïve"]);
}

#[test]
fn files_that_are_not_vocabularies_are_refused() {
    let message = |text| message(read_vocabulary(source("v.txt", text)));
    assert_eq!(message(""), "v.txt: empty file: expected a vocabulary, one word a line");
    assert_eq!(message("\n"), "v.txt: empty file: expected a vocabulary, one word a line");
    assert_eq!(message("a\n\nb\n"), "v.txt:2: expected a word, found a blank line");
    assert_eq!(message("a\nb\nc\nb\na\n"), "v.txt:4: the word \"b\" is in line 2 already");
}
