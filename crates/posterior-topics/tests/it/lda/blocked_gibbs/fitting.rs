//! Fits: threads, limits of small corpora, fitted concentrations, and the topics that the collapsed sampler
//! finds.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_testkit::accuracy::{assert_all_close, assert_close, assert_within};
use posterior_topics::lda::Hyperparameters;
use posterior_topics::lda::blocked_gibbs::{LdaBlockedGibbs, LdaBlockedGibbsOptions, fit};
use posterior_topics::lda::gibbs::{self, LdaGibbs};
use posterior_topics::{Corpus, TopicModel};

use crate::lda::gibbs::toy;

fn corpus(rows: Vec<Vec<(u32, u32)>>, words: usize) -> Corpus {
    let names = (0..rows.len()).map(|d| d.to_string()).collect();
    Corpus::from_rows((0..words).map(|w| w.to_string()).collect(), names, rows).unwrap()
}

/// Documents of 60 tokens on words 0..6 or 6..12, and some on both.
fn two_themes(documents: u32) -> Corpus {
    let row = |d: u32| {
        let theme = |t: u32| (0..6).map(move |w| (t * 6 + w, 4 + (d * 7 + w * 5) % 13));
        match d % 3 {
            0 => theme(0).collect(),
            1 => theme(1).collect(),
            _ => theme(0).chain(theme(1)).collect(),
        }
    };
    corpus((0..documents).map(row).collect(), 12)
}

#[test]
fn counts_keep_their_sums_and_the_joint_is_that_of_the_collapsed_sampler() {
    let corpus = two_themes(40);
    let options = LdaBlockedGibbsOptions {
        topics: 3,
        alpha: vec![0.2, 0.5, 1.0].into(),
        beta: 0.1,
        ..LdaBlockedGibbsOptions::default()
    };
    let collapsed = gibbs::LdaGibbsOptions {
        topics: 3,
        alpha: vec![0.2, 0.5, 1.0].into(),
        beta: 0.1,
        ..gibbs::LdaGibbsOptions::default()
    };
    let mut other = LdaGibbs::new(&corpus, &collapsed).unwrap();
    other.sweep();
    let mut chain = LdaBlockedGibbs::from_assignments(&corpus, &options, &other.assignments()).unwrap();
    assert_close(chain.ln_joint(), other.ln_joint(), 1e-14);
    for _ in 0..5 {
        chain.sweep();
        let mut topics = [0_u64; 3];
        for d in 0..corpus.documents() {
            let counts = chain.document_counts(d);
            assert_eq!(counts.iter().map(|&n| u64::from(n)).sum::<u64>(), corpus.document(d).tokens());
            assert_within(chain.proportions(d).iter().sum(), 1.0, 1e-14);
            topics.iter_mut().zip(counts).for_each(|(total, &n)| *total += u64::from(n));
        }
        let mut sums = [0.0; 3];
        for v in 0..12 {
            let tokens = corpus.iter().flat_map(|document| {
                document
                    .words
                    .iter()
                    .zip(document.counts)
                    .filter(|&(&w, _)| w as usize == v)
                    .map(|(_, &n)| n)
                    .collect::<Vec<_>>()
            });
            assert_eq!(chain.word_counts(v).iter().sum::<u32>(), tokens.sum::<u32>());
            topics.iter_mut().zip(chain.word_counts(v)).for_each(|(total, &n)| *total -= u64::from(n));
            sums.iter_mut().zip(chain.word_probabilities(v)).for_each(|(sum, phi)| *sum += phi);
        }
        assert_eq!(topics, [0; 3]);
        assert_all_close(&sums, &[1.0; 3], 1e-14);
    }
}

#[test]
fn threads_never_change_a_bit() {
    let corpus = two_themes(150);
    let options = LdaBlockedGibbsOptions {
        topics: 4,
        iterations: 60,
        draws: 2,
        hyperparameters: Hyperparameters::Optimized,
        ..LdaBlockedGibbsOptions::default()
    };
    let run =
        |threads| fit(&corpus, &LdaBlockedGibbsOptions { threads, ..options.clone() }, &mut Silent).unwrap();
    let one = run(1);
    for threads in [2, 5] {
        let other = run(threads);
        assert_eq!(other.model, one.model);
        assert_eq!(other.doc_topic, one.doc_topic);
        assert_eq!(other.report.trace, one.report.trace);
    }
    assert_ne!(one.model.alpha(), [1.25; 4]);
    let other = fit(&corpus, &LdaBlockedGibbsOptions { seed: 1, ..options }, &mut Silent).unwrap();
    assert_ne!(other.model, one.model);
}

/// The two samplers have one distribution, so that their means over many states agree.
#[test]
fn estimates_are_those_of_the_collapsed_sampler() {
    let corpus = two_themes(30);
    let options = LdaBlockedGibbsOptions {
        topics: 2,
        alpha: 0.5.into(),
        beta: 0.1,
        draws: 400,
        thin: 2,
        ..LdaBlockedGibbsOptions::default()
    };
    let blocked = fit(&corpus, &options, &mut Silent).unwrap();
    let mut options = gibbs::LdaGibbsOptions {
        topics: 2,
        beta: 0.1,
        draws: 400,
        thin: 2,
        ..gibbs::LdaGibbsOptions::default()
    };
    options.alpha = 0.5.into();
    let collapsed = gibbs::fit(&corpus, &options, &mut Silent).unwrap();
    let first = |model: &dyn TopicModel| {
        let topics = model.topics().topic_word().clone();
        usize::from(topics[(1, 0)] > topics[(0, 0)])
    };
    let (a, b) = (first(&blocked.model), first(&collapsed.model));
    for v in 0..12 {
        let (a, b) =
            (blocked.model.topics().topic_word()[(a, v)], collapsed.model.topics().topic_word()[(b, v)]);
        assert_within(a, b, 2e-3);
    }
    for d in 0..corpus.documents() {
        assert_within(blocked.doc_topic[(d, a)], collapsed.doc_topic[(d, b)], 1e-2);
    }
}

#[test]
fn one_topic_is_the_unigram_model() {
    let corpus = toy::corpus();
    let options =
        LdaBlockedGibbsOptions { topics: 1, beta: 0.5, iterations: 3, ..LdaBlockedGibbsOptions::default() };
    let fitted = fit(&corpus, &options, &mut Silent).unwrap();
    // Counts 2, 2, 2 of 6.
    assert_all_close(fitted.model.topics().topic_word().as_slice(), &[1.0 / 3.0; 3], 1e-14);
    assert_eq!(fitted.doc_topic.as_slice(), [1.0, 1.0]);
    let rising = |a: f64, n: i32| (0..n).map(|i| a + f64::from(i)).product::<f64>();
    let evidence = rising(0.5, 2).powi(3) / rising(1.5, 6);
    assert_close(fitted.report.trace.last().unwrap().ln_joint, evidence.ln(), 1e-14);
}

#[test]
fn empty_documents_have_the_prior_and_one_word_is_enough() {
    let corpus = corpus(vec![vec![], vec![(0, 3)], vec![]], 1);
    let options =
        LdaBlockedGibbsOptions { topics: 3, iterations: 5, draws: 1, ..LdaBlockedGibbsOptions::default() };
    let fitted = fit(&corpus, &options, &mut Silent).unwrap();
    for d in [0, 2] {
        for k in 0..3 {
            assert_close(fitted.doc_topic[(d, k)], 1.0 / 3.0, 1e-14);
        }
    }
    assert_eq!(fitted.model.topics().topic_word().as_slice(), [1.0; 3]);
}

/// With concentrations so small, nearly all proportions and probabilities underflow; their logarithms go on.
#[test]
fn extreme_concentrations_are_sampled() {
    let corpus = two_themes(6);
    for (alpha, beta) in [(1e-30, 1e-30), (1e30, 1e-30), (1e-30, 1e30), (1e30, 1e30)] {
        let options = LdaBlockedGibbsOptions {
            topics: 4,
            alpha: alpha.into(),
            beta,
            iterations: 20,
            ..LdaBlockedGibbsOptions::default()
        };
        let fitted = fit(&corpus, &options, &mut Silent).unwrap();
        assert!(fitted.report.trace.iter().all(|point| point.ln_joint.is_finite()), "{alpha} {beta}");
        assert!(fitted.model.topics().topic_word().iter().all(|p| (0.0..=1.0).contains(p)), "{alpha} {beta}");
    }
}

#[test]
fn observers_see_each_sweep_and_may_stop() {
    let corpus = toy::corpus();
    let mut seen = Vec::new();
    let options = LdaBlockedGibbsOptions { topics: 2, trace_every: 2, ..LdaBlockedGibbsOptions::default() };
    let fitted = fit(&corpus, &options, &mut |step: &Step| {
        seen.push((step.iteration, step.objective.is_nan()));
        if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(seen, [(1, true), (2, false), (3, false)]);
    assert_eq!((fitted.report.stop, fitted.report.iterations), (Stop::Observer, 3));
    assert_eq!(fitted.report.tokens_drawn, 18);
}

#[test]
fn options_and_assignments_that_do_not_fit_are_refused() {
    let corpus = toy::corpus();
    let options = LdaBlockedGibbsOptions { topics: 2, ..LdaBlockedGibbsOptions::default() };
    let refused = [
        LdaBlockedGibbsOptions { topics: 0, ..options.clone() },
        LdaBlockedGibbsOptions { iterations: 0, ..options.clone() },
        LdaBlockedGibbsOptions { draws: 0, ..options.clone() },
        LdaBlockedGibbsOptions { thin: 0, ..options.clone() },
        LdaBlockedGibbsOptions { trace_every: 0, ..options.clone() },
        LdaBlockedGibbsOptions { alpha: f64::NAN.into(), ..options.clone() },
        LdaBlockedGibbsOptions { alpha: vec![1.0; 3].into(), ..options.clone() },
        LdaBlockedGibbsOptions { beta: 0.0, ..options.clone() },
    ];
    for options in refused {
        assert!(fit(&corpus, &options, &mut Silent).is_err(), "{options:?}");
    }
    let few = LdaBlockedGibbs::from_assignments(&corpus, &options, &[0; 5]).unwrap_err();
    assert_eq!(few.to_string(), "topics of tokens: expected 6, found 5");
    let wrong = LdaBlockedGibbs::from_assignments(&corpus, &options, &[0, 0, 2, 0, 0, 0]).unwrap_err();
    assert_eq!(wrong.to_string(), "topic 2 of 2, counted from 0");
}
