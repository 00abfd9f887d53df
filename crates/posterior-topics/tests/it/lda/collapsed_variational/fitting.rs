//! Fits from end to end: planted topics, threads, precision, fitted concentrations, edges and misuse.

use posterior_math::iteration::Silent;
use posterior_topics::lda::collapsed_variational::{self, LdaCollapsedVariationalOptions, Order, Precision};
use posterior_topics::lda::variational::VariationalStart;
use posterior_topics::lda::{Hyperparameters, Lda};
use posterior_topics::{Corpus, FittedTopics, TopicModel};
use proptest::prelude::*;

use crate::lda::variational::fitting::{assert_recovered, planted};

use crate::stopping::refused_parameter;

fn fit(corpus: &Corpus, options: &LdaCollapsedVariationalOptions) -> FittedTopics<Lda> {
    collapsed_variational::fit(corpus, options, &mut Silent).unwrap()
}

#[test]
fn planted_topics_are_recovered() {
    let corpus = planted(120, 80, 3);
    for order in [Order::Zeroth, Order::Second] {
        for hyperparameters in [Hyperparameters::Fixed, Hyperparameters::Optimized] {
            for groups in [None, Some(4)] {
                let options = LdaCollapsedVariationalOptions {
                    topics: 3,
                    alpha: 0.3.into(),
                    order,
                    start: VariationalStart::Sampled(10),
                    hyperparameters,
                    groups,
                    ..LdaCollapsedVariationalOptions::default()
                };
                let fitted = fit(&corpus, &options);
                assert_recovered(&fitted.model, 0.9);
                assert!(fitted.report.converged(), "{:?}", fitted.report);
                assert!(fitted.report.trace.last() > fitted.report.trace.first());
                let tokens: f64 = fitted.model.expected_counts().iter().sum();
                assert!((tokens / corpus.tokens() as f64 - 1.0).abs() < 1e-6);
                for row in fitted.doc_topic.row_iter() {
                    assert!((row.sum() - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let corpus = planted(200, 60, 4);
    for order in [Order::Zeroth, Order::Second] {
        let options = LdaCollapsedVariationalOptions {
            topics: 11,
            max_iterations: 5,
            order,
            groups: Some(5),
            ..LdaCollapsedVariationalOptions::default()
        };
        let one = fit(&corpus, &LdaCollapsedVariationalOptions { threads: 1, ..options.clone() });
        for threads in [2, 3] {
            assert_eq!(fit(&corpus, &LdaCollapsedVariationalOptions { threads, ..options.clone() }), one);
        }
    }
}

/// Groups change the path and not where it ends.
#[test]
fn groups_lead_to_the_same_fixed_point() {
    let corpus = planted(60, 60, 5);
    let options = LdaCollapsedVariationalOptions {
        topics: 3,
        alpha: 0.3.into(),
        start: VariationalStart::Sampled(20),
        precision: Precision::Double,
        tolerance: 1e-14,
        max_iterations: 5000,
        ..LdaCollapsedVariationalOptions::default()
    };
    let one = fit(&corpus, &LdaCollapsedVariationalOptions { groups: Some(1), ..options.clone() });
    let many = fit(&corpus, &LdaCollapsedVariationalOptions { groups: Some(6), ..options });
    for (a, b) in one.model.expected_counts().iter().zip(many.model.expected_counts()) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}

#[test]
fn single_precision_is_close_to_double() {
    let corpus = planted(60, 60, 6);
    let options = LdaCollapsedVariationalOptions {
        topics: 3,
        max_iterations: 20,
        tolerance: 0.0,
        ..LdaCollapsedVariationalOptions::default()
    };
    let single = fit(&corpus, &options);
    let double = fit(&corpus, &LdaCollapsedVariationalOptions { precision: Precision::Double, ..options });
    let (a, b) = (single.report.trace[20], double.report.trace[20]);
    assert!((a / b - 1.0).abs() < 1e-5, "{a} {b}");
}

#[test]
fn learned_concentrations_explain_the_tokens_better() {
    let corpus = planted(100, 60, 7);
    let fixed = LdaCollapsedVariationalOptions {
        topics: 3,
        alpha: 3.0.into(),
        beta: 2.0,
        ..LdaCollapsedVariationalOptions::default()
    };
    let learned =
        LdaCollapsedVariationalOptions { hyperparameters: Hyperparameters::Optimized, ..fixed.clone() };
    let (fixed, learned) = (fit(&corpus, &fixed), fit(&corpus, &learned));
    assert!(learned.report.trace.last() > fixed.report.trace.last());
    assert!(learned.model.beta() < 1.0 && learned.model.alpha().iter().all(|&a| a < 2.0));
}

#[test]
fn one_topic_has_all_counts_at_once() {
    let corpus = planted(9, 20, 8);
    let fitted = fit(
        &corpus,
        &LdaCollapsedVariationalOptions {
            topics: 1,
            max_iterations: 3,
            tolerance: 0.0,
            ..LdaCollapsedVariationalOptions::default()
        },
    );
    let mut counts = vec![0.0; 30];
    for document in corpus.iter() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            counts[word as usize] += f64::from(count);
        }
    }
    for (found, expected) in fitted.model.expected_counts().iter().zip(counts) {
        assert!((found - expected).abs() < 1e-9);
    }
    let trace = &fitted.report.trace;
    assert!(trace.iter().all(|objective| (objective - trace[0]).abs() < 1e-9));
}

/// Empty documents, repeated words, one word, and concentrations that make expansions extreme.
#[test]
fn edges_end_in_numbers() {
    let words = || ["a", "b", "c"].map(str::to_owned).to_vec();
    let names = |n: usize| (0..n).map(|d| d.to_string()).collect::<Vec<_>>();
    let corpora = [
        Corpus::from_rows(words(), names(3), vec![vec![], vec![(0, 7), (2, 1)], vec![]]).unwrap(),
        Corpus::from_rows(words(), names(1), vec![vec![(1, 1)]]).unwrap(),
        Corpus::from_rows(vec!["a".to_owned()], names(2), vec![vec![(0, 4_000_000)], vec![(0, 1)]]).unwrap(),
    ];
    for corpus in &corpora[..2] {
        for order in [Order::Zeroth, Order::Second] {
            for (alpha, beta) in [(0.5, 0.5), (1e-20, 1e-20), (1e-6, 1e3), (1e20, 1e-3)] {
                let options = LdaCollapsedVariationalOptions {
                    topics: 9,
                    order,
                    alpha: alpha.into(),
                    beta,
                    ..LdaCollapsedVariationalOptions::default()
                };
                let fitted = fit(corpus, &options);
                let tokens: f64 = fitted.model.expected_counts().iter().sum();
                assert!((tokens - corpus.tokens() as f64).abs() < 1e-5, "{alpha} {beta}: {tokens}");
                assert!(fitted.doc_topic.iter().all(|proportion| (0.0..=1.0).contains(proportion)));
                assert!(fitted.report.trace.iter().all(|objective| !objective.is_nan()));
            }
        }
    }
    let options = LdaCollapsedVariationalOptions {
        topics: 2,
        start: VariationalStart::Noise,
        ..LdaCollapsedVariationalOptions::default()
    };
    let fitted = fit(&corpora[2], &options);
    assert_eq!(fitted.model.topics().topic_word().as_slice(), [1.0, 1.0]);
}

#[test]
fn options_out_of_range_are_named() {
    let corpus = planted(5, 5, 1);
    let refused = |change: &dyn Fn(&mut LdaCollapsedVariationalOptions)| {
        let mut options = LdaCollapsedVariationalOptions::default();
        change(&mut options);
        refused_parameter(collapsed_variational::fit(&corpus, &options, &mut Silent))
    };
    assert_eq!(refused(&|o| o.topics = 0), "Lda: topics = 0 must be from 1 to 65535");
    assert_eq!(refused(&|o| o.max_iterations = 0), "Lda: max_iterations = 0 must be at least 1");
    assert_eq!(refused(&|o| o.groups = Some(0)), "Lda: groups = 0 must be at least 1");
    assert_eq!(refused(&|o| o.tolerance = f64::NAN), "Lda: tolerance = NaN must be non-negative and finite");
    assert!(refused(&|o| o.alpha = (-1.0).into()).contains("alpha"));
    assert_eq!(refused(&|o| o.beta = f64::INFINITY), "Lda: beta = inf must be from 1e-30 to 1e30");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn counts_always_add_up(seed in 0_u64..1000, topics in 1_usize..20, groups in 1_usize..9, second in any::<bool>()) {
        let corpus = planted(7, 25, seed);
        let options = LdaCollapsedVariationalOptions { topics, seed, max_iterations: 4, groups: Some(groups), order: if second { Order::Second } else { Order::Zeroth }, precision: Precision::Double, ..LdaCollapsedVariationalOptions::default() };
        let fitted = fit(&corpus, &options);
        let sum: f64 = fitted.model.expected_counts().iter().sum();
        prop_assert!((sum - corpus.tokens() as f64).abs() < 1e-9);
    }
}
