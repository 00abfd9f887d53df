//! Dynamic topics: coverage of courses and of the drift, planted drifts, and misuse.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_dist::{Dirichlet, InverseGamma};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_topics::dynamic_topics::{DynamicTopics, DynamicTopicsOptions, fit};
use posterior_topics::{Corpus, TopicModel};
use rand::distr::Distribution;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

const WORDS: usize = 6;
const TIMES: usize = 5;

fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    let found = weights.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// Paths and drift from the prior, and documents of two topics.
struct Truth {
    drift: f64,
    /// By time and topic.
    phi: Vec<[Vec<f64>; 2]>,
    times: Vec<f64>,
    corpus: Corpus,
}

impl Truth {
    /// Eight documents of 30 words at each time.
    fn new(seed: u64) -> Self {
        let mut rng = stream(seed, &[3]);
        let drift: f64 = InverseGamma::new(4.0, 0.9).unwrap().sample(&mut rng);
        let mut normal = |sd: f64| -> f64 { sd * rng.sample::<f64, _>(StandardNormal) };
        let mut paths = [0; 2].map(|_| (0..WORDS).map(|_| normal(1.5)).collect::<Vec<f64>>());
        let mut phi = Vec::new();
        for t in 0..TIMES {
            if t > 0 {
                for x in paths.iter_mut().flatten() {
                    *x += normal(drift.sqrt());
                }
            }
            phi.push([0, 1].map(|k| {
                let sum: f64 = paths[k].iter().map(|x| x.exp()).sum();
                paths[k].iter().map(|x| x.exp() / sum).collect::<Vec<f64>>()
            }));
        }
        let proportions = Dirichlet::new(&[0.3, 0.6]).unwrap();
        let mut rows = Vec::new();
        for own in &phi {
            for _ in 0..8 {
                let theta = proportions.sample(&mut rng);
                let mut row = Vec::new();
                for _ in 0..30 {
                    let topic = pick(&theta, &mut rng);
                    row.push((pick(&own[topic], &mut rng) as u32, 1));
                }
                rows.push(row);
            }
        }
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
        let times = (0..rows.len()).map(|d| 1900.0 + 10.0 * (d / 8) as f64).collect();
        Self { drift, phi, times, corpus: Corpus::from_rows(names(WORDS), names(8 * TIMES), rows).unwrap() }
    }
}

fn options(seed: u64) -> DynamicTopicsOptions {
    DynamicTopicsOptions {
        topics: 2,
        iterations: 400,
        alpha: vec![0.3, 0.6].into(),
        first_variance: 2.25,
        drift_prior: [4.0, 0.9],
        draws: 40,
        thin: 5,
        trace_every: 100,
        seed,
        threads: 1,
        ..DynamicTopicsOptions::default()
    }
}

/// 80 corpora with paths from the prior: 80 drifts, and the courses of the two topics together, which need no
/// pairing: the probability of a word in all documents of a time is not of a topic, so topics are paired by
/// their words at all times.
#[test]
fn ninety_percent_intervals_hold_the_truth() {
    let (mut drifts, mut held, mut all) = (0, 0, 0);
    for seed in 0..80 {
        let truth = Truth::new(seed);
        let model = fit(&truth.corpus, &truth.times, &options(seed), &mut Silent).unwrap().model;
        let summary = model.drift_draws().summary_of_level(0.9).unwrap();
        let drift = &summary.parameters[0];
        drifts += usize::from((drift.low.unwrap()..=drift.high.unwrap()).contains(&truth.drift));
        let apart = |k: usize, own: usize| -> f64 {
            let one = |t: usize, v: usize| (model.topic_word(t)[(k, v)] - truth.phi[t][own][v]).abs();
            (0..TIMES).flat_map(|t| (0..WORDS).map(move |v| (t, v))).map(|(t, v)| one(t, v)).sum()
        };
        let swapped = apart(0, 1) + apart(1, 0) < apart(0, 0) + apart(1, 1);
        for k in 0..2 {
            for v in 0..WORDS {
                for (t, [low, high]) in model.word_course(k, v, 0.9).unwrap().into_iter().enumerate() {
                    let p = truth.phi[t][if swapped { 1 - k } else { k }][v];
                    held += u32::from(low <= p && p <= high);
                    all += 1;
                }
            }
        }
    }
    println!("{drifts} of 80 drifts, {held} of {all} places");
    // 4.5 standard deviations of 80 are 12; places of a corpus go together, about ten of the sixty.
    assert!((60..=80).contains(&drifts), "{drifts}");
    let proportion = f64::from(held) / f64::from(all);
    assert!((0.86..=0.94).contains(&proportion), "{proportion}");
}

#[test]
fn a_fit_follows_the_words_and_goes_to_a_file() {
    let truth = Truth::new(1000);
    let fitted = fit(&truth.corpus, &truth.times, &options(1), &mut Silent).unwrap();
    let model = &fitted.model;
    assert_eq!(model.times(), [1900.0, 1910.0, 1920.0, 1930.0, 1940.0]);
    for t in 0..TIMES {
        assert!(model.topic_word(t).row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-9));
    }
    assert!(model.topics().weights().is_sorted_by(|a, b| a >= b));
    assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-9));
    assert!(fitted.report.trace.iter().all(|point| point.state.accepted > 0.5), "{:?}", fitted.report.trace);
    let document = truth.corpus.document(0);
    let at = model.proportions_at(document, 1896.0).unwrap();
    assert!((at.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(at, model.proportions_at(document, 1904.0).unwrap());
    assert_ne!(at, model.proportions_at(document, 1940.0).unwrap());
    // By hand: the words of a document given its proportions.
    let phi = model.topic_word(0);
    let p = |v: u32| -> f64 { (0..2).map(|k| at[k] * phi[(k, v as usize)]).sum() };
    let by_hand: f64 =
        document.words.iter().zip(document.counts).map(|(&v, &n)| f64::from(n) * p(v).ln()).sum();
    assert!((model.ln_predictive_at(document, document, 1900.0).unwrap() - by_hand).abs() < 1e-9);
    assert!(model.proportions_at(document, f64::NAN).unwrap_err().is_parameter());
    assert!(model.word_course(2, 0, 0.9).unwrap_err().is_dimension());
    assert!(model.word_course(0, 0, 1.0).unwrap_err().is_parameter());
    let text = serde_json::to_string(model).unwrap();
    assert_eq!(&serde_json::from_str::<DynamicTopics>(&text).unwrap(), model);
    let other = text.replace("posterior-dynamic-topics-1", "posterior-dynamic-topics-0");
    assert!(serde_json::from_str::<DynamicTopics>(&other).unwrap_err().to_string().contains("expected"));
    // Any number of threads.
    let many = DynamicTopicsOptions { threads: 3, ..options(1) };
    let again = fit(&truth.corpus, &truth.times, &many, &mut Silent).unwrap();
    assert_eq!((again.model, again.doc_topic), (fitted.model, fitted.doc_topic));
}

#[test]
fn misuse_and_edges() {
    let truth = Truth::new(7);
    let (corpus, times) = (&truth.corpus, &truth.times);
    let short = DynamicTopicsOptions { iterations: 4, draws: 2, thin: 1, ..options(1) };
    for options in [
        DynamicTopicsOptions { topics: 0, ..short.clone() },
        DynamicTopicsOptions { iterations: 0, ..short.clone() },
        DynamicTopicsOptions { draws: 0, ..short.clone() },
        DynamicTopicsOptions { thin: 0, ..short.clone() },
        DynamicTopicsOptions { trace_every: 0, ..short.clone() },
        DynamicTopicsOptions { alpha: 0.0.into(), ..short.clone() },
        DynamicTopicsOptions { first_variance: 0.0, ..short.clone() },
        DynamicTopicsOptions { first_variance: 101.0, ..short.clone() },
        DynamicTopicsOptions { drift_prior: [0.0, 1.0], ..short.clone() },
        DynamicTopicsOptions { drift_prior: [1.0, 0.0], ..short.clone() },
    ] {
        assert!(fit(corpus, times, &options, &mut Silent).unwrap_err().is_parameter(), "{options:?}");
    }
    assert!(fit(corpus, &times[1..], &short, &mut Silent).unwrap_err().is_dimension());
    assert!(fit(corpus, &vec![f64::NAN; 40], &short, &mut Silent).unwrap_err().is_parameter());
    // One time only, one topic, and a vocabulary of one word.
    let one = fit(corpus, &[2000.0; 40], &short, &mut Silent).unwrap().model;
    assert_eq!(one.times(), [2000.0]);
    let single = DynamicTopicsOptions { topics: 1, alpha: 1.0.into(), ..short.clone() };
    assert!(fit(corpus, times, &single, &mut Silent).unwrap().doc_topic.iter().all(|&p| p == 1.0));
    let word = Corpus::from_rows(vec!["a".to_owned()], vec!["d".to_owned()], vec![vec![(0, 3)]]).unwrap();
    let model = fit(&word, &[1.0], &short, &mut Silent).unwrap().model;
    assert!(model.topic_word(0).iter().all(|&p| (p - 1.0).abs() < 1e-12));
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(corpus, times, &short, &mut once).unwrap();
    assert_eq!((stopped.report.iterations, stopped.report.stop), (1, Stop::Observer));
}
