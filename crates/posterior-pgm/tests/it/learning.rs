//! Learning conditional tables from complete data.

use posterior_dist::stream::stream;
use posterior_graph::Dag;
use posterior_pgm::{
    BayesianNetwork, CptPrior, Error, FamilyCounts, GraphicalModel, Records, Table, Unseen, VarId, Variables,
};
use proptest::prelude::*;
use rand::RngExt;

const STUDENTS: [[usize; 4]; 3] = [[1, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]];

fn student_variables() -> Variables {
    Variables::new(["D", "I", "G", "S"].map(|name| (name, ["0", "1"]))).unwrap()
}

/// D → G ← I → S.
fn student_graph() -> Dag {
    Dag::named(["D", "I", "G", "S"], [("D", "G"), ("I", "G"), ("I", "S")]).unwrap()
}

fn students() -> FamilyCounts {
    let records = Records::complete(student_variables(), STUDENTS.iter().map(|row| &row[..])).unwrap();
    FamilyCounts::of(&records, &student_graph()).unwrap()
}

fn v(index: usize) -> VarId {
    VarId::new(index)
}

#[test]
fn three_students_and_the_rows_without_data() {
    let (network, unseen) = students().maximum_likelihood().unwrap();
    assert_eq!(network.cpt(v(0)).values(), [1.0 / 3.0, 2.0 / 3.0]);
    assert_eq!(network.cpt(v(1)).values(), [2.0 / 3.0, 1.0 / 3.0]);
    // Rows (D, I): 00 unseen, 01 once with G = 1, 10 twice with G = 0, 11 unseen.
    assert_eq!(network.cpt(v(2)).values(), [0.5, 0.5, 0.0, 1.0, 1.0, 0.0, 0.5, 0.5]);
    assert_eq!(network.cpt(v(3)).values(), [0.5, 0.5, 1.0, 0.0]);
    assert_eq!(unseen, [Unseen { variable: v(2), row: 0 }, Unseen { variable: v(2), row: 3 }]);
    assert_eq!(network.parameter_count(), 8);
}

#[test]
fn add_one_is_the_posterior_mean_under_uniform_priors() {
    let posterior = students().posterior(&CptPrior::Symmetric(1.0)).unwrap();
    let mean = posterior.mean().unwrap();
    let second = |v: VarId| mean.cpt(v).values().iter().skip(1).step_by(2).copied().collect::<Vec<f64>>();
    assert_eq!(second(v(0)), [3.0 / 5.0]);
    assert_eq!(second(v(1)), [2.0 / 5.0]);
    assert_eq!(second(v(2)), [1.0 / 2.0, 2.0 / 3.0, 1.0 / 4.0, 1.0 / 2.0]);
    assert_eq!(second(v(3)), [1.0 / 2.0, 1.0 / 3.0]);
    // The mode of uniform priors is the maximum of the likelihood, but rows without data have none.
    assert_eq!(posterior.row(v(2), 2).unwrap().concentration(), [3.0, 1.0]);
    assert!(posterior.row(v(2), 4).is_err());
}

#[test]
fn the_evidence_is_the_product_of_one_step_predictions() {
    let mut counts = FamilyCounts::zeros(student_variables(), &student_graph()).unwrap();
    let prior = CptPrior::Bdeu(2.5);
    let mut ln_p = 0.0;
    for row in STUDENTS {
        ln_p += counts.posterior(&prior).unwrap().mean().unwrap().ln_score(&row);
        counts.add_records(&Records::complete(student_variables(), [&row[..]]).unwrap()).unwrap();
    }
    assert_eq!(counts, students());
    assert!((counts.bdeu(2.5).unwrap() - ln_p).abs() < 1e-13);
    assert!((counts.posterior(&prior).unwrap().ln_evidence().unwrap() - ln_p).abs() < 1e-13);
}

#[test]
fn yesterdays_posterior_is_todays_prior() {
    let record = |row: &[usize; 4]| Records::complete(student_variables(), [&row[..]]).unwrap();
    let of = |row| FamilyCounts::of(&record(row), &student_graph()).unwrap();
    let mut prior = CptPrior::Symmetric(0.5);
    for row in &STUDENTS {
        prior = CptPrior::Cells(of(row).posterior(&prior).unwrap().alpha().unwrap());
    }
    let CptPrior::Cells(alpha) = prior else { unreachable!("three records were seen") };
    assert_eq!(alpha, students().posterior(&CptPrior::Symmetric(0.5)).unwrap().alpha().unwrap());
}

#[test]
fn a_row_without_a_mode_leaves_the_network_without_one() {
    let posterior = |alpha| students().posterior(&CptPrior::Symmetric(alpha)).unwrap();
    let mode = posterior(2.0).most_probable().unwrap().unwrap();
    // (N + 1) / (N(u) + 2): two students with D = 1, one with D = 0.
    assert!((mode.cpt(v(0)).values()[1] - 3.0 / 5.0).abs() < 1e-15);
    assert!(posterior(0.5).most_probable().unwrap().is_none());
}

#[test]
fn drawn_networks_average_to_the_posterior_mean() {
    let posterior = students().posterior(&CptPrior::Symmetric(1.0)).unwrap();
    let mean = posterior.mean().unwrap();
    let mut rng = stream(7, &[]);
    let draws = 20_000;
    let mut sum = [0.0; 8];
    for _ in 0..draws {
        let network = posterior.draw(&mut rng).unwrap();
        for (sum, p) in sum.iter_mut().zip(network.cpt(v(2)).values()) {
            *sum += p / f64::from(draws);
        }
    }
    for (average, p) in sum.iter().zip(mean.cpt(v(2)).values()) {
        // A standard deviation of at most 0.3 over the root of 20,000, six of them.
        assert!((average - p).abs() < 6.0 * 0.3 / f64::from(draws).sqrt(), "{average} {p}");
    }
}

#[test]
fn graphs_with_the_same_independencies_have_the_same_bdeu_score() {
    let names = ["D", "I", "G", "S"];
    let records = Records::complete(student_variables(), STUDENTS.iter().map(|row| &row[..])).unwrap();
    let score = |arrows: &[(&'static str, &'static str)]| {
        FamilyCounts::of(&records, &Dag::named(names, arrows.iter().copied()).unwrap())
            .unwrap()
            .bdeu(1.0)
            .unwrap()
    };
    let chain = score(&[("D", "I"), ("I", "G")]);
    assert!((chain - score(&[("G", "I"), ("I", "D")])).abs() < 1e-13);
    assert!((chain - score(&[("I", "D"), ("I", "G")])).abs() < 1e-13);
    assert!((chain - score(&[("D", "I"), ("G", "I")])).abs() > 1e-3);
}

#[test]
fn an_equivalent_sample_is_spread_over_the_cells() {
    let variables = Variables::numbered(&[2]).unwrap();
    let dag = Dag::new(variables.names().clone(), []).unwrap();
    let mut counts = FamilyCounts::zeros(variables, &dag).unwrap();
    counts.add_expected(&Table::new(vec![v(0)], vec![2], vec![1.0, 2.0]).unwrap(), 1.0).unwrap();
    // Two imaginary records, one in each state: B(2, 3) / B(1, 1) = 1 / 12.
    assert!((counts.bdeu(2.0).unwrap() + 12_f64.ln()).abs() < 1e-14);
}

#[test]
fn records_that_cannot_be_are_refused_with_their_number() {
    let mut records = Records::new(student_variables());
    records.push(&[Some(0), None, Some(1), Some(1)]).unwrap();
    let error = records.push(&[Some(0), Some(2), None, None]).unwrap_err();
    assert_eq!(error.to_string(), "record 1: \"I\" is in state 2 of 2");
    assert!(records.push(&[None; 3]).is_err());
    assert_eq!((records.len(), records.is_complete()), (1, false));
    let error = FamilyCounts::of(&records, &student_graph()).unwrap_err();
    assert_eq!(error.to_string(), "record 0: the state of \"I\" is missing");
    assert!(matches!(students().posterior(&CptPrior::Symmetric(0.0)), Err(Error::Value { .. })));
}

#[test]
fn expected_counts_add_up_and_go_to_their_family_only() {
    let mut counts = students();
    let mut other = FamilyCounts::zeros(student_variables(), &student_graph()).unwrap();
    let family = Table::new(vec![v(1), v(3)], vec![2, 2], vec![0.25, 0.25, 0.5, 0.0]).unwrap();
    other.add_expected(&family, 2.0).unwrap();
    assert_eq!(other.family(v(3)).values(), [0.5, 0.5, 1.0, 0.0]);
    let turned = Table::new(vec![v(3), v(1)], vec![2, 2], vec![0.25; 4]).unwrap();
    assert!(other.add_expected(&turned, 1.0).is_err());
    assert!(other.add_expected(&family, f64::NAN).is_err());
    counts.merge(&other).unwrap();
    counts.pop(&other).unwrap();
    assert_eq!(counts, students());
    assert!(other.pop(&students()).is_err());
}

/// A network over D → G ← I → S with these 8 probabilities of state 1.
fn network(p: &[f64]) -> BayesianNetwork {
    let graph = student_graph();
    let mut p = p.iter();
    let tables = graph.variables().map(|child| {
        let scope: Vec<VarId> = graph.parents(child).iter().copied().chain([child]).collect();
        let rows = 1 << (scope.len() - 1);
        let values = (0..rows).flat_map(|_| p.next().map(|p| [1.0 - p, *p]).unwrap()).collect();
        Table::new(scope.clone(), vec![2; scope.len()], values).unwrap()
    });
    BayesianNetwork::new(student_variables(), tables.collect()).unwrap()
}

proptest! {
    /// ∑ N ln θ is the sum of ln p of the records, and no other network has more.
    #[test]
    fn maximum_likelihood_is_the_maximum(seed in 0_u64..1000, p in prop::collection::vec(0.01..0.99, 8)) {
        let mut rng = stream(seed, &[]);
        let rows: Vec<[usize; 4]> = (0..30).map(|_| [0; 4].map(|_: usize| rng.random_range(0..2))).collect();
        let records = Records::complete(student_variables(), rows.iter().map(|row| &row[..])).unwrap();
        let counts = FamilyCounts::of(&records, &student_graph()).unwrap();
        let other = network(&p);
        let direct: f64 = rows.iter().map(|row| other.ln_score(row)).sum();
        prop_assert!((counts.ln_likelihood(&other).unwrap() - direct).abs() < 1e-11 * direct.abs());
        let (best, _) = counts.maximum_likelihood().unwrap();
        prop_assert!(counts.ln_likelihood(&best).unwrap() >= direct);
        prop_assert_eq!(best.factors().len(), 4);
    }
}
