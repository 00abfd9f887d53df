//! Expected regret of small games, exactly, over all that can happen; against a second implementation and
//! against simulation.
//!
//! The state of a game of two arms of zeros and ones is how often each was played and succeeded.
//! Probabilities of all states are carried from play to play, every choice by the policy itself. The figures
//! are those of a program in Python (SciPy 1.16) with indices of its own, KL-UCB's by bisection, Thompson's
//! choice by a sum over Beta functions.

use std::collections::BTreeMap;

use posterior_decision::bandit::{Environment, Policy, SimulationOptions, parse_policy, simulate};

use super::advice;

const PLAYS: u64 = 20;

/// Plays and successes of both arms.
type State = [(u64, u64); 2];

/// The expected regret after 5 and after 20 plays.
fn exact(means: [f64; 2], first: impl Fn(&State) -> f64) -> [f64; 2] {
    let best = means[0].max(means[1]);
    let mut states: BTreeMap<State, f64> = BTreeMap::from([([(0, 0); 2], 1.0)]);
    let (mut regret, mut after) = (0.0, [0.0; 2]);
    for play in 1..=PLAYS {
        let mut next = BTreeMap::new();
        for (state, probability) in states {
            let proportion = first(&state);
            for (arm, proportion) in [proportion, 1.0 - proportion]
                .into_iter()
                .enumerate()
                .filter(|(_, proportion)| *proportion > 0.0)
            {
                regret += probability * proportion * (best - means[arm]);
                for (success, chance) in [(0, 1.0 - means[arm]), (1, means[arm])] {
                    let mut then = state;
                    then[arm] = (state[arm].0 + 1, state[arm].1 + success);
                    *next.entry(then).or_insert(0.0) += probability * proportion * chance;
                }
            }
        }
        states = next;
        if play == 5 {
            after[0] = regret;
        }
    }
    after[1] = regret;
    after
}

/// P(X > Y) for Beta distributions with whole parameters, by E. Miller's sum in exact ratios.
fn beats(x: (u64, u64), y: (u64, u64)) -> f64 {
    let ln_beta = |a: f64, b: f64| posterior_math::special::ln_beta(a, b);
    let [b, c, d] = [x.0 - x.1 + 1, y.1 + 1, y.0 - y.1 + 1].map(|count| count as f64);
    let term = |i: u64| {
        let i = i as f64;
        (ln_beta(c + i, b + d) - (b + i).ln() - ln_beta(1.0 + i, b) - ln_beta(c, d)).exp()
    };
    (0..=x.1).map(term).sum()
}

fn greedy_proportion(state: &State, epsilon: f64) -> f64 {
    let mean = |(plays, successes): (u64, u64)| {
        if plays == 0 { f64::INFINITY } else { successes as f64 / plays as f64 }
    };
    let leads = mean(state[0]) >= mean(state[1]);
    0.5 * epsilon + if leads { 1.0 - epsilon } else { 0.0 }
}

fn check(name: &str, figures: [[f64; 2]; 2]) {
    let policy = parse_policy(name).unwrap();
    for (means, figures) in [[0.6, 0.9], [0.55, 0.45]].into_iter().zip(figures) {
        let found = exact(means, |state| match name {
            "thompson" => beats(state[0], state[1]),
            "epsilon-greedy:0.1" => greedy_proportion(state, 0.1),
            _ => f64::from(u8::from(advice(policy.as_ref(), state).choice == 0)),
        });
        for (found, figure) in found.into_iter().zip(figures) {
            assert!((found - figure).abs() < 1e-10, "{name} {means:?}: {found} {figure}");
        }
        simulated(policy.as_ref(), means, PLAYS, found[1]);
    }
}

/// 20,000 games: the mean is within 2 % of the truth, and within five standard errors, which is missed once
/// in two million.
fn simulated(policy: &dyn Policy, means: [f64; 2], plays: u64, exact: f64) {
    let options =
        SimulationOptions { horizon: plays, runs: 20_000, points: 2, ..SimulationOptions::default() };
    let arms = Environment::bernoulli(&means).unwrap();
    let found = simulate(&[policy], &arms, &options).unwrap();
    let curve = &found.curves[0];
    let error = curve.standard_errors.last().unwrap();
    let off = (curve.final_regret() - exact).abs();
    assert!(
        off < 5.0 * error && off < 0.02 * exact,
        "{}: {} {exact} {error}",
        curve.policy,
        curve.final_regret()
    );
}

#[test]
fn ucb1() {
    check("ucb1", [[0.64836, 2.017788391950812], [0.22522375, 0.8820430915131465]]);
}

#[test]
fn ucb1_tuned() {
    check("ucb1-tuned", [[0.64656, 1.3119568425168375], [0.20666125, 0.7859209005176435]]);
}

#[test]
fn ucb_v() {
    check("ucb-v", [[0.83304, 2.8958358409765546], [0.229098125, 0.9589803933902146]]);
}

#[test]
fn moss() {
    check("moss", [[0.65484, 1.8575534208919833], [0.219098125, 0.8738793098616788]]);
}

#[test]
fn kl_ucb() {
    check("kl-ucb", [[0.70488, 1.1984405126407938], [0.199174375, 0.8076562862565586]]);
}

#[test]
fn mean_plus_sd() {
    check("ucb-sd:1", [[0.83448, 1.6607861968101314], [0.168924375, 0.7500122743943308]]);
}

#[test]
fn bayes_ucb() {
    check("bayes-ucb", [[0.83448, 1.4015307610655932], [0.168924375, 0.776972519826605]]);
}

#[test]
fn thompson() {
    check("thompson", [[0.6188095, 1.5414240495484823], [0.23678303125, 0.8544823211256872]]);
}

#[test]
fn epsilon_greedy() {
    check(
        "epsilon-greedy:0.1",
        [[0.72867137025, 1.624882102450282], [0.18844252541406256, 0.6743511841296032]],
    );
}

/// A hundred plays: figures of NumPy alone, Thompson's choice by the hypergeometric distribution of merged
/// order statistics.
#[test]
fn a_hundred_plays() {
    for (name, means, exact) in [
        ("ucb1", [0.6, 0.9], 6.772493671254991),
        ("ucb1", [0.55, 0.45], 3.9186201635704228),
        ("thompson", [0.6, 0.9], 2.7121885717636367),
        ("thompson", [0.55, 0.45], 3.3054801214172422),
    ] {
        simulated(parse_policy(name).unwrap().as_ref(), means, 100, exact);
    }
}
