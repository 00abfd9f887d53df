//! Stationary distributions, spectra, mixing times, autocorrelation: against closed forms.

use std::f64::consts::TAU;

use posterior_dist::stream::stream;
use posterior_sampling::markov_chain::{NotErgodic, TransitionMatrix};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};

use super::{assert_close, circle, flip, identity, weather};

#[test]
fn the_chain_of_the_book() {
    assert_close(&weather().stationary().unwrap(), &[2.0 / 3.0, 1.0 / 3.0], 1e-15);
    let eigenvalues = weather().eigenvalues().unwrap();
    assert_eq!((eigenvalues[0].re, eigenvalues[0].im), (1.0, 0.0));
    assert!((eigenvalues[1].re - 0.7).abs() < 1e-15 && eigenvalues[1].im == 0.0);
    let time = weather().integrated_autocorrelation_time(&[0.0, 1.0]).unwrap();
    assert!((time - 17.0 / 3.0).abs() < 1e-14, "{time}");
    // ρₜ = 0.7ᵗ, and any function that is not constant is an affine one of the indicator.
    let correlations = weather().autocorrelation(&[3.0, -5.0], 4).unwrap();
    assert_close(&correlations, &[1.0, 0.7, 0.49, 0.343, 0.2401], 1e-14);
    // d(t) = 2/3 · 0.7ᵗ is within 1/4 from t = 3 on, and within 0.01 from 12 on.
    assert!((weather().distance_after(2).unwrap() - 0.49 * 2.0 / 3.0).abs() < 1e-15);
    assert_eq!(weather().mixing_time(0.25).unwrap(), 3);
    assert_eq!(weather().mixing_time(0.01).unwrap(), 12);
    assert_eq!(weather().mixing_time(0.67).unwrap(), 0);
    assert_eq!(identity(1).mixing_time(0.1).unwrap(), 0);
    assert!(weather().mixing_time(0.0).is_err() && weather().mixing_time(f64::NAN).is_err());
    assert!(weather().integrated_autocorrelation_time(&[1.0, 1.0]).is_err());
}

#[test]
fn pieces_that_hardly_touch_cost_no_digits() {
    // 1 - 1e-17 is 1 in f64, and still the distribution is (3/4, 1/4).
    let moves = |i: usize| [(1 - i, [1e-17, 3e-17][i])];
    let chain = TransitionMatrix::from_moves(2, moves).unwrap();
    assert_close(&chain.stationary().unwrap(), &[0.75, 0.25], 1e-15);
    // Up with 1e-3, down with 1/2: π(k) ∝ (2e-3)ᵏ down to 1e-268, each to full precision.
    let n = 101;
    let up = |i: usize| if i + 1 < n { vec![(i + 1, 1e-3)] } else { vec![] };
    let down = |i: usize| if i > 0 { vec![(i - 1, 0.5)] } else { vec![] };
    let walk = TransitionMatrix::from_moves(n, |i| [up(i), down(i)].concat()).unwrap();
    let ratio: f64 = 2e-3;
    let expected: Vec<f64> = (0..n).map(|k| ratio.powf(k as f64) * (1.0 - ratio)).collect();
    assert_close(&walk.stationary().unwrap(), &expected, 1e-13);
    // The same upside down: ratios that overflow.
    let back = TransitionMatrix::from_moves(n, |i| {
        let turned = [up(n - 1 - i), down(n - 1 - i)].concat();
        turned.into_iter().map(move |(to, p)| (n - 1 - to, p)).collect::<Vec<_>>()
    });
    let turned: Vec<f64> = expected.iter().rev().copied().collect();
    assert_close(&back.unwrap().stationary().unwrap(), &turned, 1e-13);
    // A way there that f64 cannot hold.
    let far =
        TransitionMatrix::from_moves(3, |i| [((i + 1) % 3, 1e-200), ((i + 2) % 3, [0.0, 0.0, 1e-200][i])]);
    assert_close(&far.unwrap().stationary().unwrap(), &[0.25, 0.5, 0.25], 1e-15);
}

/// Two absorbing or forgotten states and three that are nearly a permutation: the iteration must not wait for
/// their entries of 1e-12.
#[test]
fn a_chain_that_is_nearly_a_permutation_has_a_spectrum() {
    let tiny = 1.1628780358388247e-12;
    let chain = TransitionMatrix::from_rows(&[
        [0.0, 1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0 - 1e-10, 1e-10],
        [0.0, 0.0, 1.0, 0.0, 0.0],
        [tiny, 0.0, 0.0, tiny, 1.0 - 2.0 * tiny],
    ]);
    let mut values: Vec<f64> = chain.unwrap().eigenvalues().unwrap().iter().map(|value| value.re).collect();
    values.sort_by(f64::total_cmp);
    for (value, expected) in values.iter().zip([-1.0, 0.0, 1.0, 1.0, 1.0]) {
        assert!((value - expected).abs() < 1e-9, "{values:?}");
    }
}

#[test]
fn walks_on_a_circle_have_the_spectrum_of_fourier() {
    for (n, on, back) in
        [(7, 0.25, 0.25), (7, 0.6, 0.3), (5, 1.0, 0.0), (3, 1.0, 0.0), (12, 1.0, 0.0), (8, 0.5, 0.1)]
    {
        let angle = |k: usize| TAU * k as f64 / n as f64;
        let stay = 1.0 - on - back;
        let mut expected: Vec<[f64; 2]> =
            (0..n).map(|k| [stay + (on + back) * angle(k).cos(), (on - back) * angle(k).sin()]).collect();
        let found = circle(n, on, back).eigenvalues().unwrap();
        assert_eq!(found.len(), n);
        for value in &found {
            let distance = |e: &[f64; 2]| (e[0] - value.re).hypot(e[1] - value.im);
            let nearest = (0..expected.len())
                .min_by(|&a, &b| distance(&expected[a]).total_cmp(&distance(&expected[b])));
            let nearest = nearest.unwrap();
            assert!(
                distance(&expected[nearest]) < 1e-13,
                "{n} {on} {back}: {value:?} is none of {expected:?}"
            );
            expected.remove(nearest);
        }
        assert!(found.windows(2).skip(1).all(|pair| pair[0].modulus() >= pair[1].modulus()));
        let modulus =
            |k: usize| f64::hypot(stay + (on + back) * angle(k).cos(), (on - back) * angle(k).sin());
        let gap = 1.0 - (1..n).map(modulus).fold(0.0, f64::max);
        assert!((circle(n, on, back).spectral_gap().unwrap() - gap).abs() < 1e-13);
    }
    assert!(flip().spectral_gap().unwrap() < 1e-15);
    assert!(identity(2).spectral_gap().unwrap() < 1e-15);
    assert_eq!(identity(1).spectral_gap().unwrap(), 1.0);
}

#[test]
fn the_urns_of_ehrenfest_have_binomial_distribution_and_an_arithmetic_spectrum() {
    let n = 20;
    let proportion = |i: usize| i as f64 / n as f64;
    let moves = |i: usize| {
        let mut moves = Vec::new();
        if i < n {
            moves.push((i + 1, 0.5 * (1.0 - proportion(i))));
        }
        if i > 0 {
            moves.push((i - 1, 0.5 * proportion(i)));
        }
        moves
    };
    let urns = TransitionMatrix::from_moves(n + 1, moves).unwrap();
    let mut binomial = vec![0.5_f64.powf(n as f64)];
    for k in 0..n {
        binomial.push(binomial[k] * (n - k) as f64 / (k + 1) as f64);
    }
    assert_close(&urns.stationary().unwrap(), &binomial, 1e-13);
    for (k, value) in urns.eigenvalues().unwrap().iter().enumerate() {
        assert!((value.re - (1.0 - proportion(k))).abs() < 1e-13 && value.im == 0.0, "{k}: {value:?}");
    }
    // The number in the urn is the eigenfunction of 1 - 1/n.
    let f: Vec<f64> = (0..=n).map(|i| i as f64).collect();
    let rho = 1.0 - 1.0 / n as f64;
    let time = urns.integrated_autocorrelation_time(&f).unwrap();
    assert!((time - (1.0 + rho) / (1.0 - rho)).abs() < 1e-11, "{time}");
}

#[test]
fn a_slow_chain_mixes_after_as_many_steps_as_its_eigenvalue_says() {
    let (p, q) = (1e-9, 2e-9);
    let chain = TransitionMatrix::from_moves(2, |i| [(1 - i, [p, q][i])]).unwrap();
    // d(t) = 2/3 (1 - p - q)ᵗ.
    let exact = (0.25_f64 * 1.5).ln() / (-(p + q)).ln_1p();
    let found = chain.mixing_time(0.25).unwrap() as f64;
    assert!((found / exact - 1.0).abs() < 1e-6, "{found} for {exact}");
    let stuck = TransitionMatrix::from_moves(2, |i| [(1 - i, 1e-30)]).unwrap();
    let refused = stuck.mixing_time(0.25).unwrap_err();
    assert!(
        refused.to_string().starts_with("after 2^63 steps the distributions are still 0.49999999999"),
        "{refused}"
    );
    assert_eq!(stuck.check_ergodic(), Ok::<(), NotErgodic>(()));
}

#[test]
fn means_of_a_periodic_chain_are_better_than_those_of_independent_draws() {
    assert!(flip().integrated_autocorrelation_time(&[0.0, 1.0]).unwrap() < 1e-15);
    // T = 1/2 for all: independent draws.
    let coin = TransitionMatrix::from_rows(&[[0.5; 2]; 2]).unwrap();
    assert!((coin.integrated_autocorrelation_time(&[0.0, 1.0]).unwrap() - 1.0).abs() < 1e-15);
    // The variance of the mean of n steps tends to σ²/n: n = 64 blocks of the exact covariances.
    let f = [1.0, 4.0, -2.0];
    let chain = TransitionMatrix::from_rows(&[[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.6, 0.1, 0.3]]).unwrap();
    let sum: f64 = chain.autocorrelation(&f, 200).unwrap()[1..].iter().sum();
    let time = chain.integrated_autocorrelation_time(&f).unwrap();
    assert!((time - (1.0 + 2.0 * sum)).abs() < 1e-13, "{time}");
}

#[test]
fn paths_follow_the_rows() {
    let chain = TransitionMatrix::from_rows(&[[0.1, 0.7, 0.2], [0.3, 0.0, 0.7], [0.6, 0.1, 0.3]]).unwrap();
    let path = chain.path(1, 60_000, &mut stream(3, &[])).unwrap();
    assert_eq!((path.len(), path[0]), (60_001, 1));
    for from in 0..3 {
        let mut seen = [0_u64; 3];
        path.windows(2).filter(|pair| pair[0] == from).for_each(|pair| seen[pair[1]] += 1);
        let visits = seen.iter().sum::<u64>() as f64;
        let expected: Vec<f64> = (0..3).map(|to| visits * chain.probability(from, to)).collect();
        let p = chi_square_p_value(&seen, &expected);
        assert!(p > LEVEL, "from {from}: {p}");
    }
    assert!(chain.path(3, 1, &mut stream(0, &[])).is_err());
}
