//! Models and data that several tests use.

use posterior_dist::stream::stream;
use posterior_inference::em::EmOptions;
use posterior_latent::mixture::MaximumLikelihood;
use posterior_math::linalg::DMatrix;
use posterior_sequence::baum_welch::{BaumWelch, BaumWelchOptions};
use posterior_sequence::emission::{CategoricalEmissions, Sequences};
use posterior_sequence::hmm::HiddenMarkovModel;
use rand::RngExt;

pub(super) type Symbols = HiddenMarkovModel<CategoricalEmissions>;

/// Rows that sum to one.
pub(super) fn rows(rows: usize, columns: usize, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    let mut all = DMatrix::from_fn(rows, columns, |_, _| 0.05 + rng.random::<f64>());
    for mut row in all.row_iter_mut() {
        let sum = row.sum();
        row /= sum;
    }
    all
}

pub(super) fn model(states: usize, symbols: usize, seed: u64) -> Symbols {
    let emissions = CategoricalEmissions::new(&rows(states, symbols, seed)).unwrap();
    let initial: Vec<f64> = rows(1, states, seed + 1).iter().copied().collect();
    HiddenMarkovModel::new(&initial, &rows(states, states, seed + 2), emissions).unwrap()
}

/// The model of SEQ-02.
pub(super) fn golden() -> Symbols {
    let emissions =
        CategoricalEmissions::new(&DMatrix::from_row_slice(2, 3, &[0.5, 0.4, 0.1, 0.1, 0.3, 0.6])).unwrap();
    let transition = DMatrix::from_row_slice(2, 2, &[0.7, 0.3, 0.4, 0.6]);
    HiddenMarkovModel::new(&[0.6, 0.4], &transition, emissions).unwrap()
}

/// Symbols that come in runs.
pub(super) fn symbols(count: usize, length: usize, symbols: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut rng = stream(seed, &[]);
    (0..count)
        .map(|_| {
            let mut kind = 0;
            (0..length)
                .map(|_| {
                    if rng.random::<f64>() < 0.2 {
                        kind = rng.random_range(0..symbols);
                    }
                    (kind + rng.random_range(0..2)) % symbols
                })
                .collect()
        })
        .collect()
}

pub(super) fn slices<T>(all: &[Vec<T>]) -> Sequences<'_, [T]> {
    all.iter().map(Vec::as_slice).collect()
}

/// So many steps, whatever they change.
pub(super) fn steps(count: usize) -> BaumWelchOptions {
    BaumWelchOptions {
        em: EmOptions { tolerance: f64::NEG_INFINITY, max_iterations: count, ..EmOptions::default() },
        ..BaumWelchOptions::default()
    }
}

pub(super) fn likeliest<'a>(
    sequences: &'a Sequences<'a, [usize]>,
    options: BaumWelchOptions,
) -> BaumWelch<'a, CategoricalEmissions, MaximumLikelihood> {
    BaumWelch::new(sequences, MaximumLikelihood, options).unwrap()
}

#[track_caller]
pub(super) fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found} is not {expected}");
}
