//! Edges, threads, and what is refused.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::assert_within;
use posterior_topics::Corpus;
use posterior_topics::structural_topics::{DocumentCovariates, StructuralTopicsOptions, fit};

use super::simulated::{Drawn, drawn, fitted, options};

/// Threads change nothing, and two topics have one log-ratio.
#[test]
fn threads_and_edges() {
    let options = StructuralTopicsOptions { max_iterations: 4, ..options() };
    for levels in [2, 1] {
        let drawn = drawn(17, 90, 20, levels);
        let one = fitted(&drawn, &options);
        let two = fitted(&drawn, &StructuralTopicsOptions { threads: 2, ..options.clone() });
        assert_eq!((&one.model, &one.doc_topic), (&two.model, &two.doc_topic));
        assert_eq!((one.report.iterations(), one.report.stop), (4, Stop::MaxIterations));
    }
    let drawn = drawn(17, 40, 20, 1);
    let pair = fitted(&drawn, &StructuralTopicsOptions { topics: 2, ..options.clone() });
    assert_eq!(pair.model.coefficients().shape(), (2, 1));
    assert_within(pair.model.topic_correlations()[(0, 1)], -1.0, 1e-12);
    // A document without words, and one level of content.
    let words = ["a", "b"].map(str::to_owned).to_vec();
    let names = ["d", "e", "f"].map(str::to_owned).to_vec();
    let tiny = Corpus::from_rows(words, names, vec![vec![(0, 3)], vec![], vec![(1, 2)]]).unwrap();
    let covariates = DocumentCovariates { prevalence: DMatrix::zeros(3, 0), content: Some(vec![0; 3]) };
    let two = StructuralTopicsOptions { topics: 2, ..options.clone() };
    let found = fit(&tiny, &covariates, &two, &mut Silent).unwrap();
    assert!(found.doc_topic.iter().all(|theta| theta.is_finite()));
    assert_eq!(found.model.levels(), 1);
    let many = StructuralTopicsOptions { topics: 9, ..options.clone() };
    assert!(fit(&tiny, &covariates, &many, &mut Silent).is_err());
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(&drawn.corpus, &drawn.covariates, &options, &mut once).unwrap();
    assert_eq!((stopped.report.iterations(), stopped.report.stop), (1, Stop::Observer));
}

/// A fit that is stopped in one of its replicates says so and has none: its intervals take words as known.
#[test]
fn a_stop_in_a_replicate() {
    let drawn = drawn(17, 90, 20, 1);
    let options = StructuralTopicsOptions { max_iterations: 4, replicates: 2, ..options() };
    let mut steps = 0;
    let mut seven = |_: &Step| {
        steps += 1;
        if steps < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = fit(&drawn.corpus, &drawn.covariates, &options, &mut seven).unwrap();
    assert_eq!((stopped.report.iterations(), stopped.report.stop), (4, Stop::Observer));
    let without = fitted(&drawn, &StructuralTopicsOptions { replicates: 0, ..options.clone() });
    assert_eq!(stopped.model, without.model);
    let whole = fitted(&drawn, &options);
    let width = |fitted: &super::simulated::Fitted| {
        let effect = fitted.model.effect(&[0.0], &[1.0], 0.9).unwrap();
        effect.high[0] - effect.low[0]
    };
    assert!(width(&whole) != width(&without));
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let Drawn { corpus, covariates } = drawn(19, 20, 20, 2);
    let options = StructuralTopicsOptions { max_iterations: 2, ..options() };
    let refused = |covariates: &DocumentCovariates, options: &StructuralTopicsOptions| {
        fit(&corpus, covariates, options, &mut Silent).unwrap_err()
    };
    for bad in [
        StructuralTopicsOptions { topics: 1, ..options.clone() },
        StructuralTopicsOptions { beta: 0.0, ..options.clone() },
        StructuralTopicsOptions { max_iterations: 0, ..options.clone() },
        StructuralTopicsOptions { tolerance: -1.0, ..options.clone() },
        StructuralTopicsOptions { document_variance: f64::NAN, ..options.clone() },
        StructuralTopicsOptions { feature_variance: -1.0, ..options.clone() },
        StructuralTopicsOptions { content_rate: f64::INFINITY, ..options.clone() },
        StructuralTopicsOptions { replicates: 1, ..options.clone() },
    ] {
        assert!(refused(&covariates, &bad).is_parameter(), "{bad:?}");
    }
    let of = |prevalence: DMatrix<f64>, content: Vec<usize>| DocumentCovariates {
        prevalence,
        content: Some(content),
    };
    let (x, levels) = (&covariates.prevalence, covariates.content.clone().unwrap());
    assert!(refused(&of(DMatrix::zeros(19, 1), levels.clone()), &options).is_dimension());
    assert!(refused(&of(x.clone(), levels[1..].to_vec()), &options).is_dimension());
    assert!(refused(&of(x.map(|_| f64::NAN), levels.clone()), &options).is_parameter());
    assert!(refused(&of(x.map(|x| x * 1e308), levels), &options).is_parameter());
    assert!(refused(&of(x.clone(), vec![1; 20]), &options).is_parameter());
    assert!(refused(&of(x.clone(), vec![usize::MAX; 20]), &options).is_parameter());
}

#[test]
fn what_a_model_cannot_answer_is_refused() {
    let Drawn { corpus, covariates } = drawn(19, 20, 20, 2);
    let options = StructuralTopicsOptions { max_iterations: 2, ..options() };
    let model = fit(&corpus, &covariates, &options, &mut Silent).unwrap().model;
    let document = corpus.document(0);
    assert!(model.proportions_at(document, &[], None).is_err());
    assert!(model.proportions_at(document, &[f64::NAN], None).is_err());
    assert!(model.proportions_at(document, &[0.0], Some(2)).is_err());
    assert!(model.prevalence(&[]).is_err() && model.effect(&[0.0], &[], 0.9).is_err());
    assert!(model.effect(&[0.0], &[1.0], 1.0).is_err());
    let sum: f64 = model.proportions_at(document, &[0.0], Some(0)).unwrap().iter().sum();
    assert_within(sum, 1.0, 1e-12);
}
