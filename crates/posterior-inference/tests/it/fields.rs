//! Approximate engines on fields whose exact answers are known: Ising models, and those of a competition.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;

use posterior_inference::{
    BeliefPropagation, DependentBlocks, Engine, LnZ, MapEngine, MeanField, Schedule, Targets, TreeReweighted,
};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables, read_model, uai};
use posterior_testkit::reference::{list, number, numbers};
use posterior_testkit::shared::shared_file;
use serde_json::Value;

/// A field of spins, and its exact answers.
pub(crate) struct Ising {
    pub(crate) name: String,
    pub(crate) model: MarkovRandomField,
    pub(crate) ln_z: f64,
    pub(crate) plus: Vec<f64>,
    best: f64,
}

/// All of them, or none where there are no files.
pub(crate) fn ising(test: &str) -> Vec<Ising> {
    let Some(folder) = shared_file(test, "data/mrf/ising") else { return Vec::new() };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "json"));
    files.sort();
    files.iter().map(|path| read_ising(&fs::read(path).unwrap())).collect()
}

fn read_ising(bytes: &[u8]) -> Ising {
    let json: Value = serde_json::from_slice(bytes).unwrap();
    let fields = numbers(&json["h"]);
    let mut factors: Vec<Table> = fields
        .iter()
        .enumerate()
        .map(|(v, h)| Table::new(vec![VarId::new(v)], vec![2], vec![(-h).exp(), h.exp()]).unwrap())
        .collect();
    for edge in list(&json["edges"]) {
        let edge = numbers(edge);
        let scope = vec![VarId::new(edge[0] as usize), VarId::new(edge[1] as usize)];
        let (same, other) = (edge[2].exp(), (-edge[2]).exp());
        factors.push(Table::new(scope, vec![2, 2], vec![same, other, other, same]).unwrap());
    }
    Ising {
        name: json["name"].as_str().unwrap().to_owned(),
        model: MarkovRandomField::new(Variables::numbered(&vec![2; fields.len()]).unwrap(), factors).unwrap(),
        ln_z: number(&json["log_z"]),
        plus: numbers(&json["p_plus"]),
        best: number(&json["map_value"]),
    }
}

/// Of every Ising model: mean field is below ln Z and tree-reweighted belief propagation above it, converged
/// or not; belief propagation is exact on the tree; no state that is found scores more than the best.
#[test]
fn spins_are_bounded_from_both_sides() {
    for case in ising("spins_are_bounded_from_both_sides") {
        let (model, none) = (&case.model, Evidence::none());
        for blocks in [DependentBlocks::Variables, DependentBlocks::Trees] {
            let engine = MeanField { blocks, restarts: 1, seed: 0, ..MeanField::default() };
            let LnZ::Lower(lower) = engine.query(model, &Targets::All, &none).unwrap().ln_z() else {
                panic!("mean field bounds from below")
            };
            assert!(lower <= case.ln_z + 1e-6, "{}: {lower} {}", case.name, case.ln_z);
        }
        let engine = TreeReweighted { tree_steps: 2, max_iterations: 40, ..TreeReweighted::default() };
        let upper = engine.query(model, &Targets::All, &none).unwrap().ln_z().value();
        assert!(upper >= case.ln_z - 1e-6, "{}: {upper} {}", case.name, case.ln_z);
        let best = BeliefPropagation::default().most_probable(model, &none).unwrap();
        assert!(best.ln_value <= case.best + 1e-6, "{}", case.name);
        assert!((model.ln_score(&best.states) - best.ln_value).abs() < 1e-12 * best.ln_value.abs());
        if best.optimal {
            assert!((best.ln_value - case.best).abs() < 1e-6, "{}", case.name);
        }
        if case.name == "tree200" {
            let beliefs = BeliefPropagation::default().query(model, &Targets::All, &none).unwrap();
            assert!((beliefs.ln_z().exact().unwrap() - case.ln_z).abs() < 1e-9);
            assert!(best.optimal);
            for (v, plus) in model.variables().ids().zip(&case.plus) {
                assert!((beliefs.marginal(v).unwrap()[1] - plus).abs() < 1e-11);
            }
        }
    }
}

/// On ferromagnets and weak glasses every schedule finds the same fixed point; the largest error of a
/// marginal, rounded up, is written here.
#[test]
fn spins_of_weak_couplings_are_nearly_right() {
    for (name, error) in
        [("ferro4x4", 0.0011), ("ferro8x8", 0.0022), ("glass14x14", 0.02), ("torus8x8", 0.112)]
    {
        let cases = ising("spins_of_weak_couplings_are_nearly_right");
        let Some(case) = cases.iter().find(|case| case.name == name) else { return };
        for schedule in [Schedule::Sequential, Schedule::Flooding, Schedule::Residual] {
            let engine = BeliefPropagation { schedule, ..BeliefPropagation::default() };
            let beliefs = engine.query(&case.model, &Targets::All, &Evidence::none()).unwrap();
            assert!(beliefs.report().converged, "{name}");
            for (v, plus) in case.model.variables().ids().zip(&case.plus) {
                assert!((beliefs.marginal(v).unwrap()[1] - plus).abs() < error, "{name}");
            }
        }
    }
}

/// A model of the competition, with its evidence and marginals, and ln Z where it is known.
pub(crate) struct Contest {
    pub(crate) name: String,
    pub(crate) model: Box<dyn GraphicalModel>,
    pub(crate) evidence: Evidence,
    pub(crate) marginals: Vec<Vec<f64>>,
    pub(crate) ln_z: Option<f64>,
}

pub(crate) fn contest(test: &str, folder: &str) -> Vec<Contest> {
    let Some(folder) = shared_file(test, folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "uai"));
    files.sort();
    let read = |path: &PathBuf| {
        let beside = |end: &str| fs::read(path.with_extension(format!("uai.{end}")));
        let model = read_model(&fs::read(path).unwrap()).unwrap().model;
        let evidence = uai::read_evidence(&beside("evid").unwrap(), model.variables()).unwrap();
        let answer = uai::read_answer(&beside("MAR").unwrap()).unwrap();
        let marginals = if let uai::Answer::Mar(marginals) = answer { marginals } else { Vec::new() };
        Contest {
            name: path.file_name().unwrap().display().to_string(),
            evidence: evidence.into_iter().next().unwrap_or_default(),
            marginals,
            ln_z: beside("PR").ok().and_then(|bytes| uai::read_answer(&bytes).unwrap().ln_z()),
            model: Box::new(model),
        }
    };
    files.iter().map(read).collect()
}

#[test]
fn models_of_a_competition_are_bounded_from_both_sides() {
    for case in contest("models_of_a_competition_are_bounded_from_both_sides", "data/mrf/uai") {
        let Some(ln_z) = case.ln_z else { continue };
        let slack = 1e-6 * (1.0 + ln_z.abs());
        for blocks in [DependentBlocks::Variables, DependentBlocks::Trees] {
            let engine =
                MeanField { max_iterations: 20, blocks, restarts: 0, seed: 0, ..MeanField::default() };
            let lower = engine.query(&*case.model, &Targets::All, &case.evidence).unwrap().ln_z().value();
            assert!(lower <= ln_z + slack, "{}: {lower} {ln_z}", case.name);
        }
        let engine = TreeReweighted { tree_steps: 0, max_iterations: 10, ..TreeReweighted::default() };
        let upper = engine.query(&*case.model, &Targets::All, &case.evidence).unwrap().ln_z().value();
        assert!(upper >= ln_z - slack, "{}: {upper} {ln_z}", case.name);
    }
}

/// Where belief propagation converges on the wide models, and the largest mean error of its marginals,
/// rounded up.
#[test]
fn wide_models_converge_or_say_that_they_do_not() {
    let known = [
        ("DBN_14.uai", true, 1e-6),
        ("Grids_16.uai", false, 0.5),
        ("ObjectDetection_58.uai", true, 5e-4),
        ("Promedus_11.uai", true, 0.036),
        ("Promedus_13.uai", true, 0.017),
        ("linkage_11.uai", true, 0.006),
    ];
    for case in contest("wide_models_converge_or_say_that_they_do_not", "data/mrf/uai_wide") {
        let Some(&(_, converges, error)) = known.iter().find(|row| row.0 == case.name) else { continue };
        let beliefs =
            BeliefPropagation::default().query(&*case.model, &Targets::All, &case.evidence).unwrap();
        assert_eq!(beliefs.report().converged, converges, "{}", case.name);
        let (mut sum, mut count) = (0.0, 0.0);
        for v in case.model.variables().ids() {
            for (own, known) in beliefs.marginal(v).unwrap().iter().zip(&case.marginals[v.index()]) {
                sum += (own - known).abs();
                count += 1.0;
            }
        }
        assert!(sum / count < error, "{}: {}", case.name, sum / count);
    }
}
