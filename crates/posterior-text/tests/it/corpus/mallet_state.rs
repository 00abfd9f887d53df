//! MALLET's state of a sampler: round trips, MALLET's own order of tokens, and what is refused.

use posterior_text::Corpus;
use posterior_text::corpus::{read_mallet_state, write_mallet_state};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{message, source, words};

fn corpus() -> Corpus {
    let names = vec!["first".to_owned(), "a speech".to_owned(), String::new()];
    Corpus::from_rows(words("land peace war"), names, vec![vec![(0, 2), (2, 1)], vec![], vec![(1, 1)]])
        .unwrap()
}

#[test]
fn the_text_is_that_of_mallet() {
    let mut bytes = Vec::new();
    write_mallet_state(&corpus(), [1, 0, 1, 1], &[0.5, 0.25], 0.01, &mut bytes).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text).unwrap();
    assert_eq!(
        text,
        "#doc source pos typeindex type topic\n#alpha : 0.5 0.25\n#beta : 0.01\n\
         0 first 0 0 land 1\n0 first 1 0 land 0\n0 first 2 2 war 1\n2 NA 0 1 peace 1\n"
    );
}

/// MALLET numbers words as it meets them and writes tokens as they stand in the text.
#[test]
fn tokens_in_the_order_of_the_text() {
    let text = "#doc source pos typeindex type topic\n#alpha : 5.0 5.0 \n#beta : 0.01\n\
                0 NA 0 0 war 1\n0 NA 1 1 and 0\n0 NA 2 0 war 0\n1 NA 0 3 land 1\n";
    let state = read_mallet_state(source("state", text)).unwrap();
    // Word 2 has no token left: it is called by its number.
    assert_eq!(state.corpus.vocabulary(), words("war and 2 land"));
    assert_eq!(state.corpus.document(0).counts, [2, 1]);
    assert_eq!(state.topics, [1, 0, 0, 1]);
    assert_eq!((state.alpha, state.beta), (vec![5.0, 5.0], 0.01));
}

#[test]
fn what_does_not_fit_is_refused() {
    let write = |topics: &[u32], corpus: &Corpus| {
        let written = write_mallet_state(corpus, topics.iter().copied(), &[1.0], 1.0, &mut Vec::new());
        written.unwrap_err().to_string()
    };
    assert_eq!(write(&[0, 0, 0], &corpus()), "fewer topics than the 4 tokens");
    assert_eq!(write(&[0; 5], &corpus()), "more topics than the 4 tokens");
    let blank = Corpus::from_rows(vec!["new york".to_owned()], words("d"), vec![vec![(0, 1)]]).unwrap();
    assert!(write(&[0], &blank).contains("\"new york\""));

    let read = |rest: &str| {
        message(read_mallet_state(source("state", format!("#doc\n#alpha : 1 1\n#beta : 0.1\n{rest}"))))
    };
    assert!(read("0 NA 0 0 war 2\n").contains("topic 2 of 2"));
    assert!(read("0 NA 0 0 war\n").contains("expected `doc source pos"));
    assert!(read("1 NA 0 0 war 0\n").contains("they come in order"));
    assert!(read("0 NA 0 0 war 0\n1 NA 0 0 war 0\n0 NA 0 0 war 0\n").contains("they come in order"));
    assert!(
        read("0 NA 0 0 war 0\n0 NA 1 0 peace 0\n").contains("typeindex 0 is \"peace\" here and was \"war\"")
    );
    assert!(read("0 NA 0 4294967295 war 0\n").contains("typeindex"));
    assert!(read("").contains("vocabulary is empty"));
    for header in [
        "",
        "#doc\n",
        "#doc\n#alpha : 1\n",
        "#doc\n#alpha : -1\n#beta : 1\n",
        "#doc\n#alpha : 1\n#beta : 1 1\n",
    ] {
        assert!(read_mallet_state(source("state", header)).is_err());
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows in vec(vec((0..5_u32, 1..4_u32), 1..6), 1..5), seed in any::<u32>()) {
        let names: Vec<String> = (0..rows.len()).map(|number| format!("d{number}")).collect();
        let mut rows = rows;
        // The last word is there, so that the size of the vocabulary is seen.
        rows[0].push((5, 1));
        let vocabulary: Vec<String> = (0..6).map(|word: u32| word.to_string()).collect();
        let corpus = Corpus::from_rows(vocabulary, names, rows).unwrap();
        let topics: Vec<u32> = (0..corpus.tokens() as u32).map(|i| i.wrapping_mul(seed) >> 7 & 1).collect();
        let mut bytes = Vec::new();
        write_mallet_state(&corpus, topics.iter().copied(), &[0.1, 1e-300], 0.25, &mut bytes).unwrap();
        let state = read_mallet_state(source("state.gz", bytes)).unwrap();
        // A word of the middle without a token keeps its number as its name.
        prop_assert_eq!(state.corpus, corpus);
        prop_assert_eq!((state.topics, state.alpha, state.beta), (topics, vec![0.1, 1e-300], 0.25));
    }

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..120)) {
        let _ = read_mallet_state(source("s", &bytes));
        let _ = read_mallet_state(source("s", [b"#alpha : 1 2\n#beta : 1\n".as_slice(), &bytes].concat()));
    }
}
