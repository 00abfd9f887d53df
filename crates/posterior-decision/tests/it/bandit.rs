//! Bandits: indices, what policies promise, regret.

mod beliefs;
mod exact_regret;
mod gittins;
mod policies;
mod simulation;

use posterior_decision::bandit::{Advice, History, Policy, advise};
use posterior_dist::stream::stream;

/// A history with these plays and successes of each arm, successes first.
fn history(arms: &[(u64, u64)]) -> History {
    let mut history = History::new(arms.len()).unwrap();
    for (arm, &(plays, successes)) in arms.iter().enumerate() {
        for play in 0..plays {
            history.push(arm, f64::from(u8::from(play < successes))).unwrap();
        }
    }
    history
}

fn advice(policy: &dyn Policy, arms: &[(u64, u64)]) -> Advice {
    advise(policy, &history(arms), &mut stream(0, &[])).unwrap()
}

fn indices(policy: &dyn Policy, arms: &[(u64, u64)]) -> Vec<f64> {
    advice(policy, arms).reasons.iter().map(|reason| reason.index).collect()
}
