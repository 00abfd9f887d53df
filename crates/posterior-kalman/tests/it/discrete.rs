//! Finitely many states against enumeration.

use posterior_dist::stream::stream;
use posterior_kalman::discrete::DiscreteChain;
use posterior_kalman::{Error, Matrices, TransitionEquation};
use posterior_math::linalg::DMatrix;
use posterior_sampling::markov_chain::TransitionMatrix;
use rand::{Rng, RngExt};

const TIMES: usize = 5;

/// Probabilities of which some are zero.
fn distribution<R: Rng>(states: usize, rng: &mut R) -> Vec<f64> {
    let mut weights: Vec<f64> = (0..states).map(|_| (rng.random::<f64>() - 0.3).max(0.0)).collect();
    weights[rng.random_range(0..states)] += 0.5;
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

fn chain<R: Rng>(states: usize, rng: &mut R) -> DiscreteChain {
    let moves: Vec<DMatrix<f64>> = (1..TIMES)
        .map(|_| {
            let rows: Vec<f64> = (0..states).flat_map(|_| distribution(states, rng)).collect();
            DMatrix::from_row_slice(states, states, &rows)
        })
        .collect();
    DiscreteChain::new(&distribution(states, rng), &Matrices::each(&moves).unwrap()).unwrap()
}

/// Every sequence of states with its probability together with the observations.
fn all_paths(chain: &DiscreteChain, seen: &DMatrix<f64>) -> Vec<(Vec<usize>, f64)> {
    let (states, length) = (chain.states(), seen.nrows());
    (0..states.pow(length as u32))
        .map(|number| {
            let path: Vec<usize> = (0..length).map(|t| number / states.pow(t as u32) % states).collect();
            let mut p = chain.initial()[path[0]];
            for t in 0..length {
                p *= seen[(t, path[t])].exp();
                if t > 0 {
                    p *= chain.transitions().matrix(t - 1)[(path[t - 1], path[t])];
                }
            }
            (path, p)
        })
        .collect()
}

#[test]
fn filter_smoother_and_best_path_are_those_of_enumeration() {
    let mut rng = stream(5, &[]);
    let mut tried = 0;
    for states in [1, 2, 3, 4].repeat(12) {
        let chain = chain(states, &mut rng);
        let seen = DMatrix::from_fn(TIMES, states, |t, _| match rng.random_range(0..5) {
            0 => f64::NEG_INFINITY,
            _ if t == 2 => 0.0,
            _ => 3.0 * rng.random::<f64>() - 2.0,
        });
        let paths = all_paths(&chain, &seen);
        let total: f64 = paths.iter().map(|(_, p)| p).sum();
        if total == 0.0 {
            assert!(matches!(chain.filter(&seen), Err(Error::Impossible { .. })));
            assert!(matches!(chain.best_path(&seen), Err(Error::Impossible { .. })));
            continue;
        }
        tried += 1;
        let filtered = chain.filter(&seen).unwrap();
        assert!((filtered.ln_likelihood() - total.ln()).abs() < 1e-12);
        let smoothed = filtered.smooth(&chain).unwrap();
        for t in 0..TIMES {
            let (now, before) = (seen.rows(0, t + 1).into_owned(), seen.rows(0, t).into_owned());
            for i in 0..states {
                let proportion = |paths: &[(Vec<usize>, f64)], t: usize| {
                    let own: f64 = paths.iter().filter(|(path, _)| path[t] == i).map(|(_, p)| p).sum();
                    own / paths.iter().map(|(_, p)| p).sum::<f64>()
                };
                assert!(
                    (filtered.probabilities(t)[i] - proportion(&all_paths(&chain, &now), t)).abs() < 1e-13
                );
                let mut unseen = before.clone().insert_row(t, 0.0);
                unseen.row_mut(t).fill(0.0);
                assert!(
                    (filtered.predicted(t)[i] - proportion(&all_paths(&chain, &unseen), t)).abs() < 1e-13
                );
                assert!((smoothed.probabilities(t)[i] - proportion(&paths, t)).abs() < 1e-13);
                for j in 0..if t + 1 < TIMES { states } else { 0 } {
                    let both = paths.iter().filter(|(path, _)| (path[t], path[t + 1]) == (i, j));
                    let own = both.map(|(_, p)| p).sum::<f64>() / total;
                    assert!((smoothed.pair(t)[(i, j)] - own).abs() < 1e-13);
                }
            }
        }
        let best = chain.best_path(&seen).unwrap();
        let most = paths.iter().map(|(_, p)| *p).fold(0.0, f64::max);
        let own = paths.iter().find(|(path, _)| *path == best.states).unwrap().1;
        assert!((best.ln_probability - most.ln()).abs() < 1e-12 && (own / most - 1.0).abs() < 1e-12);
    }
    assert!(tried > 24, "{tried}");
}

#[test]
fn several_steps_are_the_product_of_steps() {
    let moves = DMatrix::from_row_slice(3, 3, &[0.5, 0.25, 0.25, 0.0, 0.9, 0.1, 0.2, 0.0, 0.8]);
    let chain = DiscreteChain::new(&[0.2, 0.3, 0.5], &Matrices::constant(&moves)).unwrap();
    let matrix = TransitionMatrix::new(moves).unwrap();
    assert!((chain.steps(3, 10).unwrap() - matrix.power(7).as_matrix()).amax() < 1e-15);
    let (own, other) =
        (chain.distribution(6).unwrap(), matrix.distribution_after(&[0.2, 0.3, 0.5], 6).unwrap());
    assert!(own.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-15));
    // Chapman and Kolmogorov: by way of any time between.
    let direct = chain.steps(0, 9).unwrap();
    assert!((chain.steps(0, 4).unwrap() * chain.steps(4, 9).unwrap() - direct).amax() < 1e-15);
    assert_eq!(chain.steps(4, 4).unwrap(), DMatrix::identity(3, 3));
}

#[test]
fn long_series_do_not_underflow() {
    let moves = DMatrix::from_row_slice(2, 2, &[0.9, 0.1, 0.4, 0.6]);
    let chain = DiscreteChain::new(&[0.8, 0.2], &Matrices::constant(&moves)).unwrap();
    // The stationary distribution is (0.8, 0.2), and both states say the same: each time e^-1000.
    let seen = DMatrix::from_element(5000, 2, -1000.0);
    let filtered = chain.filter(&seen).unwrap();
    assert!((filtered.ln_likelihood() / -5e6 - 1.0).abs() < 1e-14);
    let smoothed = filtered.smooth(&chain).unwrap();
    assert!((smoothed.probabilities(0)[0] - 0.8).abs() < 1e-11);
    assert_eq!(chain.best_path(&seen).unwrap().states, vec![0; 5000]);
    // States far apart: the one that explains the observation is e^-900 as probable as the other.
    let apart = DMatrix::from_row_slice(2, 2, &[0.0, -600.0, -600.0, 0.0]);
    assert!(chain.filter(&apart).unwrap().ln_likelihood().is_finite());
}

#[test]
fn what_is_no_chain_is_refused() {
    let good = Matrices::constant(&DMatrix::identity(2, 2));
    assert!(DiscreteChain::new(&[], &good).is_err());
    assert!(DiscreteChain::new(&[0.5, 0.6], &good).is_err());
    assert!(DiscreteChain::new(&[f64::NAN, 1.0], &good).is_err());
    assert!(DiscreteChain::new(&[0.5, 0.25, 0.25], &good).is_err());
    let bad = Matrices::constant(&DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.7, 0.2]));
    assert!(DiscreteChain::new(&[0.5, 0.5], &bad).unwrap_err().to_string().contains("[1]"));
    let chain = DiscreteChain::new(&[0.0, 1.0], &good).unwrap();
    for value in [f64::NAN, f64::INFINITY] {
        assert!(chain.filter(&DMatrix::from_element(1, 2, value)).is_err());
    }
    let excluded = DMatrix::from_row_slice(2, 2, &[5.0, 0.0, 0.0, f64::NEG_INFINITY]);
    assert!(matches!(chain.filter(&excluded), Err(Error::Impossible { time: 1 })));
    assert!(chain.filter(&DMatrix::zeros(0, 2)).unwrap().is_empty());
    assert!(chain.best_path(&DMatrix::zeros(0, 2)).unwrap().states.is_empty());
    let short = DiscreteChain::new(&[1.0], &Matrices::each(&[DMatrix::identity(1, 1)]).unwrap()).unwrap();
    assert!(short.filter(&DMatrix::zeros(3, 1)).is_err() && short.steps(0, 2).is_err());
}

#[test]
fn several_steps_of_a_linear_transition_are_one() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, -0.3, 0.8]);
    let q = DMatrix::from_row_slice(2, 2, &[0.5, 0.2, 0.2, 0.1]);
    let equation = TransitionEquation::constant(&a, &q)
        .unwrap()
        .with_offset(Matrices::constant(&DMatrix::from_column_slice(2, 1, &[1.0, -1.0])))
        .unwrap();
    // By way of any time between, and against the sums.
    let three = equation.over(0, 3).unwrap();
    let by_way = equation.over(0, 1).unwrap().then(&equation.over(1, 3).unwrap()).unwrap();
    let square = &a * &a;
    let noise = &q + &a * &q * a.transpose() + &square * &q * square.transpose();
    assert!((three.noise() - &noise).amax() < 1e-15 && (by_way.noise() - noise).amax() < 1e-15);
    assert!((three.matrix() - &square * &a).amax() < 1e-15);
    let b = DMatrix::from_column_slice(2, 1, &[1.0, -1.0]);
    assert!((three.offset() - (&b + &a * &b + &square * &b).column(0)).amax() < 1e-15);
    assert_eq!(equation.over(2, 2).unwrap().noise(), DMatrix::zeros(2, 2));
}

#[test]
fn the_smallest_probabilities_are_smoothed_without_overflow() {
    let moves = DMatrix::from_row_slice(3, 3, &[1.0, 0.0, 3e-310, 0.5, 0.5, 1e-310, 1.0, 0.0, 0.0]);
    let chain = DiscreteChain::new(&[0.25, 0.5, 0.25], &Matrices::constant(&moves)).unwrap();
    let never = f64::NEG_INFINITY;
    let seen = DMatrix::from_row_slice(2, 3, &[0.0, 0.0, 0.0, never, never, 0.0]);
    let smoothed = chain.filter(&seen).unwrap().smooth(&chain).unwrap();
    // 3/4 and 2/4 of 1e-310, of which the numbers have 12 digits.
    for (found, truth) in smoothed.probabilities(0).iter().zip([0.6, 0.4, 0.0]) {
        assert!((found - truth).abs() < 1e-11, "{found} {truth}");
    }
    assert!((smoothed.pair(0)[(0, 2)] - 0.6).abs() < 1e-11);
}

#[test]
fn steps_backwards_are_refused() {
    let chain = DiscreteChain::new(&[1.0], &Matrices::constant(&DMatrix::from_element(1, 1, 1.0))).unwrap();
    assert!(matches!(
        chain.steps(3, 1),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 3, found: 1, .. }))
    ));
    assert_eq!(chain.steps(2, 2).unwrap()[(0, 0)], 1.0);
    let one = DMatrix::from_element(1, 1, 1.0);
    let transition = TransitionEquation::constant(&one, &one).unwrap();
    assert!(matches!(
        transition.over(3, 1),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 3, found: 1, .. }))
    ));
    assert_eq!(transition.over(2, 2).unwrap().noise()[(0, 0)], 0.0);
}

#[test]
fn a_state_that_cannot_be_explains_nothing() {
    let stays = Matrices::constant(&DMatrix::identity(2, 2));
    let chain = DiscreteChain::new(&[1.0, 0.0], &stays).unwrap();
    let filtered = chain.filter(&DMatrix::from_row_slice(1, 2, &[-800.0, 0.0])).unwrap();
    assert_eq!(filtered.probabilities(0), [1.0, 0.0]);
    assert_eq!(filtered.ln_likelihood(), -800.0);
}
