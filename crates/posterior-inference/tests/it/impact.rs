//! What to find out next, against joint tables.

use posterior_inference::{Engine, Enumeration, Error, JointEngine, Targets, VariableElimination, impact};
use posterior_pgm::{Evidence, VarId};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::corpus::assert_close;
use crate::examples::student;

proptest! {
    #[test]
    fn information_and_outcomes_are_those_of_the_joint_table(seed: u64, of: prop::sample::Index) {
        let Random { model, evidence } = random(seed);
        let engine = Enumeration::default();
        let target = VarId::new(of.index(model.variables().len()));
        prop_assume!(evidence.state(target).is_none());
        let plan = engine.plan(&*model, &Targets::All).unwrap();
        let Ok(now) = engine.infer(&*model, &plan, &evidence) else { return Ok(()) };
        let impacts =
            impact(&VariableElimination::default(), &*model, &evidence, target, &Targets::All).unwrap();
        let free = model.variables().ids().filter(|&v| v != target && evidence.state(v).is_none());
        prop_assert_eq!(impacts.len(), free.count());
        prop_assert!(impacts.windows(2).all(|pair| pair[0].information >= pair[1].information));
        for own in impacts {
            let joint = engine.joint(&*model, &plan, &evidence, &[own.variable, target]).unwrap();
            let (p_v, p_t) = (now.marginal(own.variable).unwrap(), now.marginal(target).unwrap());
            let mut information = 0.0;
            for (state, outcome) in own.outcomes.iter().enumerate() {
                prop_assert!((outcome.probability - p_v[state]).abs() < 1e-13);
                let row: Vec<f64> = (0..p_t.len()).map(|t| joint.at(&[state, t])).collect();
                for (p, t) in row.iter().zip(p_t).filter(|(p, _)| **p > 0.0) {
                    information += p * (p / (t * p_v[state])).ln();
                }
                if p_v[state] > 0.0 {
                    let given: Vec<f64> = row.iter().map(|p| p / p_v[state]).collect();
                    assert_close(&outcome.posterior, &given, 1e-12, "outcome");
                }
            }
            prop_assert!((own.information - information).abs() < 1e-12);
        }
    }
}

#[test]
fn a_letter_tells_less_than_the_grade_it_tells_of() {
    let engine = VariableElimination::default();
    let intelligence = VarId::new(1);
    let impacts = impact(&engine, &student(), &Evidence::none(), intelligence, &Targets::All).unwrap();
    let names: Vec<usize> = impacts.iter().map(|own| own.variable.index()).collect();
    // SAT, grade, letter, and nothing from the difficulty.
    assert_eq!(names, [3, 2, 4, 0]);
    assert!(impacts[3].information.abs() < 1e-15);
    // p(i1 | s1) = 0.24 / 0.275.
    assert!((impacts[0].outcomes[1].posterior[1] - 0.24 / 0.275).abs() < 1e-15);
    let seen = Evidence::of([(intelligence, 0)]);
    let error = impact(&engine, &student(), &seen, intelligence, &Targets::All).unwrap_err();
    assert!(matches!(error, Error::Model(_)));
}
