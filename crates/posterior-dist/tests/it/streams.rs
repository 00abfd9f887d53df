//! Streams of random numbers: pinned, different for every seed and path, and independent of each other.

use std::collections::BTreeSet;

use posterior_dist::stream::stream;
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::{Rng, RngExt};

#[test]
fn first_draws_are_pinned() {
    let first = |seed, path: &[u64]| stream(seed, path).next_u64();
    assert_eq!(first(0, &[]), PINNED[0]);
    assert_eq!(first(0, &[0]), PINNED[1]);
    assert_eq!(first(1, &[]), PINNED[2]);
    assert_eq!(first(1, &[2, 3]), PINNED[3]);
    assert_eq!(first(u64::MAX, &[u64::MAX]), PINNED[4]);
}

const PINNED: [u64; 5] = [
    106635748981666867,
    3104506490791472843,
    14636820288478126305,
    15871719945121112382,
    10085268916005167501,
];

#[test]
fn neighbouring_seeds_and_paths_differ() {
    let mut seen = BTreeSet::new();
    let mut paths = 0;
    for seed in 0..20 {
        for first in 0..20 {
            for path in
                [vec![], vec![first], vec![first, 0], vec![0, first], vec![first, first], vec![0, 0, first]]
            {
                paths += 1;
                seen.insert(stream(seed, &path).next_u64());
            }
        }
    }
    // Per seed and first id: six paths, of which the empty one and, at 0, three others repeat.
    assert_eq!(seen.len(), 20 * (1 + 20 + 20 + 19 + 19 + 20), "{} of {paths}", seen.len());
}

#[test]
fn neighbouring_streams_are_not_correlated() {
    // Pairs of bits from two streams: four equally likely outcomes.
    for lag in [1, 2, 256] {
        let mut observed = [0_u64; 64];
        for task in 0..2000 {
            let (mut left, mut right) = (stream(9, &[task]), stream(9, &[task + lag]));
            for _ in 0..50 {
                observed[8 * left.random_range(0..8_usize) + right.random_range(0..8_usize)] += 1;
            }
        }
        assert!(chi_square_p_value(&observed, &[100_000.0 / 64.0; 64]) >= LEVEL, "lag {lag}: {observed:?}");
    }
}

#[test]
fn first_draws_over_tasks_are_uniform() {
    let mut observed = [0_u64; 100];
    for task in 0..100_000 {
        observed[stream(4, &[task]).random_range(0..100_usize)] += 1;
    }
    assert!(chi_square_p_value(&observed, &[1000.0; 100]) >= LEVEL);
}
