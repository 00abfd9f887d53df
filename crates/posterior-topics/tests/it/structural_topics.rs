//! The structural topic model: parameters that documents were drawn with come back, intervals hold them as
//! often as they say, and what is known of a document helps to predict it.

use std::ops::ControlFlow;

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::minimum_cost_assignment;
use posterior_math::streaming::quantile_of_sorted;
use posterior_testkit::accuracy::assert_within;
use posterior_topics::structural_topics::{
    DocumentCovariates, StructuralTopics, StructuralTopicsOptions, fit,
};
use posterior_topics::{Corpus, FittedTopics, SweepReport, TopicModel as _};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

const TOPICS: usize = 3;
const WORDS: usize = 16;

/// Constants and slopes of the log-ratios of the first two topics to the third.
const GAMMA: [[f64; 2]; 2] = [[0.3, -0.2], [1.0, -0.6]];
const COVARIANCE: [f64; 4] = [0.6, 0.3, 0.3, 0.5];

fn index<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let mut u = rng.random::<f64>() * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        u -= weight;
        u < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// Four words of its own for each topic, and four that all have; at level 1 the first two of a topic change
/// their places.
fn word_probability(level: usize, k: usize, v: usize) -> f64 {
    if v / 4 == TOPICS {
        return 0.02 * f64::from((v + k) as u32 % 4 + 1);
    }
    let place = match (level, v % 4) {
        (1, 0) => 1,
        (1, 1) => 0,
        (_, place) => place,
    };
    if v / 4 == k { [0.4, 0.16, 0.12, 0.12][place] } else { 0.0 }
}

struct Drawn {
    corpus: Corpus,
    covariates: DocumentCovariates,
}

fn drawn(seed: u64, documents: usize, tokens: u32, levels: usize) -> Drawn {
    let mut rng = stream(seed, &[]);
    let prevalence = DMatrix::from_fn(documents, 1, |_, _| 2.0 * rng.random::<f64>() - 1.0);
    let content: Vec<usize> = (0..documents).map(|d| d % levels).collect();
    let root = Cholesky::new(&DMatrix::from_row_slice(2, 2, &COVARIANCE)).unwrap().into_factor();
    let rows = (0..documents).map(|d| {
        let noise = DVector::from_fn(2, |_, _| StandardNormal.sample(&mut rng));
        let noise = &root * noise;
        let eta = |k: usize| GAMMA[0][k] + GAMMA[1][k] * prevalence[(d, 0)] + noise[k];
        let theta = [eta(0).exp(), eta(1).exp(), 1.0];
        let mut row = vec![0; WORDS];
        for _ in 0..tokens {
            let k = index(&theta, &mut rng);
            let phi: Vec<f64> = (0..WORDS).map(|v| word_probability(content[d], k, v)).collect();
            row[index(&phi, &mut rng)] += 1;
        }
        row.into_iter().enumerate().filter(|&(_, n)| n > 0).map(|(v, n)| (v as u32, n)).collect()
    });
    let rows = rows.collect();
    let vocabulary = (0..WORDS).map(|v| format!("word {v}")).collect();
    let names = (0..documents).map(|d| format!("document {d}")).collect();
    let corpus = Corpus::from_rows(vocabulary, names, rows).unwrap();
    Drawn { corpus, covariates: DocumentCovariates { prevalence, content: (levels > 1).then_some(content) } }
}

fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions {
        topics: TOPICS,
        iterations: 500,
        draws: 100,
        thin: 3,
        threads: 1,
        ..StructuralTopicsOptions::default()
    }
}

type Fitted = FittedTopics<StructuralTopics, SweepReport>;

fn fitted(drawn: &Drawn, options: &StructuralTopicsOptions) -> Fitted {
    fit(&drawn.corpus, &drawn.covariates, options, &mut Silent).unwrap()
}

/// The topic of the drawing that each fitted one is.
fn names(model: &StructuralTopics) -> Vec<usize> {
    let phi = model.topics().topic_word();
    let of = |k: usize| {
        let mass = |own: usize| (0..4).map(|i| phi[(k, 4 * own + i)]).sum::<f64>();
        (0..TOPICS).max_by(|&a, &b| mass(a).total_cmp(&mass(b))).unwrap()
    };
    let names: Vec<usize> = (0..TOPICS).map(of).collect();
    assert!((0..TOPICS).all(|k| names.contains(&k)), "{phi}");
    names
}

/// The coefficient that a fitted topic should have, as a log-ratio to the last of the fit.
fn truth(names: &[usize], j: usize, k: usize) -> f64 {
    let of = |k: usize| if names[k] < 2 { GAMMA[j][names[k]] } else { 0.0 };
    of(k) - of(TOPICS - 1)
}

/// The covariance of log-ratios to the last topic of a fit.
fn covariance(names: &[usize]) -> DMatrix<f64> {
    let change = DMatrix::from_fn(2, 3, |r, c| f64::from(c == names[r]) - f64::from(c == names[2]));
    let all = DMatrix::from_row_slice(2, 2, &COVARIANCE).resize(3, 3, 0.0);
    &change * all * change.transpose()
}

/// Words of one topic alone have their proportions among each other, and little elsewhere; what all topics
/// have is hardly known to belong to one of them.
fn check_words(phi: &DMatrix<f64>, names: &[usize], level: usize, elsewhere: f64) {
    for (k, &own) in names.iter().enumerate() {
        let sum: f64 = (0..4).map(|i| phi[(k, 4 * own + i)]).sum();
        assert_within(sum, 0.8, 0.15);
        for v in 0..4 * TOPICS {
            let tolerance = if v / 4 == own { 0.03 } else { elsewhere };
            assert_within(phi[(k, v)] / sum, word_probability(level, own, v) / 0.8, tolerance);
        }
    }
}

#[test]
fn coefficients_and_covariance_come_back() {
    let drawn = drawn(3, 600, 80, 1);
    let FittedTopics { model, doc_topic, report } = fitted(&drawn, &options());
    assert_eq!((report.stop, report.iterations), (Stop::MaxIterations, 500));
    assert_eq!(report.tokens_in_sweep, drawn.corpus.tokens());
    assert_eq!(report.trace.len(), 50);
    assert!(report.trace.iter().all(|point| point.ln_joint < 0.0));
    let effect = model.effect(&[-0.5], &[0.5], 0.9).unwrap();
    println!("{:?} effective draws", effect.effective_draws);
    assert!(effect.effective_draws.iter().all(|&own| own > 20.0));
    let names = names(&model);
    for k in 0..2 {
        for j in 0..2 {
            let (found, expected) = (model.coefficients()[(j, k)], truth(&names, j, k));
            println!("{found} {expected}");
            // Three standard errors and the pull of the prior. Whose the words are that all topics have is
            // hardly known, and constants with it.
            assert_within(found, expected, if j == 0 { 0.3 } else { 0.25 });
        }
    }
    let expected = covariance(&names);
    println!("{} {expected}", model.covariance());
    for (found, expected) in model.covariance().iter().zip(&expected) {
        assert_within(*found, *expected, 0.25);
    }
    for row in doc_topic.row_iter() {
        assert_within(row.sum(), 1.0, 1e-12);
    }
    check_words(model.topics().topic_word(), &names, 0, 0.03);
}

/// What a corpus is drawn with, from the prior that the fit has.
struct Truth {
    /// Constants and slopes of the log-ratios to the last topic.
    gamma: DMatrix<f64>,
    covariance: DMatrix<f64>,
    /// Topics x words.
    phi: DMatrix<f64>,
    corpus: Corpus,
    covariates: DocumentCovariates,
}

/// Where topics share words, and are not too rare to be known.
fn prior() -> StructuralTopicsOptions {
    StructuralTopicsOptions {
        beta: 0.2,
        document_variance: 0.4,
        intercept_variance: 0.5,
        feature_variance: 1.0,
        ..options()
    }
}

impl Truth {
    /// 150 documents of 60 tokens.
    fn new(seed: u64) -> Self {
        let (mut rng, prior) = (stream(seed, &[7]), prior());
        let scale = (DMatrix::identity(2, 2) + DMatrix::from_element(2, 2, 1.0)) * prior.document_variance;
        // An inverse Wishart draw is the inverse of a sum of as many squares of Gaussians.
        let half = Cholesky::new(&Cholesky::new(&scale).unwrap().inverse()).unwrap().into_factor();
        let squares = half * DMatrix::from_fn(2, 4, |_, _| StandardNormal.sample(&mut rng));
        let covariance = Cholesky::new(&(&squares * squares.transpose())).unwrap().inverse();
        let root = Cholesky::new(&covariance).unwrap().into_factor();
        let spread = [prior.intercept_variance, prior.feature_variance].map(f64::sqrt);
        let noise = DMatrix::from_fn(2, 2, |j, _| {
            let noise: f64 = StandardNormal.sample(&mut rng);
            spread[j] * noise
        });
        let gamma = noise * root.transpose();
        let words = Dirichlet::new(&[prior.beta; WORDS]).unwrap();
        let phi: Vec<Vec<f64>> = (0..TOPICS).map(|_| words.sample(&mut rng)).collect();
        let phi = DMatrix::from_fn(TOPICS, WORDS, |k, v| phi[k][v]);
        let prevalence = DMatrix::from_fn(150, 1, |_, _| 2.0 * rng.random::<f64>() - 1.0);
        let rows = (0..150).map(|d| {
            let noise = &root * DVector::from_fn(2, |_, _| StandardNormal.sample(&mut rng));
            let eta = |k: usize| gamma[(0, k)] + gamma[(1, k)] * prevalence[(d, 0)] + noise[k];
            let theta = [eta(0).exp(), eta(1).exp(), 1.0];
            let mut row = vec![0; WORDS];
            for _ in 0..60 {
                let k = index(&theta, &mut rng);
                let own: Vec<f64> = phi.row(k).iter().copied().collect();
                row[index(&own, &mut rng)] += 1;
            }
            row.into_iter().enumerate().filter(|&(_, n)| n > 0).map(|(v, n)| (v as u32, n)).collect()
        });
        let rows = rows.collect();
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
        let corpus = Corpus::from_rows(names(WORDS), names(150), rows).unwrap();
        Self { gamma, covariance, phi, corpus, covariates: DocumentCovariates { prevalence, content: None } }
    }

    /// Its topic that each fitted one is, by their words.
    fn names(&self, model: &StructuralTopics) -> Vec<usize> {
        let phi = model.topics().topic_word();
        let apart = |k: usize, own: usize| (phi.row(k) - self.phi.row(own)).abs().sum();
        let costs = DMatrix::from_fn(TOPICS, TOPICS, apart);
        minimum_cost_assignment(&costs).unwrap().unwrap().columns
    }

    /// Expected proportions of a document with the feature `x`, over its noise.
    fn prevalence(&self, x: f64, noise: &[DVector<f64>]) -> [f64; 3] {
        let root = Cholesky::new(&self.covariance).unwrap().into_factor();
        let mut sums = [0.0; 3];
        for noise in noise {
            let noise = &root * noise;
            let eta = |k: usize| (self.gamma[(0, k)] + self.gamma[(1, k)] * x + noise[k]).exp();
            let own = [eta(0), eta(1), 1.0];
            let all: f64 = own.iter().sum();
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own / all);
        }
        sums.map(|sum| sum / noise.len() as f64)
    }
}

/// How often intervals of 90 % hold constants, slopes, variances of log-ratios, expected proportions and their
/// changes: of `fits` x 2, 2, 2, 3 and 3 intervals.
fn coverage(fits: u64, options: &StructuralTopicsOptions) -> [f64; 5] {
    let mut held = [0; 5];
    let mut rng = stream(99, &[]);
    let noise: Vec<DVector<f64>> =
        (0..20_000).map(|_| DVector::from_fn(2, |_, _| StandardNormal.sample(&mut rng))).collect();
    let mut least = Vec::new();
    for seed in 0..fits {
        let truth = Truth::new(seed);
        let options = StructuralTopicsOptions { seed, ..options.clone() };
        let model = fit(&truth.corpus, &truth.covariates, &options, &mut Silent).unwrap().model;
        let names = truth.names(&model);
        let coefficient = |j: usize, k: usize| if k < 2 { truth.gamma[(j, k)] } else { 0.0 };
        let ratio = |j: usize, k: usize| coefficient(j, names[k]) - coefficient(j, names[2]);
        let change = DMatrix::from_fn(2, 3, |r, c| f64::from(c == names[r]) - f64::from(c == names[2]));
        let variances = &change * truth.covariance.clone().resize(3, 3, 0.0) * change.transpose();
        let interval = |draws: &DMatrix<f64>, row: usize, k: usize| {
            let mut column: Vec<f64> = (row..draws.nrows()).step_by(2).map(|row| draws[(row, k)]).collect();
            column.sort_by(f64::total_cmp);
            let [low, high] = [0.05, 0.95].map(|p| quantile_of_sorted(&column, p));
            low..=high
        };
        for k in 0..2 {
            for j in 0..2 {
                let own = interval(model.coefficient_draws(), j, k);
                held[j] += usize::from(own.contains(&ratio(j, k)));
            }
            let variance = interval(model.covariance_draws(), k, k);
            held[2] += usize::from(variance.contains(&variances[(k, k)]));
        }
        let prevalence = model.prevalence(&[0.5], 0.9).unwrap();
        let effect = model.effect(&[-0.5], &[0.5], 0.9).unwrap();
        least.push(prevalence.effective_draws.iter().copied().fold(f64::INFINITY, f64::min));
        let [before, after] = [-0.5, 0.5].map(|x| truth.prevalence(x, &noise));
        for k in 0..3 {
            let [before, after] = [before, after].map(|of| of[names[k]]);
            held[3] += usize::from((prevalence.low[k]..=prevalence.high[k]).contains(&after));
            held[4] += usize::from((effect.low[k]..=effect.high[k]).contains(&(after - before)));
        }
    }
    least.sort_by(f64::total_cmp);
    let found = std::array::from_fn(|i| held[i] as f64 / ([2, 2, 2, 3, 3][i] * fits) as f64);
    println!(
        "coverage of constants, slopes, variances, prevalence, effects: {found:?}; the prevalence is worth {} draws at least, {} in the middle",
        least[0],
        least[least.len() / 2]
    );
    found
}

/// Truths are from the prior. Intervals of one fit depend on each other: standard errors are at most
/// 0.3 / sqrt(fits).
#[test]
fn intervals_hold_the_truth_about_as_often_as_they_say() {
    for found in coverage(10, &prior()) {
        assert!(found > 0.9 - 0.28, "{found}");
    }
}

#[test]
#[ignore = "slow: two hundred fits of long chains"]
fn intervals_of_many_fits_hold_the_truth_as_often_as_they_say() {
    let options = StructuralTopicsOptions { iterations: 4000, draws: 500, thin: 6, ..prior() };
    for found in coverage(200, &options) {
        assert!((0.845..0.955).contains(&found), "{found}");
    }
}

#[test]
fn prevalence_follows_the_feature_and_adds_to_one() {
    let drawn = drawn(5, 300, 60, 1);
    let model = fitted(&drawn, &options()).model;
    let first = names(&model).iter().position(|&own| own == 0).unwrap();
    let [low, high] = [-0.9, 0.9].map(|x| model.prevalence(&[x], 0.9).unwrap());
    for found in [&low, &high] {
        assert_within(found.mean.iter().sum(), 1.0, 1e-12);
        assert!((0..3).all(|k| found.low[k] < found.mean[k] && found.mean[k] < found.high[k]));
    }
    assert!(high.low[first] > low.high[first]);
    let effect = model.effect(&[-0.9], &[0.9], 0.9).unwrap();
    for k in 0..3 {
        assert_within(effect.mean[k], high.mean[k] - low.mean[k], 1e-12);
    }
    let wide = model.prevalence(&[0.9], 0.99).unwrap();
    assert!(wide.high[first] > high.high[first] && wide.low[first] < high.low[first]);
    // A document without words has what its features say.
    let none = posterior_topics::corpus::Document { words: &[], counts: &[] };
    let [a, b] = [-0.9, 0.9].map(|x| model.proportions_at(none, &[x], None).unwrap()[first]);
    assert!(b > a + 0.2, "{a} {b}");
}

/// The words of a topic change with the level of a document, and the fit finds how.
#[test]
fn content_changes_the_words_of_topics() {
    let drawn = drawn(7, 400, 80, 2);
    let wide = StructuralTopicsOptions { level_variance: 1.0, interaction_variance: 1.0, ..options() };
    let model = fitted(&drawn, &wide).model;
    let names = names(&model);
    assert_eq!(model.levels(), 2);
    for level in 0..2 {
        // A Gaussian prior does not keep words away from topics, as a sparse Dirichlet prior does.
        check_words(&model.topic_word_at(level).unwrap(), &names, level, 0.1);
    }
    assert!(model.topic_word_at(2).is_err());
    // The level helps to predict what comes next in a document.
    let content = drawn.covariates.content.as_ref().unwrap();
    let mut gain = 0.0;
    for (d, document) in drawn.corpus.iter().enumerate() {
        let x = [drawn.covariates.prevalence[(d, 0)]];
        let with = model.ln_predictive_at(document, document, &x, Some(content[d])).unwrap();
        gain += with - model.ln_predictive_at(document, document, &x, None).unwrap();
    }
    assert!(gain / drawn.corpus.tokens() as f64 > 0.02, "{gain}");
}

/// Documents of three words: their features say more of the rest than these words do.
#[test]
fn features_predict_documents_that_were_not_seen() {
    let Drawn { corpus, covariates } = drawn(11, 500, 40, 1);
    let options = options();
    let train: Vec<usize> = (0..400).collect();
    let known = DocumentCovariates { prevalence: covariates.prevalence.select_rows(&train), content: None };
    let none = DocumentCovariates { prevalence: DMatrix::zeros(400, 0), content: None };
    let seen = corpus.select(&train).unwrap();
    let with = fit(&seen, &known, &options, &mut Silent).unwrap().model;
    let without = fit(&seen, &none, &options, &mut Silent).unwrap().model;
    let mut sums = [0.0; 2];
    for d in 400..500 {
        let document = corpus.document(d);
        let first = posterior_topics::corpus::Document { words: &document.words[..1], counts: &[1] };
        let x = [covariates.prevalence[(d, 0)]];
        sums[0] += with.ln_predictive_at(first, document, &x, None).unwrap();
        sums[1] += without.ln_predictive(first, document);
    }
    println!("{sums:?}");
    assert!(sums[0] > sums[1] + 20.0, "{sums:?}");
}

#[test]
fn saved_models_answer_as_before() {
    let drawn = drawn(13, 60, 30, 2);
    let options = StructuralTopicsOptions { draws: 5, iterations: 20, ..options() };
    let model = fitted(&drawn, &options).model;
    let text = serde_json::to_string(&model).unwrap();
    let read: StructuralTopics = serde_json::from_str(&text).unwrap();
    assert_eq!(read, model);
    let at = |model: &StructuralTopics| {
        let document = drawn.corpus.document(1);
        [
            model.proportions(document),
            model.proportions_at(document, &[0.4], Some(1)).unwrap(),
            model.prevalence(&[0.4], 0.5).unwrap().low,
        ]
    };
    assert_eq!(at(&read), at(&model));
    for (from, to) in [
        ("posterior-structural-topics-2", "posterior-structural-topics-1"),
        ("\"mean_features\":[", "\"mean_features\":[0.0,"),
        ("\"mean_features\":[", "\"mean_features\":[1e308,"),
        (
            "\"coefficient_draws\":{\"rows\":10,\"columns\":2",
            "\"coefficient_draws\":{\"rows\":20,\"columns\":1",
        ),
        (
            "\"covariance_draws\":{\"rows\":10,\"columns\":2,\"values\":[",
            "\"covariance_draws\":{\"rows\":10,\"columns\":2,\"values\":[-",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(serde_json::from_str::<StructuralTopics>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
}

/// Threads change nothing, and two topics have one log-ratio.
#[test]
fn threads_and_edges() {
    let options = StructuralTopicsOptions { draws: 3, thin: 1, iterations: 4, ..options() };
    for levels in [2, 1] {
        let drawn = drawn(17, 90, 20, levels);
        let one = fitted(&drawn, &options);
        let two = fitted(&drawn, &StructuralTopicsOptions { threads: 2, ..options.clone() });
        assert_eq!((&one.model, &one.doc_topic), (&two.model, &two.doc_topic));
        assert_eq!(one.report.iterations, 4);
        assert_eq!(one.model.coefficient_draws().nrows(), 6);
    }
    let drawn = drawn(17, 40, 20, 1);
    let pair = fitted(&drawn, &StructuralTopicsOptions { topics: 2, ..options.clone() });
    assert_eq!(pair.model.coefficients().shape(), (2, 1));
    // More topics than words and documents, and a document without words.
    let words = ["a", "b"].map(str::to_owned).to_vec();
    let names = ["d", "e", "f"].map(str::to_owned).to_vec();
    let tiny = Corpus::from_rows(words, names, vec![vec![(0, 3)], vec![], vec![(1, 1)]]).unwrap();
    let covariates = DocumentCovariates { prevalence: DMatrix::zeros(3, 0), content: None };
    let many = StructuralTopicsOptions { topics: 9, ..options.clone() };
    let found = fit(&tiny, &covariates, &many, &mut Silent).unwrap();
    assert!(found.doc_topic.iter().all(|theta| theta.is_finite()));
    let mut once = |_: &Step| ControlFlow::Break(());
    let stopped = fit(&drawn.corpus, &drawn.covariates, &options, &mut once).unwrap();
    assert_eq!((stopped.report.iterations, stopped.report.stop), (1, Stop::Observer));
}

#[test]
fn misuse_is_refused() {
    let Drawn { corpus, covariates } = drawn(19, 20, 20, 2);
    let options = StructuralTopicsOptions { draws: 2, thin: 1, iterations: 2, ..options() };
    let refused = |covariates: &DocumentCovariates, options: &StructuralTopicsOptions| {
        fit(&corpus, covariates, options, &mut Silent).unwrap_err()
    };
    for bad in [
        StructuralTopicsOptions { topics: 1, ..options.clone() },
        StructuralTopicsOptions { beta: 0.0, ..options.clone() },
        StructuralTopicsOptions { draws: 0, ..options.clone() },
        StructuralTopicsOptions { thin: 0, ..options.clone() },
        StructuralTopicsOptions { iterations: 0, ..options.clone() },
        StructuralTopicsOptions { trace_every: 0, ..options.clone() },
        StructuralTopicsOptions { document_variance: f64::NAN, ..options.clone() },
        StructuralTopicsOptions { feature_variance: -1.0, ..options.clone() },
        StructuralTopicsOptions { level_variance: f64::INFINITY, ..options.clone() },
    ] {
        assert!(refused(&covariates, &bad).is_parameter(), "{bad:?}");
    }
    let of = |prevalence: DMatrix<f64>, content: Vec<usize>| DocumentCovariates {
        prevalence,
        content: Some(content),
    };
    let (x, levels) = (&covariates.prevalence, covariates.content.clone().unwrap());
    assert!(refused(&of(DMatrix::zeros(19, 1), levels.clone()), &options).is_dimension());
    assert!(refused(&of(x.clone(), levels[1..].to_vec()), &options).is_dimension());
    assert!(refused(&of(x.map(|_| f64::NAN), levels.clone()), &options).is_parameter());
    assert!(refused(&of(x.map(|_| 1e200), levels), &options).is_parameter());
    assert!(refused(&of(x.clone(), vec![1; 20]), &options).is_parameter());
    assert!(refused(&of(x.clone(), vec![usize::MAX; 20]), &options).is_parameter());
    let model = fit(&corpus, &covariates, &options, &mut Silent).unwrap().model;
    let document = corpus.document(0);
    assert!(model.proportions_at(document, &[], None).is_err());
    assert!(model.proportions_at(document, &[f64::NAN], None).is_err());
    assert!(model.proportions_at(document, &[0.0], Some(2)).is_err());
    assert!(model.prevalence(&[0.0], 1.0).is_err() && model.effect(&[0.0], &[], 0.9).is_err());
    let sum: f64 = model.proportions_at(document, &[0.0], Some(0)).unwrap().iter().sum();
    assert_within(sum, 1.0, 1e-12);
}
