//! The engine that chooses: its answers, and its reasons.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Auto, Budget, Engine, Enumeration, Error, Fallback, LnZ, Targets, VariableElimination,
};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::bn_repository::load;
use crate::corpus::{assert_close, best_states_agree, joints_agree, marginals_agree};
use crate::examples::{student, voting};

#[test]
fn it_meets_the_reference() {
    marginals_agree(&Auto::default(), 1e-13);
    joints_agree(&Auto::default(), 1e-13);
    best_states_agree(&Auto::default(), 1e-13);
}

proptest! {
    #[test]
    fn it_agrees_with_enumeration(seed: u64, some: Vec<prop::sample::Index>) {
        let Random { model, evidence } = random(seed);
        let targets = some.iter().map(|index| VarId::new(index.index(model.variables().len()))).collect();
        for targets in [Targets::All, Targets::These(targets)] {
            let [own, other] = [
                Auto::default().query(&*model, &targets, &evidence),
                Enumeration::default().query(&*model, &targets, &evidence),
            ];
            let (own, other) = match (own, other) {
                (Ok(own), Ok(other)) => (own, other),
                (own, other) => {
                    prop_assert_eq!(own, other);
                    continue;
                }
            };
            prop_assert!((own.ln_z().exact().unwrap() - other.ln_z().exact().unwrap()).abs() < 1e-12);
            prop_assert!(own.report().reason.is_some());
            for v in model.variables().ids() {
                prop_assert_eq!(own.marginal(v).is_some(), other.marginal(v).is_some());
                if let (Some(own), Some(other)) = (own.marginal(v), other.marginal(v)) {
                    assert_close(own, other, 1e-13, "marginal");
                }
            }
        }
    }
}

#[test]
fn one_target_is_summed_for_and_many_hang_on_a_tree() {
    let Some(alarm) = load("alarm") else { return };
    let auto = Auto::default();
    let one = Targets::These(vec![VarId::new(0)]);
    let one = auto.query(&alarm.network, &one, &alarm.questions[2].evidence).unwrap();
    assert_eq!(one.report().engine, "variable elimination");
    let all = auto.query(&alarm.network, &Targets::All, &alarm.questions[2].evidence).unwrap();
    assert_eq!(all.report().engine, "junction tree");
    let reason = all.report().reason.as_deref().unwrap();
    assert!(reason.starts_with("junction tree: 37 marginals at once, "), "{reason}");
    assert!(reason.contains("(elimination would take "), "{reason}");
}

/// Neighbours on a square who rather agree.
fn square(n: usize) -> MarkovRandomField {
    let at = |row: usize, column: usize| VarId::new(row * n + column);
    let across = (0..n).flat_map(|row| (1..n).map(move |column| [at(row, column - 1), at(row, column)]));
    let down = (0..n).flat_map(|column| (1..n).map(move |row| [at(row - 1, column), at(row, column)]));
    let tables = across
        .chain(down)
        .map(|pair| Table::new(pair.to_vec(), vec![2, 2], vec![1.1, 1.0, 1.0, 1.2]).unwrap());
    MarkovRandomField::new(Variables::numbered(&vec![2; n * n]).unwrap(), tables.collect()).unwrap()
}

#[test]
fn what_is_too_large_is_approximated_or_refused() {
    let model = square(30);
    let auto = Auto { budget: Budget::bytes(1 << 20), ..Auto::default() };
    let beliefs = auto.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_eq!(beliefs.report().engine, "join-graph propagation");
    assert!(beliefs.report().converged && beliefs.report().cost.bytes() <= 1 << 20);
    let LnZ::Between { lower, upper, value } = beliefs.ln_z() else { panic!("{:?}", beliefs.ln_z()) };
    assert!(lower <= value && value <= upper && upper - lower < 0.7, "{lower} {value} {upper}");
    let reason = beliefs.report().reason.as_deref().unwrap();
    assert!(
        reason.starts_with("join-graph propagation, an approximation: an exact answer needs "),
        "{reason}"
    );
    assert!(reason.ends_with(" and may take 1.0 MiB"), "{reason}");
    let loopy = Auto { fallback: Fallback::BeliefPropagation, ..auto.clone() };
    let loopy = loopy.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_eq!(loopy.report().engine, "belief propagation");
    assert!(matches!(loopy.ln_z(), LnZ::Approximate(_)));
    let error = (Auto { fallback: Fallback::Refuse, ..auto })
        .query(&model, &Targets::All, &Evidence::none())
        .unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}

#[test]
fn evidence_makes_large_models_small() {
    let model = square(30);
    let every_other = model.variables().ids().filter(|v| (v.index() / 30 + v.index() % 30) % 2 == 1);
    let seen = Evidence::of(every_other.map(|v| (v, v.index() % 2)));
    let auto = Auto { budget: Budget::bytes(1 << 20), fallback: Fallback::Refuse, ..Auto::default() };
    let beliefs = auto.query(&model, &Targets::All, &seen).unwrap();
    let v = VarId::new(31);
    let other = VariableElimination::default().query(&model, &Targets::These(vec![v]), &seen).unwrap();
    assert_close(beliefs.marginal(v).unwrap(), other.marginal(v).unwrap(), 1e-14, "corner");
    assert!((beliefs.ln_z().exact().unwrap() - other.ln_z().exact().unwrap()).abs() < 1e-11);
}

#[test]
fn an_assessment_reads_like_a_table() {
    let auto = Auto { budget: Budget::bytes(1 << 20), ..Auto::default() };
    let grade = Targets::These(vec![VarId::new(2)]);
    let assessment = auto.assess(&student(), &grade, &Evidence::of([(VarId::new(3), 1)])).unwrap();
    assert_eq!(assessment.needed, 3);
    let text = assessment.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "1 target of 5 variables, 1 seen, 3 needed");
    assert!(
        lines[1].starts_with("  engine                  answers        operations  largest table"),
        "{text}"
    );
    assert!(lines[2].starts_with("* variable elimination    exact"), "{text}");
    assert!(lines[4].starts_with("  belief propagation      approximate"), "{text}");
    assert_eq!(lines.len(), 6);
    assert!(lines[5].starts_with("elimination: 3 variables to sum over, "), "{text}");
    let none = Auto { fallback: Fallback::Refuse, budget: Budget::bytes(8), ..auto };
    let assessment = none.assess(&voting(), &Targets::All, &Evidence::none()).unwrap();
    assert_eq!(assessment.choice, None);
    assert!(assessment.reason.starts_with("an exact answer needs "), "{}", assessment.reason);
}
