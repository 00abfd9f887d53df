//! Probabilistic latent semantic analysis: worked numbers, bounds, properties, edges.

mod edges;
mod golden;
mod properties;

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_topics::plsa::{self, Plsa, PlsaOptions};
use posterior_topics::{Corpus, FittedTopics};
use rand::RngExt;

/// A corpus of these counts, documents x words.
pub(crate) fn corpus(counts: &[Vec<u32>]) -> Corpus {
    let words = (0..counts[0].len()).map(|w| format!("w{w}")).collect();
    let names = (0..counts.len()).map(|d| format!("d{d}")).collect();
    let row = |row: &Vec<u32>| row.iter().enumerate().map(|(w, &n)| (w as u32, n)).collect();
    Corpus::from_rows(words, names, counts.iter().map(row).collect()).unwrap()
}

/// Random counts, some of them zero.
pub(crate) fn random_counts(documents: usize, words: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = stream(seed, &[]);
    (0..documents)
        .map(|_| (0..words).map(|_| rng.random_range(0..6_u32).saturating_sub(2)).collect())
        .collect()
}

fn fit(corpus: &Corpus, options: &PlsaOptions) -> FittedTopics<Plsa> {
    plsa::fit(corpus, options, &mut Silent).unwrap()
}
