//! Jeffrey's rule: what is wanted holds, and nothing else changes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Engine, Enumeration, Error, JeffreyOptions, JointEngine, Targets, VariableElimination, jeffrey,
};
use posterior_math::iteration::Silent;
use posterior_pgm::{Evidence, VarId};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::corpus::assert_close;
use crate::examples::{alarm, student};

#[test]
fn a_rumour_of_an_alarm_is_no_alarm() {
    // A neighbour who is often wrong: afterwards I am 60 % sure that the alarm rings.
    let model = alarm();
    let [burglary, _, rings] = [0, 1, 2].map(VarId::new);
    let engine = VariableElimination::default();
    let wanted = [(rings, vec![0.4, 0.6])];
    let fitted =
        jeffrey(&engine, &model, &Evidence::none(), &wanted, &JeffreyOptions::default(), &mut Silent)
            .unwrap();
    assert!(fitted.report.converged() && fitted.report.iterations() == 1);
    let beliefs = engine.query(&model, &Targets::All, &fitted.model).unwrap();
    assert_close(beliefs.marginal(rings).unwrap(), &[0.4, 0.6], 1e-14, "alarm");
    // Jeffrey's rule: q(b) = ∑ p(b | alarm) q(alarm).
    let silent = (0.001 - 0.495255126574651 * 0.0019989901099) / (1.0 - 0.0019989901099);
    let expected = 0.6 * 0.495255126574651 + 0.4 * silent;
    assert!((beliefs.marginal(burglary).unwrap()[1] - expected).abs() < 1e-14);
}

#[test]
fn several_beliefs_hold_together() {
    let model = student();
    let [grade, sat] = [2, 3].map(VarId::new);
    let wanted = [(grade, vec![0.2, 0.3, 0.5]), (sat, vec![0.3, 0.7])];
    let engine = Enumeration::default();
    let options = JeffreyOptions::default();
    let fitted = jeffrey(&engine, &model, &Evidence::none(), &wanted, &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.iterations() > 1);
    let plan = engine.plan(&model, &Targets::All).unwrap();
    let after = engine.infer(&model, &plan, &fitted.model).unwrap();
    for (v, wanted) in &wanted {
        assert_close(after.marginal(*v).unwrap(), wanted, 1e-12, "belief");
    }
    // Only weights of the two changed: odds ratios between them stay as they were.
    let joints = [Evidence::none(), fitted.model]
        .map(|evidence| engine.joint(&model, &plan, &evidence, &[grade, sat]).unwrap());
    let ratio = |joint: &posterior_pgm::Table, g: usize| {
        joint.at(&[g, 0]) * joint.at(&[0, 1]) / (joint.at(&[g, 1]) * joint.at(&[0, 0]))
    };
    for g in [1, 2] {
        assert!((ratio(&joints[0], g) / ratio(&joints[1], g) - 1.0).abs() < 1e-10);
    }
}

#[test]
fn beliefs_that_cannot_be_are_refused() {
    let model = alarm();
    let [earthquake, radio] = [1, 3].map(VarId::new);
    let ask = |evidence: Evidence, wanted: &[(VarId, Vec<f64>)]| {
        let options = JeffreyOptions { max_iterations: 50, ..JeffreyOptions::default() };
        jeffrey(&VariableElimination::default(), &model, &evidence, wanted, &options, &mut Silent)
    };
    let seen = Evidence::of([(earthquake, 0)]);
    // The radio tells of an earthquake exactly when there is one.
    let error = ask(seen.clone(), &[(radio, vec![0.5, 0.5])]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "\"radio\" cannot be believed to be in state \"yes\", which has probability 0"
    );
    for (evidence, wanted) in [
        (seen, vec![(earthquake, vec![0.5, 0.5])]),
        (Evidence::none(), vec![(radio, vec![0.5, 0.4])]),
        (Evidence::none(), vec![(radio, vec![1.5, -0.5])]),
        (Evidence::none(), vec![(radio, vec![f64::NAN, 0.5])]),
        (Evidence::none(), vec![(radio, vec![1.0])]),
        (Evidence::none(), vec![(radio, vec![0.5, 0.5]), (radio, vec![0.5, 0.5])]),
        (Evidence::none(), vec![(VarId::new(9), vec![0.5, 0.5])]),
    ] {
        assert!(matches!(ask(evidence, &wanted), Err(Error::Model(_))), "{wanted:?}");
    }
    // They are always equal, so different beliefs never hold together.
    let contradiction = [(earthquake, vec![0.5, 0.5]), (radio, vec![0.2, 0.8])];
    let fitted = ask(Evidence::none(), &contradiction).unwrap();
    assert!(!fitted.report.converged());
    // And the same belief, twice, is one.
    let fitted = ask(Evidence::none(), &[(earthquake, vec![0.5, 0.5]), (radio, vec![0.5, 0.5])]).unwrap();
    assert!(fitted.report.converged());
}

/// A belief in a variable at `place` of the list, from 0 to 1, that is a mixture of what is believed and of
/// its greatest state. False where the variable is seen, or the evidence impossible.
fn one_belief_takes_one_round(seed: u64, place: f64, weight: f64) -> bool {
    let Random { model, evidence } = random(seed);
    let engine = VariableElimination::default();
    let v = VarId::new((place * model.variables().len() as f64) as usize);
    if evidence.state(v).is_some() {
        return false;
    }
    let Ok(before) = engine.query(&*model, &Targets::All, &evidence) else { return false };
    let own = before.marginal(v).unwrap();
    let best = (0..own.len()).max_by(|&a, &b| own[a].total_cmp(&own[b])).unwrap();
    let mut wanted: Vec<f64> = own.iter().map(|p| p * weight).collect();
    wanted[best] += 1.0 - weight;
    let options = JeffreyOptions::default();
    let fitted = jeffrey(&engine, &*model, &evidence, &[(v, wanted.clone())], &options, &mut Silent).unwrap();
    assert!(fitted.report.converged() && fitted.report.iterations() == 1);
    let after = engine.query(&*model, &Targets::All, &fitted.model).unwrap();
    assert_close(after.marginal(v).unwrap(), &wanted, 1e-12, "belief");
    // Jeffrey's rule: q(x) = ∑ p(x | v) q(v).
    for x in model.variables().ids() {
        let mut expected = vec![0.0; model.variables().card(x)];
        for (state, q) in wanted.iter().enumerate().filter(|(_, q)| **q > 0.0) {
            let given = engine.query(&*model, &Targets::All, &evidence.clone().with(v, state)).unwrap();
            for (sum, p) in expected.iter_mut().zip(given.marginal(x).unwrap()) {
                *sum += q * p;
            }
        }
        assert_close(after.marginal(x).unwrap(), &expected, 1e-12, "rule");
    }
    true
}

#[test]
fn a_belief_that_a_search_has_found_is_reached_in_one_round() {
    assert!(one_belief_takes_one_round(5_510_384_911_048_593_399, 0.285_714_7, 0.05));
}

proptest! {
    #[test]
    fn one_belief_is_reached_in_one_round(seed: u64, place in 0.0..1.0, weight in 0.05..1.0) {
        prop_assume!(one_belief_takes_one_round(seed, place, weight));
    }
}
