//! Dynamic topics: ranks and coverage of truths from the prior, predictions, planted drifts, and misuse.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_dist::{Dirichlet, InverseGamma};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_sampling::calibration::Ranks;
use posterior_testkit::significance::LEVEL;
use posterior_topics::corpus::Document;
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
        iterations: 1000,
        alpha: vec![0.3, 0.6].into(),
        first_variance: 2.25,
        drift_prior: [4.0, 0.9],
        draws: 100,
        thin: 5,
        trace_every: 100,
        seed,
        threads: 1,
        ..DynamicTopicsOptions::default()
    }
}

/// What intervals, ranks and predictions of fits to corpora from the prior come to.
struct Calibrated {
    fits: usize,
    /// Drifts that intervals of 90 % hold.
    drifts: usize,
    /// The ranks of true drifts among nine draws far from each other.
    ranks: Ranks,
    /// The proportion of probabilities of words that bands of 90 % hold: by topic and time.
    words: f64,
    /// How many standard errors the probabilities of words to come are from what they should be.
    predictions: f64,
}

/// Topics differ in their concentrations, by which they are known: nothing is paired.
fn calibrated(fits: usize, options: impl Fn(u64) -> DynamicTopicsOptions) -> Calibrated {
    let (mut drifts, mut held, mut all) = (0, 0, 0.0);
    let (mut ranks, mut excess, mut variance) = (Vec::new(), 0.0, 0.0);
    for seed in 0..fits as u64 {
        let truth = Truth::new(seed);
        let model = fit(&truth.corpus, &truth.times, &options(seed), &mut Silent).unwrap().model;
        let draws = model.drift_draws();
        let drift = &draws.summary_of_level(0.9).unwrap().parameters[0];
        drifts += usize::from((drift.low.unwrap()..=drift.high.unwrap()).contains(&truth.drift));
        let all_drifts = draws.parameter(0).concat();
        let apart = (1..=9).map(|i| all_drifts[i * all_drifts.len() / 9 - 1]);
        ranks.push(apart.filter(|&draw| draw < truth.drift).count());
        for k in 0..2 {
            let own = usize::from(model.alpha()[k] > 0.5);
            for v in 0..WORDS {
                for (t, [low, high]) in model.word_course(k, v, 0.9).unwrap().into_iter().enumerate() {
                    held += u32::from((low..=high).contains(&truth.phi[t][own][v]));
                    all += 1.0;
                }
            }
        }
        // The next word of a new document of each time.
        let mut rng = stream(seed, &[4]);
        let none = Document { words: &[], counts: &[] };
        for (t, phi) in truth.phi.iter().enumerate() {
            let probability = |v: usize| {
                let word = Document { words: &[v as u32], counts: &[1] };
                model.ln_predictive_at(none, word, truth.times[8 * t]).unwrap().exp()
            };
            let p: Vec<f64> = (0..WORDS).map(probability).collect();
            let word = pick(&phi[pick(&[0.3, 0.6], &mut rng)], &mut rng);
            let squares: f64 = p.iter().map(|p| p * p).sum();
            excess += p[word] - squares;
            variance += p.iter().map(|p| p.powi(3)).sum::<f64>() - squares * squares;
        }
    }
    let ranks = Ranks::new("drift", ranks, 9).unwrap();
    let words = f64::from(held) / all;
    let predictions = excess / variance.sqrt();
    println!(
        "{drifts} of {fits} drifts, {words} of words, predictions {predictions}, ranks {:?}, p {}",
        ranks.histogram(10).unwrap(),
        ranks.p_value()
    );
    Calibrated { fits, drifts, ranks, words, predictions }
}

impl Calibrated {
    fn check(&self, words: std::ops::Range<f64>) {
        let error = (0.09 / self.fits as f64).sqrt();
        let drifts = self.drifts as f64 / self.fits as f64;
        assert!((drifts - 0.9).abs() < 4.0 * error, "{drifts}");
        assert!(self.ranks.p_value() > LEVEL, "{}", self.ranks.p_value());
        assert!(self.predictions.abs() < 4.5, "{}", self.predictions);
        assert!(words.contains(&self.words), "{}", self.words);
    }
}

/// Words of a corpus go together, about ten of the sixty; normal bands of logarithms are a little wide.
#[test]
fn ninety_percent_intervals_hold_the_truth() {
    calibrated(40, options).check(0.86..0.95);
}

#[test]
#[ignore = "slow: many fits of long chains"]
fn intervals_and_ranks_of_many_fits_are_those_of_the_truth() {
    let long = |seed| DynamicTopicsOptions { iterations: 2000, draws: 200, thin: 5, ..options(seed) };
    calibrated(250, long).check(0.89..0.935);
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
