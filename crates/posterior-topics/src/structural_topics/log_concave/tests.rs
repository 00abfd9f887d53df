//! The mode against differences, and the distribution that steps leave against integrals.

use posterior_dist::stream::stream;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_sampling::diagnostics::mcse_mean;
use posterior_testkit::accuracy::assert_within;

use super::{LogConcave, Normal, PoissonCounts, TopicCounts, mode, step};

const MEAN: [f64; 2] = [0.3, -0.5];

fn precision() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[0.8, -0.3, -0.3, 1.5])
}

fn value(likelihood: &impl LogConcave, x: &[f64]) -> f64 {
    let away = DVector::from_fn(2, |k, _| x[k] - MEAN[k]);
    likelihood.ln(x) - 0.5 * (precision() * &away).dot(&away)
}

fn check_slopes(likelihood: &impl LogConcave) {
    let precision = precision();
    let normal = Normal { mean: &MEAN, precision: &precision };
    let found = mode(normal, likelihood, likelihood.start());
    let at = [found.point[0], found.point[1]];
    let h = 1e-4;
    let moved = |i: f64, j: f64| value(likelihood, &[at[0] + i * h, at[1] + j * h]);
    assert_within((moved(1.0, 0.0) - moved(-1.0, 0.0)) / (2.0 * h), 0.0, 1e-4);
    assert_within((moved(0.0, 1.0) - moved(0.0, -1.0)) / (2.0 * h), 0.0, 1e-4);
    let straight = |i: f64, j: f64| (moved(i, j) - 2.0 * moved(0.0, 0.0) + moved(-i, -j)) / (h * h);
    let mixed = (moved(1.0, 1.0) - moved(1.0, -1.0) - moved(-1.0, 1.0) + moved(-1.0, -1.0)) / (4.0 * h * h);
    for (entry, second) in [((0, 0), straight(1.0, 0.0)), ((1, 1), straight(0.0, 1.0)), ((1, 0), mixed)] {
        assert_within(found.curvature[entry], -second, 1e-3 * (1.0 + second.abs()));
    }
    // Also from far away.
    let again = mode(normal, likelihood, DVector::from_column_slice(&[9.0, -20.0])).point;
    assert_within((again - found.point).norm(), 0.0, 1e-4);
}

/// Means and squares of both coordinates, by the trapezoidal rule.
fn integrals(likelihood: &impl LogConcave) -> [f64; 4] {
    let mut sums = [0.0; 5];
    for i in -300..=300 {
        for j in -300..=300 {
            let x = [f64::from(i) * 0.04, f64::from(j) * 0.04];
            let p = value(likelihood, &x).exp();
            let terms = [x[0], x[1], x[0] * x[0], x[1] * x[1], 1.0];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += p * term);
        }
    }
    std::array::from_fn(|i| sums[i] / sums[4])
}

/// Four and a half standard errors: a false alarm in twenty thousand seeds.
fn check_steps(likelihood: &impl LogConcave, seed: u64) {
    let precision = precision();
    let normal = Normal { mean: &MEAN, precision: &precision };
    let mut rng = stream(seed, &[]);
    let mut x = MEAN;
    let mut chains: [Vec<f64>; 4] = Default::default();
    for _ in 0..20_000 {
        step(&mut x, normal, likelihood, &mut rng);
        let terms = [x[0], x[1], x[0] * x[0], x[1] * x[1]];
        chains.iter_mut().zip(terms).for_each(|(chain, term)| chain.push(term));
    }
    for (chain, exact) in chains.iter().zip(integrals(likelihood)) {
        let mean = chain.iter().sum::<f64>() / chain.len() as f64;
        let error = mcse_mean(&[chain]).unwrap();
        println!("{mean} {exact} {error}");
        assert_within(mean, exact, 4.5 * error);
        // Steps are next to independent draws.
        let variance = chain.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / chain.len() as f64;
        assert!(error < 2.5 * (variance / chain.len() as f64).sqrt(), "{error}");
    }
}

#[test]
fn the_mode_is_flat_and_its_curvature_is_that_of_differences() {
    for counts in [[5.0, 0.0, 2.0], [0.0; 3], [300.0, 0.0, 1.0], [2.5, 400.0, 3000.0]] {
        check_slopes(&TopicCounts(&counts));
    }
    for (counts, ln_rates) in [([3.0, 0.0], [0.5, -1.0]), ([90.0, 0.0], [-2.0, 3.0])] {
        check_slopes(&PoissonCounts { counts: &counts, ln_rates: &ln_rates });
    }
    let none = [f64::NEG_INFINITY; 2];
    let alone = PoissonCounts { counts: &[0.0; 2], ln_rates: &none };
    check_slopes(&alone);
}

#[test]
fn steps_over_topics_keep_the_distribution_of_integrals() {
    for (seed, counts) in [[5.0, 0.0, 2.0], [0.0, 0.0, 0.0], [40.0, 0.0, 1.0]].iter().enumerate() {
        check_steps(&TopicCounts(counts), seed as u64);
    }
}

#[test]
fn steps_over_poisson_counts_keep_the_distribution_of_integrals() {
    check_steps(&PoissonCounts { counts: &[3.0, 0.0], ln_rates: &[0.5, -1.0] }, 11);
    check_steps(&PoissonCounts { counts: &[9.0, 0.0], ln_rates: &[-2.0, 2.0] }, 12);
}
