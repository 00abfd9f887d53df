//! The adversaries through the junction tree.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, Enumeration, JunctionTree, MapEngine, Targets};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};

use super::{all_of, exact, families_of, hold, joint_of, near_ln, same_table, score, scores, some_of};

fn agrees(model: &dyn GraphicalModel, evidence: &Evidence, seed: u64) {
    let engine = JunctionTree::default();
    let truth = Enumeration::default().query(model, &Targets::All, evidence);
    let some = some_of(model, seed);
    exact("jt", engine.query(model, &Targets::All, evidence), &truth, model, &all_of(model));
    exact("jt", engine.query(model, &Targets::These(some.clone()), evidence), &truth, model, &some);
    for of in [Vec::new(), all_of(model), some] {
        let truth = joint_of(&Enumeration::default(), model, evidence, &of);
        same_table("joint jt", joint_of(&engine, model, evidence, &of), &truth);
    }
    families_of("families jt", &engine, model, evidence);
    match engine.most_probable(model, evidence) {
        Ok(own) => {
            let best = scores(model, evidence)[0];
            assert!(near_ln(own.ln_value, best) && near_ln(score(model, evidence, &own.states), best));
        }
        Err(error) => assert_eq!(Some(error), truth.err()),
    }
}

#[test]
fn junction_trees_agree() {
    hold(agrees);
}

fn field(cards: &[usize], tables: Vec<Table>) -> MarkovRandomField {
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), tables).unwrap()
}

#[test]
fn factors_that_say_nothing_have_marginals_too() {
    let [a, b, c] = [0, 1, 2].map(VarId::new);
    let prior = |v, p: f64| Table::new(vec![v], vec![2], vec![1.0 - p, p]).unwrap();
    // Once c is seen, its table is the same for all states of a and b, which share nothing else.
    let values = [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]].concat();
    let child = Table::new(vec![a, b, c], vec![2; 3], values).unwrap();
    let model = field(&[2; 3], vec![prior(a, 0.25), prior(b, 0.125), child]);
    agrees(&model, &Evidence::of([(c, 1)]), 0);
    agrees(&model, &Evidence::of([(c, 1), (a, 0)]), 0);
}

#[test]
fn without_variables_there_is_a_constant() {
    agrees(&field(&[], vec![Table::scalar(3.0), Table::scalar(0.5)]), &Evidence::none(), 0);
}

#[test]
fn likelihoods_can_be_huge() {
    let model = field(&[2], Vec::new());
    agrees(&model, &Evidence::none().with_likelihood(VarId::new(0), vec![f64::MAX; 2]), 0);
}

#[test]
fn what_was_seen_can_be_most_improbable() {
    let [a, b] = [0, 1].map(VarId::new);
    let table = |values: Vec<f64>| Table::new(vec![a, b], vec![2, 2], values).unwrap();
    let model = field(&[2, 2], vec![table(vec![1e-290, 1e226, 1e200, 1e210]), table(vec![1.0; 4])]);
    agrees(&model, &Evidence::of([(a, 0), (b, 0)]), 0);
}

#[test]
fn plans_of_other_models_are_refused() {
    let v = VarId::new(0);
    let own = field(&[2], vec![Table::scalar(2.0), Table::new(vec![v], vec![2], vec![1.0, 3.0]).unwrap()]);
    let other = field(&[2], vec![Table::new(vec![v], vec![2], vec![1.0, 3.0]).unwrap(), Table::scalar(2.0)]);
    let engine = JunctionTree::default();
    let plan = engine.plan(&own, &Targets::All).unwrap();
    let truth = Enumeration::default().query(&other, &Targets::All, &Evidence::none()).unwrap();
    match engine.infer(&other, &plan, &Evidence::none()) {
        Err(error) => assert!(matches!(error, posterior_inference::Error::OtherModel { .. })),
        Ok(beliefs) => assert_eq!(beliefs.marginal(v), truth.marginal(v)),
    }
}
