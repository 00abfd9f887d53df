//! The corpus that every engine runs: models with evidence and the right answers. No engine is named in it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, Error, JointEngine, MapEngine, Targets};
use posterior_pgm::{BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use posterior_testkit::reference::{list, load, number, numbers};
use serde_json::Value;

/// A model and questions about it.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) model: Box<dyn GraphicalModel>,
    pub(crate) questions: Vec<Question>,
}

/// Evidence, and what follows from it; no answer if it is impossible.
pub(crate) struct Question {
    pub(crate) evidence: Evidence,
    pub(crate) answer: Option<Answer>,
}

pub(crate) struct Answer {
    pub(crate) ln_z: f64,
    pub(crate) marginals: Vec<Vec<f64>>,
    pub(crate) pairs: Vec<(Vec<VarId>, Vec<f64>)>,
    pub(crate) best_ln_value: f64,
    /// Where there is one best state only.
    pub(crate) best_states: Option<Vec<usize>>,
}

/// The models of the reference table: networks and fields with zeros, by exact enumeration with 30 digits.
pub(crate) fn reference_cases() -> Vec<Case> {
    list(&load("graphical_models")["models"]).iter().map(case).collect()
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn case(model: &Value) -> Case {
    let cards: Vec<usize> = list(&model["cards"]).iter().map(index).collect();
    let variables = Variables::numbered(&cards).unwrap();
    let table = |factor: &Value| {
        let scope: Vec<VarId> = list(&factor["vars"]).iter().map(|v| VarId::new(index(v))).collect();
        let own = scope.iter().map(|v| cards[v.index()]).collect();
        Table::new(scope, own, numbers(&factor["values"])).unwrap()
    };
    let tables = list(&model["factors"]).iter().map(table).collect();
    Case {
        name: model["name"].as_str().unwrap().to_owned(),
        model: if model["kind"] == "bn" {
            Box::new(BayesianNetwork::new(variables, tables).unwrap())
        } else {
            Box::new(MarkovRandomField::new(variables, tables).unwrap())
        },
        questions: list(&model["queries"]).iter().map(question).collect(),
    }
}

fn question(query: &Value) -> Question {
    let seen = query["evidence"].as_object().unwrap();
    let evidence = Evidence::of(seen.iter().map(|(v, state)| (VarId::new(v.parse().unwrap()), index(state))));
    if query["impossible"] == true {
        return Question { evidence, answer: None };
    }
    let flat = |table: &Value| list(table).iter().flat_map(numbers).collect();
    let pair = |pair: &Value| {
        (list(&pair["vars"]).iter().map(|v| VarId::new(index(v))).collect(), flat(&pair["values"]))
    };
    let states = query["map"]["assignment"].as_array();
    let answer = Answer {
        ln_z: number(&query["log_z"]),
        marginals: list(&query["marginals"]).iter().map(numbers).collect(),
        pairs: list(&query["pair_marginals"]).iter().map(pair).collect(),
        best_ln_value: number(&query["map"]["log_value"]),
        best_states: states.map(|states| states.iter().map(index).collect()),
    };
    Question { evidence, answer: Some(answer) }
}

/// Every marginal and ln Z of the corpus, to `tolerance` (absolute), with one plan for all questions about a
/// model.
#[track_caller]
pub(crate) fn marginals_agree<E: Engine>(engine: &E, tolerance: f64) {
    for case in reference_cases() {
        let plan = engine.plan(&*case.model, &Targets::All).unwrap();
        for question in &case.questions {
            let beliefs = engine.infer(&*case.model, &plan, &question.evidence);
            let Some(answer) = &question.answer else {
                assert_eq!(beliefs.unwrap_err(), Error::ImpossibleEvidence, "{}", case.name);
                continue;
            };
            let beliefs = beliefs.unwrap();
            let ln_z = beliefs.ln_z().exact().unwrap();
            assert!((ln_z - answer.ln_z).abs() <= tolerance, "{}: {ln_z} {}", case.name, answer.ln_z);
            for v in case.model.variables().ids() {
                let own = beliefs.marginal(v).unwrap();
                assert_close(own, &answer.marginals[v.index()], tolerance, &case.name);
            }
        }
    }
}

/// Every joint of a pair of the corpus.
#[track_caller]
pub(crate) fn joints_agree<E: JointEngine>(engine: &E, tolerance: f64) {
    for case in reference_cases() {
        for question in &case.questions {
            let Some(answer) = &question.answer else { continue };
            for (pair, expected) in &answer.pairs {
                let plan = engine.plan(&*case.model, &Targets::These(pair.clone())).unwrap();
                let joint = engine.joint(&*case.model, &plan, &question.evidence, pair).unwrap();
                assert_eq!(joint.scope(), pair);
                assert_close(joint.values(), expected, tolerance, &case.name);
            }
        }
    }
}

/// Every most probable state of the corpus: its score, and the state where there is one only.
#[track_caller]
pub(crate) fn best_states_agree<E: MapEngine>(engine: &E, tolerance: f64) {
    for case in reference_cases() {
        for question in &case.questions {
            let best = engine.most_probable(&*case.model, &question.evidence);
            let Some(answer) = &question.answer else {
                assert_eq!(best.unwrap_err(), Error::ImpossibleEvidence, "{}", case.name);
                continue;
            };
            let best = best.unwrap();
            assert!((best.ln_value - answer.best_ln_value).abs() <= tolerance, "{}", case.name);
            if let Some(states) = &answer.best_states {
                assert_eq!(&best.states, states, "{}", case.name);
            }
        }
    }
}

/// One after another within `tolerance` (absolute).
#[track_caller]
pub(crate) fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(actual.len(), expected.len(), "{what}");
    for (a, b) in actual.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{what}: {actual:?} instead of {expected:?}");
    }
}
