//! Every model of the reference table, networks and fields with zeros, and the real networks.

use posterior_inference::{Beliefs, Engine, Error, LnZ, Targets};
use posterior_pgm::{
    BayesianNetwork, Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables, bif,
};
use posterior_sampling::network::{Blocking, ForwardSampling, NetworkGibbs, SimulatedAnnealing};
use posterior_testkit::reference::{list, load, number, numbers};
use posterior_testkit::shared::shared_file;
use serde_json::Value;

pub(super) struct Case {
    pub(super) name: String,
    pub(super) model: Box<dyn GraphicalModel>,
    pub(super) evidence: Evidence,
    /// `None` if the evidence is impossible.
    pub(super) answer: Option<Answer>,
}

pub(super) struct Answer {
    ln_z: f64,
    marginals: Vec<Vec<f64>>,
    pub(super) best_ln_value: f64,
}

fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn model(model: &Value) -> Box<dyn GraphicalModel> {
    let cards: Vec<usize> = list(&model["cards"]).iter().map(index).collect();
    let variables = Variables::numbered(&cards).unwrap();
    let table = |factor: &Value| {
        let scope: Vec<VarId> = list(&factor["vars"]).iter().map(|v| VarId::new(index(v))).collect();
        let own = scope.iter().map(|v| cards[v.index()]).collect();
        Table::new(scope, own, numbers(&factor["values"])).unwrap()
    };
    let tables = list(&model["factors"]).iter().map(table).collect();
    if model["kind"] == "bn" {
        Box::new(BayesianNetwork::new(variables, tables).unwrap())
    } else {
        Box::new(MarkovRandomField::new(variables, tables).unwrap())
    }
}

/// All questions about all models.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for own in list(&load("graphical_models")["models"]) {
        for query in list(&own["queries"]) {
            let seen = query["evidence"].as_object().unwrap();
            let seen = seen.iter().map(|(v, state)| (VarId::new(v.parse().unwrap()), index(state)));
            let answer = (query["impossible"] != true).then(|| Answer {
                ln_z: number(&query["log_z"]),
                marginals: list(&query["marginals"]).iter().map(numbers).collect(),
                best_ln_value: number(&query["map"]["log_value"]),
            });
            let name = own["name"].as_str().unwrap().to_owned();
            cases.push(Case { name, model: model(own), evidence: Evidence::of(seen), answer });
        }
    }
    cases
}

/// How far the worst probability is off, in standard errors, beyond `unseen`: the mass of modes that no draw
/// is expected to find.
fn worst(beliefs: &Beliefs, exact: impl Iterator<Item = (VarId, Vec<f64>)>, unseen: f64) -> f64 {
    let mut worst = 0.0_f64;
    for (v, exact) in exact {
        let own = beliefs.marginal(v).unwrap();
        assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let Some(errors) = beliefs.standard_errors(v) else { continue };
        for ((p, exact), error) in own.iter().zip(exact).zip(errors) {
            if *error > 0.0 {
                worst = worst.max(((p - exact).abs() - unseen) / error);
            } else {
                // Seen variables are certain.
                assert!((p - exact).abs() < 1e-12);
            }
        }
    }
    worst
}

fn agrees<E: Engine>(engine: &E, case: &Case, has_ln_z: bool) {
    let beliefs = engine.query(&*case.model, &Targets::All, &case.evidence);
    let Some(answer) = &case.answer else {
        assert_eq!(beliefs.unwrap_err(), Error::ImpossibleEvidence, "{}", case.name);
        return;
    };
    let beliefs = beliefs.unwrap();
    let exact = case.model.variables().ids().zip(answer.marginals.iter().cloned());
    // One field is a glass: its factors span nine powers of ten, and have modes of 0.1 % that nothing leads
    // to.
    let unseen = if case.name == "mrf_7" { 0.003 } else { 0.0 };
    let worst = worst(&beliefs, exact, unseen);
    assert!(worst < 5.0, "{}: {worst} standard errors, {:?}", case.name, beliefs.report());
    if has_ln_z {
        assert!(
            matches!(beliefs.ln_z(), LnZ::Estimate { value, standard_error }
                if (value - answer.ln_z).abs() <= 5.0 * standard_error + 1e-9),
            "{}: {:?} {}",
            case.name,
            beliefs.ln_z(),
            answer.ln_z
        );
    }
}

#[test]
fn weighted_draws_agree_with_the_corpus() {
    let engine = ForwardSampling { draws: 20_000, seed: 1, ..ForwardSampling::default() };
    for case in &cases() {
        agrees(&engine, case, true);
    }
}

#[test]
fn kept_draws_agree_with_the_networks_of_the_corpus() {
    let engine = ForwardSampling { draws: 50_000, seed: 2, ..ForwardSampling::logic_sampling() };
    for case in cases().iter().filter(|case| case.model.dag().is_some()) {
        let rare = case.answer.as_ref().is_some_and(|answer| answer.ln_z < (1e-3_f64).ln());
        if !rare {
            agrees(&engine, case, true);
        }
    }
}

#[test]
fn chains_agree_with_the_corpus_and_warn_where_they_cannot() {
    let engine = NetworkGibbs { draws: 4000, warm_up: 500, seed: 3, ..NetworkGibbs::default() };
    for case in cases() {
        agrees(&engine, &case, false);
        // Enough for models of the table: nothing is left unproven.
        if case.answer.is_some() {
            let beliefs = engine.query(&*case.model, &Targets::All, &case.evidence).unwrap();
            let warnings = &beliefs.report().warnings;
            assert!(warnings.iter().all(|w| !w.contains("classes")), "{}: {warnings:?}", case.name);
        }
    }
}

/// Single variables only: no zeros of the table part the states of its models, and slow chains have wide
/// error bars.
#[test]
fn chains_of_single_variables_agree_too() {
    let engine = NetworkGibbs { draws: 4000, blocking: Blocking::Single, seed: 4, ..NetworkGibbs::default() };
    for case in &cases() {
        agrees(&engine, case, false);
    }
}

/// A network of the repository, and its questions.
fn repository(name: &str) -> Option<(BayesianNetwork, Vec<Value>)> {
    let answers = shared_file(name, &format!("data/bn/{name}.marginals.json"))?;
    let answers: Value = serde_json::from_slice(&std::fs::read(answers).unwrap()).unwrap();
    let file = std::fs::read(shared_file(name, &format!("data/bn/{name}.bif"))?).unwrap();
    Some((bif::read(&file).unwrap().network, answers["queries"].as_array().unwrap().clone()))
}

#[test]
fn real_networks_agree_with_their_answers() {
    let gibbs = NetworkGibbs { draws: 4000, seed: 5, ..NetworkGibbs::default() };
    let lw = ForwardSampling { draws: 50_000, seed: 6, ..ForwardSampling::default() };
    for name in ["asia", "alarm"] {
        let Some((network, queries)) = repository(name) else { continue };
        let variables = network.variables();
        for query in &queries {
            let seen = query["evidence"].as_object().unwrap();
            let seen = seen.iter().map(|(name, state)| (name.as_str(), state.as_str().unwrap()));
            let evidence = Evidence::named(variables, seen).unwrap();
            let marginals = || {
                query["marginals"].as_object().unwrap().iter().map(|(name, marginal)| {
                    let marginal = marginal.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
                    (variables.require(name).unwrap(), marginal)
                })
            };
            let weighted = lw.query(&network, &Targets::All, &evidence).unwrap();
            let LnZ::Estimate { value, standard_error } = weighted.ln_z() else { panic!("an estimate") };
            let off = (value - query["log_evidence"].as_f64().unwrap()).abs();
            assert!(off <= 5.0 * standard_error + 1e-9, "{name}: {off} {standard_error}");
            let of_weights = worst(&weighted, marginals(), 0.0);
            let chains = gibbs.query(&network, &Targets::All, &evidence).unwrap();
            let of_chains = worst(&chains, marginals(), 0.0);
            assert!(of_weights < 5.0, "{name}: {of_weights}");
            assert!(of_chains < 5.0, "{name}: {of_chains} {:?}", chains.report());
            let best = (SimulatedAnnealing { sweeps: 500, ..SimulatedAnnealing::default() })
                .anneal(&network, &evidence)
                .unwrap()
                .best;
            let exact = query["mpe_log_joint"].as_f64().unwrap();
            assert!(!best.optimal);
            assert!((best.ln_value - exact).abs() < 1e-9, "{name}: {} of {exact}", best.ln_value);
        }
    }
}
