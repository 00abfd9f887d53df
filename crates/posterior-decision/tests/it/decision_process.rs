//! Decision processes: against all policies, against a linear programme's conditions, and known examples.

use posterior_decision::decision_process::{DecisionProcess, ProcessAction, ProcessCounts, ProcessOutcome};
use posterior_dist::stream::stream;
use rand::{Rng, RngExt};

/// Some states with one to three actions; the last may be an end.
fn random(states: usize, end: bool, rng: &mut impl Rng) -> DecisionProcess {
    let mut action = |_| {
        let weights: Vec<f64> = (0..states).map(|_| rng.random::<f64>().powi(4)).collect();
        let sum: f64 = weights.iter().sum();
        let reward = 10.0 * rng.random::<f64>() - 5.0;
        ProcessAction::new(reward, weights.iter().map(|own| own / sum).enumerate().collect()).unwrap()
    };
    let actions = (0..states).map(|state| {
        let count = if end && state + 1 == states { 0 } else { 1 + state % 3 };
        (0..count).map(&mut action).collect()
    });
    DecisionProcess::new(actions.collect()).unwrap()
}

/// Every policy, and the largest value of each state over all of them.
fn best_of_all(process: &DecisionProcess, discount: f64) -> Vec<f64> {
    let counts: Vec<usize> = (0..process.states()).map(|state| process.actions(state).len()).collect();
    let mut best = vec![f64::NEG_INFINITY; process.states()];
    for number in 0..counts.iter().map(|own| (*own).max(1)).product() {
        let mut rest: usize = number;
        let policy: Vec<Option<usize>> = counts
            .iter()
            .map(|&count| {
                let choice = rest % count.max(1);
                rest /= count.max(1);
                (count > 0).then_some(choice)
            })
            .collect();
        let values = process.values_of(&policy, discount).unwrap();
        best.iter_mut().zip(values).for_each(|(best, own)| *best = best.max(own));
    }
    best
}

#[test]
fn both_iterations_are_the_best_of_all_policies() {
    for seed in 0..40 {
        let mut rng = stream(seed, &[]);
        let process = random(6, seed % 2 == 0, &mut rng);
        for discount in [0.0, 0.3, 0.95] {
            let expected = best_of_all(&process, discount);
            let exact = process.policy_iteration(discount).unwrap();
            let near = process.value_iteration(discount, 1e-7).unwrap();
            assert!(near.gap <= 1e-7 && exact.gap == 0.0);
            for (state, expected) in expected.iter().enumerate() {
                assert!((exact.values[state] - expected).abs() < 1e-10, "{seed} {discount} {state}");
                assert!((near.values[state] - expected).abs() <= 1.001e-7, "{seed} {discount} {state}");
            }
            assert_eq!(exact.policy, near.policy);
        }
    }
}

/// Bounds hold from any values, also of states that have ended; the upper ones fulfil the linear programme.
#[test]
fn bounds_hold_the_best_values() {
    for seed in 0..20 {
        let mut rng = stream(100 + seed, &[]);
        let process = random(5, seed % 2 == 0, &mut rng);
        let best = best_of_all(&process, 0.9);
        let values: Vec<f64> = (0..5).map(|_| 40.0 * rng.random::<f64>() - 20.0).collect();
        let [low, high] = process.bounds(&values, 0.9).unwrap();
        for state in 0..5 {
            assert!(low[state] <= best[state] + 1e-10 && best[state] <= high[state] + 1e-10);
            for worth in &process.action_values(&high, 0.9)[state] {
                assert!(*worth <= high[state] + 1e-9, "{worth} {}", high[state]);
            }
        }
    }
}

/// A walk on a line to an end at either side, one step costs 1: k (n - k) steps without a choice; with one,
/// the nearer end.
#[test]
fn walks_to_an_end_need_no_discount() {
    let last = 10;
    let walk = |state: usize, up: f64| {
        ProcessAction::new(-1.0, vec![(state + 1, up), (state - 1, 1.0 - up)]).unwrap()
    };
    let chance =
        (0..=last).map(|state| if (1..last).contains(&state) { vec![walk(state, 0.5)] } else { vec![] });
    let values = DecisionProcess::new(chance.collect()).unwrap().policy_iteration(1.0).unwrap().values;
    for (state, value) in values.iter().enumerate() {
        assert!((value + (state * (last - state)) as f64).abs() < 1e-11, "{state} {value}");
    }
    let choice = (0..=last).map(|state| {
        if (1..last).contains(&state) { vec![walk(state, 1.0), walk(state, 0.0)] } else { vec![] }
    });
    let process = DecisionProcess::new(choice.collect()).unwrap();
    let values = process.policy_iteration(1.0).unwrap().values;
    for (state, value) in values.iter().enumerate() {
        assert!((value + state.min(last - state) as f64).abs() < 1e-12, "{state} {value}");
    }
    // The same by enough steps; with fewer, as many as there are.
    let horizon = process.finite_horizon(5, 1.0, &[0.0; 11]).unwrap();
    assert_eq!(horizon.values[5], values);
    assert_eq!(horizon.values[2][5], -2.0);
    assert!(horizon.policy[0][0].is_none() && horizon.policy[4][3] == Some(1));
}

/// Gambler's ruin with odds of 0.4, who stakes what they like: bold play, whose chance from one half is 0.4,
/// and from a quarter 0.16.
#[test]
fn a_gambler_at_bad_odds_plays_boldly() {
    let goal = 64_usize;
    let actions = (0..=goal).map(|money| {
        let stakes = 1..=money.min(goal - money);
        let play = |stake: usize| {
            let reward = if money + stake == goal { 0.4 } else { 0.0 };
            ProcessAction::new(reward, vec![(money + stake, 0.4), (money - stake, 0.6)]).unwrap()
        };
        if money == goal { Vec::new() } else { stakes.map(play).collect() }
    });
    let best = DecisionProcess::new(actions.collect()).unwrap().policy_iteration(1.0).unwrap();
    for (money, expected) in [(32, 0.4), (16, 0.16), (48, 0.64), (8, 0.064)] {
        assert!((best.values[money] - expected).abs() < 1e-12, "{money} {}", best.values[money]);
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let stay = |reward| vec![ProcessAction::new(reward, vec![(0, 1.0)]).unwrap()];
    let process = DecisionProcess::new(vec![stay(1.0)]).unwrap();
    process.policy_iteration(1.0).unwrap_err();
    process.value_iteration(1.0, 1e-6).unwrap_err();
    process.value_iteration(0.5, 0.0).unwrap_err();
    process.finite_horizon(1, 0.5, &[]).unwrap_err();
    assert!((process.policy_iteration(0.5).unwrap().values[0] - 2.0).abs() < 1e-15);
    // It pays to go on for ever, although there is an end.
    let mut both = stay(1.0);
    both.push(ProcessAction::new(0.0, vec![(1, 1.0)]).unwrap());
    let process = DecisionProcess::new(vec![both, Vec::new()]).unwrap();
    process.policy_iteration(1.0).unwrap_err();
    DecisionProcess::new(Vec::new()).unwrap_err();
    DecisionProcess::new(vec![vec![ProcessAction::new(0.0, vec![(3, 1.0)]).unwrap()]]).unwrap_err();
    ProcessAction::new(0.0, vec![(0, 0.5)]).unwrap_err();
    ProcessAction::new(0.0, Vec::new()).unwrap_err();
    ProcessAction::new(f64::NAN, vec![(0, 1.0)]).unwrap_err();
}

/// One step to an end: the value of an action is the mean of a Dirichlet's rewards, whose moments are known;
/// which is best has the probability of a comparison of two Beta distributions, 445/494.
#[test]
fn beliefs_are_those_of_the_conjugate_counts() {
    let arm = |wins: f64, losses: f64| {
        let outcome = |reward, count| ProcessOutcome { next: 1, reward, count };
        vec![outcome(1.0, wins), outcome(0.0, losses)]
    };
    let mut counts = ProcessCounts::new(vec![vec![arm(6.0, 3.0), arm(3.0, 7.0)], Vec::new()], 1.0).unwrap();
    counts.observe(0, 0, 1).unwrap();
    assert!(counts.observe(0, 0, 2).is_err());
    let mean = counts.mean().unwrap();
    assert!((mean.actions(0)[0].reward() - 7.0 / 12.0).abs() < 1e-15);
    let draws = 20_000;
    let found = counts.beliefs(0.9, draws, &mut stream(3, &[])).unwrap();
    let error = 5.0 / (draws as f64).sqrt();
    for (own, [a, b]) in found[0].iter().zip([[7.0, 5.0], [4.0, 8.0]]) {
        let total: f64 = a + b;
        let sd = (a * b / (total * total * (total + 1.0))).sqrt();
        assert!((own.mean - a / total).abs() < error * sd && (own.sd / sd - 1.0).abs() < error, "{own:?}");
    }
    assert!((found[0][0].best - 445.0 / 494.0).abs() < 0.5 * error, "{found:?}");
    ProcessCounts::new(vec![vec![arm(1.0, 1.0)], Vec::new()], 0.0).unwrap_err();
    ProcessCounts::new(vec![vec![Vec::new()]], 1.0).unwrap_err();
}
