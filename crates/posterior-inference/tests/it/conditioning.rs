//! Conditioning against the reference table and elimination.

use posterior_inference::{Conditioning, Engine, Error, Targets, VariableElimination};
use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;

use crate::any_model::{Random, random};
use crate::corpus::{assert_close, marginals_agree};
use crate::examples::voting;

#[test]
fn it_meets_the_reference() {
    marginals_agree(&Conditioning::default(), 1e-13);
    marginals_agree(&Conditioning { largest: Some(1), ..Conditioning::default() }, 1e-13);
    marginals_agree(&Conditioning { largest: Some(8), ..Conditioning::default() }, 1e-13);
}

proptest! {
    #[test]
    fn it_agrees_with_elimination(seed: u64, largest in 1_u64..30) {
        let Random { model, evidence } = random(seed);
        let own = Conditioning { largest: Some(largest), ..Conditioning::default() }.query(&*model, &Targets::All, &evidence);
        let other = VariableElimination::default().query(&*model, &Targets::All, &evidence);
        match (own, other) {
            (Ok(own), Ok(other)) => {
                let [a, b] = [&own, &other].map(|beliefs| beliefs.ln_z().exact().unwrap());
                prop_assert!((a - b).abs() < 1e-12);
                for v in model.variables().ids() {
                    assert_close(own.marginal(v).unwrap(), other.marginal(v).unwrap(), 1e-12, "marginal");
                }
                prop_assert!(own.report().cost.largest <= largest.max(1));
            }
            (own, other) => prop_assert_eq!(own, other),
        }
    }
}

#[test]
fn one_voter_cuts_the_ring() {
    let engine = Conditioning { largest: Some(2), ..Conditioning::default() };
    let plan = engine.plan(&voting(), &Targets::All).unwrap();
    assert_eq!(plan.cutset().len(), 1);
    let beliefs = engine.infer(&voting(), &plan, &Evidence::none()).unwrap();
    assert!((beliefs.ln_z().exact().unwrap() - 11327_f64.ln()).abs() < 1e-14);
    assert_close(beliefs.marginal(VarId::new(0)).unwrap(), &[901.0 / 11327.0, 10426.0 / 11327.0], 1e-15, "A");
}

#[test]
fn what_would_take_years_is_refused() {
    // A complete graph over 40 variables: all but three have to be set.
    let pairs = (0..40).flat_map(|b| (0..b).map(move |a| [a, b]));
    let tables = pairs
        .map(|pair| Table::new(pair.map(VarId::new).to_vec(), vec![2, 2], vec![2.0, 1.0, 1.0, 2.0]).unwrap());
    let model = MarkovRandomField::new(Variables::numbered(&[2; 40]).unwrap(), tables.collect()).unwrap();
    let target = Targets::These(vec![VarId::new(0)]);
    assert_eq!(Conditioning::default().plan(&model, &target).unwrap().cutset().len(), 37);
    let error = Conditioning::default().query(&model, &target, &Evidence::none()).unwrap_err();
    assert!(matches!(error, Error::TooLong { .. }) && error.is_too_large(), "{error}");
    assert!(error.to_string().contains("e14 operations"), "{error}");
}
