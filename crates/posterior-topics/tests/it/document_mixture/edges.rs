//! Empty and impossible documents, counts of any size, misuse.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_topics::TopicModel;
use posterior_topics::corpus::Document;
use posterior_topics::document_mixture::{
    self, DocumentMixture, DocumentMixtureOptions, TopicAssignment, gibbs,
};

use super::fit;
use crate::plsa::corpus;

#[test]
fn counts_of_any_size_and_more_topics_than_documents() {
    for counts in [vec![vec![1]], vec![vec![u32::MAX, 1]], vec![vec![1, 0], vec![0, u32::MAX], vec![0, 0]]] {
        let corpus = corpus(&counts);
        for topics in [1, 2, 9] {
            for assignment in [TopicAssignment::Soft, TopicAssignment::Hard, TopicAssignment::Sampled] {
                let options =
                    DocumentMixtureOptions { topics, assignment, ..DocumentMixtureOptions::default() };
                let fitted = fit(&corpus, &options);
                assert!(fitted.report.trace.last().unwrap().is_finite());
                assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
            }
            for sampler in [gibbs::DocumentSampler::Collapsed, gibbs::DocumentSampler::Blocked] {
                let options = gibbs::DocumentMixtureGibbsOptions {
                    topics,
                    sampler,
                    iterations: 20,
                    draws: 30,
                    ..gibbs::DocumentMixtureGibbsOptions::default()
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
    let model = DocumentMixture::from_labels(
        &corpus,
        &[0, 1],
        &DocumentMixtureOptions { topics: 2, ..DocumentMixtureOptions::default() },
    )
    .unwrap();
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
    let fitted =
        document_mixture::fit_from(&other, &model, &DocumentMixtureOptions::default(), &mut Silent).unwrap();
    assert_eq!(
        (fitted.report.trace.as_slice(), fitted.report.stop),
        ([f64::NEG_INFINITY].as_slice(), Stop::Stalled)
    );
    let smooth = DocumentMixtureOptions { word_prior: 1.1, ..DocumentMixtureOptions::default() };
    let fitted = document_mixture::fit_from(&other, &model, &smooth, &mut Silent).unwrap();
    assert!(fitted.report.trace.iter().all(|ln| ln.is_finite()));
}

#[test]
fn observers_stop_a_fit() {
    let corpus = corpus(&[vec![5, 1, 0], vec![0, 2, 3]]);
    let mut stop =
        |step: &Step| if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options =
        gibbs::DocumentMixtureGibbsOptions { topics: 2, ..gibbs::DocumentMixtureGibbsOptions::default() };
    let fitted = gibbs::fit(&corpus, &options, &mut stop).unwrap();
    assert_eq!((fitted.report.iterations(), fitted.report.stop), (3, Stop::Observer));
    assert!(fitted.doc_topic.iter().all(|&proportion| proportion == 0.0 || proportion == 1.0));
}

#[test]
fn misuse_is_refused() {
    let small = corpus(&[vec![3, 1], vec![1, 2]]);
    let refused = |options: DocumentMixtureOptions| {
        document_mixture::fit(&small, &options, &mut Silent).is_err_and(|e| e.is_parameter())
    };
    assert!(refused(DocumentMixtureOptions { topics: 0, ..DocumentMixtureOptions::default() }));
    for bad in [0.5, f64::NAN, f64::INFINITY] {
        assert!(refused(DocumentMixtureOptions { weight_prior: bad, ..DocumentMixtureOptions::default() }));
        assert!(refused(DocumentMixtureOptions { word_prior: bad, ..DocumentMixtureOptions::default() }));
    }
    assert!(refused(DocumentMixtureOptions { tolerance: -1.0, ..DocumentMixtureOptions::default() }));
    let two = DocumentMixtureOptions { topics: 2, ..DocumentMixtureOptions::default() };
    for labels in [&[0_usize][..], &[0, 2]] {
        assert!(DocumentMixture::from_labels(&small, labels, &two).is_err_and(|e| e.is_dimension()));
        let gibbs = gibbs::DocumentGibbs::from_labels(
            &small,
            &gibbs::DocumentMixtureGibbsOptions {
                topics: 2,
                ..gibbs::DocumentMixtureGibbsOptions::default()
            },
            labels,
        );
        assert!(gibbs.is_err_and(|e| e.is_dimension()));
    }
    let model = DocumentMixture::from_labels(&small, &[0, 1], &two).unwrap();
    assert!(DocumentMixture::new(model.topics().clone(), vec![1.0]).is_err());
    assert!(DocumentMixture::new(model.topics().clone(), vec![0.5, 0.6]).is_err());
    let other = corpus(&[vec![3, 1, 1]]);
    assert!(document_mixture::fit_from(&other, &model, &two, &mut Silent).is_err_and(|e| e.is_dimension()));
    let refused = |options: gibbs::DocumentMixtureGibbsOptions| {
        gibbs::fit(&small, &options, &mut Silent).is_err_and(|e| e.is_parameter())
    };
    let good = gibbs::DocumentMixtureGibbsOptions::default();
    assert!(
        refused(gibbs::DocumentMixtureGibbsOptions { topics: 0, ..good })
            && refused(gibbs::DocumentMixtureGibbsOptions { iterations: 0, ..good })
            && refused(gibbs::DocumentMixtureGibbsOptions { draws: 0, ..good })
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            refused(gibbs::DocumentMixtureGibbsOptions { weight_concentration: bad, ..good })
                && refused(gibbs::DocumentMixtureGibbsOptions { word_concentration: bad, ..good })
        );
    }
}
