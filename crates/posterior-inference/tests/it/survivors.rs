//! Promises that one could break without a test to notice, until these were written.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::em::EmOptions;
use posterior_inference::learning::{
    FittingOptions, LogLinearOptions, fit_marginals, fit_network, fit_pseudo_likelihood,
};
use posterior_inference::{
    BeliefPropagation, Damping, Engine, Enumeration, MapEngine, MeanField, Schedule, Targets,
};
use posterior_math::iteration::Silent;
use posterior_pgm::{
    BayesianNetwork, Evidence, LogLinear, MarkovRandomField, Records, Table, VarId, Variables,
};

const A: VarId = VarId::new(0);
const B: VarId = VarId::new(1);

fn pair(values: [f64; 4]) -> Table {
    Table::new(vec![A, B], vec![2, 2], values.to_vec()).unwrap()
}

#[test]
fn rows_without_data_keep_their_values() {
    let prior = Table::new(vec![A], vec![2], vec![0.5, 0.5]).unwrap();
    let start = BayesianNetwork::new(
        Variables::numbered(&[2, 2]).unwrap(),
        vec![prior, pair([0.5, 0.5, 0.25, 0.75])],
    );
    let records =
        Records::complete(Variables::numbered(&[2, 2]).unwrap(), [&[0, 0][..], &[0, 1], &[0, 1], &[0, 1]]);
    let fitted = fit_network(
        &Enumeration::default(),
        start.unwrap(),
        &records.unwrap(),
        0.0,
        &EmOptions::default(),
        &mut Silent,
    );
    assert_eq!(fitted.unwrap().model.cpt(B).values(), [0.25, 0.75, 0.25, 0.75]);
}

#[test]
fn the_objective_of_fitting_is_the_entropy_that_is_left() {
    let distribution = [0.1, 0.2, 0.3, 0.4];
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let fitted = fit_marginals(
        &Enumeration::default(),
        variables,
        &[pair(distribution)],
        &FittingOptions::default(),
        &mut Silent,
    )
    .unwrap();
    let expected: f64 = distribution.iter().map(|p| p * p.ln()).sum();
    let trace = &fitted.report.trace;
    assert!((trace[trace.len() - 1] - expected).abs() < 1e-12, "{trace:?}");
}

#[test]
fn records_that_all_come_twice_say_the_same() {
    let rows = [[0, 0], [1, 1], [1, 1], [1, 0], [0, 0]];
    let fit = |times: usize| {
        let variables = Variables::numbered(&[2, 2]).unwrap();
        let records =
            Records::complete(variables.clone(), rows.repeat(times).iter().map(|row| &row[..])).unwrap();
        let start = LogLinear::indicators(variables, &[vec![A, B]]).unwrap();
        let options = LogLinearOptions { penalty: 0.1, ..LogLinearOptions::default() };
        fit_pseudo_likelihood(start, &records, &options, &mut Silent).unwrap().model
    };
    let (once, thrice) = (fit(1), fit(3));
    for (a, b) in once.weights().iter().zip(thrice.weights()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    // By the number of records: the penalty beside a mean leaves more than 1/10 of a weight's proportion.
    assert!(once.weights().iter().all(|w| w.abs() < 2.0));
}

#[test]
fn damping_is_the_proportion_of_the_old_message() {
    let c = VarId::new(2);
    let edge = |a, b| Table::new(vec![a, b], vec![2, 2], vec![2.0, 1.0, 1.0, 3.0]).unwrap();
    let ring = MarkovRandomField::new(
        Variables::numbered(&[2; 3]).unwrap(),
        vec![edge(A, B), edge(B, c), edge(c, A)],
    )
    .unwrap();
    let iterations = |damping| {
        let engine =
            BeliefPropagation { schedule: Schedule::Flooding, damping, ..BeliefPropagation::default() };
        let beliefs = engine.query(&ring, &Targets::All, &Evidence::none()).unwrap();
        assert!(beliefs.report().converged);
        beliefs.report().iterations
    };
    let plain = iterations(Damping::None);
    for of in [Damping::Linear, Damping::Geometric] {
        assert_eq!(iterations(of(0.0)), plain);
        let (little, much) = (iterations(of(0.1)), iterations(of(0.9)));
        assert!(little < 2 * plain && much > 4 * little, "{plain} {little} {much}");
    }
}

#[test]
fn a_best_state_is_called_optimal_only_where_that_is_proved() {
    let ids: Vec<VarId> = (0..4).map(VarId::new).collect();
    let field = |pairs: &[(usize, usize)], values: [f64; 4], own: [f64; 2]| {
        let edges = pairs
            .iter()
            .map(|&(a, b)| Table::new(vec![ids[a], ids[b]], vec![2, 2], values.to_vec()).unwrap());
        let locals = ids.iter().map(|&v| Table::new(vec![v], vec![2], own.to_vec()).unwrap());
        MarkovRandomField::new(Variables::numbered(&[2; 4]).unwrap(), edges.chain(locals).collect()).unwrap()
    };
    let ring = [(0, 1), (1, 2), (2, 3), (3, 0)];
    let is_optimal = |model: &MarkovRandomField| {
        BeliefPropagation::default().most_probable(model, &Evidence::none()).unwrap().optimal
    };
    assert!(is_optimal(&field(&ring, [2.0, 1.0, 1.0, 2.0], [1.0, 1.5])));
    // Both states of each variable are equally good.
    assert!(!is_optimal(&field(&ring, [2.0, 1.0, 1.0, 2.0], [1.0, 1.0])));
    // Two loops.
    let two = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)];
    assert!(!is_optimal(&field(&two, [2.0, 1.0, 1.0, 2.0], [1.0, 1.5])));
}

#[test]
fn more_starts_never_have_a_lower_bound() {
    // Two modes, one of which is better: some starts end in the other.
    let edge =
        |a, b| Table::new(vec![VarId::new(a), VarId::new(b)], vec![2, 2], vec![9.0, 1.0, 1.0, 10.0]).unwrap();
    let edges = (0..5).flat_map(|b| (0..b).map(move |a| edge(a, b))).collect();
    let model = MarkovRandomField::new(Variables::numbered(&[2; 5]).unwrap(), edges).unwrap();
    let bounds: Vec<f64> = (0..20)
        .map(|restarts| {
            let engine = MeanField { restarts, seed: 5, ..MeanField::default() };
            engine.query(&model, &Targets::All, &Evidence::none()).unwrap().ln_z().value()
        })
        .collect();
    assert!(bounds.windows(2).all(|pair| pair[1] >= pair[0]), "{bounds:?}");
}
