//! The toy corpus with the exact evidence, and cases that variational Bayes solves exactly.

use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::special::{digamma, inverse_digamma, ln_multivariate_beta};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::lda::variational::{
    self, FoldIn, LdaVariationalOptions, VariationalBayes, VariationalStart,
};
use posterior_topics::{Corpus, TopicModel};
use proptest::prelude::*;

use crate::lda::enumeration::{TOY_LN_EVIDENCE, ln_evidence, toy};

const LIMIT: f64 = -9.315164439101506;

fn options() -> LdaVariationalOptions {
    LdaVariationalOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.5,
        document_steps: 1,
        threads: 1,
        ..LdaVariationalOptions::default()
    }
}

/// q(z) = (0.9, 0.1) for the tokens of the first document and (0.1, 0.9) for those of the second is what
/// these parameters lead to.
fn start(corpus: &Corpus) -> VariationalBayes<'_> {
    let odds = inverse_digamma(digamma(1.0) + 9_f64.ln());
    let gamma = DMatrix::from_row_slice(2, 2, &[odds, 1.0, 1.0, odds]);
    VariationalBayes::from_parameters(corpus, &options(), &gamma, &DMatrix::repeat(2, 3, 1.0)).unwrap()
}

#[test]
fn the_toy_climbs_as_published() {
    let corpus = toy();
    let mut posterior = start(&corpus);
    assert!(posterior.bound().is_nan());
    for expected in [-9.8422302054882, -9.392332439067, -9.324467377935] {
        posterior.update_documents();
        posterior.update_topics();
        assert_close(posterior.bound(), expected, 1e-13);
    }
    for _ in 0..200 {
        posterior.update_documents();
        posterior.update_topics();
    }
    assert_close(posterior.bound(), LIMIT, 1e-14);
    let (major, minor) = (3.429388337731, 0.570611662269);
    let gamma = posterior.gamma();
    assert_all_close(gamma.transpose().as_slice(), &[major, minor, minor, major], 1e-12);
    let first: Vec<f64> = posterior.lambda().row(0).iter().copied().collect();
    assert_all_close(&first, &[2.490525471658, 1.5, 0.509474528342], 1e-11);
    assert!(posterior.bound() < TOY_LN_EVIDENCE);
}

#[test]
fn from_most_starts_the_toy_ends_at_the_limit() {
    let corpus = toy();
    for seed in 0..5 {
        for begin in [
            VariationalStart::Noise,
            VariationalStart::Documents,
            VariationalStart::Sampled(3),
            VariationalStart::Collapsed(3),
        ] {
            let options = LdaVariationalOptions {
                start: begin.clone(),
                seed,
                document_steps: 5,
                max_iterations: 5000,
                tolerance: 1e-15,
                ..options()
            };
            let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
            let last = *fitted.report.trace.last().unwrap();
            assert!(last <= LIMIT + 1e-12, "{begin:?}: {last}");
            assert!(fitted.report.falls.is_empty());
        }
    }
}

/// With one topic nothing is uncertain about q(z), and the factors are the exact posterior.
#[test]
fn one_topic_is_exact() {
    let corpus = toy();
    let options = LdaVariationalOptions {
        topics: 1,
        alpha: 0.7.into(),
        beta: 0.4,
        threads: 1,
        ..LdaVariationalOptions::default()
    };
    let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
    let exact = ln_multivariate_beta(&[2.4, 2.4, 2.4]) - ln_multivariate_beta(&[0.4; 3]);
    for bound in &fitted.report.trace[1..] {
        assert_close(*bound, exact, 1e-13);
    }
    assert_all_close(fitted.model.topics().topic_word().as_slice(), &[1.0 / 3.0; 3], 1e-14);
    assert_eq!(fitted.doc_topic.as_slice(), [1.0, 1.0]);
}

/// One token: q(z) is uniform by symmetry at the start, and all is known in closed form.
#[test]
fn one_token_of_one_word() {
    let corpus = Corpus::from_rows(vec!["a".to_owned()], vec!["d".to_owned()], vec![vec![(0, 1)]]).unwrap();
    for topics in [1, 2, 9] {
        let options = LdaVariationalOptions {
            topics,
            alpha: 1.0.into(),
            tolerance: 1e-14,
            threads: 1,
            ..LdaVariationalOptions::default()
        };
        let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
        let last = *fitted.report.trace.last().unwrap();
        assert!(last <= 1e-12, "p(W) = 1, and the bound is {last}");
        assert_eq!(fitted.model.topics().topic_word().as_slice(), vec![1.0; topics]);
    }
}

#[test]
fn with_a_huge_alpha_all_documents_have_its_proportions() {
    let corpus = toy();
    for scale in [1e8, 1e28] {
        let options = LdaVariationalOptions {
            topics: 2,
            alpha: vec![scale, 3.0 * scale].into(),
            beta: 0.5,
            threads: 1,
            ..LdaVariationalOptions::default()
        };
        let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
        for row in fitted.doc_topic.row_iter() {
            let mut proportions: Vec<f64> = row.iter().copied().collect();
            proportions.sort_by(f64::total_cmp);
            assert_within(proportions[0], 0.25, 1e-7);
        }
        let trace = &fitted.report.trace;
        assert!(trace.is_sorted_by(|a, b| *b >= a - 1e-10), "{trace:?}");
        assert!(trace[trace.len() - 1] < 0.0);
    }
}

/// Weights of words and topics that underflow: with these concentrations expected logarithms reach -10^5.
#[test]
fn tiny_concentrations_need_logarithms() {
    let corpus = toy();
    for concentration in [1e-2, 1e-3, 1e-5, 1e-20] {
        let options = LdaVariationalOptions {
            topics: 3,
            alpha: concentration.into(),
            beta: concentration,
            start: VariationalStart::Sampled(1),
            threads: 1,
            ..LdaVariationalOptions::default()
        };
        let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty(), "{:?}", fitted.report);
        assert!(fitted.report.trace.iter().all(|bound| bound.is_finite()));
        let tokens: f64 = fitted.model.expected_counts().iter().sum();
        assert_close(tokens, 6.0, 1e-12);
    }
}

/// Faint words by logarithms against the formulas done plainly with logarithms everywhere.
#[test]
fn faint_words_follow_the_formulas() {
    let corpus = toy();
    let options = LdaVariationalOptions { alpha: 1e-3.into(), beta: 1e-3, ..options() };
    // The first document has the first topic only, and its word b the second.
    let gamma = DMatrix::from_row_slice(2, 2, &[3.001, 0.001, 0.001, 3.001]);
    let lambda = DMatrix::from_row_slice(2, 3, &[2.001, 0.001, 0.001, 0.001, 2.001, 2.001]);
    let mut posterior = VariationalBayes::from_parameters(&corpus, &options, &gamma, &lambda).unwrap();
    posterior.update_documents();
    let ln_theta = |d: usize, k: usize| digamma(gamma[(d, k)]);
    let ln_phi = |k: usize, v: usize| digamma(lambda[(k, v)]) - digamma(lambda.row(k).sum());
    let mut expected = [0.001, 0.001];
    let document = corpus.document(0);
    for (&word, &count) in document.words.iter().zip(document.counts) {
        let scores = [0, 1].map(|k| ln_theta(0, k) + ln_phi(k, word as usize));
        let norm = posterior_math::log_space::ln_sum_exp(&scores);
        for (expected, score) in expected.iter_mut().zip(scores) {
            *expected += f64::from(count) * (score - norm).exp();
        }
    }
    let found: Vec<f64> = posterior.gamma().row(0).iter().copied().collect();
    assert_all_close(&found, &expected, 1e-9);
    posterior.update_topics();
    assert_close(posterior.lambda().sum(), 6.006, 1e-12);
    assert!(posterior.bound() < 0.0);
}

/// The bound of a document read alone is what it adds to the bound of the corpus at the same topics, and
/// below what enumeration gives.
#[test]
fn a_document_is_read_as_it_was_fitted() {
    let corpus = toy();
    let options = LdaVariationalOptions {
        document_steps: 500,
        document_tolerance: 1e-12,
        tolerance: 1e-15,
        max_iterations: 2000,
        ..options()
    };
    let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
    let fold_in = FoldIn::new(&fitted.model);
    for d in 0..2 {
        let read = fold_in.read(corpus.document(d));
        let total = read.proportions.total();
        let means: Vec<f64> = read.proportions.concentration().iter().map(|g| g / total).collect();
        let row: Vec<f64> = fitted.doc_topic.row(d).iter().copied().collect();
        assert_all_close(&means, &row, 1e-6);
        assert_eq!(read.proportions, variational::document_posterior(&fitted.model, corpus.document(d)));
    }
    let empty = posterior_topics::corpus::Document { words: &[], counts: &[] };
    assert_eq!(fold_in.read(empty).proportions.concentration(), [0.5, 0.5]);
    assert_eq!(fold_in.read(empty).bound, 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every update raises the bound, also those of the concentrations, and no bound is above the evidence.
    #[test]
    fn no_update_lowers_the_bound(
        alpha in prop::collection::vec(0.01_f64..5.0, 2),
        beta in 0.01_f64..5.0,
        seed in 0_u64..1000,
        steps in 1_usize..4,
    ) {
        let corpus = toy();
        let options = LdaVariationalOptions { alpha: alpha.into(), beta, seed, start: VariationalStart::Noise, document_steps: steps, ..options() };
        let mut posterior = VariationalBayes::new(&corpus, &options).unwrap();
        let mut last = posterior.bound();
        for round in 0..30 {
            posterior.update_topics();
            let topics = posterior.bound();
            prop_assert!(topics >= last - 1e-11, "topics, round {round}: {last} -> {topics}");
            posterior.update_documents();
            let documents = posterior.bound();
            prop_assert!(documents >= topics - 1e-11, "documents, round {round}: {topics} -> {documents}");
            posterior.update_concentrations();
            let concentrations = posterior.bound();
            prop_assert!(concentrations >= documents - 1e-11, "concentrations, round {round}: {documents} -> {concentrations}");
            last = concentrations;
            let exact = ln_evidence(&corpus, posterior.alpha(), posterior.beta());
            prop_assert!(last <= exact + 1e-11, "{last} {exact}");
        }
    }

    #[test]
    fn no_bound_is_above_the_evidence(alpha in 0.05_f64..5.0, beta in 0.05_f64..5.0, seed in 0_u64..1000) {
        let corpus = toy();
        let options = LdaVariationalOptions { alpha: alpha.into(), beta, seed, document_steps: 20, ..options() };
        let fitted = variational::fit(&corpus, &options, &mut Silent).unwrap();
        let exact = ln_evidence(&corpus, &[alpha; 2], beta);
        prop_assert!(fitted.report.falls.is_empty());
        for bound in fitted.report.trace {
            prop_assert!(bound <= exact + 1e-12, "{bound} {exact}");
        }
    }
}
