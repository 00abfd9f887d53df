//! Stochastic variational Bayes: a bound of the exact evidence, and what batches find.

use posterior_math::iteration::{Silent, Stop};
use posterior_testkit::accuracy::assert_within;
use posterior_topics::hdp::online::{HdpOnlineOptions, OnlineHdp, fit};
use posterior_topics::hdp::{self, Hdp, HdpOptions};
use posterior_topics::held_out::document_completion;
use posterior_topics::{Corpus, FittedTopics, TopicModel};

use super::enumeration::{Known, corpus, joints};
use super::fitting::kinds;
use crate::stopping::StopAfter;

/// The bounds of passes over the whole corpus, each with a rate of one: coordinate ascent.
fn ascent(corpus: &Corpus, options: &HdpOnlineOptions, passes: usize) -> Vec<f64> {
    let options = HdpOnlineOptions {
        decay: 0.0,
        documents: Some(corpus.documents()),
        document_steps: 2000,
        document_tolerance: 1e-12,
        ..options.clone()
    };
    let mut stream = OnlineHdp::new(corpus.vocabulary().to_vec(), &options).unwrap();
    (0..passes).map(|_| stream.push(corpus).unwrap().stream_bound).collect()
}

/// The evidence by enumeration of all partitions and tables of six tokens is above every bound. The best
/// bound is some five nats below: that numbers of topics and sticks may be exchanged is lost in factors.
#[test]
fn no_bound_is_above_the_evidence() {
    let corpus = corpus();
    for known in [
        Known { alpha: 1.5, gamma: 1.0, beta: 0.5 },
        Known { alpha: 0.4, gamma: 3.0, beta: 1.0 },
        Known { alpha: 5.0, gamma: 0.5, beta: 0.1 },
    ] {
        let evidence: f64 = joints(&corpus, known).iter().map(|(_, p)| p).sum();
        let Known { alpha, gamma, beta } = known;
        let bounds = (0..8).flat_map(|seed| {
            let options = HdpOnlineOptions {
                topics: 6,
                sticks: 4,
                alpha,
                gamma,
                beta,
                seed,
                ..HdpOnlineOptions::default()
            };
            ascent(&corpus, &options, 60)
        });
        let best = bounds.fold(f64::NEG_INFINITY, f64::max);
        println!("bound {best}, evidence {}", evidence.ln());
        assert!(best < evidence.ln() && best > evidence.ln() - 7.0, "{best} {}", evidence.ln());
    }
}

/// Documents that are found again in each pass: the bound never falls.
#[test]
fn passes_with_a_rate_of_one_climb() {
    let options = HdpOnlineOptions { topics: 12, sticks: 5, beta: 0.3, ..HdpOnlineOptions::default() };
    let bounds = ascent(&kinds(3, 24), &options, 40);
    for pair in bounds[1..].windows(2) {
        assert!(pair[1] >= pair[0] - 1e-8 * pair[0].abs(), "{bounds:?}");
    }
}

fn run(corpus: &Corpus, options: &HdpOnlineOptions) -> FittedTopics<Hdp> {
    fit(corpus, options, &mut Silent).unwrap()
}

#[test]
fn kinds_of_documents_become_topics() {
    for number in [1, 3, 8] {
        let corpus = kinds(number, 80);
        let options =
            HdpOnlineOptions { topics: 30, beta: 0.3, batch: 20, passes: 40, ..HdpOnlineOptions::default() };
        let FittedTopics { model, doc_topic, report } = run(&corpus, &options);
        assert_eq!(report.stop, Stop::MaxIterations);
        // The start, and four batches a pass.
        assert_eq!(report.trace.len(), 161);
        // The kind that most of a topic's words are of; several topics may be of one kind.
        let words = model.topics().topic_word();
        let kind = |k: usize| {
            let mass = |own: usize| (4 * own..4 * own + 4).map(|v| words[(k, v)]).sum::<f64>();
            (0..number as usize).max_by(|&a, &b| mass(a).total_cmp(&mass(b))).unwrap()
        };
        let kinds: Vec<usize> = (0..model.topics().len()).map(kind).collect();
        for d in 0..80 {
            let own = |&k: &usize| kinds[k] == d % number as usize;
            let mass: f64 = (0..kinds.len()).filter(own).map(|k| doc_topic[(d, k)]).sum();
            assert!(mass > 0.9, "{number}: {mass}");
            assert_within(doc_topic.row(d).sum(), 1.0, 1e-12);
        }
        assert!((0.0..0.5).contains(&model.unused_weight()));
    }
}

/// Held-out words are as probable as by the sampler, up to what batches cost.
#[test]
fn it_predicts_about_as_well_as_the_sampler() {
    let corpus = kinds(6, 120);
    let split = posterior_topics::corpus::split_documents(&corpus, 0.2, 0).unwrap();
    let halves = posterior_topics::corpus::split_tokens(&split.test, 0).unwrap();
    let perplexity =
        |model: &Hdp| document_completion(model, &halves.observed, &halves.scored).unwrap().perplexity();
    let online =
        run(&split.train, &HdpOnlineOptions { batch: 24, passes: 40, ..HdpOnlineOptions::default() });
    let sampled =
        hdp::fit(&split.train, &HdpOptions { iterations: 200, ..HdpOptions::default() }, &mut Silent)
            .unwrap();
    let [online, sampled] = [&online.model, &sampled.model].map(perplexity);
    println!("perplexity: online {online}, sampled {sampled}");
    assert!(online < 1.1 * sampled, "{online} {sampled}");
}

#[test]
fn threads_change_nothing_and_the_observer_ends_it() {
    let corpus = kinds(3, 30);
    let options = HdpOnlineOptions { batch: 7, passes: 2, threads: 1, ..HdpOnlineOptions::default() };
    let one = run(&corpus, &options);
    let three = run(&corpus, &HdpOnlineOptions { threads: 3, ..options.clone() });
    assert_eq!((&one.model, &one.doc_topic), (&three.model, &three.doc_topic));
    let stopped = fit(&corpus, &options, &mut StopAfter::new(2)).unwrap();
    assert_eq!(stopped.report.stop, Stop::Observer);
    let text = serde_json::to_string(&one.model).unwrap();
    assert_eq!(serde_json::from_str::<Hdp>(&text).unwrap(), one.model);
    // New documents are read by the topics.
    let document = corpus.document(1);
    assert_within(one.model.proportions(document).iter().sum(), 1.0, 1e-12);
}

#[test]
fn misuse_is_refused() {
    let corpus = kinds(2, 4);
    let options = HdpOnlineOptions::default();
    for bad in [
        HdpOnlineOptions { topics: 1, ..options.clone() },
        HdpOnlineOptions { sticks: 1, ..options.clone() },
        HdpOnlineOptions { alpha: 0.0, ..options.clone() },
        HdpOnlineOptions { gamma: f64::NAN, ..options.clone() },
        HdpOnlineOptions { beta: -1.0, ..options.clone() },
        HdpOnlineOptions { delay: 0.5, ..options.clone() },
        HdpOnlineOptions { decay: 1.5, ..options.clone() },
        HdpOnlineOptions { batch: 0, ..options.clone() },
        HdpOnlineOptions { passes: 0, ..options.clone() },
        HdpOnlineOptions { document_tolerance: f64::NAN, ..options.clone() },
    ] {
        assert!(fit(&corpus, &bad, &mut Silent).is_err(), "{bad:?}");
    }
    assert!(OnlineHdp::new(Vec::new(), &options).is_err());
    let mut stream = OnlineHdp::new(vec!["other".to_owned()], &options).unwrap();
    assert!(stream.push(&corpus).is_err());
    assert_eq!((stream.batches(), stream.documents()), (0, 0));
}
