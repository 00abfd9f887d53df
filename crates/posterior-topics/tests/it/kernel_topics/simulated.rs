//! Documents drawn from the model: curves, proportions about them, counts.

use posterior_dist::stream::stream;
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::linalg::DMatrix;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

/// What was drawn.
pub(super) struct Simulated {
    pub(super) times: Vec<f64>,
    /// Times x topics, on a grid.
    pub(super) grid: Vec<f64>,
    pub(super) proportions: DMatrix<f64>,
    pub(super) doc_topic: DMatrix<f64>,
}

pub(super) const LENGTH: u64 = 400;

/// Softmax of a row.
pub(super) fn softmax(eta: &[f64]) -> Vec<f64> {
    let exponentials: Vec<f64> = eta.iter().map(|e| e.exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.into_iter().map(|e| e / sum).collect()
}

/// Frequencies of `tokens` draws.
pub(super) fn multinomial<R: Rng + ?Sized>(proportions: &[f64], tokens: u64, rng: &mut R) -> Vec<u64> {
    let mut counts = vec![0; proportions.len()];
    for _ in 0..tokens {
        let mut u = rng.random::<f64>();
        let mut k = 0;
        while k + 1 < proportions.len() && u >= proportions[k] {
            u -= proportions[k];
            k += 1;
        }
        counts[k] += 1;
    }
    counts
}

/// `documents` at random times in 0..100, topics with Matérn curves of variance one.
pub(super) fn simulate(
    documents: usize,
    topics: usize,
    length_scale: f64,
    noise: f64,
    seed: u64,
) -> Simulated {
    let mut rng = stream(seed, &[]);
    let times: Vec<f64> = (0..documents).map(|_| 100.0 * rng.random::<f64>()).collect();
    let grid: Vec<f64> = (0..21).map(|i| 2.0 + 4.8 * f64::from(i)).collect();
    let all = DMatrix::from_iterator(documents + 21, 1, times.iter().chain(&grid).copied());
    let process = GaussianProcess::new(Kernel::matern32(length_scale).unwrap());
    let curves: Vec<Vec<f64>> =
        (0..topics).map(|_| process.sample(&all, &mut rng).unwrap().iter().copied().collect()).collect();
    let eta = |i: usize| -> Vec<f64> { curves.iter().map(|curve| curve[i]).collect() };
    let mut proportions = DMatrix::zeros(21, topics);
    for t in 0..21 {
        for (k, proportion) in softmax(&eta(documents + t)).into_iter().enumerate() {
            proportions[(t, k)] = proportion;
        }
    }
    let mut doc_topic = DMatrix::zeros(documents, topics);
    for d in 0..documents {
        let noisy: Vec<f64> =
            eta(d).iter().map(|e| e + noise * rng.sample::<f64, _>(StandardNormal)).collect();
        for (k, count) in multinomial(&softmax(&noisy), LENGTH, &mut rng).into_iter().enumerate() {
            doc_topic[(d, k)] = count as f64 / LENGTH as f64;
        }
    }
    Simulated { times, grid, proportions, doc_topic }
}
