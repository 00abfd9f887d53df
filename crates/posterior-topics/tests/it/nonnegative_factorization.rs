//! Non-negative factorisation: the twin PLSA, dense updates, optimality, edges.

use posterior_math::check::DimensionError;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::nonnegative_factorization::{
    self, Factorization, FactorizationDivergence, FactorizationOptions, FactorizationStart,
    FactorizationUpdate,
};
use posterior_topics::plsa;
use posterior_topics::{Corpus, Error, FittedTopics, TopicModel, Weighting};
use proptest::prelude::*;

use crate::plsa::{corpus, random_counts};

fn fit(corpus: &Corpus, options: &FactorizationOptions) -> FittedTopics<Factorization> {
    nonnegative_factorization::fit(corpus, options, &mut Silent).unwrap()
}

fn dense(counts: &[Vec<u32>]) -> DMatrix<f64> {
    DMatrix::from_fn(counts.len(), counts[0].len(), |d, w| f64::from(counts[d][w]))
}

/// The divergence by its definition, 0 ln 0 = 0.
fn divergence(
    x: &DMatrix<f64>,
    fitted: &FittedTopics<Factorization>,
    divergence: FactorizationDivergence,
) -> f64 {
    let y = fitted.model.documents() * fitted.model.words();
    let term = |(&x, &y): (&f64, &f64)| match divergence {
        FactorizationDivergence::Frobenius => (x - y) * (x - y) / 2.0,
        _ if x == 0.0 => y,
        _ => x * (x / y).ln() - x + y,
    };
    x.iter().zip(y.iter()).map(term).sum()
}

#[test]
fn joint_updates_are_those_of_plsa() {
    let counts = random_counts(9, 7, 1);
    let corpus = corpus(&counts);
    let start = plsa::fit(
        &corpus,
        &plsa::PlsaOptions { topics: 3, max_iterations: 1, ..plsa::PlsaOptions::default() },
        &mut Silent,
    )
    .unwrap();
    let totals: Vec<f64> = counts.iter().map(|row| f64::from(row.iter().sum::<u32>())).collect();
    let documents = DMatrix::from_fn(9, 3, |d, k| totals[d] * start.doc_topic[(d, k)]);
    let options = FactorizationOptions {
        update: FactorizationUpdate::Joint,
        tolerance: 0.0,
        max_iterations: 25,
        ..FactorizationOptions::default()
    };
    let factors = nonnegative_factorization::fit_from(
        &corpus,
        &documents,
        start.model.topics().topic_word(),
        &options,
        &mut Silent,
    )
    .unwrap();
    let em = plsa::PlsaOptions { tolerance: 0.0, max_iterations: 25, ..plsa::PlsaOptions::default() };
    let twin = plsa::fit_from(&corpus, &start.parameters(), &em, &mut Silent).unwrap();
    assert_all_close(factors.doc_topic.as_slice(), twin.doc_topic.as_slice(), 1e-11);
    assert_all_close(
        factors.model.topics().topic_word().as_slice(),
        twin.model.topics().topic_word().as_slice(),
        1e-11,
    );
    // Minus the divergence is ln L of the tokens up to a constant, at every step.
    let shift = factors.report.trace[0] - twin.report.trace[0];
    for (ours, theirs) in factors.report.trace.iter().zip(&twin.report.trace) {
        assert_within(ours - theirs, shift, 1e-10);
    }
    for (d, total) in totals.iter().enumerate() {
        assert_close(factors.model.documents().row(d).sum(), *total, 1e-12);
    }
}

#[test]
fn alternating_updates_are_those_of_lee_and_seung() {
    let counts = random_counts(8, 6, 2);
    let corpus = corpus(&counts);
    let x = dense(&counts);
    let begin = fit(
        &corpus,
        &FactorizationOptions { topics: 3, max_iterations: 0, ..FactorizationOptions::default() },
    );
    let (mut w, mut h) = (begin.model.documents().clone(), begin.model.words());
    for _ in 0..4 {
        let ratio = |w: &DMatrix<f64>, h: &DMatrix<f64>| x.component_div(&(w * h));
        let by = ratio(&w, &h) * h.transpose();
        w = DMatrix::from_fn(8, 3, |d, k| w[(d, k)] * by[(d, k)] / h.row(k).sum());
        let by = w.transpose() * ratio(&w, &h);
        h = DMatrix::from_fn(3, 6, |k, v| h[(k, v)] * by[(k, v)] / w.column(k).sum());
    }
    let options =
        FactorizationOptions { tolerance: 0.0, max_iterations: 4, ..FactorizationOptions::default() };
    let fitted = nonnegative_factorization::fit_from(
        &corpus,
        begin.model.documents(),
        &begin.model.words(),
        &options,
        &mut Silent,
    )
    .unwrap();
    assert_all_close(fitted.model.documents().as_slice(), w.as_slice(), 1e-12);
    assert_all_close(fitted.model.words().as_slice(), h.as_slice(), 1e-12);
}

#[test]
fn the_trace_is_minus_the_divergence() {
    let counts = random_counts(11, 9, 3);
    let corpus = corpus(&counts);
    for kind in [FactorizationDivergence::KullbackLeibler, FactorizationDivergence::Frobenius] {
        for start in [FactorizationStart::Random, FactorizationStart::SingularVectors] {
            for update in [FactorizationUpdate::Alternating, FactorizationUpdate::Joint] {
                let options = FactorizationOptions {
                    topics: 4,
                    divergence: kind,
                    update,
                    start,
                    max_iterations: 7,
                    ..FactorizationOptions::default()
                };
                let fitted = fit(&corpus, &options);
                assert_close(
                    -fitted.report.trace.last().unwrap(),
                    divergence(&dense(&counts), &fitted, kind),
                    1e-12,
                );
            }
        }
    }
}

#[test]
fn least_squares_end_where_the_conditions_of_kuhn_and_tucker_hold() {
    let counts = random_counts(9, 8, 4);
    let corpus = corpus(&counts);
    let options = FactorizationOptions {
        topics: 3,
        divergence: FactorizationDivergence::Frobenius,
        tolerance: 0.0,
        max_iterations: 20_000,
        ..FactorizationOptions::default()
    };
    let fitted = fit(&corpus, &options);
    assert!(fitted.report.falls.is_empty());
    let (w, h) = (fitted.model.documents(), fitted.model.words());
    let residual = w * &h - dense(&counts);
    for (gradient, factor) in [(&residual * h.transpose(), w.clone()), (w.transpose() * &residual, h.clone())]
    {
        for (g, x) in gradient.iter().zip(factor.iter()) {
            // Sums of about a hundred that cancel.
            assert!(*g > -1e-5 && (g * x).abs() < 1e-5, "slope {g} at {x}");
        }
    }
    // Folding-in is the same problem with H fixed.
    for d in 0..9 {
        for (x, k) in fitted.model.project(corpus.document(d)).iter().zip(0..) {
            assert_within(*x, w[(d, k)], 1e-5);
        }
        let proportions = fitted.model.proportions(corpus.document(d));
        assert_close(proportions.iter().sum::<f64>(), 1.0, 1e-12);
        assert_within(proportions[0], fitted.doc_topic[(d, 0)], 1e-5);
    }
}

#[test]
fn ranks_that_suffice_reproduce_the_counts() {
    let counts = vec![vec![4, 2, 0], vec![3, 3, 1], vec![0, 1, 5]];
    let corpus = corpus(&counts);
    for kind in [FactorizationDivergence::KullbackLeibler, FactorizationDivergence::Frobenius] {
        let options = FactorizationOptions {
            topics: 3,
            divergence: kind,
            tolerance: 0.0,
            max_iterations: 20_000,
            ..FactorizationOptions::default()
        };
        let fitted = fit(&corpus, &options);
        assert!(-fitted.report.trace.last().unwrap() < 1e-6, "{kind:?}");
    }
    // One topic under the divergence: independence.
    let one = fit(
        &corpus,
        &FactorizationOptions { topics: 1, max_iterations: 3, ..FactorizationOptions::default() },
    );
    let y = one.model.documents() * one.model.words();
    for d in 0..3 {
        let row: u32 = counts[d].iter().sum();
        for w in 0..3 {
            let column: u32 = counts.iter().map(|row| row[w]).sum();
            assert_close(y[(d, w)], f64::from(row * column) / 19.0, 1e-13);
        }
    }
}

#[test]
fn singular_vectors_are_a_better_start() {
    let counts = random_counts(40, 30, 5);
    let corpus = corpus(&counts);
    for kind in [FactorizationDivergence::KullbackLeibler, FactorizationDivergence::Frobenius] {
        let options = FactorizationOptions {
            topics: 3,
            divergence: kind,
            max_iterations: 0,
            ..FactorizationOptions::default()
        };
        let random = fit(&corpus, &options).report.trace[0];
        let start = FactorizationOptions { start: FactorizationStart::SingularVectors, ..options };
        assert!(fit(&corpus, &start).report.trace[0] > random, "{kind:?}");
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let corpus = corpus(&random_counts(600, 90, 8));
    for kind in [FactorizationDivergence::KullbackLeibler, FactorizationDivergence::Frobenius] {
        let options = FactorizationOptions {
            topics: 9,
            divergence: kind,
            weighting: Weighting::TfIdf,
            start: FactorizationStart::SingularVectors,
            max_iterations: 4,
            ..FactorizationOptions::default()
        };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&corpus, &options))
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn edges_and_misuse() {
    for counts in [vec![vec![1]], vec![vec![u32::MAX, 1]], vec![vec![1, 0], vec![0, u32::MAX], vec![0, 0]]] {
        let corpus = corpus(&counts);
        for kind in [FactorizationDivergence::KullbackLeibler, FactorizationDivergence::Frobenius] {
            for start in [FactorizationStart::Random, FactorizationStart::SingularVectors] {
                for topics in [1, 2, 9] {
                    let options = FactorizationOptions {
                        topics,
                        divergence: kind,
                        start,
                        ..FactorizationOptions::default()
                    };
                    let fitted = fit(&corpus, &options);
                    assert!(fitted.report.trace.iter().all(|x| x.is_finite()), "{options:?}");
                    assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
                }
            }
        }
    }
    let small = corpus(&[vec![3, 1], vec![1, 2]]);
    let refused =
        |options: FactorizationOptions| nonnegative_factorization::fit(&small, &options, &mut Silent);
    assert!(
        refused(FactorizationOptions { topics: 0, ..FactorizationOptions::default() })
            .is_err_and(|e| e.is_parameter())
    );
    assert!(
        refused(FactorizationOptions { tolerance: f64::NAN, ..FactorizationOptions::default() })
            .is_err_and(|e| e.is_parameter())
    );
    assert!(
        refused(FactorizationOptions { weighting: Weighting::TfIdf, ..FactorizationOptions::default() })
            .is_err_and(|e| e.is_corpus())
    );
    let (good, wide) = (DMatrix::from_element(2, 2, 1.0), DMatrix::from_element(2, 3, 1.0));
    let from = |w: &DMatrix<f64>, h: &DMatrix<f64>| {
        nonnegative_factorization::fit_from(&small, w, h, &FactorizationOptions::default(), &mut Silent)
    };
    let none = DMatrix::zeros(0, 2);
    assert!(from(&DMatrix::zeros(2, 0), &none).is_err_and(|e| e.is_parameter()));
    for (documents, words) in [(&good, &wide), (&wide, &good), (&wide.transpose(), &good)] {
        let error = from(documents, words).unwrap_err();
        assert!(matches!(error, Error::Dimension(DimensionError { expected: 2, found: 3, .. })), "{error}");
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(from(&good, &DMatrix::from_element(2, 2, bad)).is_err_and(|e| e.is_parameter()));
    }
    // Factors that are all zero stay so; nothing of it is not a number.
    let zero = from(&DMatrix::zeros(2, 2), &DMatrix::zeros(2, 2)).unwrap();
    assert_eq!(zero.model.topics().weights(), [0.5, 0.5]);
    assert!(zero.doc_topic.iter().all(|p| p.is_finite()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_divergence_never_rises(
        seed in 0_u64..1000,
        topics in 1_usize..6,
        squares in any::<bool>(),
        joint in any::<bool>(),
        singular in any::<bool>(),
    ) {
        let mut counts = random_counts(6, 5, seed);
        counts[0][0] += 1;
        let corpus = corpus(&counts);
        let options = FactorizationOptions { topics, divergence: if squares { FactorizationDivergence::Frobenius } else { FactorizationDivergence::KullbackLeibler }, update: if joint { FactorizationUpdate::Joint } else { FactorizationUpdate::Alternating }, start: if singular { FactorizationStart::SingularVectors } else { FactorizationStart::Random }, seed, ..FactorizationOptions::default() };
        let fitted = fit(&corpus, &options);
        prop_assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
        prop_assert!(fitted.model.documents().min() >= 0.0 && fitted.model.words().min() >= 0.0);
    }
}
