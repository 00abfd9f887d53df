//! Splits by document and by token.

use posterior_text::Corpus;
use posterior_text::corpus::{split_documents, split_tokens, tf_idf};
use proptest::prelude::*;

use super::{message, words};

fn corpus(rows: Vec<Vec<(u32, u32)>>) -> Corpus {
    let names = (1..=rows.len()).map(|number| format!("d{number}")).collect();
    Corpus::from_rows(words("a b c"), names, rows).expect("the rows have tokens")
}

fn ten() -> Corpus {
    corpus((0..10).map(|d| vec![(d % 3, d + 1), (2, 3)]).collect())
}

#[test]
fn documents_go_to_one_part_each() {
    for (proportion, size) in [(0.3, 3), (0.25, 3), (0.001, 1), (0.999, 9)] {
        let split = split_documents(&ten(), proportion, 7).unwrap();
        assert_eq!(split.test.documents(), size, "{proportion}");
        let mut all = [split.train_documents.clone(), split.test_documents.clone()].concat();
        assert!(split.train_documents.is_sorted() && split.test_documents.is_sorted());
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<_>>());
        for (part, places) in [(&split.train, &split.train_documents), (&split.test, &split.test_documents)] {
            for (document, &place) in part.iter().zip(places) {
                assert_eq!(document, ten().document(place));
            }
            assert_eq!(part.names()[0], format!("d{}", places[0] + 1));
            assert_eq!(part.vocabulary(), ten().vocabulary());
        }
    }
}

#[test]
fn splits_depend_on_the_seed_only() {
    let test = |seed| split_documents(&ten(), 0.5, seed).unwrap().test_documents;
    assert_eq!(test(1), test(1));
    assert_ne!(test(1), test(2));
    // The first draws are part of the promise: a change is a change of values.
    assert_eq!(test(0), FIRST_TEST_DOCUMENTS);
    let scored = split_tokens(&ten(), 0).unwrap().scored;
    let counts: Vec<u64> = scored.iter().map(|document| document.tokens()).collect();
    assert_eq!(counts, [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    assert_eq!(scored.document(9).counts, FIRST_SCORED_COUNTS);
}

const FIRST_TEST_DOCUMENTS: [usize; 5] = [0, 4, 5, 6, 9];
const FIRST_SCORED_COUNTS: [u32; 2] = [5, 1];

#[test]
fn halves_of_a_document_do_not_depend_on_the_others() {
    let whole = split_tokens(&ten(), 5).unwrap();
    let first = split_tokens(&ten().select(&[0, 1, 2]).unwrap(), 5).unwrap();
    for d in 0..3 {
        assert_eq!(whole.scored.document(d), first.scored.document(d));
    }
}

#[test]
fn every_half_is_equally_likely() {
    // Four tokens a a b c: the six pairs give {aa} 1, {ab} 2, {ac} 2, {bc} 1.
    let rows = vec![vec![(0, 2), (1, 1), (2, 1)]; 60_000];
    let scored = split_tokens(&corpus(rows), 11).unwrap().scored;
    let mut found = [0_u32; 4];
    for document in scored.iter() {
        let kind = match document.words {
            [0] => 0,
            [0, 1] => 1,
            [0, 2] => 2,
            _ => 3,
        };
        found[kind] += 1;
    }
    let chi_square: f64 = found
        .iter()
        .zip([10_000.0, 20_000.0, 20_000.0, 10_000.0])
        .map(|(&found, expected): (_, f64)| (f64::from(found) - expected).powi(2) / expected)
        .sum();
    // The 0.999 quantile of chi-square with three degrees of freedom; the seed is fixed.
    assert!(chi_square < 16.27, "{found:?}: {chi_square}");
}

#[test]
fn what_cannot_be_split_is_refused() {
    for proportion in [0.0, 1.0, -0.1, f64::NAN] {
        assert!(split_documents(&ten(), proportion, 0).unwrap_err().is_parameter());
    }
    let one = corpus(vec![vec![(0, 1)]]);
    assert_eq!(message(split_documents(&one, 0.5, 0)), "1 documents cannot be split in two");
    assert_eq!(message(split_tokens(&one, 0)), "no document has two words: none can be split into halves");
    let lopsided = corpus(vec![vec![(0, 1)], vec![]]);
    let error = message(split_documents(&lopsided, 0.5, 0));
    assert!(error.ends_with("documents: no document has a word of the vocabulary"), "{error}");
}

#[test]
fn selections_and_names_are_checked() {
    let corpus = ten();
    assert_eq!(corpus.select(&[4, 0]).unwrap().names(), ["d5", "d1"]);
    assert_eq!(message(corpus.select(&[10])), "document 10 of 10, counted from 0");
    assert_eq!(message(corpus.with_names(vec![])), "names of documents: expected 10, found 0");
}

#[test]
fn other_vocabularies_take_the_words_that_they_have() {
    let corpus = corpus(vec![vec![(0, 2), (1, 1)], vec![(1, 4)]]);
    let (translated, unknown) = corpus.in_vocabulary(words("z c a")).unwrap();
    assert_eq!((translated.document(0).words, translated.document(0).counts), (&[2][..], &[2][..]));
    assert_eq!((translated.empty_documents(), unknown.tokens, unknown.words), (vec![1], 5, 1));
    let (same, unknown) = corpus.in_vocabulary(words("a b c")).unwrap();
    assert_eq!((same, unknown.tokens, unknown.words), (corpus.clone(), 0, 0));
    let error = corpus.in_vocabulary(words("x y")).unwrap_err();
    assert_eq!(error.to_string(), "no document has a word of the vocabulary");
    assert_eq!(error.hint(), Some("are the texts in the language of the vocabulary?"));
}

#[test]
fn rare_words_weigh_more() {
    let weights = tf_idf(&corpus(vec![vec![(0, 2), (1, 1)], vec![(0, 1)], vec![(0, 5)], vec![]]));
    let (common, rare) = ((4.0_f64 / 3.0).ln(), 4.0_f64.ln());
    assert_eq!(weights[0], [(0, 2.0 * common), (1, rare)]);
    assert_eq!(weights[3], []);
}

proptest! {
    #[test]
    fn halves_add_up_to_the_document(
        rows in proptest::collection::vec(proptest::collection::vec((0..3_u32, 1..9_u32), 0..4), 1..5),
        seed: u64,
    ) {
        let names = (0..rows.len()).map(|d| d.to_string()).collect();
        let Ok(corpus) = Corpus::from_rows(words("a b c"), names, rows) else { return Ok(()) };
        let Ok(split) = split_tokens(&corpus, seed) else { return Ok(()) };
        for d in 0..corpus.documents() {
            let (observed, scored) = (split.observed.document(d), split.scored.document(d));
            prop_assert_eq!(scored.tokens(), corpus.document(d).tokens() / 2);
            let both = observed.words.iter().zip(observed.counts).chain(scored.words.iter().zip(scored.counts));
            let mut sums = [0; 3];
            for (&word, &count) in both {
                sums[word as usize] += count;
            }
            let whole = corpus.document(d);
            for (&word, &count) in whole.words.iter().zip(whole.counts) {
                prop_assert_eq!(sums[word as usize], count);
                sums[word as usize] = 0;
            }
            prop_assert_eq!(sums, [0; 3]);
        }
    }
}
