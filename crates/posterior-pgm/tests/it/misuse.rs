//! Counts and priors of other networks, likelihoods and rows that can't be: refused, and nothing is changed.

use posterior_graph::{Dag, Names};
use posterior_pgm::{
    BayesianNetwork, Counting, CptPrior, Error, Evidence, FamilyCounts, Semiring, Table, VarId, Variables,
    bif,
};

const A: VarId = VarId::new(0);

fn counts(cards: &[usize]) -> FamilyCounts {
    let dag = Dag::new(Names::numbered(cards.len()), []).unwrap();
    FamilyCounts::zeros(Variables::numbered(cards).unwrap(), &dag).unwrap()
}

fn table(values: Vec<f64>) -> Table {
    Table::new(vec![A], vec![values.len()], values).unwrap()
}

fn refused<T>(answer: &Result<T, Error>) -> bool {
    matches!(answer, Err(Error::Shape { .. }))
}

#[test]
fn a_family_with_other_states_is_another_family() {
    let mut own = counts(&[3]);
    let before = own.clone();
    assert!(refused(&own.add_expected(&table(vec![1.0, 2.0]), 1.0)));
    assert!(refused(&own.add_expected(&table(vec![1.0, 2.0, 3.0, 4.0]), 1.0)));
    assert!(refused(&own.merge(&counts(&[2]))));
    assert!(refused(&own.pop(&counts(&[2]))));
    assert!(refused(&own.posterior(&CptPrior::Cells(vec![table(vec![1.0; 2])]))));
    assert!(refused(&own.posterior(&CptPrior::Cells(vec![table(vec![1.0; 6])]))));
    assert_eq!(own, before);
}

#[test]
fn counts_of_more_or_fewer_families_are_not_merged() {
    let mut own = counts(&[2]);
    own.add_expected(&table(vec![1.0, 2.0]), 1.0).unwrap();
    let mut larger = counts(&[2, 2]);
    let before = larger.clone();
    assert!(refused(&larger.merge(&own)));
    assert!(refused(&larger.pop(&own)));
    assert_eq!(larger, before);
    assert!(refused(&own.merge(&larger)));
}

#[test]
fn more_than_there_is_is_not_popped() {
    let mut own = counts(&[2]);
    own.add_expected(&table(vec![1.0, 2.0]), 1.0).unwrap();
    let before = own.clone();
    let with = |values: [f64; 2]| {
        let mut other = counts(&[2]);
        other.add_expected(&table(values.to_vec()), 1.0).unwrap();
        other
    };
    assert!(matches!(own.pop(&with([1.0, 2.0 + 1e-9])), Err(Error::Value { index: 1, .. })));
    assert_eq!(own, before);
    // What rounding has added is forgiven, and leaves no negative count.
    own.pop(&with([1.0, 2.0 + 1e-15])).unwrap();
    assert_eq!(own.family(A).values(), [0.0, 0.0]);
}

#[test]
fn likelihoods_are_finite_and_one_for_each_state() {
    let variables = Variables::numbered(&[2]).unwrap();
    for bad in [vec![f64::INFINITY, 1.0], vec![1.0; 3], vec![1.0]] {
        assert!(Evidence::none().with_likelihood(A, bad).check(&variables).is_err());
    }
}

#[test]
fn rows_that_are_no_distributions_are_reported_by_the_states_of_all_parents() {
    let [b, c] = [1, 2].map(VarId::new);
    let network = |row: [f64; 2]| {
        let values = [[0.5, 0.5].repeat(4), row.to_vec(), [0.5, 0.5].to_vec()].concat();
        let mut tables = vec![Table::new(vec![A], vec![3], vec![0.25, 0.25, 0.5]).unwrap()];
        tables.push(Table::new(vec![b], vec![2], vec![0.5, 0.5]).unwrap());
        tables.push(Table::new(vec![A, b, c], vec![3, 2, 2], values).unwrap());
        BayesianNetwork::normalized(Variables::numbered(&[3, 2, 2]).unwrap(), tables.clone())
            .and(BayesianNetwork::new(Variables::numbered(&[3, 2, 2]).unwrap(), tables))
    };
    assert_eq!(
        network([0.5, 0.25]).unwrap_err().to_string(),
        "p(X2 | X0 = 2, X1 = 0): the row adds up to 0.75"
    );
    assert!(matches!(network([f64::MAX, f64::MAX]), Err(Error::Row { sum: f64::INFINITY, .. })));
    let one = Table::new(vec![A], vec![2], vec![f64::MAX; 2]).unwrap();
    let infinite = BayesianNetwork::normalized(Variables::numbered(&[2]).unwrap(), vec![one]);
    assert!(matches!(infinite, Err(Error::Row { sum: f64::INFINITY, .. })));
}

#[test]
fn counts_of_states_stop_at_the_largest() {
    assert_eq!((Counting::add(u64::MAX, 2), Counting::multiply(u64::MAX, 2)), (u64::MAX, u64::MAX));
    assert_eq!((Counting::add(2, 3), Counting::multiply(2, 3)), (5, 6));
}

#[test]
fn default_rows_are_in_the_order_of_the_states() {
    let file = "network n { } variable a { type discrete [ 2 ] { x, y }; } variable b { type discrete [ 3 ] { p, q, r }; }
        probability ( a ) { table 0.5, 0.5; }
        probability ( b | a ) { (y) 0.25, 0.5, 0.25; default 0.125, 0.25, 0.625; }";
    let network = bif::read(file.as_bytes()).unwrap().network;
    assert_eq!(network.cpt(VarId::new(1)).values(), [0.125, 0.25, 0.625, 0.25, 0.5, 0.25]);
}

#[test]
fn independence_is_listed_for_ten_variables_and_with_a_tolerance_of_zero() {
    let wide = |n: usize| {
        // One state each: all is independent, exactly.
        let scope = (0..n).map(VarId::new).collect();
        Table::new(scope, vec![1; n], vec![1.0]).unwrap().independencies(0.0)
    };
    // A pair of n, and any set of the others.
    assert_eq!(wide(6).unwrap().len(), 15 * 16);
    assert_eq!(wide(10).unwrap().len(), 45 * 256);
    assert!(refused(&wide(11)));
}
