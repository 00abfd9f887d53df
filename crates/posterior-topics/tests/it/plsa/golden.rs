//! Three documents of three words, two topics.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close};
use posterior_topics::plsa::{self, PlsaOptions, Symmetric};
use posterior_topics::{Corpus, TopicModel};

use super::{corpus, fit};

fn counts() -> Corpus {
    corpus(&[vec![4, 2, 0], vec![3, 3, 1], vec![0, 1, 5]])
}

fn start() -> Symmetric {
    Symmetric::new(
        vec![0.5, 0.5],
        DMatrix::from_row_slice(2, 3, &[0.4, 0.4, 0.2, 0.2, 0.3, 0.5]),
        DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6]),
    )
    .unwrap()
}

#[test]
fn the_first_steps() {
    let options = PlsaOptions { tolerance: 0.0, ..PlsaOptions::default() };
    for (steps, weights) in [(0, [0.5, 0.5]), (1, [0.550618369045, 0.449381630955])] {
        let options = PlsaOptions { max_iterations: steps, ..options };
        let fitted = plsa::fit_from(&counts(), &start().asymmetric(), &options, &mut Silent).unwrap();
        // The numbers have 12 decimals.
        assert_all_close(fitted.symmetric().topic(), &weights, 1e-12);
    }
    let options = PlsaOptions { max_iterations: 2, ..options };
    let fitted = plsa::fit_from(&counts(), &start().asymmetric(), &options, &mut Silent).unwrap();
    assert_all_close(&fitted.report.trace, &[-39.503448938585, -36.899352361610, -35.399286381803], 1e-12);
}

#[test]
fn the_limit_has_zeros_and_no_nan() {
    let options = PlsaOptions { tolerance: 0.0, max_iterations: 20_000, ..PlsaOptions::default() };
    let fitted = plsa::fit_from(&counts(), &start().asymmetric(), &options, &mut Silent).unwrap();
    assert_close(*fitted.report.trace.last().unwrap(), -34.506306845667, 1e-12);
    assert!(fitted.report.falls.is_empty());
    assert_all_close(fitted.symmetric().topic(), &[0.618014140138, 0.381985859862], 1e-9);
    let smallest = fitted.model.topics().topic_word().min().min(fitted.doc_topic.min());
    assert!((0.0..1e-30).contains(&smallest), "{smallest}");
}

#[test]
fn one_topic_is_independence_and_three_reproduce_the_counts() {
    let options = PlsaOptions { topics: 1, ..PlsaOptions::default() };
    let fitted = fit(&counts(), &options);
    assert_close(*fitted.report.trace.last().unwrap(), -41.643711860078, 1e-12);
    for topics in [3, 5] {
        let options =
            PlsaOptions { topics, tolerance: 0.0, max_iterations: 20_000, ..PlsaOptions::default() };
        let fitted = fit(&counts(), &options);
        assert_close(*fitted.report.trace.last().unwrap(), -34.374005504384, 1e-9);
    }
}
