//! Variable elimination against the reference table, enumeration and itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_graph::EliminationOrder;
use posterior_inference::{
    Budget, Engine, Enumeration, Error, JointEngine, LnZ, Need, OrderChoice, Targets, VariableElimination,
};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::any_model::{Random, random, shuffled};
use crate::corpus::{assert_close, joints_agree, marginals_agree};

#[test]
fn it_meets_the_reference() {
    marginals_agree(&VariableElimination::default(), 1e-13);
    joints_agree(&VariableElimination::default(), 1e-13);
}

/// All marginals and ln Z of both engines, or the same error.
#[track_caller]
fn agree<A: Engine, B: Engine>(a: &A, b: &B, Random { model, evidence }: &Random) {
    let [a, b] = [a.query(&**model, &Targets::All, evidence), b.query(&**model, &Targets::All, evidence)];
    match (a, b) {
        (Ok(a), Ok(b)) => {
            assert!((a.ln_z().exact().unwrap() - b.ln_z().exact().unwrap()).abs() < 1e-12);
            for v in model.variables().ids() {
                assert_close(a.marginal(v).unwrap(), b.marginal(v).unwrap(), 1e-13, "marginal");
            }
        }
        (a, b) => assert_eq!(a, b),
    }
}

proptest! {
    #[test]
    fn it_agrees_with_enumeration(seed: u64) {
        agree(&VariableElimination::default(), &Enumeration::default(), &random(seed));
    }

    #[test]
    fn any_order_gives_the_same_answer(seed: u64, order_seed: u64) {
        let random = random(seed);
        let names = random.model.variables().names().clone();
        let mut rng = Pcg64Mcg::seed_from_u64(order_seed);
        let ids = shuffled(&mut rng, names.len()).into_iter().map(VarId::new).collect();
        let order = OrderChoice::Given(EliminationOrder::new(&names, ids).unwrap());
        agree(&VariableElimination { order, ..VariableElimination::default() }, &Enumeration::default(), &random);
    }

    #[test]
    fn joints_agree_with_enumeration(seed: u64, set_seed: u64) {
        let Random { model, evidence } = random(seed);
        let n = model.variables().len();
        let mut rng = Pcg64Mcg::seed_from_u64(set_seed);
        let mut set: Vec<VarId> = shuffled(&mut rng, n).into_iter().map(VarId::new).collect();
        set.truncate(3);
        let [a, b] = [ve_joint(&*model, &evidence, &set), joint(&Enumeration::default(), &*model, &evidence, &set)];
        match (a, b) {
            (Ok(a), Ok(b)) => {
                prop_assert_eq!(a.scope(), b.scope());
                assert_close(a.values(), b.values(), 1e-13, "joint");
            }
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    #[test]
    fn without_ln_z_the_posteriors_are_the_same(seed: u64) {
        let Random { model, evidence } = random(seed);
        let engine = VariableElimination::default();
        let Ok(full) = engine.query(&*model, &Targets::All, &evidence) else { return Ok(()) };
        let part = VariableElimination { need: Need::Posterior, ..engine }.query(&*model, &Targets::All, &evidence).unwrap();
        prop_assert_eq!(part.ln_z(), LnZ::Unknown);
        for v in model.variables().ids() {
            assert_close(part.marginal(v).unwrap(), full.marginal(v).unwrap(), 1e-13, "marginal");
        }
    }
}

fn joint<E: JointEngine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    set: &[VarId],
) -> Result<Table, Error> {
    engine.joint(model, &engine.plan(model, &Targets::These(set.to_vec()))?, evidence, set)
}

fn ve_joint(model: &dyn GraphicalModel, evidence: &Evidence, set: &[VarId]) -> Result<Table, Error> {
    joint(&VariableElimination::default(), model, evidence, set)
}

/// A variable with two states, of which `n` witnesses speak: the first half for one, the others for the
/// other.
fn witnesses(n: usize, scale: f64) -> MarkovRandomField {
    let v = VarId::new(0);
    let tables = (0..n).map(|i| {
        let values = if i < n / 2 { [0.9, 0.1] } else { [0.1, 0.9] };
        Table::new(vec![v], vec![2], values.map(|value| value * scale).to_vec()).unwrap()
    });
    MarkovRandomField::new(Variables::numbered(&[2]).unwrap(), tables.collect()).unwrap()
}

#[test]
fn witnesses_who_contradict_each_other_do_not_underflow() {
    for scale in [1.0, 1e-200, 1e200, 1e-310] {
        let model = witnesses(2000, scale);
        let beliefs = VariableElimination::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
        assert_close(beliefs.marginal(VarId::new(0)).unwrap(), &[0.5, 0.5], 1e-9, "witnesses");
        let (first, second) = ((0.9 * scale).ln(), (0.1 * scale).ln());
        let expected = 1000.0 * (first + second) + 2_f64.ln();
        let ln_z = beliefs.ln_z().exact().unwrap();
        assert!((ln_z / expected - 1.0).abs() < 1e-12, "{scale}: {ln_z} instead of {expected}");
    }
}

/// 1,000 variables in a row.
fn chain(values: [f64; 4]) -> MarkovRandomField {
    let tables = (1..1000)
        .map(|i| Table::new(vec![VarId::new(i - 1), VarId::new(i)], vec![2, 2], values.to_vec()).unwrap());
    MarkovRandomField::new(Variables::numbered(&[2; 1000]).unwrap(), tables.collect()).unwrap()
}

#[test]
fn a_long_chain_keeps_its_digits() {
    for scale in [1.0, 1e-100, 1e100] {
        let model = chain([0.9, 0.1, 0.4, 0.6].map(|value| value * scale));
        let engine = VariableElimination::default();
        let v = VarId::new(999);
        let beliefs = engine.query(&model, &Targets::These(vec![v]), &Evidence::none()).unwrap();
        // Rows add up to one: the sum over a chain of n variables is 2, and the last variable has forgotten
        // the first.
        let expected = 2_f64.ln() + 999.0 * f64::ln(scale);
        let ln_z = beliefs.ln_z().exact().unwrap();
        assert!((ln_z - expected).abs() <= 1e-12 * expected.abs(), "{ln_z} instead of {expected}");
        assert_close(beliefs.marginal(v).unwrap(), &[0.8, 0.2], 1e-13, "chain");
    }
}

#[test]
fn too_much_is_refused_before_it_is_made() {
    let n = 40;
    let edges = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let tables = edges
        .map(|(a, b)| Table::new(vec![VarId::new(a), VarId::new(b)], vec![10, 10], vec![1.0; 100]).unwrap());
    let model = MarkovRandomField::new(Variables::numbered(&[10; 40]).unwrap(), tables.collect()).unwrap();
    let engine = VariableElimination { budget: Budget::bytes(1 << 30), ..VariableElimination::default() };
    let error = engine.query(&model, &Targets::All, &Evidence::none()).unwrap_err();
    assert!(error.is_too_large(), "{error}");
    assert!(error.to_string().contains("more than"), "{error}");
    // With all but three variables seen, it is small.
    let seen = Evidence::of((3..n).map(|i| (VarId::new(i), 0)));
    let beliefs = engine.query(&model, &Targets::All, &seen).unwrap();
    assert_close(beliefs.marginal(VarId::new(0)).unwrap(), &[0.1; 10], 1e-15, "uniform");
    // A joint table can be too large even where each marginal is easy.
    let all: Vec<VarId> = model.variables().ids().collect();
    let error = joint(&engine, &model, &seen, &all).unwrap_err();
    assert!(error.is_too_large(), "{error}");
}

#[test]
fn orders_that_do_not_fit_are_refused() {
    let other = Variables::numbered(&[2; 3]).unwrap();
    let order = EliminationOrder::new(other.names(), other.ids().collect()).unwrap();
    let engine = VariableElimination { order: OrderChoice::Given(order), ..VariableElimination::default() };
    let error = engine.query(&witnesses(2, 1.0), &Targets::All, &Evidence::none()).unwrap_err();
    assert!(matches!(error, Error::OtherModel { .. }));
    let twice = ve_joint(&witnesses(2, 1.0), &Evidence::none(), &[VarId::new(0); 2]);
    assert!(matches!(twice, Err(Error::Model(_))));
    let unknown = ve_joint(&witnesses(2, 1.0), &Evidence::none(), &[VarId::new(7)]);
    assert!(matches!(unknown, Err(Error::Model(_))));
}
