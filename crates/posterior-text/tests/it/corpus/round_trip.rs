//! Every corpus that is written is the corpus that is read.

use std::io::Cursor;

use posterior_text::Corpus;
use posterior_text::corpus::{
    Metadata, Source, StopWords, read_csv_texts, read_json_lines, read_lda_c, read_uci, read_vocabulary,
    write_lda_c, write_uci, write_vocabulary,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::source;

const WORDS: u32 = 12;

/// Corpora of a few documents, some of them empty, with every size of count; documents are numbered.
fn corpora() -> impl Strategy<Value = Corpus> {
    let count = prop_oneof![1..4u32, Just(u32::MAX / 16)];
    vec(vec((0..WORDS, count), 0..8), 1..6).prop_filter_map("no token", |rows| {
        let vocabulary = (0..WORDS).map(|word| format!("wört{word}")).collect();
        let names = (1..=rows.len()).map(|number| number.to_string()).collect();
        Corpus::from_rows(vocabulary, names, rows).ok()
    })
}

fn written(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("memory takes everything");
    bytes
}

proptest! {
    #[test]
    fn uci(corpus in corpora()) {
        let words = written(|out| write_vocabulary(&corpus, out));
        let words = read_vocabulary(source("vocab.txt", words)).unwrap();
        let counts = written(|out| write_uci(&corpus, out));
        prop_assert_eq!(read_uci(source("docword.txt", counts), words).unwrap(), corpus);
    }

    #[test]
    fn lda_c(corpus in corpora()) {
        let counts = written(|out| write_lda_c(&corpus, out));
        let words = corpus.vocabulary().to_vec();
        prop_assert_eq!(read_lda_c(source("c.dat", counts), Some(words)).unwrap(), corpus);
    }

    #[test]
    fn no_bytes_at_all_panic(bytes in vec(any::<u8>(), 0..200)) {
        let any = || Source::from_reader(Cursor::new(bytes.clone()), "x");
        let words = vec!["a".to_owned(), "b".to_owned()];
        let _ = any().map(|source| read_uci(source, words.clone()));
        let _ = any().map(|source| read_lda_c(source, Some(words)));
        let _ = any().map(|source| read_lda_c(source, None));
        let _ = any().map(read_vocabulary);
        let _ = any().map(StopWords::read);
        let _ = any().map(Metadata::read_csv);
        let _ = any().map(|source| read_json_lines(source, "text", None));
    }

    #[test]
    fn no_numbers_at_all_panic(text in "[0-9:\\- \n]{0,60}") {
        let words = vec!["a".to_owned(), "b".to_owned()];
        let _ = read_uci(source("x", format!("3\n2\n4\n{text}")), words.clone());
        let _ = read_lda_c(source("x", &text), Some(words));
        let _ = read_lda_c(source("x", &text), None);
    }

    #[test]
    fn no_tables_at_all_panic(text in "[a,\"\n\r{}:]{0,60}") {
        let _ = read_csv_texts(source("x", format!("a,text\n{text}")), "text", Some("a"));
        let _ = read_json_lines(source("x", format!("{{\"text\":\"a\",\"b\":{text}}}")), "text", Some("b"));
    }
}
