//! Which findings contradict each other, and which moved the answer: against enumeration.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Auto, Engine, Enumeration, JunctionTree, Targets, VariableElimination, conflict, influence,
};
use posterior_pgm::{BayesianNetwork, Evidence, Table, VarId, Variables};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::examples::student;

proptest! {
    #[test]
    fn without_a_finding_is_a_query_without_it(seed: u64, of: prop::sample::Index) {
        let Random { model, evidence } = random(seed);
        let target = VarId::new(of.index(model.variables().len()));
        let oracle = Enumeration::default();
        let targets = Targets::These(vec![target]);
        let Ok(now) = oracle.query(&*model, &targets, &evidence) else { return Ok(()) };
        let findings = influence(&VariableElimination::default(), &*model, &evidence, target).unwrap();
        prop_assert_eq!(findings.len(), evidence.len());
        prop_assert!(findings.windows(2).all(|pair| pair[0].change >= pair[1].change));
        for own in findings {
            let mut fewer = evidence.clone();
            fewer.remove(own.variable);
            let without = oracle.query(&*model, &targets, &fewer).unwrap();
            let known = without.marginal(target).unwrap();
            prop_assert!(own.without.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-12));
            let most = known.iter().zip(now.marginal(target).unwrap()).map(|(q, p)| (p - q).max(0.0));
            // Total variation is also the sum of the gains.
            prop_assert!((own.change - most.sum::<f64>()).abs() < 1e-12);
        }
    }
}

/// a, then its copies: b = a, c = b, and a coin d.
fn copies() -> BayesianNetwork {
    let variables = Variables::numbered(&[2; 4]).unwrap();
    let [a, b, c, d] = [0, 1, 2, 3].map(VarId::new);
    let same = |x, y| Table::new(vec![x, y], vec![2, 2], vec![1.0, 0.0, 0.0, 1.0]).unwrap();
    let coin = |v| Table::new(vec![v], vec![2], vec![0.5, 0.5]).unwrap();
    BayesianNetwork::new(variables, vec![coin(a), same(a, b), same(b, c), coin(d)]).unwrap()
}

#[test]
fn a_conflict_is_as_small_as_can_be() {
    let [a, b, c, d] = [0, 1, 2, 3].map(VarId::new);
    let engine = VariableElimination::default();
    let network = copies();
    let all = Evidence::of([(a, 0), (b, 0), (c, 1), (d, 1)]);
    assert_eq!(conflict(&engine, &network, &all).unwrap(), [a, c]);
    assert_eq!(conflict(&JunctionTree::default(), &network, &all).unwrap(), [a, c]);
    let possible = Evidence::of([(a, 1), (c, 1), (d, 0)]);
    assert_eq!(conflict(&engine, &network, &possible).unwrap(), []);
    // b = 0 leaves c = 0, which the likelihood excludes.
    let soft = Evidence::of([(b, 0)]).with_likelihood(c, vec![0.0, 1.0]);
    assert_eq!(conflict(&engine, &network, &soft).unwrap(), [b, c]);
}

#[test]
fn a_query_for_nothing_but_the_evidence_is_answered_by_all() {
    let network = student();
    let none = Targets::These(Vec::new());
    // Everything that is needed was seen.
    for evidence in
        [Evidence::of([(VarId::new(0), 1)]), Evidence::of([(VarId::new(0), 1), (VarId::new(1), 0)])]
    {
        let exact = Enumeration::default().query(&network, &none, &evidence).unwrap().ln_z().value();
        for answer in [
            Auto::default().query(&network, &none, &evidence),
            JunctionTree::default().query(&network, &none, &evidence),
            VariableElimination::default().query(&network, &none, &evidence),
        ] {
            assert!((answer.unwrap().ln_z().value() - exact).abs() < 1e-12);
        }
    }
}

#[test]
fn a_change_is_the_largest_of_any_set_of_states() {
    let network = student();
    let grade = VarId::new(2);
    let engine = VariableElimination::default();
    let before = engine.query(&network, &Targets::All, &Evidence::none()).unwrap();
    let seen = Evidence::of([(VarId::new(1), 1)]);
    let now = engine.query(&network, &Targets::These(vec![grade]), &seen).unwrap();
    let (p, q) = (now.marginal(grade).unwrap(), before.marginal(grade).unwrap());
    let of = |set: usize, p: &[f64]| {
        (0..3).filter(|state| set >> state & 1 == 1).map(|state| p[state]).sum::<f64>()
    };
    let largest = (0..8).map(|set| of(set, p) - of(set, q)).fold(0.0, f64::max);
    assert!((now.change_since(&before, grade).unwrap() - largest).abs() < 1e-15);
    assert_eq!(now.change_since(&before, VarId::new(0)), None);
}
