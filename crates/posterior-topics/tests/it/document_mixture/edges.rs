//! Empty and impossible documents, counts of any size, misuse.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_topics::TopicModel;
use posterior_topics::corpus::Document;
use posterior_topics::document_mixture::{self, Assignment, DocumentMixture, Options, gibbs};

use super::fit;
use crate::plsa::corpus;

#[test]
fn counts_of_any_size_and_more_topics_than_documents() {
    for counts in [vec![vec![1]], vec![vec![u32::MAX, 1]], vec![vec![1, 0], vec![0, u32::MAX], vec![0, 0]]] {
        let corpus = corpus(&counts);
        for topics in [1, 2, 9] {
            for assignment in [Assignment::Soft, Assignment::Hard, Assignment::Sampled] {
                let options = Options { topics, assignment, ..Options::default() };
                let fitted = fit(&corpus, &options);
                assert!(fitted.report.trace.last().unwrap().is_finite());
                assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
            }
            for sampler in [gibbs::Sampler::Collapsed, gibbs::Sampler::Blocked] {
                let options = gibbs::Options {
                    topics,
                    sampler,
                    iterations: 20,
                    samples: 30,
                    ..gibbs::Options::default()
                };
                let fitted = gibbs::fit(&corpus, &options, &mut Silent).unwrap();
                assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()));
                assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
            }
        }
    }
}

#[test]
fn what_no_topic_can_have_made_says_nothing() {
    let corpus = corpus(&[vec![5, 1, 0], vec![0, 2, 0]]);
    let model =
        DocumentMixture::from_labels(&corpus, &[0, 1], &Options { topics: 2, ..Options::default() }).unwrap();
    let unseen = Document { words: &[2], counts: &[1] };
    assert_eq!(model.ln_probability(unseen), f64::NEG_INFINITY);
    assert_eq!(model.proportions(unseen), model.weights());
    assert_eq!(model.ln_predictive(corpus.document(0), unseen), f64::NEG_INFINITY);
    assert!(
        (model.ln_predictive(unseen, corpus.document(1)) - model.ln_probability(corpus.document(1))).abs()
            < 1e-14
    );
    // A start that rules a document out.
    let other = crate::plsa::corpus(&[vec![1, 0, 1], vec![0, 2, 0]]);
    let fitted = document_mixture::fit_from(&other, &model, &Options::default(), &mut Silent).unwrap();
    assert_eq!(
        (fitted.report.trace.as_slice(), fitted.report.stop),
        ([f64::NEG_INFINITY].as_slice(), Stop::Stalled)
    );
    let smooth = Options { word_prior: 1.1, ..Options::default() };
    let fitted = document_mixture::fit_from(&other, &model, &smooth, &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()));
}

#[test]
fn observers_stop_a_fit() {
    let corpus = corpus(&[vec![5, 1, 0], vec![0, 2, 3]]);
    let mut stop =
        |step: &Step| if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = gibbs::Options { topics: 2, ..gibbs::Options::default() };
    let fitted = gibbs::fit(&corpus, &options, &mut stop).unwrap();
    assert_eq!((fitted.report.iterations(), fitted.report.stop), (3, Stop::Observer));
    assert!(fitted.doc_topic.iter().all(|&share| share == 0.0 || share == 1.0));
}

#[test]
fn misuse_is_refused() {
    let small = corpus(&[vec![3, 1], vec![1, 2]]);
    let refused = |options: Options| {
        document_mixture::fit(&small, &options, &mut Silent).is_err_and(|e| e.is_parameter())
    };
    assert!(refused(Options { topics: 0, ..Options::default() }));
    for bad in [0.5, f64::NAN, f64::INFINITY] {
        assert!(refused(Options { weight_prior: bad, ..Options::default() }));
        assert!(refused(Options { word_prior: bad, ..Options::default() }));
    }
    assert!(refused(Options { tolerance: -1.0, ..Options::default() }));
    let two = Options { topics: 2, ..Options::default() };
    for labels in [&[0_usize][..], &[0, 2]] {
        assert!(DocumentMixture::from_labels(&small, labels, &two).is_err_and(|e| e.is_dimension()));
        let gibbs = gibbs::CollapsedGibbs::from_labels(
            &small,
            &gibbs::Options { topics: 2, ..gibbs::Options::default() },
            labels,
        );
        assert!(gibbs.is_err_and(|e| e.is_dimension()));
    }
    let model = DocumentMixture::from_labels(&small, &[0, 1], &two).unwrap();
    assert!(DocumentMixture::new(model.topics().clone(), vec![1.0]).is_err());
    assert!(DocumentMixture::new(model.topics().clone(), vec![0.5, 0.6]).is_err());
    let other = corpus(&[vec![3, 1, 1]]);
    assert!(document_mixture::fit_from(&other, &model, &two, &mut Silent).is_err_and(|e| e.is_dimension()));
    let refused =
        |options: gibbs::Options| gibbs::fit(&small, &options, &mut Silent).is_err_and(|e| e.is_parameter());
    let good = gibbs::Options::default();
    assert!(
        refused(gibbs::Options { topics: 0, ..good })
            && refused(gibbs::Options { iterations: 0, ..good })
            && refused(gibbs::Options { samples: 0, ..good })
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            refused(gibbs::Options { weight_concentration: bad, ..good })
                && refused(gibbs::Options { word_concentration: bad, ..good })
        );
    }
}
