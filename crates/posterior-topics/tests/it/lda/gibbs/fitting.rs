//! Fits from end to end: planted topics, threads, checkpoints, fitted concentrations, edges.

use posterior_math::iteration::Silent;
use posterior_topics::TopicModel;
use posterior_topics::corpus::{Document, split_tokens};
use posterior_topics::lda::gibbs::{self, LdaGibbs, LdaGibbsCheckpoint, LdaGibbsOptions, TopicSampler};
use posterior_topics::lda::{Hyperparameters, Lda};
use posterior_topics::{Corpus, FittedTopics, SweepReport, held_out};
use proptest::prelude::*;

use crate::lda::variational::fitting::{assert_recovered, planted};
use crate::stopping::{StopAfter, refused_parameter};

const SAMPLERS: [TopicSampler; 3] =
    [TopicSampler::Dense, TopicSampler::Sparse, TopicSampler::MetropolisHastings];

fn options(topics: usize, iterations: usize) -> LdaGibbsOptions {
    let mut options = LdaGibbsOptions { topics, ..LdaGibbsOptions::default() };
    options.iterations = iterations;
    options
}

fn fit(corpus: &Corpus, options: &LdaGibbsOptions) -> FittedTopics<Lda, SweepReport> {
    gibbs::fit(corpus, options, &mut Silent).unwrap()
}

#[test]
fn planted_topics_are_recovered() {
    let corpus = planted(120, 80, 3);
    for groups in [1, 4] {
        let mut options = options(3, 300);
        options.groups = Some(groups);
        let fitted = fit(&corpus, &options);
        assert_recovered(&fitted.model, 0.95);
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let corpus = planted(90, 60, 4);
    let mut options = options(4, 60);
    options.groups = Some(8);
    options.hyperparameters = Hyperparameters::Optimized;
    options.draws = 2;
    for sampler in SAMPLERS {
        let mut options = LdaGibbsOptions { sampler, threads: 1, ..options.clone() };
        let one = fit(&corpus, &options);
        for threads in [2, 3, 0] {
            options.threads = threads;
            let many = fit(&corpus, &options);
            assert_eq!(one.model, many.model, "{sampler:?}");
            assert_eq!(one.doc_topic, many.doc_topic);
            assert_eq!(one.report.trace, many.report.trace);
        }
        options.seed = 1;
        assert_ne!(one.model, fit(&corpus, &options).model);
    }
}

#[test]
fn a_resumed_fit_ends_in_the_same_bits() {
    let corpus = planted(60, 40, 5);
    let mut options = options(3, 90);
    options.groups = Some(3);
    options.hyperparameters = Hyperparameters::Optimized;
    options.draws = 4;
    for sampler in SAMPLERS {
        check_resumed(&corpus, &LdaGibbsOptions { sampler, ..options.clone() });
    }
}

/// A fit that stops and goes on, against one that does not stop.
fn check_resumed(corpus: &Corpus, options: &LdaGibbsOptions) {
    let whole = fit(corpus, options);
    for stop in [1, 29, 30, 61, 75, 89] {
        let mut stopping = StopAfter::new(stop);
        let part = gibbs::fit(corpus, options, &mut stopping);
        assert_eq!(part.unwrap().report.iterations, stop);
        let mut checkpoint = LdaGibbsCheckpoint::read_from(stopping.file.as_slice()).unwrap();
        checkpoint.set_threads(2);
        assert_eq!(checkpoint.iterations(), stop);
        let resumed = gibbs::resume(corpus, &checkpoint, &mut Silent).unwrap();
        assert_eq!(resumed.model, whole.model, "stopped after {stop}");
        assert_eq!(resumed.doc_topic, whole.doc_topic);
        assert_eq!(resumed.report.trace, whole.report.trace);
    }
}

#[test]
fn a_checkpoint_of_another_corpus_is_refused() {
    let corpus = planted(10, 20, 1);
    let mut stopping = StopAfter::new(1);
    gibbs::fit(&corpus, &options(2, 5), &mut stopping).unwrap();
    let saved = LdaGibbsCheckpoint::read_from(stopping.file.as_slice()).unwrap();
    let other = planted(10, 20, 2);
    let error = gibbs::resume(&other, &saved, &mut Silent).unwrap_err();
    assert_eq!(error.to_string(), "the checkpoint was made with another corpus");
    let nonsense = LdaGibbsCheckpoint::read_from(&b"{\"format\": 3}"[..]).unwrap_err();
    assert_eq!(nonsense.kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn learning_the_concentrations_raises_the_joint() {
    let corpus = planted(80, 50, 6);
    let mut options = options(5, 1);
    options.alpha = 3.0.into();
    options.beta = 2.0;
    let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
    for _ in 0..30 {
        chain.sweep();
        let before = chain.ln_joint();
        let (alpha, beta) = (chain.alpha().to_vec(), chain.beta());
        chain.optimize_hyperparameters();
        assert_ne!((chain.alpha(), chain.beta()), (alpha.as_slice(), beta));
        assert!(chain.ln_joint() >= before - 1e-10 * before.abs(), "{before} -> {}", chain.ln_joint());
    }
    assert!(chain.beta() < 1.0, "planted topics are sparse, beta = {}", chain.beta());
}

#[test]
fn estimates_are_distributions_and_topics_come_by_weight() {
    let corpus = planted(40, 30, 7);
    let fitted = fit(&corpus, &options(6, 40));
    for matrix in [fitted.model.topics().topic_word(), &fitted.doc_topic] {
        for row in matrix.row_iter() {
            assert!((row.sum() - 1.0).abs() < 1e-12);
            assert!(row.iter().all(|&p| p > 0.0));
        }
    }
    let weights = fitted.model.topics().weights();
    assert!(weights.is_sorted_by(|a, b| a >= b), "{weights:?}");
    assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(fitted.doc_topic.shape(), (40, 6));
}

#[test]
fn the_model_file_keeps_every_bit() {
    let corpus = planted(20, 30, 8);
    let fitted = fit(&corpus, &options(3, 30));
    let json = serde_json::to_string(&fitted.model).unwrap();
    let back: Lda = serde_json::from_str(&json).unwrap();
    assert_eq!(back, fitted.model);
    assert_eq!(serde_json::to_string(&back).unwrap(), json);
    let broken = json.replacen("posterior-lda-2", "something-else", 1);
    let error = serde_json::from_str::<Lda>(&broken).unwrap_err();
    assert!(error.to_string().contains("expected \"posterior-lda-2\""), "{error}");
}

#[test]
fn empty_documents_keep_their_place_and_have_the_prior_mean() {
    let words = ["a", "b"].map(str::to_owned).to_vec();
    let names = ["full", "empty", "also full"].map(str::to_owned).to_vec();
    let corpus = Corpus::from_rows(words, names, vec![vec![(0, 9)], vec![], vec![(1, 9)]]).unwrap();
    let fitted = fit(&corpus, &options(2, 20));
    assert_eq!(fitted.doc_topic.row(1).iter().copied().collect::<Vec<_>>(), vec![0.5, 0.5]);
    assert_eq!(fitted.model.proportions(corpus.document(1)), vec![0.5, 0.5]);
}

#[test]
fn options_out_of_range_are_named() {
    let corpus = planted(5, 5, 1);
    let refused = |change: &dyn Fn(&mut LdaGibbsOptions)| {
        let mut options = LdaGibbsOptions::default();
        change(&mut options);
        refused_parameter(gibbs::fit(&corpus, &options, &mut Silent))
    };
    assert_eq!(refused(&|o| o.topics = 0), "Lda: topics = 0 must be from 1 to 65535");
    assert_eq!(refused(&|o| o.topics = 65_536), "Lda: topics = 65536 must be from 1 to 65535");
    assert_eq!(refused(&|o| o.iterations = 0), "Lda: iterations = 0 must be at least 1");
    assert_eq!(refused(&|o| o.alpha = (-1.0).into()), "Lda: alpha = -1 must be from 1e-30 to 1e30");
    assert_eq!(refused(&|o| o.beta = f64::NAN), "Lda: beta = NaN must be from 1e-30 to 1e30");
    assert_eq!(refused(&|o| o.groups = Some(0)), "Lda: groups = 0 must be at least 1");
}

/// The first topics of a chain are part of the contract: another generator or order is a value change.
#[test]
fn first_draws_are_pinned() {
    let corpus = planted(4, 8, 1);
    for (groups, expected) in [(1, PINNED_ONE), (2, PINNED_TWO)] {
        let mut options = options(3, 1);
        options.groups = Some(groups);
        options.seed = 42;
        let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
        chain.sweep();
        let drawn: String = chain.assignments().iter().map(u16::to_string).collect();
        assert_eq!(drawn, expected, "{groups} groups");
    }
}

const PINNED_ONE: &str = "00000010022220000120001120111100";
const PINNED_TWO: &str = "00001210022220000101221202211200";

/// The objective that folding in climbs: the log posterior of the proportions under `Dir(alpha + 1)`.
fn fold_in_objective(model: &Lda, document: Document<'_>, theta: &[f64]) -> f64 {
    let prior: f64 = model.alpha().iter().zip(theta).map(|(a, t)| a * t.ln()).sum();
    model.topics().ln_likelihood(document, theta) + prior
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn folding_in_finds_the_mode(counts in prop::collection::vec(0_u32..6, 30), nudge in 0_usize..3) {
        let model = fit(&planted(30, 40, 9), &options(3, 30)).model;
        let words: Vec<u32> = (0..30).filter(|&v| counts[v as usize] > 0).collect();
        let kept: Vec<u32> = counts.iter().copied().filter(|&c| c > 0).collect();
        let document = Document { words: &words, counts: &kept };
        let theta = model.proportions(document);
        prop_assert!((theta.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let best = fold_in_objective(&model, document, &theta);
        for step in [1e-3, -1e-3] {
            let mut other = theta.clone();
            other[nudge] *= 1.0 + step;
            let sum: f64 = other.iter().sum();
            other = other.iter().map(|t| t / sum).collect();
            prop_assert!(fold_in_objective(&model, document, &other) <= best + 1e-9);
        }
    }

    #[test]
    fn counts_always_add_up(
        seed in 0_u64..1000, topics in 1_usize..12, groups in 1_usize..6, sampler in prop::sample::select(&SAMPLERS)
    ) {
        let corpus = planted(7, 25, seed);
        let mut options = LdaGibbsOptions { sampler, ..options(topics, 1) };
        options.groups = Some(groups);
        options.seed = seed;
        let mut chain = LdaGibbs::new(&corpus, &options).unwrap();
        // The second sweep goes by what the first has left behind.
        chain.sweep();
        chain.sweep();
        let z = chain.assignments();
        let mut at = 0;
        for (d, document) in corpus.iter().enumerate() {
            let mut expected = vec![0_u32; topics];
            for &topic in &z[at..at + document.tokens() as usize] {
                expected[usize::from(topic)] += 1;
            }
            at += document.tokens() as usize;
            prop_assert_eq!(chain.document_counts(d), expected.as_slice());
        }
        let restarted = LdaGibbs::from_assignments(&corpus, &options, &z).unwrap();
        for v in 0..30 {
            prop_assert_eq!(chain.word_counts(v), restarted.word_counts(v));
        }
        prop_assert_eq!(restarted.ln_joint(), chain.ln_joint());
    }
}

#[test]
fn a_model_that_knows_the_topics_completes_documents_better() {
    let corpus = planted(100, 60, 10);
    let fresh = planted(20, 60, 11);
    let halves = split_tokens(&fresh, 0).unwrap();
    let perplexity = |topics| {
        let model = fit(&corpus, &options(topics, 100)).model;
        held_out::document_completion(&model, &halves.observed, &halves.scored).unwrap().perplexity()
    };
    let (one, three) = (perplexity(1), perplexity(3));
    // One topic knows no more than 30 words about alike; with three, about 20 are left to choose from.
    assert!((28.0..32.0).contains(&one), "{one}");
    assert!(three < 24.0, "{three}");
}
