//! Models that are made, and models that are refused.

use posterior_pgm::{BayesianNetwork, Error, Evidence, Finding, MarkovRandomField, Table, VarId, Variables};

fn rain_and_grass() -> Variables {
    Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])]).unwrap()
}

fn table(scope: &[usize], values: &[f64]) -> Table {
    let scope: Vec<VarId> = scope.iter().map(|&v| VarId::new(v)).collect();
    Table::new(scope.clone(), vec![2; scope.len()], values.to_vec()).unwrap()
}

#[test]
fn a_row_that_does_not_add_up_is_refused_by_its_parents_states() {
    let tables = vec![table(&[0], &[0.8, 0.2]), table(&[0, 1], &[0.9, 0.1, 0.05, 0.9])];
    let error = BayesianNetwork::new(rain_and_grass(), tables.clone()).unwrap_err();
    assert_eq!(error.to_string(), "p(grass | rain = yes): the row adds up to 0.9500000000000001");
    let (network, notes) = BayesianNetwork::normalized(rain_and_grass(), tables).unwrap();
    assert_eq!((notes.len(), notes[0].row), (1, 1));
    assert_eq!(network.cpt(VarId::new(1)).values()[3], 0.9 / 0.9500000000000001);
}

#[test]
fn tables_that_are_missing_or_double_or_empty_are_refused() {
    let rain = table(&[0], &[0.8, 0.2]);
    let one = BayesianNetwork::new(rain_and_grass(), vec![rain.clone()]).unwrap_err();
    assert_eq!(one, Error::Tables { name: "grass".to_owned(), count: 0 });
    let two = vec![rain.clone(), rain.clone(), table(&[1], &[0.5, 0.5])];
    let two = BayesianNetwork::new(rain_and_grass(), two).unwrap_err();
    assert_eq!(two, Error::Tables { name: "rain".to_owned(), count: 2 });
    let zero =
        BayesianNetwork::normalized(rain_and_grass(), vec![rain, table(&[1], &[0.0, 0.0])]).unwrap_err();
    assert!(matches!(zero, Error::Row { sum: 0.0, .. }), "{zero}");
}

#[test]
fn numbers_that_are_no_weights_are_refused() {
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let error = MarkovRandomField::new(rain_and_grass(), vec![table(&[0, 1], &[1.0, bad, 1.0, 1.0])]);
        assert!(matches!(error, Err(Error::Value { index: 1, .. })));
    }
    let three = Table::new(vec![VarId::new(0)], vec![3], vec![1.0; 3]).unwrap();
    let error = MarkovRandomField::new(rain_and_grass(), vec![three]).unwrap_err();
    assert_eq!(error.to_string(), "a table over rain: 3 states, but the variable has 2");
}

#[test]
fn evidence_is_checked_against_the_variables() {
    let variables = rain_and_grass();
    assert!(
        Evidence::named(&variables, [("rain", "yes"), ("grass", "wet")]).unwrap().check(&variables).is_ok()
    );
    let unknown = Evidence::named(&variables, [("rain", "maybe")]).unwrap_err();
    assert_eq!(unknown.to_string(), "\"rain\" has no state \"maybe\"; its states are no, yes");
    assert!(Evidence::named(&variables, [("rain", "yes"), ("rain", "no")]).is_err());
    let v = VarId::new(0);
    for likelihood in [vec![0.5], vec![0.0, 0.0], vec![-1.0, 1.0], vec![f64::NAN, 1.0]] {
        let evidence = Evidence::none().with_likelihood(v, likelihood);
        assert!(matches!(evidence.check(&variables), Err(Error::Evidence { .. })), "{evidence:?}");
    }
    assert!(Evidence::of([(v, 2)]).check(&variables).is_err());
    assert!(Evidence::of([(VarId::new(2), 0)]).check(&variables).is_err());
    let evidence = Evidence::none().with(v, 1);
    assert_eq!(evidence.get(v), Some(&Finding::State(1)));
}
