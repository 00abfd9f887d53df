//! Likelihood of held-out documents: exact sums, unbiased estimates of them, and what they say of models.

mod estimators;
mod exact;
mod misuse;

use posterior_dist::stream::stream;
use posterior_math::linalg::DMatrix;
use posterior_topics::{Corpus, Topics};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Gamma};

pub(crate) fn words(count: usize) -> Vec<String> {
    (0..count).map(|v| format!("w{v}")).collect()
}

pub(crate) fn topics(rows: &[&[f64]]) -> Topics {
    let (count, size) = (rows.len(), rows[0].len());
    let phi = DMatrix::from_fn(count, size, |k, v| rows[k][v]);
    let proportion = |size: usize| vec![1.0 / size as f64; size];
    Topics::new(words(size), phi, proportion(count), proportion(size)).unwrap()
}

pub(crate) fn corpus(size: usize, rows: &[&[(u32, u32)]]) -> Corpus {
    let names = (0..rows.len()).map(|d| format!("d{d}")).collect();
    Corpus::from_rows(words(size), names, rows.iter().map(|row| row.to_vec()).collect()).unwrap()
}

/// Symmetric Dirichlet proportions.
pub(crate) fn dirichlet<R: Rng + ?Sized>(size: usize, concentration: f64, rng: &mut R) -> Vec<f64> {
    let gamma = Gamma::new(concentration, 1.0).unwrap();
    let draws: Vec<f64> = (0..size).map(|_| gamma.sample(rng)).collect();
    let sum: f64 = draws.iter().sum();
    draws.iter().map(|draw| draw / sum).collect()
}

pub(crate) fn random_topics(count: usize, size: usize, concentration: f64, seed: u64) -> Topics {
    let mut rng = stream(seed, &[0]);
    let rows: Vec<Vec<f64>> = (0..count).map(|_| dirichlet(size, concentration, &mut rng)).collect();
    topics(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The place of the proportion that `u` falls into.
fn pick(proportions: impl IntoIterator<Item = f64>, mut u: f64) -> usize {
    let falls_into = |proportion| {
        u -= proportion;
        u < 0.0
    };
    proportions.into_iter().position(falls_into).unwrap_or(0)
}

/// Documents of LDA with these topics.
pub(crate) fn documents(topics: &Topics, alpha: f64, (count, tokens): (usize, usize), seed: u64) -> Corpus {
    let mut rng = stream(seed, &[1]);
    let rows: Vec<Vec<(u32, u32)>> = (0..count)
        .map(|_| {
            let theta = dirichlet(topics.len(), alpha, &mut rng);
            (0..tokens)
                .map(|_| {
                    let k = pick(theta.iter().copied(), rng.random());
                    let word = pick(topics.topic_word().row(k).iter().copied(), rng.random());
                    (word as u32, 1)
                })
                .collect()
        })
        .collect();
    corpus(topics.vocabulary().len(), &rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
}
