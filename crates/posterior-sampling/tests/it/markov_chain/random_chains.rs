//! Identities of all chains, on random ones, against brute force.

use posterior_math::linalg::DMatrix;
use posterior_sampling::markov_chain::{TransitionMatrix, metropolis_hastings};
use proptest::prelude::*;

/// Weights of all moves of up to six states; many of them are zero, some tiny.
fn any_chain() -> impl Strategy<Value = TransitionMatrix> {
    let weight = prop_oneof![4 => Just(0.0), 4 => 0.01..1.0_f64, 1 => Just(1e-12)];
    (1..7_usize).prop_flat_map(move |n| proptest::collection::vec(weight.clone(), n * n)).prop_map(
        |weights| {
            let n = weights.len().isqrt();
            let mut matrix = DMatrix::from_row_slice(n, n, &weights);
            for i in 0..n {
                let total = matrix.row(i).sum();
                if total == 0.0 {
                    matrix[(i, (i + 1) % n)] = 1.0;
                } else {
                    matrix.row_mut(i).iter_mut().for_each(|entry| *entry /= total);
                }
            }
            TransitionMatrix::new(matrix).unwrap()
        },
    )
}

/// For t = 0, 1, ...: whether t steps may lead from i to j.
fn possible(chain: &TransitionMatrix, steps: usize) -> Vec<Vec<Vec<bool>>> {
    let n = chain.size();
    let mut all = vec![(0..n).map(|i| (0..n).map(|j| i == j).collect()).collect::<Vec<Vec<bool>>>()];
    for t in 0..steps {
        let last = &all[t];
        let step = |i: usize, j: usize| (0..n).any(|k| last[i][k] && chain.probability(k, j) > 0.0);
        let next = (0..n).map(|i| (0..n).map(|j| step(i, j)).collect()).collect();
        all.push(next);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn classes_and_periods_are_those_of_all_ways(chain in any_chain()) {
        let n = chain.size();
        let ways = possible(&chain, 4 * n * n);
        let reaches = |i: usize, j: usize| ways[..=n].iter().any(|ways| ways[i][j]);
        for class in chain.classes() {
            let first = class.states[0];
            let members: Vec<usize> = (0..n).filter(|&j| reaches(first, j) && reaches(j, first)).collect();
            prop_assert_eq!(&class.states, &members);
            prop_assert_eq!(class.closed, (0..n).all(|j| !reaches(first, j) || reaches(j, first)));
            let returns = (1..ways.len()).filter(|&t| ways[t][first][first]);
            let divisor = returns.fold(0, |mut a, mut b| {
                while b > 0 {
                    (a, b) = (b, a % b);
                }
                a
            });
            prop_assert_eq!(class.period, (divisor > 0).then_some(divisor));
        }
        // Ergodic: some number of steps leads from everywhere to everywhere.
        let everywhere = ways.iter().any(|ways| ways.iter().flatten().all(|&way| way));
        prop_assert_eq!(chain.check_ergodic().is_ok(), everywhere);
    }

    #[test]
    fn the_stationary_distribution_is_positive_and_left_alone(chain in any_chain()) {
        prop_assume!(chain.check_irreducible().is_ok());
        let distribution = chain.stationary().unwrap();
        prop_assert!(distribution.iter().all(|&p| p > 0.0));
        prop_assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        prop_assert!(chain.stationary_residual(&distribution).unwrap() < 1e-15);
        // Backwards, twice, and as a mixture it is left alone too.
        let reversed = chain.reversed().unwrap();
        let mixture = TransitionMatrix::mixture(&[(1.0, chain.clone()), (3.0, reversed.clone())]).unwrap();
        for kernel in [&reversed, &chain.power(5), &mixture, &chain.then(&reversed).unwrap()] {
            prop_assert!(kernel.stationary_residual(&distribution).unwrap() < 1e-14);
        }
        // There and back is reversible.
        prop_assert!(chain.then(&reversed).unwrap().detailed_balance_residual(&distribution).unwrap() < 1e-15);
    }

    #[test]
    fn mixing_times_are_those_of_step_by_step(chain in any_chain()) {
        prop_assume!(chain.check_ergodic().is_ok());
        let distribution = chain.stationary().unwrap();
        let mut rows: Vec<Vec<f64>> =
            (0..chain.size()).map(|i| (0..chain.size()).map(|j| f64::from(u8::from(i == j))).collect()).collect();
        let farthest = |rows: &[Vec<f64>]| {
            let distances = rows.iter().map(|row| row.iter().zip(&distribution).map(|(a, b)| (a - b).max(0.0)).sum());
            distances.fold(0.0, f64::max)
        };
        let mut steps = 0;
        // At 1/4 exactly rounding would decide.
        while farthest(&rows) > 0.2501 && steps < 2000 {
            rows = rows.iter().map(|row| chain.step(row).unwrap()).collect();
            steps += 1;
        }
        prop_assume!(steps < 2000);
        prop_assert!((farthest(&rows) - chain.distance_after(steps).unwrap()).abs() < 1e-12);
        prop_assert_eq!(chain.mixing_time(0.2501).unwrap(), steps);
    }

    #[test]
    fn eigenvalues_have_the_traces_of_the_powers(chain in any_chain()) {
        let values = chain.eigenvalues().unwrap();
        prop_assert_eq!(values.len(), chain.size());
        prop_assert!(values.iter().all(|value| value.modulus() < 1.0 + 1e-12));
        let mut powers: Vec<(f64, f64)> = vec![(1.0, 0.0); values.len()];
        for steps in 1..5 {
            for (power, value) in powers.iter_mut().zip(&values) {
                *power = (power.0 * value.re - power.1 * value.im, power.0 * value.im + power.1 * value.re);
            }
            let (re, im) = powers.iter().fold((0.0, 0.0), |sum, power| (sum.0 + power.0, sum.1 + power.1));
            let trace = chain.power(steps).as_matrix().trace();
            prop_assert!((re - trace).abs() < 1e-10 && im.abs() < 1e-10, "{} {} {}", re, im, trace);
        }
    }

    #[test]
    fn hitting_times_and_probabilities_solve_their_equations(chain in any_chain(), aim in 0..6_usize) {
        let aim = aim % chain.size();
        let ways = possible(&chain, chain.size());
        let probabilities = chain.hitting_probabilities(&[aim]).unwrap();
        let times = chain.hitting_times(&[aim]).unwrap();
        let next = chain.expectation(&probabilities).unwrap();
        let reaches = |state: usize| ways.iter().any(|ways| ways[state][aim]);
        // Some way that avoids the aim ends where it cannot be reached.
        let mut misses: Vec<bool> = (0..chain.size()).map(|state| !reaches(state)).collect();
        for _ in 0..chain.size() {
            let step = |state: usize| (0..chain.size()).any(|to| misses[to] && chain.probability(state, to) > 0.0);
            misses = (0..chain.size()).map(|state| misses[state] || (state != aim && step(state))).collect();
        }
        for state in (0..chain.size()).filter(|&state| state != aim) {
            prop_assert_eq!(probabilities[state] > 0.0, reaches(state));
            prop_assert!((probabilities[state] - next[state]).abs() < 1e-14);
            prop_assert_eq!(times[state] == f64::INFINITY, misses[state], "{:?}", times);
            if !misses[state] && chain.probability(state, state) < 0.9 {
                let moves = (0..chain.size()).filter(|&to| chain.probability(state, to) > 0.0);
                let later: f64 = moves.map(|to| chain.probability(state, to) * times[to]).sum();
                prop_assert!(((1.0 + later) / times[state] - 1.0).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn any_proposal_becomes_a_kernel_in_detailed_balance(
        chain in any_chain(),
        ln_p in proptest::collection::vec(-30.0..5.0_f64, 6),
    ) {
        let ln_p = &ln_p[..chain.size()];
        let kernel = metropolis_hastings(ln_p, &chain).unwrap();
        let largest = ln_p.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = ln_p.iter().map(|ln_p| (ln_p - largest).exp()).sum();
        let distribution: Vec<f64> = ln_p.iter().map(|ln_p| (ln_p - largest).exp() / total).collect();
        prop_assert!(kernel.detailed_balance_residual(&distribution).unwrap() < 1e-15);
        prop_assert_eq!(kernel.irreversible_cycle(1e-9), None);
    }
}
