//! Mean field: the numbers that are known, and a bound that is one.

use std::ops::ControlFlow;

use posterior_inference::{DependentBlocks, Engine, Enumeration, Error, LnZ, MeanField, Targets};
use posterior_math::iteration::{Silent, Step, Stop};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;

use crate::corpus::assert_close;
use crate::examples::voting;
use crate::random_models::{evidence, forest, pairwise, rng};

const BLOCKS: [DependentBlocks; 2] = [DependentBlocks::Variables, DependentBlocks::Trees];

/// Four friends in a ring: two maxima, of which the better one is kept.
#[test]
fn friends_agree_on_one_of_two_optima() {
    let model = voting();
    let best = MeanField::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!(best.report().converged);
    let LnZ::Lower(bound) = best.ln_z() else { panic!("mean field bounds from below") };
    assert!((bound - 9.251806980756).abs() < 1e-11, "{bound}");
    for v in model.variables().ids() {
        assert!((best.marginal(v).unwrap()[1] - 0.9892386301785).abs() < 1e-12);
    }
    // Every start ends in one of the two.
    let mut bounds = Vec::new();
    let mut watch = |step: &Step| {
        bounds.push((step.iteration, step.objective));
        ControlFlow::Continue(())
    };
    MeanField { restarts: 40, seed: 3, ..MeanField::default() }
        .fit(&model, &Evidence::none(), &mut watch)
        .unwrap();
    let ends: Vec<f64> = bounds
        .windows(2)
        .filter(|pair| pair[1].0 == 1)
        .map(|pair| pair[0].1)
        .chain([bounds[bounds.len() - 1].1])
        .collect();
    let near = |value: f64| ends.iter().filter(|end| (**end - value).abs() < 1e-9).count();
    assert!(near(9.251806980756) > 0 && near(6.629425567053) > 0);
    assert_eq!(near(9.251806980756) + near(6.629425567053), 41);
}

#[test]
fn a_symmetric_start_is_left_by_restarts() {
    let agree =
        |a, b| Table::new(vec![VarId::new(a), VarId::new(b)], vec![2, 2], vec![9.0, 1.0, 1.0, 9.0]).unwrap();
    let model = MarkovRandomField::new(Variables::numbered(&[2; 3]).unwrap(), vec![agree(0, 1), agree(1, 2)])
        .unwrap();
    let stuck = MeanField { restarts: 0, seed: 0, ..MeanField::default() }
        .query(&model, &Targets::All, &Evidence::none())
        .unwrap();
    assert_close(stuck.marginal(VarId::new(0)).unwrap(), &[0.5, 0.5], 1e-15, "symmetric");
    let free = MeanField::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!(free.ln_z().value() > stuck.ln_z().value() + 0.1);
    assert!((free.marginal(VarId::new(0)).unwrap()[0] - 0.5).abs() > 0.3);
    // One tree: nothing is lost.
    let exact = MeanField { blocks: DependentBlocks::Trees, ..MeanField::default() };
    let exact = exact.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!((exact.ln_z().value() - 200_f64.ln()).abs() < 1e-13);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_bound_is_a_bound(seed: u64, scale in prop_oneof![Just(0.3), Just(2.0)]) {
        let rng = &mut rng(seed);
        let pairs = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (3, 4), (1, 4)];
        let model = pairwise(&[2, 3, 2, 2, 3], &pairs, scale, rng);
        let evidence = evidence(model.variables(), rng);
        let known = Enumeration::default().query(&model, &Targets::All, &evidence).unwrap().ln_z().value();
        let mut bounds = Vec::new();
        for blocks in BLOCKS {
            let engine = MeanField { blocks, ..MeanField::default() };
            let fitted = engine.fit(&model, &evidence, &mut Silent).unwrap();
            prop_assert!(matches!(fitted.model.ln_z(), LnZ::Lower(_)));
            let bound = fitted.model.ln_z().value();
            prop_assert!(bound <= known + 1e-10, "{} {}", bound, known);
            let trace = &fitted.report.trace;
            prop_assert!(trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-10));
            bounds.push(bound);
        }
    }

    /// With trees as blocks a forest is exact, zeros and all.
    #[test]
    fn trees_are_exact_on_forests(seed: u64, zeros in prop_oneof![Just(0.0), Just(0.3)]) {
        let model = forest(zeros, &mut rng(seed));
        let engine = MeanField { blocks: DependentBlocks::Trees, restarts: 0, seed: 0, ..MeanField::default() };
        let known = Enumeration::default().query(&model, &Targets::All, &Evidence::none());
        let own = engine.query(&model, &Targets::All, &Evidence::none());
        match (known, own) {
            (Err(known), Err(own)) => prop_assert_eq!(known, own),
            (Err(known), Ok(own)) => {
                prop_assert_eq!(known, Error::ImpossibleEvidence);
                prop_assert_eq!(own.ln_z(), LnZ::Lower(f64::NEG_INFINITY));
            }
            (Ok(known), own) => {
                let own = own.unwrap();
                prop_assert!((own.ln_z().value() - known.ln_z().value()).abs() < 1e-9);
                for v in model.variables().ids() {
                    assert_close(own.marginal(v).unwrap(), known.marginal(v).unwrap(), 1e-9, "tree");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_and_observers_stop() {
    let pairs = [(0, 1), (1, 2), (0, 2)];
    let model = pairwise(&[2, 3, 2], &pairs, 1.0, &mut rng(5));
    let engine = MeanField { restarts: 7, seed: 11, ..MeanField::default() };
    let query = || engine.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_eq!(query(), query());
    let stopped = engine.fit(&model, &Evidence::none(), &mut |_: &Step| ControlFlow::Break(())).unwrap();
    assert_eq!((stopped.report.stop, stopped.report.iterations()), (Stop::Observer, 1));
    assert!(MeanField { tolerance: f64::NAN, ..MeanField::default() }.plan(&model, &Targets::All).is_err());
    let short = MeanField { max_iterations: 1, ..MeanField::default() }.query(
        &model,
        &Targets::All,
        &Evidence::none(),
    );
    assert!(!short.unwrap().report().converged);
}
