//! The textbook models that the tests share.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_pgm::{BayesianNetwork, MarkovRandomField, Table, Variables};

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

/// Difficulty, intelligence, grade and SAT, all of them high or low, with these p(G = 1 | D, I) and p(S = 1 |
/// I).
fn binary(p_d: f64, p_i: f64, grade: [f64; 4], sat: [f64; 2]) -> BayesianNetwork {
    let names = ["D", "I", "G", "S"];
    let variables = Variables::new(names.map(|name| (name, ["0", "1"]))).unwrap();
    let [d, i, g, s] = names.map(|name| variables.require(name).unwrap());
    let rows = |ones: &[f64]| ones.iter().flat_map(|p| [1.0 - p, *p]).collect();
    let tables = vec![
        Table::new(vec![d], vec![2], rows(&[p_d])).unwrap(),
        Table::new(vec![i], vec![2], rows(&[p_i])).unwrap(),
        Table::new(vec![d, i, g], vec![2, 2, 2], rows(&grade)).unwrap(),
        Table::new(vec![i, s], vec![2, 2], rows(&sat)).unwrap(),
    ];
    BayesianNetwork::new(variables, tables).unwrap()
}

/// A student network of yes and no, with round numbers.
pub(crate) fn binary_student() -> BayesianNetwork {
    binary(0.5, 0.5, [0.5, 0.9, 0.1, 0.5], [0.2, 0.8])
}

/// The network of three students, (D, I, G, S) = (1, 0, 0, 0), (0, 1, 1, 0) and (1, 0, 0, 1), by Laplace's
/// rule: each count and one.
pub(crate) fn smoothed_student() -> BayesianNetwork {
    binary(0.6, 0.4, [0.5, 2.0 / 3.0, 0.25, 0.5], [0.5, 1.0 / 3.0])
}

/// Burglary, earthquake, alarm, and two neighbours who call (Pearl 1988).
pub(crate) fn john_and_mary() -> BayesianNetwork {
    let names = ["burglary", "earthquake", "alarm", "john", "mary"];
    let variables = Variables::new(names.map(|name| (name, ["no", "yes"]))).unwrap();
    let [b, e, a, j, m] = names.map(|name| variables.require(name).unwrap());
    let rows = |ones: &[f64]| ones.iter().flat_map(|p| [1.0 - p, *p]).collect();
    let tables = vec![
        Table::new(vec![b], vec![2], rows(&[0.001])).unwrap(),
        Table::new(vec![e], vec![2], rows(&[0.002])).unwrap(),
        Table::new(vec![b, e, a], vec![2, 2, 2], rows(&[0.001, 0.29, 0.94, 0.95])).unwrap(),
        Table::new(vec![a, j], vec![2, 2], rows(&[0.05, 0.9])).unwrap(),
        Table::new(vec![a, m], vec![2, 2], rows(&[0.01, 0.7])).unwrap(),
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
