//! Counts and priors of other networks: refused, and nothing is changed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_graph::{Dag, Names};
use posterior_pgm::{CptPrior, Error, FamilyCounts, Table, VarId, Variables};

const A: VarId = VarId::new(0);

fn counts(cards: &[usize]) -> FamilyCounts {
    let dag = Dag::new(Names::numbered(cards.len()), []).unwrap();
    FamilyCounts::zeros(Variables::numbered(cards).unwrap(), &dag).unwrap()
}

fn table(values: Vec<f64>) -> Table {
    Table::new(vec![A], vec![values.len()], values).unwrap()
}

fn refused<T>(answer: Result<T, Error>) -> bool {
    matches!(answer, Err(Error::Shape { .. }))
}

#[test]
fn a_family_with_other_states_is_another_family() {
    let mut own = counts(&[3]);
    let before = own.clone();
    assert!(refused(own.add_expected(&table(vec![1.0, 2.0]), 1.0)));
    assert!(refused(own.add_expected(&table(vec![1.0, 2.0, 3.0, 4.0]), 1.0)));
    assert!(refused(own.merge(&counts(&[2]))));
    assert!(refused(own.pop(&counts(&[2]))));
    assert!(refused(own.posterior(&CptPrior::Cells(vec![table(vec![1.0; 2])]))));
    assert!(refused(own.posterior(&CptPrior::Cells(vec![table(vec![1.0; 6])]))));
    assert_eq!(own, before);
}

#[test]
fn counts_of_more_or_fewer_families_are_not_merged() {
    let mut own = counts(&[2]);
    own.add_expected(&table(vec![1.0, 2.0]), 1.0).unwrap();
    let mut larger = counts(&[2, 2]);
    let before = larger.clone();
    assert!(refused(larger.merge(&own)));
    assert!(refused(larger.pop(&own)));
    assert_eq!(larger, before);
    assert!(refused(own.merge(&larger)));
}
