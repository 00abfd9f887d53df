//! Bandits against dynamic programming, influence diagrams against all strategies.

use std::collections::BTreeMap;
use std::error::Error;

use posterior::decision::bandit::{Environment, SimulationOptions, parse_policy, simulate};
use posterior::decision::influence_diagram::{Decision, InfluenceDiagram, Utility};
use posterior::dist::stream::stream;
use posterior::inference::Budget;
use posterior::math::special::ln_beta;
use posterior::pgm::{Table, VarId, Variables};
use rand::RngExt;

use crate::row::{Comparison, Measure, Row, Rows};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

pub(crate) fn rows() -> Rows {
    Ok(vec![bandits()?, diagrams()?])
}

/// Plays and successes of both arms.
type State = [(u64, u64); 2];

/// The expected regret after 20 plays: probabilities of all histories' counts, carried from play to play.
fn expected_regret(means: [f64; 2], first: impl Fn(&State) -> f64) -> f64 {
    let best = means[0].max(means[1]);
    let mut states: BTreeMap<State, f64> = BTreeMap::from([([(0, 0); 2], 1.0)]);
    let mut regret = 0.0;
    for _ in 0..20 {
        let mut next = BTreeMap::new();
        for (state, probability) in states {
            let proportion = first(&state);
            for (arm, proportion) in [proportion, 1.0 - proportion].into_iter().enumerate() {
                regret += probability * proportion * (best - means[arm]);
                for (success, chance) in [(0, 1.0 - means[arm]), (1, means[arm])] {
                    let mut then = state;
                    then[arm] = (state[arm].0 + 1, state[arm].1 + success);
                    *next.entry(then).or_insert(0.0) += probability * proportion * chance;
                }
            }
        }
        states = next;
    }
    regret
}

/// P(X > Y) for Beta distributions with whole parameters, by a finite sum.
fn beats(x: (u64, u64), y: (u64, u64)) -> f64 {
    let [b, c, d] = [x.0 - x.1 + 1, y.1 + 1, y.0 - y.1 + 1].map(|count| count as f64);
    let term = |i: u64| {
        let i = i as f64;
        (ln_beta(c + i, b + d) - (b + i).ln() - ln_beta(1.0 + i, b) - ln_beta(c, d)).exp()
    };
    (0..=x.1).map(term).sum()
}

fn greedy(state: &State) -> f64 {
    let mean = |(n, s): (u64, u64)| if n == 0 { f64::INFINITY } else { s as f64 / n as f64 };
    0.05 + if mean(state[0]) >= mean(state[1]) { 0.9 } else { 0.0 }
}

/// The index of Auer, Cesa-Bianchi and Fischer.
fn ucb1(state: &State) -> f64 {
    let plays = (state[0].0 + state[1].0) as f64;
    let index = |(n, s): (u64, u64)| {
        let own = n as f64;
        if n == 0 { f64::INFINITY } else { s as f64 / own + (2.0 * plays.ln() / own).sqrt() }
    };
    f64::from(u8::from(index(state[0]) >= index(state[1])))
}

/// The name of a policy, and how probably it plays the first arm.
type Policy = (&'static str, fn(&State) -> f64);

fn bandits() -> Outcome<Row> {
    let policies: [Policy; 3] =
        [("thompson", |state| beats(state[0], state[1])), ("epsilon-greedy:0.1", greedy), ("ucb1", ucb1)];
    let mut worst = 0.0_f64;
    for (name, first) in policies {
        let policy = parse_policy(name)?;
        for means in [[0.6, 0.9], [0.55, 0.45]] {
            let options =
                SimulationOptions { horizon: 20, runs: 20_000, points: 2, ..SimulationOptions::default() };
            let found = simulate(&[policy.as_ref()], &Environment::bernoulli(&means)?, &options)?;
            let curve = &found.curves[0];
            let error = curve.standard_errors.last().ok_or("an empty curve")?;
            worst = worst.max((curve.final_regret() - expected_regret(means, first)).abs() / error);
        }
    }
    Ok(Row::new(
        "expected regret after 20 plays",
        ["20,000 simulated games", "dynamic programming over all counts"],
        "Thompson, ε-greedy, UCB1; two pairs of Bernoulli arms",
        Measure::StandardErrors(worst),
        "5 s.e., nine policies (`posterior-decision/bandit/exact_regret.rs`)",
    )
    .of(6))
}

/// A test may be bought before an action is chosen: chances a and r, decisions t and d.
fn diagrams() -> Outcome<Row> {
    let mut rng = stream(1, &[]);
    let budget = Budget::bytes(1 << 20);
    let mut seen = Comparison::default();
    for _ in 0..50 {
        let [a, t, r, d] = [0, 1, 2, 3].map(VarId::new);
        let mut uniform = || rng.random::<f64>();
        let state = uniform();
        let report: Vec<f64> = (0..4).map(|_| uniform()).collect();
        let price: Vec<f64> = (0..2).map(|_| -uniform()).collect();
        let gain: Vec<f64> = (0..4).map(|_| 10.0 * uniform() - 5.0).collect();
        let rows = |ones: &[f64]| ones.iter().flat_map(|p| [1.0 - p, *p]).collect::<Vec<f64>>();
        let chances = vec![
            Table::new(vec![a], vec![2], rows(&[state]))?,
            Table::new(vec![a, t, r], vec![2; 3], rows(&report))?,
        ];
        let utilities = vec![
            Utility::new("price", Table::new(vec![t], vec![2], price.clone())?),
            Utility::new("gain", Table::new(vec![a, d], vec![2; 2], gain.clone())?),
        ];
        let decisions = vec![Decision::new(t, &[]), Decision::new(d, &[r])];
        let diagram = InfluenceDiagram::new(Variables::numbered(&[2; 4])?, chances, decisions, utilities)?;
        // Two choices of t, and four functions from what t and r were to d, for each t.
        let mut best = f64::NEG_INFINITY;
        for buy in 0..2 {
            for rule in 0..4 {
                let mut sum = price[buy];
                for case in 0..4 {
                    let (own, output) = (case >> 1, case & 1);
                    let p_state = [1.0 - state, state][own];
                    let yes = report[2 * own + buy];
                    let p_reported = [1.0 - yes, yes][output];
                    sum += p_state * p_reported * gain[2 * own + (rule >> output & 1)];
                }
                best = best.max(sum);
            }
        }
        seen.see(diagram.solve(budget)?.expected_utility(), best);
    }
    Ok(seen.exact(
        "best expected utility",
        ["influence diagram by elimination", "enumeration of all strategies"],
        "50 random diagrams of two chances and two decisions",
        "1e-12 (`posterior-decision/influence_diagram.rs`)",
    ))
}
