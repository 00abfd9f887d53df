//! Coverage of intervals and reliability of probabilities, as the program gives them, by simulation.
//!
//! Data are drawn from a model whose truth is known, the program is run on them as a user runs it, and what
//! it states is held against the truth: intervals of 90 % must hold it in 90 of 100 data sets, events of
//! stated probability .2 must happen in one of five cases. The tests run a few data sets of each scenario
//! that is quick, with fixed seeds; `cargo xtask calibration` runs many and writes `docs/calibration.md`.

mod decisions;
mod effects;
mod groups;
mod labels;
mod measured;
mod page;
mod processes;
mod regress;
mod simulation;

use measured::Scenario;
use rayon::prelude::*;

/// The fault that few data sets can show, relative to what is stated: a slope that is missed half of the
/// time, a rate that is off by a third.
const GROSS: f64 = 0.08;

/// What the page may differ from what is stated, beyond its error.
const TOLERANCE: f64 = 0.02;

fn scenarios() -> Vec<Scenario> {
    [
        regress::scenarios(),
        effects::scenarios(),
        labels::scenarios(),
        processes::scenarios(),
        groups::scenarios(),
        decisions::scenarios(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Faults that so many data sets of each of these scenarios show; the page shows the fine ones.
fn none_is_wrong(scenarios: &[Scenario], sets: u64) {
    let wrong: Vec<String> = scenarios
        .par_iter()
        .filter(|scenario| scenario.admitted.is_none())
        .filter_map(|scenario| {
            let found = scenario.measure(sets);
            let beyond = found.excess(GROSS) > 4.0;
            beyond.then(|| format!("{}, {}: {found:?}", scenario.what, scenario.on))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn four_data_sets_of_each_quick_scenario_show_no_gross_fault() {
    let quick: Vec<Scenario> = scenarios().into_iter().filter(|scenario| !scenario.is_slow).collect();
    none_is_wrong(&quick, 4);
}

#[test]
#[ignore = "slow"]
fn intervals_and_probabilities_hold_what_they_say() {
    none_is_wrong(&scenarios(), 16);
}

/// `cargo xtask calibration` runs this with the path of the page and the number of data sets.
#[test]
#[ignore = "writes a page of the documentation: cargo xtask calibration"]
#[expect(clippy::disallowed_methods, reason = "a test has no other arguments")]
fn page() {
    let path = std::env::var_os("POSTERIOR_CALIBRATION_PAGE").expect("cargo xtask calibration sets it");
    let sets = std::env::var("POSTERIOR_CALIBRATION_SETS").ok().and_then(|sets| sets.parse().ok());
    std::fs::write(path, page::page(&scenarios(), sets.expect("a number of data sets"))).unwrap();
}
