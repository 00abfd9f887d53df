//! Fits from end to end: planted topics, threads, starts, fitted concentrations, edges and misuse.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_topics::lda::variational::{
    self, DocumentStart, LdaVariationalOptions, VariationalBayes, VariationalStart,
};
use posterior_topics::lda::{Concentration, Hyperparameters, Lda};
use posterior_topics::{Corpus, FittedTopics, TopicModel};
use proptest::prelude::*;
use rand::RngExt;

use crate::stopping::refused_parameter;

/// Documents over `3 x 10` words: topic `k` is uniform over ten words of its own, each document mixes two
/// topics, and one token in fifty is any word.
pub(crate) fn planted(documents: usize, length: usize, seed: u64) -> Corpus {
    let mut rng = stream(seed, &[]);
    let mut rows = Vec::new();
    for d in 0..documents {
        let (first, second) = (d % 3, (d + 1 + d / 3 % 2) % 3);
        let proportion = rng.random::<f64>();
        let mut row = Vec::new();
        for _ in 0..length {
            let topic = if rng.random::<f64>() < proportion { first } else { second };
            let noise = rng.random::<f64>() < 0.02;
            let word = if noise { rng.random_range(0..30) } else { topic * 10 + rng.random_range(0..10) };
            row.push((word as u32, 1));
        }
        rows.push(row);
    }
    let words = (0..30).map(|v| format!("w{v:02}")).collect();
    Corpus::from_rows(words, (0..documents).map(|d| d.to_string()).collect(), rows).unwrap()
}

/// Each topic of the model has nearly all of its mass on the words of another planted topic.
pub(crate) fn assert_recovered(model: &Lda, least: f64) {
    let mut found = [false; 3];
    for k in 0..3 {
        let mass =
            |topic: usize| -> f64 { (0..10).map(|i| model.topics().topic_word()[(k, topic * 10 + i)]).sum() };
        let topic = (0..3).max_by(|&a, &b| mass(a).total_cmp(&mass(b))).unwrap();
        assert!(mass(topic) > least, "topic {k} has {} of planted topic {topic}", mass(topic));
        found[topic] = true;
    }
    assert_eq!(found, [true; 3]);
}

fn options(topics: usize) -> LdaVariationalOptions {
    LdaVariationalOptions { topics, ..LdaVariationalOptions::default() }
}

fn fit(corpus: &Corpus, options: &LdaVariationalOptions) -> FittedTopics<Lda> {
    variational::fit(corpus, options, &mut Silent).unwrap()
}

#[test]
fn planted_topics_are_recovered() {
    let corpus = planted(120, 80, 3);
    for start in [
        VariationalStart::Noise,
        VariationalStart::Documents,
        VariationalStart::Sampled(10),
        VariationalStart::Collapsed(30),
    ] {
        for hyperparameters in [Hyperparameters::Fixed, Hyperparameters::Optimized] {
            let options = LdaVariationalOptions {
                alpha: 0.3.into(),
                max_iterations: 500,
                start: start.clone(),
                seed: 2,
                hyperparameters,
                ..options(3)
            };
            let fitted = fit(&corpus, &options);
            // One token in fifty is noise, of which a mean field gives each topic a little too much.
            assert_recovered(&fitted.model, 0.9);
            assert!(fitted.report.converged() && fitted.report.falls.is_empty(), "{:?}", fitted.report);
            for row in fitted.doc_topic.row_iter() {
                assert!((row.sum() - 1.0).abs() < 1e-12);
            }
            assert!(fitted.model.topics().weights().is_sorted_by(|a, b| a >= b));
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let corpus = planted(200, 60, 4);
    for hyperparameters in [Hyperparameters::Fixed, Hyperparameters::Optimized] {
        let options = LdaVariationalOptions { max_iterations: 7, hyperparameters, ..options(11) };
        let one = fit(&corpus, &LdaVariationalOptions { threads: 1, ..options.clone() });
        for threads in [2, 3] {
            let many = fit(&corpus, &LdaVariationalOptions { threads, ..options.clone() });
            assert_eq!(many, one);
        }
    }
}

#[test]
fn learned_concentrations_raise_the_bound() {
    let corpus = planted(100, 60, 5);
    let fixed = LdaVariationalOptions { alpha: 3.0.into(), beta: 2.0, max_iterations: 300, ..options(3) };
    let learned = LdaVariationalOptions { hyperparameters: Hyperparameters::Optimized, ..fixed.clone() };
    let (fixed, learned) = (fit(&corpus, &fixed), fit(&corpus, &learned));
    assert!(learned.report.trace.last() > fixed.report.trace.last());
    assert!(learned.model.beta() < 1.0, "planted topics are sparse: {}", learned.model.beta());
    assert!(learned.model.alpha().iter().all(|&a| a < 2.0), "{:?}", learned.model.alpha());
}

/// A permutation of the topics of the start is one of the topics of the result.
#[test]
fn topics_have_no_names() {
    let corpus = planted(30, 40, 6);
    let options = LdaVariationalOptions { alpha: vec![0.2, 0.5, 1.1].into(), ..options(3) };
    let lambda = DMatrix::from_fn(3, 30, |k, v| 0.5 + ((k * 31 + v * 17) % 23) as f64);
    let gamma = DMatrix::repeat(30, 3, 1.0);
    let order = [2, 0, 1];
    let turned_options = LdaVariationalOptions { alpha: vec![1.1, 0.2, 0.5].into(), ..options.clone() };
    let turned = DMatrix::from_fn(3, 30, |k, v| lambda[(order[k], v)]);
    let mut one = VariationalBayes::from_parameters(&corpus, &options, &gamma, &lambda).unwrap();
    let mut other = VariationalBayes::from_parameters(&corpus, &turned_options, &gamma, &turned).unwrap();
    for _ in 0..10 {
        for posterior in [&mut one, &mut other] {
            posterior.update_documents();
            posterior.update_topics();
        }
        assert!((one.bound() - other.bound()).abs() < 1e-9 * one.bound().abs());
        let (a, b) = (one.lambda(), other.lambda());
        for (k, &from) in order.iter().enumerate() {
            for v in 0..30 {
                assert!((b[(k, v)] - a[(from, v)]).abs() < 1e-9);
            }
        }
    }
}

/// Equal documents have equal proportions, and repeated words count as often as they occur.
#[test]
fn equal_documents_are_equal() {
    let words: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
    let rows = vec![vec![(0, 3), (1, 1)], vec![(2, 2)], vec![(1, 1), (0, 2), (0, 1)], vec![]];
    let names = (0..4).map(|d| d.to_string()).collect();
    let corpus = Corpus::from_rows(words, names, rows).unwrap();
    let fitted = fit(&corpus, &LdaVariationalOptions { alpha: vec![0.3, 0.9].into(), ..options(2) });
    assert_eq!(fitted.doc_topic.row(0), fitted.doc_topic.row(2));
    let proportions: Vec<f64> = fitted.doc_topic.row(3).iter().copied().collect();
    let alpha = fitted.model.alpha();
    assert!(
        (proportions[0] - alpha[0] / 1.2).abs() < 1e-15 && (proportions[1] - alpha[1] / 1.2).abs() < 1e-15
    );
}

#[test]
fn a_model_is_a_warm_start() {
    let corpus = planted(60, 50, 7);
    let options = LdaVariationalOptions { tolerance: 1e-9, max_iterations: 2000, ..options(3) };
    let first = fit(&corpus, &options);
    let model = Box::new(first.model.clone());
    let again = fit(
        &corpus,
        &LdaVariationalOptions { start: VariationalStart::Model(model.clone()), ..options.clone() },
    );
    assert!(again.report.iterations() < first.report.iterations() / 2, "{}", again.report.iterations());
    assert!(again.report.trace[0] > first.report.trace[1]);
    let four =
        LdaVariationalOptions { topics: 4, start: VariationalStart::Model(model.clone()), ..options.clone() };
    assert!(variational::fit(&corpus, &four, &mut Silent).unwrap_err().is_parameter());
    let words = (0..30).map(|v| format!("other{v}")).collect();
    let rows = vec![vec![(0, 1)]];
    let other = Corpus::from_rows(words, vec!["d".to_owned()], rows).unwrap();
    let options = LdaVariationalOptions { start: VariationalStart::Model(model), ..options };
    assert!(variational::fit(&other, &options, &mut Silent).unwrap_err().is_corpus());
}

/// Documents that begin afresh in each pass end at fixed points of the same updates.
#[test]
fn documents_that_restart_end_where_others_could_stay() {
    let corpus = planted(60, 50, 9);
    let restarting = LdaVariationalOptions {
        documents: DocumentStart::Restart,
        document_steps: 500,
        document_tolerance: 1e-10,
        tolerance: 1e-12,
        max_iterations: 3000,
        ..options(3)
    };
    let first = fit(&corpus, &restarting);
    let continuing = LdaVariationalOptions {
        documents: DocumentStart::Continue,
        start: VariationalStart::Model(Box::new(first.model.clone())),
        ..restarting.clone()
    };
    let second = fit(&corpus, &continuing);
    let (a, b) = (first.report.trace.last().unwrap(), second.report.trace.last().unwrap());
    assert!((a / b - 1.0).abs() < 1e-7, "{a} {b}");
}

#[test]
fn an_observer_stops_the_fit() {
    let corpus = planted(20, 30, 8);
    let mut seen = Vec::new();
    let mut observer = |step: &Step| {
        seen.push(step.objective);
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fitted =
        variational::fit(&corpus, &LdaVariationalOptions { tolerance: 0.0, ..options(3) }, &mut observer)
            .unwrap();
    assert_eq!(fitted.report.stop, Stop::Observer);
    assert_eq!(fitted.report.trace[1..], seen);
}

#[test]
fn options_out_of_range_are_named() {
    let corpus = planted(5, 5, 1);
    let refused = |change: &dyn Fn(&mut LdaVariationalOptions)| {
        let mut options = LdaVariationalOptions::default();
        change(&mut options);
        refused_parameter(variational::fit(&corpus, &options, &mut Silent))
    };
    assert_eq!(refused(&|o| o.topics = 0), "Lda: topics = 0 must be from 1 to 65535");
    assert_eq!(refused(&|o| o.max_iterations = 0), "Lda: max_iterations = 0 must be at least 1");
    assert_eq!(refused(&|o| o.document_steps = 0), "Lda: document_steps = 0 must be at least 1");
    assert_eq!(refused(&|o| o.tolerance = f64::NAN), "Lda: tolerance = NaN must be non-negative and finite");
    assert_eq!(
        refused(&|o| o.document_tolerance = -1.0),
        "Lda: document_tolerance = -1 must be non-negative and finite"
    );
    assert_eq!(refused(&|o| o.beta = f64::NAN), "Lda: beta = NaN must be from 1e-30 to 1e30");
    assert!(refused(&|o| o.alpha = Concentration::Symmetric(f64::NAN)).contains("alpha"));
    assert!(
        refused(&|o| o.alpha = Concentration::Asymmetric(vec![1.0])).contains("one number for each topic")
    );
    assert_eq!(refused(&|o| o.start = VariationalStart::Sampled(0)), "Lda: sampled = 0 must be at least 1");
    assert_eq!(
        refused(&|o| o.start = VariationalStart::Collapsed(0)),
        "Lda: collapsed = 0 must be at least 1"
    );
}

#[test]
fn parameters_of_another_shape_are_refused() {
    let corpus = planted(5, 5, 1);
    let ones = |rows, columns| DMatrix::repeat(rows, columns, 1.0);
    let refused = |gamma: DMatrix<f64>, lambda: DMatrix<f64>| {
        VariationalBayes::from_parameters(&corpus, &options(2), &gamma, &lambda).unwrap_err()
    };
    assert!(refused(ones(4, 2), ones(2, 30)).is_dimension());
    assert!(refused(ones(5, 2), ones(3, 30)).is_dimension());
    assert!(refused(DMatrix::repeat(5, 2, f64::NAN), ones(2, 30)).is_parameter());
    assert!(refused(ones(5, 2), DMatrix::repeat(2, 30, f64::INFINITY)).is_parameter());
    assert!(refused(ones(5, 2), DMatrix::repeat(2, 30, -0.001)).is_parameter());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn counts_always_add_up(seed in 0_u64..1000, topics in 1_usize..20, beta in 0.001_f64..2.0) {
        let corpus = planted(7, 25, seed);
        let fitted = fit(&corpus, &LdaVariationalOptions { beta, seed, max_iterations: 5, ..options(topics) });
        let sum: f64 = fitted.model.expected_counts().iter().sum();
        prop_assert!((sum - corpus.tokens() as f64).abs() < 1e-9);
        prop_assert!(fitted.report.falls.is_empty());
        prop_assert!(fitted.report.trace.iter().all(|bound| *bound < 0.0));
    }
}
