//! Simulated annealing finds the best state of small models, and says that it is not proven.

use posterior_inference::{Error, MapEngine};
use posterior_pgm::Evidence;
use posterior_sampling::network::SimulatedAnnealing;

use super::corpus::cases;
use super::voting;

#[test]
fn the_best_states_of_the_corpus_are_found() {
    let engine = SimulatedAnnealing { sweeps: 300, seed: 1, ..SimulatedAnnealing::default() };
    for case in cases() {
        let found = engine.most_probable(&*case.model, &case.evidence);
        let Some(answer) = &case.answer else {
            assert_eq!(found.unwrap_err(), Error::ImpossibleEvidence);
            continue;
        };
        let found = found.unwrap();
        assert!((found.ln_value - answer.best_ln_value).abs() < 1e-9, "{}", case.name);
        assert!(!found.optimal);
        assert!(case.evidence.states().all(|(v, state)| found.states[v.index()] == state));
    }
}

#[test]
fn starts_tell_what_they_met() {
    let engine = SimulatedAnnealing { starts: 6, ..SimulatedAnnealing::default() };
    let found = engine.anneal(&voting(), &Evidence::none()).unwrap();
    assert_eq!(found.best.states, [1, 1, 1, 1]);
    assert!((found.best.ln_value - 10_000_f64.ln()).abs() < 1e-12);
    assert_eq!(found.ln_values.len(), 6);
    assert!(found.ln_values.iter().all(|&own| own <= found.best.ln_value));
    // A quench at a low temperature stays in a corner: the other one for some seeds.
    let quench = SimulatedAnnealing {
        sweeps: 3,
        starts: 20,
        ..SimulatedAnnealing::default().with_temperatures(0.01, 0.01)
    };
    let found = quench.anneal(&voting(), &Evidence::none()).unwrap();
    assert!(found.ln_values.iter().any(|&own| (own - 625_f64.ln()).abs() < 1e-12));
}

#[test]
fn temperatures_that_cannot_be_are_refused() {
    let ask = |hottest, coldest| {
        let engine = SimulatedAnnealing::default().with_temperatures(hottest, coldest);
        engine.most_probable(&voting(), &Evidence::none()).map(drop).unwrap_err().to_string()
    };
    assert!(ask(1.0, 2.0).contains("at most the hottest"));
    assert!(ask(f64::NAN, 0.1).contains("hottest = NaN"));
    assert!(ask(1.0, 0.0).contains("coldest = 0"));
}
