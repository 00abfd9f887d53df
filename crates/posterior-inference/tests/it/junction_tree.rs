//! The junction tree against the reference table and enumeration.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{Engine, Enumeration, Error, JunctionTree, Targets};
use posterior_pgm::{Evidence, Finding, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;

use crate::corpus::{assert_close, marginals_agree};

#[test]
fn it_meets_the_reference() {
    marginals_agree(&JunctionTree::default(), 1e-13);
}

/// A random field: about a third of its values are zero.
fn field() -> impl Strategy<Value = MarkovRandomField> {
    let cards = prop::collection::vec(1_usize..4, 1..8);
    cards.prop_flat_map(|cards| {
        let n = cards.len();
        let scope = prop::collection::btree_set(0..n, 0..4.min(n + 1));
        let factor = (scope, prop::collection::vec(prop_oneof![1 => Just(0.0), 2 => 0.1..3.0_f64], 27), any::<bool>());
        (Just(cards), prop::collection::vec(factor, 0..9))
    })
    .prop_map(|(cards, factors)| {
        let variables = Variables::numbered(&cards).unwrap();
        let table = |(scope, values, backwards): (std::collections::BTreeSet<usize>, Vec<f64>, bool)| {
            let mut scope: Vec<usize> = scope.into_iter().collect();
            if backwards {
                scope.reverse();
            }
            let own: Vec<usize> = scope.iter().map(|&v| cards[v]).collect();
            let cells = own.iter().product();
            Table::new(scope.into_iter().map(VarId::new).collect(), own, values[..cells].to_vec()).unwrap()
        };
        let factors = factors.into_iter().map(table).collect();
        MarkovRandomField::new(variables, factors).unwrap()
    })
}

/// Evidence for the variables of a field: nothing, a state, or likelihoods.
fn evidence() -> impl Strategy<Value = Vec<Option<(bool, usize, Vec<f64>)>>> {
    let finding = (any::<bool>(), 0_usize..3, prop::collection::vec(prop_oneof![Just(0.0), 0.1..2.0_f64], 3));
    prop::collection::vec(prop::option::weighted(0.4, finding), 8)
}

fn findings(variables: &Variables, raw: &[Option<(bool, usize, Vec<f64>)>]) -> Evidence {
    let finding = |(v, raw): (VarId, &Option<(bool, usize, Vec<f64>)>)| {
        let (is_state, state, likelihood) = raw.as_ref()?;
        let card = variables.card(v);
        let finding = if *is_state || likelihood[..card].iter().all(|&l| l == 0.0) {
            Finding::State(state % card)
        } else {
            Finding::Likelihood(likelihood[..card].to_vec())
        };
        Some((v, finding))
    };
    variables.ids().zip(raw).filter_map(finding).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn it_is_enumeration_on_random_fields(model in field(), raw in evidence(), later in evidence()) {
        let engine = JunctionTree::default();
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let mut propagation = engine.prepare(&model, &plan).unwrap();
        for raw in [raw, later] {
            let evidence = findings(model.variables(), &raw);
            let expected = Enumeration::default().query(&model, &Targets::All, &evidence);
            let cold = engine.infer(&model, &plan, &evidence);
            propagation.set_evidence(&evidence).unwrap();
            let warm = propagation.beliefs();
            match expected {
                Err(error) => {
                    prop_assert_eq!(&error, &Error::ImpossibleEvidence);
                    prop_assert_eq!(cold.unwrap_err(), error.clone());
                    prop_assert_eq!(warm.unwrap_err(), error);
                }
                Ok(expected) => {
                    for own in [cold.unwrap(), warm.unwrap()] {
                        prop_assert!((own.ln_z().value() - expected.ln_z().value()).abs() < 1e-12);
                        for v in model.variables().ids() {
                            assert_close(own.marginal(v).unwrap(), expected.marginal(v).unwrap(), 1e-12, "marginal");
                        }
                    }
                }
            }
        }
    }
}
