//! Stochastic variational Bayes: one batch of all is a pass of the batch method; streams, planted topics and
//! misuse.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_testkit::accuracy::assert_close;
use posterior_topics::corpus::{StoredCorpus, split_tokens};
use posterior_topics::lda::online::{self, LdaOnlineOptions, OnlineVariationalBayes};
use posterior_topics::lda::variational::{self, DocumentStart, VariationalBayes, VariationalStart};
use posterior_topics::lda::{Hyperparameters, Lda};
use posterior_topics::{Corpus, FittedTopics, TopicModel, held_out};

use super::variational::fitting::{assert_recovered, planted};

use crate::stopping::refused_parameter;

fn fit(corpus: &Corpus, options: &LdaOnlineOptions) -> FittedTopics<Lda> {
    online::fit(corpus, options, &mut Silent).unwrap()
}

fn batch_options(topics: usize) -> variational::LdaVariationalOptions {
    variational::LdaVariationalOptions {
        topics,
        alpha: 0.3.into(),
        start: VariationalStart::Noise,
        documents: DocumentStart::Restart,
        document_steps: 1000,
        document_tolerance: 1e-10,
        ..variational::LdaVariationalOptions::default()
    }
}

fn options(topics: usize) -> LdaOnlineOptions {
    LdaOnlineOptions {
        topics,
        alpha: 0.3.into(),
        document_steps: 1000,
        document_tolerance: 1e-10,
        ..LdaOnlineOptions::default()
    }
}

/// With a rate of one, a batch of all documents is a pass of the batch method to the last bit, and the
/// estimate of the bound is the bound.
#[test]
fn one_batch_of_all_with_a_rate_of_one_is_a_pass() {
    let corpus = planted(40, 50, 1);
    let mut whole = VariationalBayes::new(&corpus, &batch_options(3)).unwrap();
    let rates = LdaOnlineOptions { delay: 1.0, decay: 0.0, ..options(3) };
    let mut stream = OnlineVariationalBayes::new(
        corpus.vocabulary().to_vec(),
        &LdaOnlineOptions { documents: Some(40), ..rates },
    )
    .unwrap();
    let before = whole.bound();
    let batch = stream.push(&corpus).unwrap();
    whole.update_topics();
    assert_eq!(batch.rate, 1.0);
    assert_close(batch.stream_bound, before, 1e-13);
    assert_eq!(stream.lambda(), whole.lambda());
    for _ in 0..5 {
        whole.update_documents();
        assert_close(stream.push(&corpus).unwrap().stream_bound, whole.bound(), 1e-13);
        whole.update_topics();
        assert_eq!(stream.lambda(), whole.lambda());
    }
    assert_eq!((stream.batches(), stream.documents()), (6, 240));
}

#[test]
fn rates_fall_as_reported() {
    let options = LdaOnlineOptions { delay: 64.0, decay: 0.5, ..LdaOnlineOptions::default() };
    assert_eq!(options.rate(0), 0.125);
    assert_close(options.rate(36), 0.1, 1e-15);
    let words = planted(1, 5, 1).vocabulary().to_vec();
    let mut stream = OnlineVariationalBayes::new(words, &LdaOnlineOptions { topics: 2, ..options }).unwrap();
    for t in 0..4_u32 {
        let batch = stream.push(&planted(10, 5, u64::from(t))).unwrap();
        assert_close(batch.rate, f64::from(64 + t).powf(-0.5), 1e-15);
        assert_eq!(batch.tokens, 50);
    }
}

/// After a batch, the counts are the old ones and those of the batch in the proportions of the rate.
#[test]
fn a_batch_moves_topics_by_its_rate() {
    let corpus = planted(20, 50, 2);
    let options = LdaOnlineOptions { documents: Some(200), delay: 4.0, decay: 0.5, ..options(3) };
    let mut stream = OnlineVariationalBayes::new(corpus.vocabulary().to_vec(), &options).unwrap();
    let before = stream.lambda();
    let mut jump = OnlineVariationalBayes::new(
        corpus.vocabulary().to_vec(),
        &LdaOnlineOptions { delay: 1.0, decay: 0.0, ..options },
    )
    .unwrap();
    stream.push(&corpus).unwrap();
    jump.push(&corpus).unwrap();
    let expected = before * 0.5 + jump.lambda() * 0.5;
    assert!((stream.lambda() - expected).amax() < 1e-9);
    // The batch stands for ten of its size.
    let counts: f64 = jump.model().expected_counts().iter().sum();
    assert_close(counts, 10_000.0, 1e-12);
}

#[test]
fn planted_topics_are_recovered_from_a_stream() {
    let corpus = planted(600, 60, 3);
    for hyperparameters in [Hyperparameters::Fixed, Hyperparameters::Optimized] {
        let options = LdaOnlineOptions { batch: 50, passes: 6, hyperparameters, seed: 3, ..options(3) };
        let fitted = fit(&corpus, &options);
        assert_recovered(&fitted.model, 0.85);
        assert_eq!((fitted.report.iterations(), fitted.report.stop), (72, Stop::MaxIterations));
        let fresh = split_tokens(&planted(50, 60, 4), 0).unwrap();
        let completion =
            held_out::document_completion(&fitted.model, &fresh.observed, &fresh.scored).unwrap();
        let perplexity = completion.perplexity();
        // Thirty words know nothing, and with three topics about twenty are left to choose from.
        assert!(perplexity < 25.0, "{perplexity}");
        let trace = &fitted.report.trace;
        assert!(trace[trace.len() - 1] > trace[0]);
    }
}

#[test]
fn learned_concentrations_move_towards_the_planted_ones() {
    let corpus = planted(600, 60, 5);
    let options = LdaOnlineOptions {
        alpha: 5.0.into(),
        beta: 1.0,
        batch: 100,
        passes: 10,
        start: VariationalStart::Sampled(10),
        hyperparameters: Hyperparameters::Optimized,
        ..options(3)
    };
    let fitted = fit(&corpus, &options);
    assert!(fitted.model.alpha().iter().all(|&a| a < 2.5), "{:?}", fitted.model.alpha());
}

#[test]
fn threads_do_not_change_a_bit() {
    let corpus = planted(200, 60, 6);
    let options =
        LdaOnlineOptions { batch: 70, passes: 2, hyperparameters: Hyperparameters::Optimized, ..options(11) };
    let one = fit(&corpus, &LdaOnlineOptions { threads: 1, ..options.clone() });
    for threads in [2, 3] {
        assert_eq!(fit(&corpus, &LdaOnlineOptions { threads, ..options.clone() }), one);
    }
}

#[test]
fn a_stream_goes_on_from_a_model() {
    let corpus = planted(100, 60, 7);
    let first =
        fit(&corpus, &LdaOnlineOptions { batch: 20, start: VariationalStart::Sampled(20), ..options(3) });
    let mut stream = OnlineVariationalBayes::from_model(&first.model, &options(3)).unwrap();
    assert_eq!(stream.model().topics(), first.model.topics());
    stream.push(&corpus).unwrap();
    assert_recovered(&stream.model(), 0.85);
    assert!(OnlineVariationalBayes::from_model(&first.model, &options(4)).unwrap_err().is_parameter());
}

#[test]
fn an_observer_stops_the_fit() {
    let corpus = planted(100, 30, 8);
    let mut stop =
        |step: &Step| if step.iteration == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let fitted = online::fit(&corpus, &LdaOnlineOptions { batch: 10, ..options(3) }, &mut stop).unwrap();
    assert_eq!((fitted.report.iterations(), fitted.report.stop), (3, Stop::Observer));
}

/// Empty documents do not count, and keep the prior's mean.
#[test]
fn empty_documents_are_passed_over() {
    let words = ["a", "b"].map(str::to_owned).to_vec();
    let names = (0..4).map(|d| d.to_string()).collect();
    let rows = vec![vec![], vec![(0, 3)], vec![(1, 2)], vec![]];
    let corpus = Corpus::from_rows(words, names, rows).unwrap();
    let fitted = fit(&corpus, &LdaOnlineOptions { batch: 1, passes: 1, ..options(2) });
    assert_eq!(fitted.report.iterations(), 2);
    assert_eq!((fitted.doc_topic[(0, 0)], fitted.doc_topic[(3, 1)]), (0.5, 0.5));
}

#[test]
fn misuse_is_refused() {
    let corpus = planted(5, 5, 1);
    let refused = |change: &dyn Fn(&mut LdaOnlineOptions)| {
        let mut options = LdaOnlineOptions::default();
        change(&mut options);
        refused_parameter(online::fit(&corpus, &options, &mut Silent))
    };
    assert_eq!(refused(&|o| o.topics = 0), "Lda: topics = 0 must be from 1 to 65535");
    assert_eq!(refused(&|o| o.batch = 0), "Lda: batch = 0 must be at least 1");
    assert_eq!(refused(&|o| o.passes = 0), "Lda: passes = 0 must be at least 1");
    assert_eq!(refused(&|o| o.documents = Some(0)), "Lda: documents = 0 must be at least 1");
    assert_eq!(refused(&|o| o.delay = 0.5), "Lda: delay = 0.5 must be finite and at least 1");
    assert_eq!(refused(&|o| o.decay = f64::NAN), "Lda: decay = NaN must be in [0, 1]");
    assert_eq!(refused(&|o| o.beta = -1.0), "Lda: beta = -1 must be from 1e-30 to 1e30");
    let mut stream =
        OnlineVariationalBayes::new(vec!["other".to_owned()], &LdaOnlineOptions::default()).unwrap();
    assert!(stream.push(&corpus).unwrap_err().is_corpus());
    assert!(OnlineVariationalBayes::new(Vec::new(), &LdaOnlineOptions::default()).unwrap_err().is_corpus());
}

/// A corpus in a file, in blocks of their own: the planted topics are found, as often as asked for, and the
/// same for the same seed.
#[test]
fn a_stored_corpus_is_fitted_block_by_block() {
    let corpus = planted(300, 60, 5);
    let folder = tempfile::tempdir().unwrap();
    let stored = StoredCorpus::write(&corpus, folder.path().join("all.corpus")).unwrap();
    let own = LdaOnlineOptions { batch: 30, passes: 12, ..options(3) };
    let fit = |own: &LdaOnlineOptions| online::fit_stored(&stored, own, &mut Silent).unwrap();
    let fitted = fit(&own);
    assert_recovered(&fitted.model, 0.95);
    assert_eq!((fitted.report.iterations(), fitted.report.stop), (12 * 10, Stop::MaxIterations));
    assert_eq!(fit(&own).model, fitted.model);
    assert_ne!(fit(&LdaOnlineOptions { seed: 1, ..own.clone() }).model, fitted.model);
    let mut two =
        |step: &Step| if step.iteration < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let stopped = online::fit_stored(&stored, &own, &mut two).unwrap();
    assert_eq!((stopped.report.iterations(), stopped.report.stop), (2, Stop::Observer));
    let documents = LdaOnlineOptions { start: VariationalStart::Documents, ..own };
    let message = refused_parameter(online::fit_stored(&stored, &documents, &mut Silent));
    assert!(message.contains("noise or a model"), "{message}");
}
