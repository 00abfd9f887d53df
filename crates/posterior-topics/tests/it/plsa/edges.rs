//! Empty documents, words that no document has, counts of any size, misuse.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_all_close;
use posterior_topics::TopicModel;
use posterior_topics::corpus::Document;
use posterior_topics::plsa::{self, Parameters, PlsaOptions, Symmetric, Tempering};

use super::{corpus, fit};

#[test]
fn empty_documents_have_the_proportions_of_the_topics() {
    let corpus = corpus(&[vec![5, 1, 0], vec![0, 0, 0], vec![0, 1, 3]]);
    let fitted = fit(&corpus, &PlsaOptions { topics: 2, ..PlsaOptions::default() });
    let row: Vec<f64> = fitted.doc_topic.row(1).iter().copied().collect();
    assert_eq!(row, fitted.model.topics().weights());
    let empty = Document { words: &[], counts: &[] };
    assert_eq!(fitted.model.proportions(empty), row);
    let prior = fit(&corpus, &PlsaOptions { topics: 2, topic_prior: 1.5, ..PlsaOptions::default() });
    assert_all_close(&prior.model.proportions(empty), &[0.5, 0.5], 1e-15);
    assert_all_close(&prior.doc_topic.row(1).iter().copied().collect::<Vec<f64>>(), &[0.5, 0.5], 1e-15);
}

#[test]
fn an_unseen_word_is_impossible_without_a_prior() {
    let corpus = corpus(&[vec![5, 1, 0], vec![2, 2, 0]]);
    let unseen = Document { words: &[2], counts: &[1] };
    let fitted = fit(&corpus, &PlsaOptions { topics: 2, ..PlsaOptions::default() });
    assert_eq!(fitted.model.ln_predictive(corpus.document(0), unseen), f64::NEG_INFINITY);
    assert_eq!(fitted.model.proportions(unseen), fitted.model.topics().weights());
    let smooth = fit(&corpus, &PlsaOptions { topics: 2, word_prior: 1.1, ..PlsaOptions::default() });
    assert!(smooth.model.ln_predictive(corpus.document(0), unseen).is_finite());
}

#[test]
fn counts_of_any_size_and_more_topics_than_words() {
    for counts in [vec![vec![1]], vec![vec![u32::MAX, 1]], vec![vec![1, 0], vec![0, u32::MAX], vec![0, 0]]] {
        let corpus = corpus(&counts);
        for topics in [1, 2, 9] {
            let fitted = fit(&corpus, &PlsaOptions { topics, ..PlsaOptions::default() });
            assert!(fitted.report.trace.last().unwrap().is_finite());
            // A proportion of nearly 1 is rounded, and counted four billion times.
            let rounding = 4.0 * f64::EPSILON * corpus.tokens() as f64;
            assert!(fitted.report.falls.iter().all(|fall| fall.drop < rounding), "{:?}", fitted.report);
        }
    }
}

#[test]
fn topics_that_die_stay_and_do_no_harm() {
    let corpus = corpus(&[vec![3, 1], vec![1, 2]]);
    let start = Parameters::new(
        vec![0.5, 0.5],
        DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 1.0, 0.0]),
        DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 0.9, 0.1]),
    )
    .unwrap();
    let fitted = plsa::fit_from(&corpus, &start, &PlsaOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.model.topics().weights(), [1.0, 0.0]);
    assert_all_close(
        &fitted.model.topics().topic_word().row(1).iter().copied().collect::<Vec<_>>(),
        &[0.9, 0.1],
        1e-15,
    );
    assert_all_close(
        fitted.symmetric().topic_document().row(1).iter().copied().collect::<Vec<_>>().as_slice(),
        &[0.5, 0.5],
        1e-15,
    );
}

#[test]
fn an_impossible_start_is_stalled() {
    let corpus = corpus(&[vec![3, 1], vec![1, 2]]);
    let start = Parameters::new(
        vec![0.5, 0.5],
        DMatrix::from_element(2, 1, 1.0),
        DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
    )
    .unwrap();
    let fitted = plsa::fit_from(&corpus, &start, &PlsaOptions::default(), &mut Silent).unwrap();
    assert_eq!(fitted.report.trace, [f64::NEG_INFINITY]);
    assert!(!fitted.report.converged());
}

#[test]
fn a_prior_leaves_zeros_of_the_start() {
    let corpus = corpus(&[vec![3, 1], vec![1, 2]]);
    let start = Parameters::new(
        vec![0.5, 0.5],
        DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.5, 0.5]),
        DMatrix::from_row_slice(2, 2, &[0.5, 0.5, 0.9, 0.1]),
    )
    .unwrap();
    let options =
        PlsaOptions { topic_prior: 1.5, tolerance: 0.0, max_iterations: 10_000, ..PlsaOptions::default() };
    let fitted = plsa::fit_from(&corpus, &start, &options, &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()) && fitted.doc_topic.min() > 0.0);
}

#[test]
fn misuse_is_refused() {
    let small = corpus(&[vec![3, 1], vec![1, 2]]);
    let refused =
        |options: PlsaOptions| plsa::fit(&small, &options, &mut Silent).is_err_and(|e| e.is_parameter());
    assert!(refused(PlsaOptions { topics: 0, ..PlsaOptions::default() }));
    for bad in [0.99, -1.0, f64::NAN, f64::INFINITY] {
        assert!(refused(PlsaOptions { topic_prior: bad, ..PlsaOptions::default() }));
        assert!(refused(PlsaOptions { word_prior: bad, ..PlsaOptions::default() }));
    }
    assert!(refused(PlsaOptions { tolerance: f64::NAN, ..PlsaOptions::default() }));
    let half = DMatrix::from_element(2, 2, 0.5);
    assert!(Parameters::new(vec![0.5, 0.6], half.clone(), half.clone()).is_err_and(|e| e.is_parameter()));
    assert!(Parameters::new(vec![1.0], half.clone(), half.clone()).is_err_and(|e| e.is_dimension()));
    assert!(Parameters::new(vec![0.5, 0.5], half.clone(), half.map(|_| f64::NAN)).is_err());
    assert!(Symmetric::new(vec![0.5, 0.5], half.clone(), half.map(|p| -p)).is_err());
    assert!(Symmetric::new(vec![1.0], half.clone(), half.clone()).is_err());
    let other = corpus(&[vec![3, 1, 1]]);
    let parameters = Parameters::new(vec![0.5, 0.5], half.clone(), half).unwrap();
    let wrong = plsa::fit_from(&other, &parameters, &PlsaOptions::default(), &mut Silent);
    assert!(wrong.is_err_and(|e| e.is_dimension()));
    let two = PlsaOptions { topics: 2, ..PlsaOptions::default() };
    assert!(plsa::fit_tempered(&small, &other, &two, &Tempering::default()).is_err_and(|e| e.is_dimension()));
    for cooling in [0.0, 1.0, f64::NAN] {
        let tempering = Tempering { cooling, ..Tempering::default() };
        assert!(plsa::fit_tempered(&small, &small, &two, &tempering).is_err_and(|e| e.is_parameter()));
    }
    let (left, right) = (corpus(&[vec![3, 0]]), corpus(&[vec![0, 3]]));
    assert!(plsa::fit_tempered(&left, &right, &two, &Tempering::default()).is_err_and(|e| e.is_corpus()));
}
