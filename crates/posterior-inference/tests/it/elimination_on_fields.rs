//! Elimination against the exact answers about fields of the UAI competition of 2014.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, MapEngine, Targets, VariableElimination};
use posterior_pgm::{GraphicalModel, VarId, uai};
use posterior_testkit::shared::shared_file;

use crate::corpus::assert_close;

/// More than so many operations are for benchmarks.
const LARGE: u64 = 50_000_000;

/// Whether the instance was small enough to ask.
fn instance_agrees(name: &str, log10_best: f64) -> bool {
    let read = |ending: &str| {
        let path = shared_file(name, &format!("data/mrf/uai/{name}.uai{ending}")).unwrap();
        std::fs::read(path).unwrap()
    };
    let model = uai::read(&read("")).unwrap().model;
    let evidence = uai::read_evidence(&read(".evid"), model.variables()).unwrap().pop().unwrap_or_default();
    let uai::Answer::Mar(marginals) = uai::read_answer(&read(".MAR")).unwrap() else { return false };
    let v = VarId::new(model.variables().len() / 2);
    let (engine, these) = (VariableElimination::default(), Targets::These(vec![v]));
    if engine.estimate(&model, &these, &evidence).unwrap().operations > LARGE {
        return false;
    }
    let beliefs = engine.query(&model, &these, &evidence).unwrap();
    assert_close(beliefs.marginal(v).unwrap(), &marginals[v.index()], 1e-9, name);
    let [ln_z, expected] =
        [beliefs.ln_z().exact(), uai::read_answer(&read(".PR")).unwrap().ln_z()].map(Option::unwrap);
    assert!((ln_z / expected - 1.0).abs() < 1e-10, "{name}: {ln_z} instead of {expected}");
    let best = engine.most_probable(&model, &evidence).unwrap().ln_value / std::f64::consts::LN_10;
    assert!((best / log10_best - 1.0).abs() < 1e-10, "{name}: {best} instead of {log10_best}");
    true
}

#[test]
fn fields_of_the_competition_agree() {
    let Some(list) = shared_file("fields of the competition", "data/mrf/uai/instances.csv") else { return };
    let list = std::fs::read_to_string(list).unwrap();
    let rows = list.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].to_owned(), fields[8].parse::<f64>().unwrap())
    });
    let asked: Vec<String> =
        rows.filter(|(name, best)| instance_agrees(name, *best)).map(|(name, _)| name).collect();
    assert!(asked.len() >= 8, "{asked:?}");
}
