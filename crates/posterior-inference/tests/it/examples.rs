//! The textbook models that the tests share.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, Enumeration, Targets};
use posterior_pgm::{BayesianNetwork, Evidence, MarkovRandomField, Table, Variables};

/// Burglary, earthquake, alarm and radio (MacKay 2003, section 21.1), with a noisy-or alarm.
pub(crate) fn alarm() -> BayesianNetwork {
    let names = ["burglary", "earthquake", "alarm", "radio"];
    let variables = Variables::new(names.map(|name| (name, ["no", "yes"]))).unwrap();
    let [b, e, a, r] = names.map(|name| variables.require(name).unwrap());
    let alarm = [0.001, 0.01099, 0.99001, 0.9901099].iter().flat_map(|p| [1.0 - p, *p]).collect();
    let tables = vec![
        Table::new(vec![b], vec![2], vec![0.999, 0.001]).unwrap(),
        Table::new(vec![e], vec![2], vec![0.999, 0.001]).unwrap(),
        Table::new(vec![b, e, a], vec![2, 2, 2], alarm).unwrap(),
        Table::new(vec![e, r], vec![2, 2], vec![1.0, 0.0, 0.0, 1.0]).unwrap(),
    ];
    BayesianNetwork::new(variables, tables).unwrap()
}

/// The student network (Koller and Friedman 2009, figure 3.4).
pub(crate) fn student() -> BayesianNetwork {
    let variables = Variables::new([
        ("difficulty", vec!["d0", "d1"]),
        ("intelligence", vec!["i0", "i1"]),
        ("grade", vec!["g1", "g2", "g3"]),
        ("sat", vec!["s0", "s1"]),
        ("letter", vec!["l0", "l1"]),
    ])
    .unwrap();
    let [d, i, g, s, l] =
        ["difficulty", "intelligence", "grade", "sat", "letter"].map(|name| variables.require(name).unwrap());
    let grades = vec![0.3, 0.4, 0.3, 0.05, 0.25, 0.7, 0.9, 0.08, 0.02, 0.5, 0.3, 0.2];
    let tables = vec![
        Table::new(vec![d], vec![2], vec![0.6, 0.4]).unwrap(),
        Table::new(vec![i], vec![2], vec![0.7, 0.3]).unwrap(),
        Table::new(vec![i, d, g], vec![2, 2, 3], grades).unwrap(),
        Table::new(vec![i, s], vec![2, 2], vec![0.95, 0.05, 0.2, 0.8]).unwrap(),
        Table::new(vec![g, l], vec![3, 2], vec![0.1, 0.9, 0.4, 0.6, 0.99, 0.01]).unwrap(),
    ];
    BayesianNetwork::new(variables, tables).unwrap()
}

/// Four friends in a ring who like to vote alike.
pub(crate) fn voting() -> MarkovRandomField {
    let variables = Variables::new(["A", "B", "C", "D"].map(|name| (name, ["0", "1"]))).unwrap();
    let [a, b, c, d] = ["A", "B", "C", "D"].map(|name| variables.require(name).unwrap());
    let agree = |x, y| Table::new(vec![x, y], vec![2, 2], vec![5.0, 1.0, 1.0, 10.0]).unwrap();
    MarkovRandomField::new(variables, vec![agree(a, b), agree(b, c), agree(c, d), agree(d, a)]).unwrap()
}

/// p of a state of a variable given states of others, by names.
pub(crate) fn probability<E: Engine>(
    engine: &E,
    model: &BayesianNetwork,
    (name, state): (&str, &str),
    given: &[(&str, &str)],
) -> f64 {
    use posterior_pgm::GraphicalModel;
    let variables = model.variables();
    let evidence = Evidence::named(variables, given.iter().copied()).unwrap();
    let v = variables.require(name).unwrap();
    let beliefs = engine.query(model, &Targets::These(vec![v]), &evidence).unwrap();
    beliefs.marginal(v).unwrap()[variables.require_state(v, state).unwrap()]
}

#[test]
fn a_letter_of_recommendation() {
    let engine = Enumeration::default();
    let p = |of, given: &[(&str, &str)]| probability(&engine, &student(), of, given);
    assert!((p(("letter", "l1"), &[]) - 7849.0 / 15625.0).abs() < 1e-15);
    assert!(
        (p(("intelligence", "i1"), &[("grade", "g2"), ("difficulty", "d1")]) - 18.0 / 53.0).abs() < 1e-15
    );
}

#[test]
fn the_radio_explains_the_alarm_away() {
    let engine = Enumeration::default();
    let p = |given: &[(&str, &str)]| probability(&engine, &alarm(), ("burglary", "yes"), given);
    assert!((p(&[("alarm", "yes")]) - 0.495255126574651).abs() < 1e-14);
    assert!((p(&[("alarm", "yes"), ("radio", "yes")]) - 9901099.0 / 119691199.0).abs() < 1e-15);
}

#[test]
fn friends_vote_alike() {
    let model = voting();
    let beliefs = Enumeration::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!((beliefs.ln_z().exact().unwrap() - 11327_f64.ln()).abs() < 1e-14);
}
