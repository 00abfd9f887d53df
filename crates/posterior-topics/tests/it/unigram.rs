//! The unigram model: worked numbers and limits.

use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_topics::corpus::Document;
use posterior_topics::unigram::Unigram;
use posterior_topics::{Corpus, TopicModel};

fn slogan(words: &[&str]) -> Corpus {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    Corpus::from_rows(words, vec!["slogan".to_owned()], vec![vec![(0, 1), (1, 1), (2, 1), (3, 1)]]).unwrap()
}

fn probability(corpus: &Corpus, added: f64, words: &[u32]) -> f64 {
    let counts = vec![1; words.len()];
    let document = Document { words, counts: &counts };
    Unigram::fit(corpus, added).unwrap().model.ln_predictive(corpus.document(0), document).exp()
}

#[test]
fn graphical_models_are_fun() {
    let five = slogan(&["graphical", "models", "are", "fun", "hard"]);
    assert_all_close(
        Unigram::fit(&five, 0.0).unwrap().model.topics().topic_word().as_slice(),
        &[0.25, 0.25, 0.25, 0.25, 0.0],
        1e-15,
    );
    assert_eq!(probability(&five, 0.0, &[0, 1, 2, 4]), 0.0);
    assert_close(probability(&five, 1.0, &[0, 1, 2, 4]), 8.0 / 6561.0, 1e-14);
    // With an end token, which is seen once.
    let words = ["graphical", "models", "are", "fun", "hard", "</s>"].map(str::to_owned).to_vec();
    let row = vec![(0, 1), (1, 1), (2, 1), (3, 1), (5, 1)];
    let six = Corpus::from_rows(words, vec!["slogan".to_owned()], vec![row]).unwrap();
    assert_close(probability(&six, 1.0, &[0, 1, 2, 4, 5]), 16.0 / 161_051.0, 1e-14);
}

#[test]
fn the_evidence_is_the_product_of_predictions() {
    let corpus = slogan(&["graphical", "models", "are", "fun", "hard"]);
    for added in [0.5, 1.0, 3.0] {
        let product: f64 = (0..4).map(|n| (added / (f64::from(n) + 5.0 * added)).ln()).sum();
        let model = Unigram::fit(&corpus, added).unwrap().model;
        assert_close(model.ln_evidence().unwrap(), product, 1e-14);
    }
    assert_eq!(Unigram::fit(&corpus, 0.0).unwrap().model.ln_evidence(), None);
}

#[test]
fn the_report_is_the_likelihood_and_extremes_have_their_limits() {
    let corpus = slogan(&["graphical", "models", "are", "fun", "hard"]);
    let fitted = Unigram::fit(&corpus, 0.0).unwrap();
    assert_close(fitted.report.trace[0], 4.0 * 0.25_f64.ln(), 1e-15);
    assert_eq!(fitted.doc_topic.as_slice(), [1.0]);
    for added in [1e300, f64::MAX] {
        let uniform = Unigram::fit(&corpus, added).unwrap();
        assert_all_close(uniform.model.topics().topic_word().as_slice(), &[0.2; 5], 1e-14);
    }
    for bad in [-1e-9, f64::NAN, f64::INFINITY] {
        assert!(Unigram::fit(&corpus, bad).is_err_and(|error| error.is_parameter()));
    }
}
