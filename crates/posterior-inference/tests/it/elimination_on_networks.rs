//! Elimination against the exact answers about the networks of the repository.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, MapEngine, Targets, VariableElimination};
use posterior_pgm::VarId;

use crate::bn_repository::load;
use crate::corpus::assert_close;

/// ln Z and the marginals of so many variables, spread over the network, for each question.
fn targets_agree(name: &str, count: usize) {
    let Some(repository) = load(name) else { return };
    let engine = VariableElimination::default();
    for question in &repository.questions {
        let step = question.marginals.len().div_ceil(count);
        let chosen: Vec<_> = question.marginals.iter().step_by(step).collect();
        let targets: Vec<VarId> = chosen.iter().map(|(v, _)| *v).collect();
        let beliefs =
            engine.query(&repository.network, &Targets::These(targets), &question.evidence).unwrap();
        let ln_z = beliefs.ln_z().exact().unwrap();
        assert!((ln_z - question.ln_z).abs() < 1e-9, "{name}: {ln_z} {}", question.ln_z);
        for (v, expected) in chosen {
            assert_close(beliefs.marginal(*v).unwrap(), expected, 1e-11, name);
        }
    }
}

fn best_states_agree(name: &str) {
    let Some(repository) = load(name) else { return };
    for question in &repository.questions {
        let best =
            VariableElimination::default().most_probable(&repository.network, &question.evidence).unwrap();
        let expected = question.best_ln_value;
        assert!((best.ln_value - expected).abs() < 1e-9, "{name}: {} {expected}", best.ln_value);
    }
}

#[test]
fn small_networks_agree_in_everything() {
    for name in ["asia", "cancer", "earthquake", "survey", "sachs", "child", "alarm", "hepar2", "win95pts"] {
        targets_agree(name, usize::MAX);
        best_states_agree(name);
    }
}

#[test]
fn large_networks_agree_for_a_few_targets() {
    for name in ["pathfinder", "water", "munin2", "munin4", "munin", "mildew"] {
        targets_agree(name, 3);
    }
    targets_agree("diabetes", 1);
}

#[test]
fn large_networks_have_their_most_probable_state() {
    for name in ["pathfinder", "water", "munin2"] {
        best_states_agree(name);
    }
}
