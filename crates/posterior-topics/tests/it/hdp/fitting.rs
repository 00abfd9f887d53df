//! Fits as a user makes them.

use posterior_math::iteration::{Silent, Stop};
use posterior_topics::hdp::{DirectAssignment, Franchise, Hdp, HdpOptions, HdpState, Representation, fit};
use posterior_topics::{Corpus, FittedTopics, SweepReport, TopicModel};

use crate::stopping::StopAfter;

/// Documents of `kinds` kinds, each with words of its own.
pub(super) fn kinds(kinds: u32, documents: u32) -> Corpus {
    let words = (0..4 * kinds).map(|w| w.to_string()).collect();
    let row = |d: u32| (0..4).map(|w| (4 * (d % kinds) + w, 5 + (d * 7 + w * 3) % 6)).collect();
    let names = (0..documents).map(|d| d.to_string()).collect();
    Corpus::from_rows(words, names, (0..documents).map(row).collect()).unwrap()
}

fn run(corpus: &Corpus, options: &HdpOptions) -> FittedTopics<Hdp, SweepReport<HdpState>> {
    fit(corpus, options, &mut Silent).unwrap()
}

fn likeliest(options: &HdpOptions, report: &SweepReport<HdpState>) -> usize {
    let distribution = report.topics_distribution(options.held_from() / 2);
    assert!((distribution.values().sum::<f64>() - 1.0).abs() < 1e-12);
    distribution.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
}

/// Concentrations that ask for few topics, and do not move.
fn frugal() -> HdpOptions {
    HdpOptions {
        alpha: 0.2,
        gamma: 0.2,
        alpha_prior: None,
        gamma_prior: None,
        beta: 0.3,
        ..HdpOptions::default()
    }
}

#[test]
fn the_number_of_topics_grows_with_the_kinds_of_documents() {
    for representation in [Representation::DirectAssignment, Representation::Franchise] {
        for number in [1, 3, 8] {
            let options = HdpOptions { iterations: 300, representation, ..frugal() };
            let fitted = run(&kinds(number, 40), &options);
            assert_eq!(likeliest(&options, &fitted.report), number as usize, "{representation:?}");
        }
    }
}

/// With a single word there is nothing to learn: the chain draws from the prior, in which topics grow with
/// the documents.
#[test]
fn more_documents_of_a_process_have_more_topics() {
    let mean = |documents: u32| {
        let names = (0..documents).map(|d| d.to_string()).collect();
        let rows = (0..documents).map(|_| vec![(0, 5)]).collect();
        let corpus = Corpus::from_rows(vec!["word".to_owned()], names, rows).unwrap();
        let options =
            HdpOptions { alpha_prior: None, gamma_prior: None, iterations: 1000, ..HdpOptions::default() };
        let distribution =
            run(&corpus, &HdpOptions { trace_every: 1, ..options }).report.topics_distribution(100);
        distribution.iter().map(|(&topics, p)| topics as f64 * p).sum::<f64>()
    };
    let (few, more, many) = (mean(3), mean(15), mean(60));
    assert!(few + 1.0 < more && more + 0.8 < many, "{few} {more} {many}");
}

#[test]
fn estimates_are_distributions_and_documents_of_a_kind_share_a_topic() {
    let corpus = kinds(3, 30);
    let fitted = run(&corpus, &HdpOptions { iterations: 200, ..frugal() });
    let topics = fitted.model.topics();
    assert!(topics.weights().is_sorted_by(|a, b| a >= b));
    assert_eq!(fitted.doc_topic.shape(), (30, topics.len()));
    let leading = |d: usize| fitted.doc_topic.row(d).transpose().argmax().0;
    for d in 0..30 {
        assert!((fitted.doc_topic.row(d).sum() - 1.0).abs() < 1e-12);
        assert_eq!(leading(d) == leading(0), d % 3 == 0);
        let proportions = fitted.model.proportions(corpus.document(d));
        assert!(proportions[leading(d)] > 0.8);
    }
    let alpha: f64 = fitted.model.lda().alpha().iter().sum();
    let all = fitted.model.concentrations().alpha * (1.0 - fitted.model.unused_weight());
    assert!((alpha / all - 1.0).abs() < 1e-12);
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let corpus = kinds(4, 30);
    for representation in [Representation::DirectAssignment, Representation::Franchise] {
        let options = HdpOptions { iterations: 60, draws: 2, representation, ..HdpOptions::default() };
        let on = |threads: usize, options: &HdpOptions| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&corpus, options))
        };
        let (one, two) = (on(1, &options), on(2, &options));
        assert_eq!(
            (&one.model, &one.doc_topic, &one.report.trace),
            (&two.model, &two.doc_topic, &two.report.trace)
        );
        assert_ne!(one.report.trace, on(1, &HdpOptions { seed: 1, ..options.clone() }).report.trace);
    }
}

#[test]
fn a_fit_that_an_observer_stops_has_estimates() {
    let corpus = kinds(2, 10);
    let fitted = fit(&corpus, &HdpOptions::default(), &mut StopAfter::new(5)).unwrap();
    assert_eq!((fitted.report.stop, fitted.report.iterations), (Stop::Observer, 5));
    assert!(fitted.model.topics().len() > 0);
}

#[test]
fn a_model_survives_a_file() {
    let fitted = run(&kinds(2, 10), &HdpOptions { iterations: 20, ..HdpOptions::default() });
    let text = serde_json::to_string(&fitted.model).unwrap();
    assert_eq!(serde_json::from_str::<Hdp>(&text).unwrap(), fitted.model);
    assert!(serde_json::from_str::<Hdp>(&text.replace("posterior-hdp-1", "posterior-hdp-0")).is_err());
}

#[test]
fn corpora_at_the_edges_are_fitted() {
    let corpus = |words: usize, rows: Vec<Vec<(u32, u32)>>| {
        let names = (0..rows.len()).map(|d| d.to_string()).collect();
        Corpus::from_rows((0..words).map(|w| w.to_string()).collect(), names, rows).unwrap()
    };
    let corpora = [
        corpus(1, vec![vec![(0, 1)]]),
        corpus(3, vec![vec![], vec![(1, 2)], vec![]]),
        corpus(1, vec![vec![(0, 50)], vec![(0, 50)]]),
    ];
    for corpus in &corpora {
        for representation in [Representation::DirectAssignment, Representation::Franchise] {
            for scale in [1e-30, 1.0, 1e30] {
                let options = HdpOptions {
                    iterations: 30,
                    initial_topics: 300,
                    alpha: scale,
                    gamma: scale,
                    alpha_prior: None,
                    gamma_prior: None,
                    beta: scale,
                    representation,
                    ..HdpOptions::default()
                };
                let fitted = run(corpus, &options);
                assert!(fitted.report.trace.iter().all(|point| !point.ln_joint.is_nan()));
                assert!(fitted.doc_topic.iter().all(|proportion| proportion.is_finite()));
                let learned = HdpOptions {
                    alpha_prior: Some([1.0, 1.0]),
                    gamma_prior: Some([1.0, 1.0]),
                    ..options.clone()
                };
                assert!(run(corpus, &learned).doc_topic.iter().all(|proportion| proportion.is_finite()));
            }
        }
    }
}

#[test]
fn learning_the_concentration_of_words_helps() {
    // Words of a topic are alike here: a large concentration is right.
    let corpus = kinds(2, 40);
    let options = HdpOptions { iterations: 200, beta: 0.001, ..HdpOptions::default() };
    let learned =
        HdpOptions { hyperparameters: posterior_topics::lda::Hyperparameters::Optimized, ..options.clone() };
    let (fixed, learned) = (run(&corpus, &options), run(&corpus, &learned));
    assert_eq!(fixed.model.lda().beta(), 0.001);
    assert!(learned.model.lda().beta() > 0.05, "{}", learned.model.lda().beta());
    let last = |report: &SweepReport<HdpState>| report.trace.last().unwrap().ln_joint;
    assert!(last(&learned.report) > last(&fixed.report));
}

#[test]
fn what_does_not_fit_is_refused() {
    let corpus = kinds(2, 4);
    let few = DirectAssignment::from_assignments(&corpus, &HdpOptions::default(), &[0; 3]).unwrap_err();
    let tokens = corpus.tokens();
    assert_eq!(few.to_string(), format!("topics of tokens: expected {tokens}, found 3"));
    assert!(
        Franchise::from_assignments(&corpus, &HdpOptions::default(), &[0; 3]).unwrap_err().is_dimension()
    );
    let wrong = [
        HdpOptions { initial_topics: 0, ..HdpOptions::default() },
        HdpOptions { iterations: 0, ..HdpOptions::default() },
        HdpOptions { draws: 0, ..HdpOptions::default() },
        HdpOptions { thin: 0, ..HdpOptions::default() },
        HdpOptions { trace_every: 0, ..HdpOptions::default() },
        HdpOptions { alpha: f64::NAN, ..HdpOptions::default() },
        HdpOptions { gamma: 0.0, ..HdpOptions::default() },
        HdpOptions { beta: -1.0, ..HdpOptions::default() },
        HdpOptions { alpha_prior: Some([0.0, 1.0]), ..HdpOptions::default() },
        HdpOptions { gamma_prior: Some([1.0, f64::INFINITY]), ..HdpOptions::default() },
    ];
    for options in wrong {
        assert!(fit(&corpus, &options, &mut Silent).unwrap_err().is_parameter());
    }
}
