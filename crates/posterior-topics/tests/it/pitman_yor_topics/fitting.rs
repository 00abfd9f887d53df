//! Fits as a user makes them.

use posterior_dist::{PitmanYor, PitmanYorPrior};
use posterior_math::iteration::{Silent, Stop};
use posterior_topics::lda::Hyperparameters;
use posterior_topics::pitman_yor_topics::{
    Base, PitmanYorGibbs, PitmanYorTopics, PitmanYorTopicsOptions, fit,
};
use posterior_topics::{Corpus, FittedTopics, SweepReport, TopicModel};

use crate::stopping::StopAfter;

/// Documents of two kinds: word 0 in all, a few frequent words of the kind, and words that occur once.
fn corpus() -> Corpus {
    let words = (0..130).map(|w| w.to_string()).collect();
    let row = |d: u32| {
        let kind = d % 2;
        vec![
            (0, 10),
            (1 + 3 * kind, 8),
            (2 + 3 * kind, 6),
            (3 + 3 * kind, 5),
            (10 + 4 * d, 1),
            (11 + 4 * d, 1),
        ]
    };
    Corpus::from_rows(words, (0..30).map(|d| d.to_string()).collect(), (0..30).map(row).collect()).unwrap()
}

fn run(
    corpus: &Corpus,
    options: &PitmanYorTopicsOptions,
) -> FittedTopics<PitmanYorTopics, SweepReport<PitmanYor>> {
    fit(corpus, options, &mut Silent).unwrap()
}

#[test]
fn documents_of_a_kind_share_a_topic_and_a_tail_is_a_discount() {
    let corpus = corpus();
    let options = PitmanYorTopicsOptions {
        topics: 2,
        iterations: 300,
        alpha: 0.5.into(),
        ..PitmanYorTopicsOptions::default()
    };
    for base in [Base::Shared, Base::Uniform] {
        let fitted = run(&corpus, &PitmanYorTopicsOptions { base, ..options.clone() });
        assert!(fitted.model.topics().weights().is_sorted_by(|a, b| a >= b));
        assert_eq!(fitted.model.base_level().is_some(), base == Base::Shared);
        let leading = |d: usize| fitted.doc_topic.row(d).transpose().argmax().0;
        for d in 0..30 {
            assert!((fitted.doc_topic.row(d).sum() - 1.0).abs() < 1e-12);
            // Two thirds of the tokens of a document are of its kind, the others are anyone's.
            let words = [1, 2, 3].map(|w| w + 3 * (d % 2));
            let phi = fitted.model.topics().topic_word();
            let mass = |k: usize| words.iter().map(|&w| phi[(k, w)]).sum::<f64>();
            assert!(mass(leading(d)) > mass(1 - leading(d)), "{base:?} {d}");
            let proportions = fitted.model.proportions(corpus.document(d));
            assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn the_seed_decides_and_a_model_survives_a_file() {
    let corpus = corpus();
    let options =
        PitmanYorTopicsOptions { topics: 3, iterations: 40, draws: 2, ..PitmanYorTopicsOptions::default() };
    let (one, again) = (run(&corpus, &options), run(&corpus, &options));
    assert_eq!(
        (&one.model, &one.doc_topic, &one.report.trace),
        (&again.model, &again.doc_topic, &again.report.trace)
    );
    assert_ne!(one.report.trace, run(&corpus, &PitmanYorTopicsOptions { seed: 1, ..options }).report.trace);
    let text = serde_json::to_string(&one.model).unwrap();
    let read: PitmanYorTopics = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (read.alpha(), read.level(), read.base_level()),
        (one.model.alpha(), one.model.level(), one.model.base_level())
    );
    assert!(serde_json::from_str::<PitmanYorTopics>(&text.replace("topics-2", "topics-0")).is_err());
}

#[test]
fn concentrations_of_topics_are_learned_and_an_observer_stops_a_fit() {
    let corpus = corpus();
    let options = PitmanYorTopicsOptions {
        topics: 2,
        iterations: 200,
        hyperparameters: Hyperparameters::Optimized,
        ..PitmanYorTopicsOptions::default()
    };
    let fitted = run(&corpus, &options);
    assert!(fitted.model.alpha().iter().all(|&a| a > 0.0 && (a - 2.5).abs() > 1e-3));
    let stopped = fit(&corpus, &options, &mut StopAfter::new(5)).unwrap();
    assert_eq!((stopped.report.stop, stopped.report.iterations), (Stop::Observer, 5));
}

#[test]
fn corpora_and_parameters_at_the_edges_are_fitted() {
    let corpus = |words: usize, rows: Vec<Vec<(u32, u32)>>| {
        let names = (0..rows.len()).map(|d| d.to_string()).collect();
        Corpus::from_rows((0..words).map(|w| w.to_string()).collect(), names, rows).unwrap()
    };
    let corpora = [
        corpus(1, vec![vec![(0, 1)]]),
        corpus(3, vec![vec![], vec![(1, 2)]]),
        corpus(2, vec![vec![(0, 300)]]),
    ];
    for corpus in &corpora {
        for (discount, concentration) in [(0.0, 1e-30), (1.0 - 1e-16, 1e-30), (0.0, 1e30), (0.999, 1e30)] {
            let level = PitmanYor::new(discount, concentration).unwrap();
            for prior in [None, PitmanYorTopicsOptions::default().prior] {
                let options = PitmanYorTopicsOptions {
                    topics: 9,
                    iterations: 20,
                    level,
                    base_level: level,
                    prior,
                    ..PitmanYorTopicsOptions::default()
                };
                let fitted = run(corpus, &options);
                assert!(fitted.report.trace.iter().all(|point| point.ln_joint.is_finite()), "{level:?}");
                assert!(fitted.doc_topic.iter().all(|proportion| proportion.is_finite()));
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let corpus = corpus();
    let (level, base_level) = (PitmanYor::new(0.5, 1e31).unwrap(), PitmanYor::new(0.5, 0.0).unwrap());
    let wrong = [
        PitmanYorTopicsOptions { topics: 0, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { iterations: 0, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { draws: 0, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { thin: 0, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { trace_every: 0, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { alpha: 0.0.into(), ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { level, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions { base_level, ..PitmanYorTopicsOptions::default() },
        PitmanYorTopicsOptions {
            prior: Some(PitmanYorPrior { discount: [1.0, 0.0], concentration: [1.0, 1.0] }),
            ..PitmanYorTopicsOptions::default()
        },
    ];
    for options in wrong {
        assert!(fit(&corpus, &options, &mut Silent).unwrap_err().is_parameter());
    }
    let options = PitmanYorTopicsOptions { topics: 2, ..PitmanYorTopicsOptions::default() };
    let few = PitmanYorGibbs::from_assignments(&corpus, &options, &[0]).unwrap_err();
    assert!(few.is_dimension());
    let beyond = vec![2; corpus.tokens() as usize];
    let error = PitmanYorGibbs::from_assignments(&corpus, &options, &beyond).unwrap_err();
    assert!(error.is_dimension());
    assert_eq!(error.to_string(), "topic 2 of 2, counted from 0");
}
