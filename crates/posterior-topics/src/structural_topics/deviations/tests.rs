//! Climbs of deviations end at the maximum of their density.

use posterior_dist::stream::stream;
use rand::RngExt;

use super::*;

const LEVELS: usize = 2;
const TOPICS: usize = 3;
const WORDS: usize = 8;

fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions { beta: 0.2, content_rate: 2.0, ..StructuralTopicsOptions::default() }
}

fn start() -> Deviations {
    let phi = DMatrix::from_element(TOPICS, WORDS, 1.0 / WORDS as f64);
    Deviations::new(&phi, LEVELS, vec![(1.0 / WORDS as f64).ln(); WORDS], &options())
}

fn counts(seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(LEVELS * TOPICS, WORDS, |_, _| 40.0 * rng.random::<f64>().powi(3))
}

fn objective(deviations: &Deviations, phi: &DMatrix<f64>, counts: &DMatrix<f64>) -> f64 {
    counts.iter().zip(phi).map(|(n, p)| n * p.ln()).sum::<f64>() + deviations.ln_prior()
}

/// Each climb raises the objective with its normalisers, until no deviation has anywhere to go: where it is
/// zero the tokens that are expected are within its rate, elsewhere they are off by the rate.
#[test]
fn climbs_end_at_the_maximum() {
    for seed in 0..3 {
        let (mut deviations, counts) = (start(), counts(seed));
        let mut before = f64::NEG_INFINITY;
        let mut phi = deviations.climb(&counts);
        for _ in 0..2000 {
            let now = objective(&deviations, &phi, &counts);
            assert!(now >= before - 1e-9, "{before} {now}");
            before = now;
            phi = deviations.climb(&counts);
        }
        let totals: Vec<f64> = counts.row_iter().map(|row| row.sum()).collect();
        let expected = DMatrix::from_fn(LEVELS * TOPICS, WORDS, |row, v| totals[row] * phi[(row, v)]);
        let mut zeros = 0;
        for (v, own) in deviations.of_words.iter().enumerate() {
            for (&deviation, part) in own.iter().zip(deviations.parts()) {
                let rows = (part.first..part.last).step_by(part.step);
                let off: f64 = rows.map(|row| counts[(row, v)] - expected[(row, v)]).sum();
                if deviation == 0.0 {
                    zeros += 1;
                    assert!(off.abs() <= part.rate + 1e-4, "{off}");
                } else {
                    assert!((off - part.rate.copysign(deviation)).abs() < 1e-3, "{off} {deviation}");
                }
            }
        }
        assert!(zeros > WORDS, "{zeros}");
    }
}

/// Levels with the same tokens have no deviation of their own.
#[test]
fn levels_that_are_alike_do_not_deviate() {
    let one = counts(5);
    let alike = DMatrix::from_fn(LEVELS * TOPICS, WORDS, |row, v| one[(row % TOPICS, v)]);
    let mut deviations = start();
    for _ in 0..50 {
        deviations.climb(&alike);
    }
    assert!(deviations.of_words.iter().all(|own| own[TOPICS..].iter().all(|x| *x == 0.0)));
}

/// A topic without tokens keeps the words of the corpus, and numbers stay finite.
#[test]
fn rows_without_tokens_are_those_of_the_corpus() {
    let mut none = counts(6);
    none.row_mut(1).fill(0.0);
    none.row_mut(1 + TOPICS).fill(0.0);
    let mut deviations = start();
    let mut phi = deviations.climb(&none);
    for _ in 0..50 {
        phi = deviations.climb(&none);
    }
    assert!(phi.iter().all(|p| p.is_finite() && *p > 0.0));
    assert!(deviations.of_words.iter().all(|own| own[1] == 0.0));
}
