//! How often intervals hold what documents were drawn with.

use posterior_dist::Dirichlet;
use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::minimum_cost_assignment;
use posterior_topics::structural_topics::{
    DocumentCovariates, StructuralTopics, StructuralTopicsOptions, fit,
};
use posterior_topics::{Corpus, TopicModel as _};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::simulated::{TOPICS, index, options};

/// The size of a corpus.
#[derive(Debug, Clone, Copy)]
struct Size {
    documents: usize,
    tokens: u32,
    words: usize,
}

/// The Dirichlet concentration of the words of a topic.
const BETA: f64 = 0.1;

/// What a corpus is drawn with.
struct Truth {
    /// Constants and slopes of the log-ratios to the last topic.
    gamma: DMatrix<f64>,
    covariance: DMatrix<f64>,
    /// Topics x words.
    phi: DMatrix<f64>,
    corpus: Corpus,
    covariates: DocumentCovariates,
}

impl Truth {
    fn new(seed: u64, size: Size) -> Self {
        let mut rng = stream(seed, &[7]);
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        // Variances about one half, correlations of both signs.
        let squares = DMatrix::from_fn(2, 6, |_, _| normal());
        let covariance = &squares * squares.transpose() / 12.0;
        let gamma = DMatrix::from_fn(2, 2, |j, _| if j == 0 { 0.5 } else { 0.7 } * normal());
        let root = Cholesky::new(&covariance).unwrap().into_factor();
        let words = Dirichlet::new(&vec![BETA; size.words]).unwrap();
        let phi: Vec<Vec<f64>> = (0..TOPICS).map(|_| words.sample(&mut rng)).collect();
        let phi = DMatrix::from_fn(TOPICS, size.words, |k, v| phi[k][v]);
        let prevalence = DMatrix::from_fn(size.documents, 1, |_, _| 2.0 * rng.random::<f64>() - 1.0);
        let rows = (0..size.documents).map(|d| {
            let noise = &root * DVector::from_fn(2, |_, _| StandardNormal.sample(&mut rng));
            let eta = |k: usize| gamma[(0, k)] + gamma[(1, k)] * prevalence[(d, 0)] + noise[k];
            let theta = [eta(0).exp(), eta(1).exp(), 1.0];
            let mut row = vec![0; size.words];
            for _ in 0..size.tokens {
                let k = index(&theta, &mut rng);
                let own: Vec<f64> = phi.row(k).iter().copied().collect();
                row[index(&own, &mut rng)] += 1;
            }
            row.into_iter().enumerate().filter(|&(_, n)| n > 0).map(|(v, n)| (v as u32, n)).collect()
        });
        let rows = rows.collect();
        let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
        let corpus = Corpus::from_rows(names(size.words), names(size.documents), rows).unwrap();
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

/// How often intervals of 90 % hold the change of expected proportions between two settings of a feature, of
/// `fits` x 3 intervals, and how far expected proportions are off, in root mean squares.
fn coverage(fits: u64, size: Size, replicates: usize) -> (f64, f64) {
    let (mut held, mut squares) = (0, 0.0);
    let mut rng = stream(99, &[]);
    let noise: Vec<DVector<f64>> =
        (0..20_000).map(|_| DVector::from_fn(2, |_, _| StandardNormal.sample(&mut rng))).collect();
    for seed in 0..fits {
        let truth = Truth::new(seed, size);
        let options = StructuralTopicsOptions { beta: BETA, replicates, ..options() };
        let fitted = fit(&truth.corpus, &truth.covariates, &options, &mut Silent).unwrap();
        assert!(fitted.report.converged());
        let names = truth.names(&fitted.model);
        let effect = fitted.model.effect(&[-0.5], &[0.5], 0.9).unwrap();
        let prevalence = fitted.model.prevalence(&[0.5]).unwrap();
        let [before, after] = [-0.5, 0.5].map(|x| truth.prevalence(x, &noise));
        for k in 0..3 {
            let [before, after] = [before, after].map(|of| of[names[k]]);
            held += usize::from((effect.low[k]..=effect.high[k]).contains(&(after - before)));
            squares += (prevalence[k] - after).powi(2);
        }
    }
    let count = (3 * fits) as f64;
    let found = (held as f64 / count, (squares / count).sqrt());
    println!("coverage of effects, error of expected proportions: {found:?}, {size:?}");
    found
}

const SIZE: Size = Size { documents: 500, tokens: 80, words: 200 };

/// Intervals of one fit depend on each other: the standard error of ten fits is at most 0.3 / sqrt(10).
#[test]
fn intervals_hold_the_truth_nearly_as_often_as_they_say() {
    let (held, error) = coverage(10, SIZE, 5);
    assert!(held > 0.9 - 0.28 && error < 0.06, "{held} {error}");
}

/// The standard error is at most 0.3 / sqrt(200), of which three are allowed.
#[test]
#[ignore = "slow: two hundred fits with replicates"]
fn intervals_of_many_fits_hold_the_truth_as_often_as_they_say() {
    let (held, _) = coverage(200, SIZE, 25);
    assert!((held - 0.9).abs() < 0.064, "{held}");
}
