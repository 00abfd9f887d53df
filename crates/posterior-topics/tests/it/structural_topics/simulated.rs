//! Corpora that are drawn from the model, and what a fit of them should find.

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_testkit::accuracy::assert_within;
use posterior_topics::structural_topics::{
    DocumentCovariates, StructuralTopics, StructuralTopicsOptions, fit,
};
use posterior_topics::{Corpus, FittedTopics, TopicModel as _};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};

pub(super) const TOPICS: usize = 3;
pub(super) const WORDS: usize = 16;

/// Constants and slopes of the log-ratios of the first two topics to the third.
pub(super) const GAMMA: [[f64; 2]; 2] = [[0.3, -0.2], [1.0, -0.6]];
pub(super) const COVARIANCE: [f64; 4] = [0.6, 0.3, 0.3, 0.5];

pub(super) fn index<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> usize {
    let mut u = rng.random::<f64>() * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        u -= weight;
        u < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// Four words of its own for each topic, and four that all have; at level 1 the first two of a topic change
/// their places.
pub(super) fn word_probability(level: usize, k: usize, v: usize) -> f64 {
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

pub(super) struct Drawn {
    pub(super) corpus: Corpus,
    pub(super) covariates: DocumentCovariates,
}

pub(super) fn drawn(seed: u64, documents: usize, tokens: u32, levels: usize) -> Drawn {
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

pub(super) fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions {
        topics: TOPICS,
        replicates: 0,
        threads: 1,
        ..StructuralTopicsOptions::default()
    }
}

pub(super) type Fitted = FittedTopics<StructuralTopics>;

pub(super) fn fitted(drawn: &Drawn, options: &StructuralTopicsOptions) -> Fitted {
    fit(&drawn.corpus, &drawn.covariates, options, &mut Silent).unwrap()
}

/// The topic of the drawing that each fitted one is.
pub(super) fn names(model: &StructuralTopics) -> Vec<usize> {
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
pub(super) fn truth(names: &[usize], j: usize, k: usize) -> f64 {
    let of = |k: usize| if names[k] < 2 { GAMMA[j][names[k]] } else { 0.0 };
    of(k) - of(TOPICS - 1)
}

/// The covariance of log-ratios to the last topic of a fit.
pub(super) fn covariance(names: &[usize]) -> DMatrix<f64> {
    let change = DMatrix::from_fn(2, 3, |r, c| f64::from(c == names[r]) - f64::from(c == names[2]));
    let all = DMatrix::from_row_slice(2, 2, &COVARIANCE).resize(3, 3, 0.0);
    &change * all * change.transpose()
}

/// Words of one topic alone have their proportions among each other, and little elsewhere; what all topics
/// have is hardly known to belong to one of them.
pub(super) fn check_words(phi: &DMatrix<f64>, names: &[usize], level: usize, elsewhere: f64) {
    for (k, &own) in names.iter().enumerate() {
        let sum: f64 = (0..4).map(|i| phi[(k, 4 * own + i)]).sum();
        assert_within(sum, 0.8, 0.15);
        for v in 0..4 * TOPICS {
            let tolerance = if v / 4 == own { 0.03 } else { elsewhere };
            assert_within(phi[(k, v)] / sum, word_probability(level, own, v) / 0.8, tolerance);
        }
    }
}
