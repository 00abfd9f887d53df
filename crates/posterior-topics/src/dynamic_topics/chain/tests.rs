//! The chain against enumeration and quadrature.

use posterior_testkit::significance::{LEVEL, chi_square_p_value};

use super::*;
use crate::lda::Concentration;

const ALPHA: [f64; 2] = [0.6, 1.1];
const FIRST: f64 = 2.0;
const PRIOR: [f64; 2] = [2.0, 0.8];

/// p(words | topic, drift) of a topic that has `n[t][v]` tokens of two words at two times, by quadrature over
/// the differences of both numbers: walks of twice the variance.
fn of_topic(n: [[f64; 2]; 2], drift: f64) -> f64 {
    let step = 0.15;
    let normal = |x: f64, variance: f64| (-0.5 * x * x / variance).exp() / variance.sqrt();
    let words = |u: f64, n: [f64; 2]| -n[0] * (-u).exp().ln_1p() - n[1] * u.exp().ln_1p();
    let mut sum = 0.0;
    for i in -60..=60 {
        let u = f64::from(i) * step;
        let first = normal(u, 2.0 * FIRST) * words(u, n[0]).exp();
        for j in -60..=60 {
            let w = f64::from(j) * step;
            sum += first * normal(w, 2.0 * drift) * words(u + w, n[1]).exp();
        }
    }
    sum * step * step / std::f64::consts::TAU
}

/// Documents (0, 0, 1) and (0, 1, 1) of two times, 64 states. False alarm: one in a million seeds, if draws
/// twenty sweeps apart are independent.
#[test]
fn topics_follow_their_exact_posterior() {
    let names = |n: usize| (0..n).map(|i| i.to_string()).collect();
    let rows = vec![vec![(0, 2), (1, 1)], vec![(0, 1), (1, 2)]];
    let corpus = Corpus::from_rows(names(2), names(2), rows).unwrap();
    let options = DynamicTopicsOptions {
        topics: 2,
        alpha: Concentration::Asymmetric(ALPHA.to_vec()),
        first_variance: FIRST,
        drift_prior: PRIOR,
        seed: 4,
        ..DynamicTopicsOptions::default()
    };
    let words = [0, 0, 1, 0, 1, 1];
    // The drift by its logarithm: the density of an inverse gamma, times the drift.
    let drifts: Vec<(f64, f64)> = (-25..=25)
        .map(|i| {
            let drift = (0.2 * f64::from(i)).exp();
            (drift, drift.powf(-PRIOR[0]) * (-PRIOR[1] / drift).exp())
        })
        .collect();
    let mut known = std::collections::BTreeMap::new();
    let mut topic = |n: [[usize; 2]; 2]| -> Vec<f64> {
        let of = |drift: f64| of_topic(n.map(|n| n.map(|n| n as f64)), drift);
        known
            .entry(n)
            .or_insert_with(|| drifts.iter().map(|&(drift, _)| of(drift)).collect::<Vec<_>>())
            .clone()
    };
    let exact: Vec<f64> = (0..64)
        .map(|state: usize| {
            let mut n = [[[0; 2]; 2]; 2];
            let mut p = 1.0;
            for t in 0..2 {
                let mut seen = [0.0; 2];
                for (i, &word) in words[3 * t..3 * t + 3].iter().enumerate() {
                    let k = state >> (3 * t + i) & 1;
                    p *= (ALPHA[k] + seen[k]) / (ALPHA[0] + ALPHA[1] + i as f64);
                    seen[k] += 1.0;
                    n[k][t][word] += 1;
                }
            }
            let (first, second) = (topic(n[0]), topic(n[1]));
            let all = drifts.iter().zip(first.iter().zip(&second));
            p * all.map(|((_, weight), (a, b))| weight * a * b).sum::<f64>()
        })
        .collect();
    let all: f64 = exact.iter().sum();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let draws = 10_000;
    let visits = pool.install(|| {
        let mut chain = DynamicChain::new(&corpus, &[1.0, 3.0], &options).unwrap();
        let mut visits = [0; 64];
        for _ in 0..draws {
            (0..20).for_each(|_| chain.sweep());
            let topics = chain.assignment();
            visits[topics.iter().enumerate().map(|(i, &k)| usize::from(k) << i).sum::<usize>()] += 1;
        }
        visits
    });
    let expected: Vec<f64> = exact.iter().map(|p| p / all * f64::from(draws)).collect();
    let p = chi_square_p_value(&visits, &expected);
    assert!(p > LEVEL, "p = {p}");
}
