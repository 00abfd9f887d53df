//! Tests of the E step.

use super::*;

/// Two documents, three words, two topics: ln p(W) = -7.579509060188357 by enumeration of all 64 assignments;
/// the bound of mean-field variational Bayes has the limit -9.315164439101506.
fn toy() -> (Corpus, State) {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = ["1", "2"].map(str::to_owned).to_vec();
    let corpus = Corpus::from_rows(words, names, vec![vec![(0, 2), (1, 1)], vec![(1, 1), (2, 2)]]);
    let corpus = corpus.expect("a corpus");
    let doc_topic = DMatrix::from_row_slice(2, 2, &[0.9, 0.1, 0.1, 0.9]);
    let word_topic = vec![1.8, 0.2, 1.0, 1.0, 0.2, 1.8];
    let state = State::new(&corpus, word_topic, &doc_topic, &[0.5, 0.5], 0.5);
    (corpus, state)
}

#[test]
fn the_bound_of_the_toy() {
    let (corpus, mut state) = toy();
    let alpha = DMatrix::from_element(2, 2, 0.5);
    let mut last = f64::NEG_INFINITY;
    for _ in 0..200 {
        let bound = state.update(&corpus, &alpha, &[0, 1]);
        assert!(bound >= last - 1e-12);
        last = bound;
    }
    // Fixed points of documents end at a change of 10^-3: the topics bring the rest.
    assert!((last + 9.315_164_439_101_506).abs() < 1e-9, "{last}");
    assert!((state.gamma[0] - 3.429_388_337_731).abs() < 1e-5);
    assert!((state.word_topic[0] + 0.5 - 2.490_525_471_658).abs() < 1e-5);
}

#[test]
fn places_share_their_concentrations() {
    let (corpus, mut state) = toy();
    let mut same = state.clone();
    let each = DMatrix::from_row_slice(2, 2, &[0.7, 0.2, 0.7, 0.2]);
    let shared = DMatrix::from_row_slice(1, 2, &[0.7, 0.2]);
    let (a, b) = (state.update(&corpus, &each, &[0, 1]), same.update(&corpus, &shared, &[0, 0]));
    assert_eq!((a, &state.gamma, &state.word_topic), (b, &same.gamma, &same.word_topic));
}
