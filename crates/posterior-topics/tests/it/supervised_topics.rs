//! Supervised topics: coverage of intervals, predictions of new documents, and misuse.

use std::ops::ControlFlow;

use posterior_dist::stream::stream;
use posterior_dist::{Dirichlet, InverseGamma, Normal, interval};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::special::normal_cdf;
use posterior_topics::supervised_topics::{
    ResponseFamily, ResponsePrediction, ResponsePrior, SupervisedTopics, SupervisedTopicsOptions, fit,
};
use posterior_topics::{Corpus, TopicModel};
use rand::distr::Distribution;
use rand::{Rng, RngExt};

const TOPICS: usize = 3;
const PRIOR: ResponsePrior =
    ResponsePrior { center: Some(0.0), scale: Some(1.0), variance: 4.0, noise: [3.0, 1.0] };

/// Topics with three words each that are nearly their own, coefficients and noise from the prior, and
/// documents of 20 words with their responses.
struct Truth {
    coefficients: Vec<f64>,
    noise: f64,
    corpus: Corpus,
    responses: Vec<f64>,
}

impl Truth {
    fn new(documents: usize, family: ResponseFamily, seed: u64) -> Self {
        let mut rng = stream(seed, &[5]);
        let eta = Normal::mean_sd(0.0, PRIOR.variance.sqrt()).unwrap();
        let coefficients: Vec<f64> = (0..TOPICS).map(|_| eta.sample(&mut rng)).collect();
        let noise: f64 = InverseGamma::new(PRIOR.noise[0], PRIOR.noise[1]).unwrap().sample(&mut rng).sqrt();
        let noise = if family == ResponseFamily::Binary { 1.0 } else { noise };
        let proportions = Dirichlet::new(&[0.5; TOPICS]).unwrap();
        let mut responses = Vec::new();
        let rows = (0..documents).map(|_| {
            let theta = proportions.sample(&mut rng);
            let topics: Vec<usize> = (0..20).map(|_| pick(&theta, &mut rng)).collect();
            let mean = topics.iter().map(|&k| coefficients[k]).sum::<f64>() / 20.0;
            let y = Normal::mean_sd(mean, noise).unwrap().sample(&mut rng);
            responses.push(if family == ResponseFamily::Binary { f64::from(y > 0.0) } else { y });
            topics.iter().map(|&k| ((3 * k + pick(&[0.5, 0.3, 0.2], &mut rng)) as u32, 1)).collect()
        });
        let rows = rows.collect();
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
        let corpus = Corpus::from_rows(names(3 * TOPICS), names(documents), rows).unwrap();
        Self { coefficients, noise, corpus, responses }
    }
}

fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    let mut left = rng.random::<f64>();
    let found = weights.iter().position(|p| {
        left -= p;
        left < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

fn options(family: ResponseFamily, seed: u64) -> SupervisedTopicsOptions {
    SupervisedTopicsOptions {
        family,
        topics: TOPICS,
        iterations: 500,
        alpha: 0.5.into(),
        beta: 0.1,
        prior: PRIOR,
        trace_every: 100,
        seed,
        ..SupervisedTopicsOptions::default()
    }
}

/// The topic of a model that has the words of a topic of the truth.
fn topic_of(model: &SupervisedTopics, truth: usize) -> usize {
    let word = model.topics().topic_word().column(3 * truth);
    (0..TOPICS).max_by(|&a, &b| word[a].total_cmp(&word[b])).unwrap()
}

/// How many of the coefficients lie in their 90 % intervals, and whether the noise does.
fn held(model: &SupervisedTopics, truth: &Truth) -> (usize, bool) {
    let summary = model.coefficient_draws().summary_of_level(0.9).unwrap();
    let inside = |parameter: usize, x: f64| {
        let own = &summary.parameters[parameter];
        (own.low.unwrap()..=own.high.unwrap()).contains(&x)
    };
    let coefficients = (0..TOPICS).filter(|&k| inside(topic_of(model, k), truth.coefficients[k])).count();
    (coefficients, summary.parameters.len() > TOPICS && inside(TOPICS, truth.noise))
}

/// Of 60 corpora with parameters from the prior: 180 coefficients, 60 noises and 300 responses of new
/// documents. The bounds are 4.5 standard deviations of so many independent ones.
#[test]
fn ninety_percent_intervals_of_numbers_hold_the_truth() {
    let (mut coefficients, mut noises, mut responses) = (0, 0, 0);
    for seed in 0..60 {
        let truth = Truth::new(45, ResponseFamily::Gaussian, seed);
        // The last five responses are not known.
        let mut known = truth.responses.clone();
        known[40..].fill(f64::NAN);
        let split: Vec<usize> = (0..40).collect();
        let rows = split.iter().map(|&d| {
            let document = truth.corpus.document(d);
            document.words.iter().copied().zip(document.counts.iter().copied()).collect()
        });
        let names = (0..40).map(|d| d.to_string()).collect();
        let seen = Corpus::from_rows(truth.corpus.vocabulary().to_vec(), names, rows.collect()).unwrap();
        let model =
            fit(&seen, &known[..40], &options(ResponseFamily::Gaussian, seed), &mut Silent).unwrap().model;
        let (own, noise) = held(&model, &truth);
        coefficients += own;
        noises += usize::from(noise);
        for d in 40..45 {
            let ResponsePrediction::Number(y) = model.predict(truth.corpus.document(d), seed).unwrap() else {
                unreachable!("a number")
            };
            let [low, high] = interval(&y, 0.9).unwrap();
            responses += usize::from((low..=high).contains(&truth.responses[d]));
        }
    }
    println!("{coefficients} of 180, {noises} of 60, {responses} of 300");
    assert!((144..=180).contains(&coefficients), "{coefficients}");
    assert!((44..=60).contains(&noises), "{noises}");
    assert!((247..=293).contains(&responses), "{responses}");
}

/// The same of yes and no; and probabilities of new documents come true: the mean of response less
/// probability is within 4.5 standard errors of zero, overall and where the probability is above a half.
#[test]
fn ninety_percent_intervals_of_probits_hold_the_truth() {
    let (mut coefficients, mut all, mut above) = (0, [0.0; 2], [0.0; 2]);
    for seed in 0..60 {
        let truth = Truth::new(60, ResponseFamily::Binary, seed);
        let model = fit(&truth.corpus, &truth.responses, &options(ResponseFamily::Binary, seed), &mut Silent)
            .unwrap()
            .model;
        coefficients += held(&model, &truth).0;
        let new = Truth::new(20, ResponseFamily::Binary, seed + 1000);
        let mut rng = stream(seed, &[9]);
        for d in 0..20 {
            // Documents of another truth with responses of this one: what the first word says of its topic.
            let document = new.corpus.document(d);
            let topics: f64 = document
                .words
                .iter()
                .zip(document.counts)
                .map(|(&v, &n)| f64::from(n) * truth.coefficients[v as usize / 3])
                .sum();
            let y = f64::from(rng.random::<f64>() < normal_cdf(topics / 20.0));
            let p = model.predict(document, seed).unwrap().mean();
            for (sums, counts) in [(&mut all, true), (&mut above, p > 0.5)] {
                if counts {
                    sums[0] += y - p;
                    sums[1] += p * (1.0 - p);
                }
            }
        }
    }
    println!("{coefficients} of 180, {all:?}, {above:?}");
    assert!((144..=180).contains(&coefficients), "{coefficients}");
    for [difference, variance] in [all, above] {
        assert!(difference.abs() < 4.5 * variance.sqrt(), "{difference} {variance}");
    }
}

#[test]
fn a_fit_predicts_better_than_the_mean_and_goes_to_a_file() {
    let truth = Truth::new(120, ResponseFamily::Gaussian, 3);
    let mut known = truth.responses.clone();
    known[100..].fill(f64::NAN);
    let options =
        SupervisedTopicsOptions { prior: ResponsePrior::default(), ..options(ResponseFamily::Gaussian, 4) };
    let fitted = fit(&truth.corpus, &known, &options, &mut Silent).unwrap();
    let model = &fitted.model;
    assert_eq!(model.coefficient_draws().names(), ["eta_0", "eta_1", "eta_2", "sigma"]);
    assert_eq!(model.coefficient_draws().len(), 250);
    assert!(fitted.doc_topic.row_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
    assert!(model.topics().weights().is_sorted_by(|a, b| a >= b));
    let mean = known[..100].iter().sum::<f64>() / 100.0;
    let (mut own, mut constant) = (0.0, 0.0);
    for d in 100..120 {
        own += (truth.responses[d] - model.predict(truth.corpus.document(d), 1).unwrap().mean()).powi(2);
        constant += (truth.responses[d] - mean).powi(2);
    }
    assert!(own < 0.6 * constant, "{own} {constant}");
    let text = serde_json::to_string(model).unwrap();
    let read: SupervisedTopics = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, model);
    let document = truth.corpus.document(0);
    assert_eq!(read.predict(document, 7).unwrap(), model.predict(document, 7).unwrap());
    assert_ne!(read.predict(document, 8).unwrap(), model.predict(document, 7).unwrap());
    let refused = |from: &str, to: &str| {
        serde_json::from_str::<SupervisedTopics>(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(refused("topics-1", "topics-2").starts_with("format \"posterior-supervised-topics-2\""));
    assert!(refused("\"eta_0\"", "\"eta_9\"").starts_with("expected draws of a coefficient"));
    assert!(refused("\"noise_sd\":", "\"noise_sd\":-").starts_with("states of the chain contradict"));
    let again = fit(&truth.corpus, &known, &options, &mut Silent).unwrap();
    assert_eq!(again.model, fitted.model);
    assert_eq!(again.report.trace, fitted.report.trace);
}

#[test]
fn misuse_and_edges() {
    let truth = Truth::new(10, ResponseFamily::Gaussian, 6);
    let (corpus, y) = (&truth.corpus, &truth.responses);
    let short = SupervisedTopicsOptions { iterations: 5, draws: 2, ..options(ResponseFamily::Gaussian, 1) };
    for options in [
        SupervisedTopicsOptions { topics: 0, ..short.clone() },
        SupervisedTopicsOptions { iterations: 0, ..short.clone() },
        SupervisedTopicsOptions { draws: 0, ..short.clone() },
        SupervisedTopicsOptions { thin: 0, ..short.clone() },
        SupervisedTopicsOptions { trace_every: 0, ..short.clone() },
        SupervisedTopicsOptions { alpha: 0.0.into(), ..short.clone() },
        SupervisedTopicsOptions { beta: -1.0, ..short.clone() },
        SupervisedTopicsOptions { prior: ResponsePrior { variance: 0.0, ..PRIOR }, ..short.clone() },
        SupervisedTopicsOptions { prior: ResponsePrior { noise: [0.0, 1.0], ..PRIOR }, ..short.clone() },
        SupervisedTopicsOptions { prior: ResponsePrior { noise: [1.0, 0.0], ..PRIOR }, ..short.clone() },
        SupervisedTopicsOptions { prior: ResponsePrior { scale: Some(0.0), ..PRIOR }, ..short.clone() },
        SupervisedTopicsOptions { prior: ResponsePrior { center: Some(f64::NAN), ..PRIOR }, ..short.clone() },
        SupervisedTopicsOptions { family: ResponseFamily::Binary, ..short.clone() },
    ] {
        assert!(fit(corpus, y, &options, &mut Silent).unwrap_err().is_parameter(), "{options:?}");
    }
    assert!(fit(corpus, &y[1..], &short, &mut Silent).unwrap_err().is_dimension());
    let infinite: Vec<f64> = y.iter().map(|_| f64::INFINITY).collect();
    assert!(fit(corpus, &infinite, &short, &mut Silent).unwrap_err().is_parameter());
    let none = fit(corpus, &[f64::NAN; 10], &short, &mut Silent).unwrap_err().to_string();
    assert_eq!(none, "SupervisedTopics needs a document with words and a response");
    let plain = SupervisedTopicsOptions { prior: ResponsePrior::default(), ..short.clone() };
    let same = fit(corpus, &[3.0; 10], &plain, &mut Silent).unwrap_err().to_string();
    assert!(same.contains("responses that differ"), "{same}");
    let model = fit(corpus, y, &short, &mut Silent).unwrap().model;
    let empty = posterior_topics::corpus::Document { words: &[], counts: &[] };
    assert_eq!(
        model.predict(empty, 0).unwrap_err().to_string(),
        "a prediction needs a word that the model knows"
    );
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(corpus, y, &short, &mut once).unwrap();
    assert_eq!((stopped.report.iterations, stopped.report.stop), (1, Stop::Observer));
    assert_eq!(stopped.model.coefficient_draws().len(), 1);
    let one = fit(corpus, y, &SupervisedTopicsOptions { topics: 1, ..short }, &mut Silent).unwrap();
    assert!(one.doc_topic.iter().all(|&p| p == 1.0));
}
