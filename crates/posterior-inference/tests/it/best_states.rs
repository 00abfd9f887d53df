//! Most probable states by elimination against the reference table and enumeration.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Budget, Engine, Enumeration, Error, JointEngine, MapEngine, Targets, VariableElimination,
};
use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::any_model::{Random, random, shuffled};
use crate::corpus::best_states_agree;
use crate::examples::{student, voting};

#[test]
fn elimination_meets_the_reference() {
    best_states_agree(&VariableElimination::default(), 1e-13);
}

/// ln of the score of every joint state that is possible, best first.
fn all_scores(model: &dyn GraphicalModel, evidence: &Evidence) -> Vec<f64> {
    let all: Vec<VarId> = model.variables().ids().collect();
    let engine = Enumeration::default();
    let plan = engine.plan(model, &Targets::All).unwrap();
    let Ok(beliefs) = engine.infer(model, &plan, evidence) else { return Vec::new() };
    let ln_z = beliefs.ln_z().exact().unwrap();
    let joint = engine.joint(model, &plan, evidence, &all).unwrap();
    let mut scores: Vec<f64> = joint.values().iter().filter(|p| **p > 0.0).map(|p| p.ln() + ln_z).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

proptest! {
    #[test]
    fn elimination_agrees_with_enumeration(seed: u64) {
        let Random { model, evidence } = random(seed);
        let [a, b] = [
            VariableElimination::default().most_probable(&*model, &evidence),
            Enumeration::default().most_probable(&*model, &evidence),
        ];
        match (a, b) {
            (Ok(a), Ok(b)) => prop_assert!((a.ln_value - b.ln_value).abs() < 1e-12),
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    #[test]
    fn the_k_best_states_are_the_first_of_all(seed: u64, k in 1_usize..40) {
        let Random { model, evidence } = random(seed);
        let scores = all_scores(&*model, &evidence);
        let best = VariableElimination::default().k_best(&*model, &evidence, k);
        if scores.is_empty() {
            prop_assert_eq!(best, Err(Error::ImpossibleEvidence));
            return Ok(());
        }
        let best = best.unwrap();
        prop_assert_eq!(best.len(), k.min(scores.len()));
        for (own, score) in best.iter().zip(&scores) {
            prop_assert!((own.ln_value - score).abs() < 1e-12, "{} {}", own.ln_value, score);
            let hard = Evidence::of(model.variables().ids().map(|v| (v, own.states[v.index()])));
            let seen = evidence.states().all(|(v, state)| own.states[v.index()] == state);
            prop_assert!(seen && VariableElimination::default().most_probable(&*model, &hard).is_ok());
        }
        let mut states: Vec<&Vec<usize>> = best.iter().map(|own| &own.states).collect();
        states.sort_unstable();
        states.dedup();
        prop_assert_eq!(states.len(), best.len(), "a state comes twice");
    }

    #[test]
    fn the_best_state_of_some_is_the_peak_of_their_joint(seed: u64, set_seed: u64) {
        let Random { model, evidence } = random(seed);
        let mut rng = Pcg64Mcg::seed_from_u64(set_seed);
        let mut set: Vec<VarId> =
            shuffled(&mut rng, model.variables().len()).into_iter().map(VarId::new).collect();
        set.truncate(3);
        let own = VariableElimination::default().most_probable_of(&*model, &evidence, &set);
        let engine = Enumeration::default();
        let plan = engine.plan(&*model, &Targets::All).unwrap();
        let Ok(beliefs) = engine.infer(&*model, &plan, &evidence) else {
            prop_assert_eq!(own, Err(Error::ImpossibleEvidence));
            return Ok(());
        };
        let own = own.unwrap();
        let joint = engine.joint(&*model, &plan, &evidence, &set).unwrap();
        let peak = joint.values().iter().copied().fold(0.0, f64::max);
        let ln_value = peak.ln() + beliefs.ln_z().exact().unwrap();
        prop_assert!((own.ln_value - ln_value).abs() < 1e-12);
        prop_assert!((joint.at(&own.states).ln() - peak.ln()).abs() < 1e-12);
        prop_assert_eq!(own.variables, set);
    }
}

#[test]
fn students_and_voters_have_their_best_states() {
    let best = VariableElimination::default().most_probable(&student(), &Evidence::none()).unwrap();
    assert_eq!(best.states, [1, 0, 2, 0, 0]);
    assert!((best.ln_value.exp() - 0.184338).abs() < 1e-15);

    let best = VariableElimination::default().k_best(&voting(), &Evidence::none(), 17).unwrap();
    let scores: Vec<f64> = best.iter().map(|own| own.ln_value.exp().round()).collect();
    let expected = [10000, 625, 100, 100, 100, 100, 50, 50, 50, 50, 25, 25, 25, 25, 1, 1].map(f64::from);
    assert_eq!(scores, expected);
    assert_eq!((&best[0].states, &best[1].states), (&vec![1; 4], &vec![0; 4]));
}

/// p(a) = (0.4, 0.6), and b follows a: (1, 0) or (1/2, 1/2).
fn two() -> BayesianNetwork {
    let [a, b] = [0, 1].map(VarId::new);
    let tables = vec![
        Table::new(vec![a], vec![2], vec![0.4, 0.6]).unwrap(),
        Table::new(vec![a, b], vec![2, 2], vec![1.0, 0.0, 0.5, 0.5]).unwrap(),
    ];
    BayesianNetwork::new(Variables::numbered(&[2, 2]).unwrap(), tables).unwrap()
}

#[test]
fn best_states_of_each_variable_are_not_the_best_joint_state() {
    let engine = VariableElimination::default();
    let beliefs = engine.query(&two(), &Targets::All, &Evidence::none()).unwrap();
    // Alone, a is rather in state 1, and b in state 0 ...
    assert_eq!(beliefs.marginal(VarId::new(0)).unwrap(), [0.4, 0.6]);
    assert_eq!(beliefs.marginal(VarId::new(1)).unwrap(), [0.7, 0.3]);
    // ... but (0, 0) has 0.4, and (1, 0) only 0.3.
    let best = engine.most_probable(&two(), &Evidence::none()).unwrap();
    assert_eq!(best.states, [0, 0]);
    assert!((best.ln_value.exp() - 0.4).abs() < 1e-15);
    // When b is summed over, a is in state 1 again.
    let of_a = engine.most_probable_of(&two(), &Evidence::none(), &[VarId::new(0)]).unwrap();
    assert_eq!(of_a.states, [1]);
    assert!((of_a.ln_value.exp() - 0.6).abs() < 1e-15);
}

#[test]
fn long_chains_have_k_best_states_too() {
    // Each neighbour that differs costs ln 10: the second best states differ once at one of the ends, or are
    // all different.
    let n = 5000;
    let tables = (1..n).map(|i| {
        let values = vec![1.0, 0.1, 0.1, 1.0];
        Table::new(vec![VarId::new(i - 1), VarId::new(i)], vec![2, 2], values).unwrap()
    });
    let model = MarkovRandomField::new(Variables::numbered(&vec![2; n]).unwrap(), tables.collect()).unwrap();
    let best = VariableElimination::default().k_best(&model, &Evidence::none(), 4).unwrap();
    assert_eq!(best[0].states, vec![0; n]);
    assert_eq!(best[1].states, vec![1; n]);
    for own in &best[2..] {
        assert!((own.ln_value + 10_f64.ln()).abs() < 1e-12);
        assert_eq!(own.states.windows(2).filter(|pair| pair[0] != pair[1]).count(), 1);
    }
}

#[test]
fn sums_before_maxima_can_be_too_much() {
    // A naive Bayes model with 30 features: all features together have 2^30 states once their cause is summed
    // out.
    let cause = VarId::new(0);
    let mut tables = vec![Table::new(vec![cause], vec![2], vec![0.5, 0.5]).unwrap()];
    let features: Vec<VarId> = (1..31).map(VarId::new).collect();
    tables.extend(
        features.iter().map(|&v| Table::new(vec![cause, v], vec![2, 2], vec![0.7, 0.3, 0.2, 0.8]).unwrap()),
    );
    let model = BayesianNetwork::new(Variables::numbered(&[2; 31]).unwrap(), tables).unwrap();
    let engine = VariableElimination { budget: Budget::bytes(1 << 20), ..VariableElimination::default() };
    assert!(engine.most_probable(&model, &Evidence::none()).is_ok());
    let error = engine.most_probable_of(&model, &Evidence::none(), &features).unwrap_err();
    assert!(error.is_too_large(), "{error}");
}
