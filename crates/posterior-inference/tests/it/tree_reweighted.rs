//! Tree-reweighted belief propagation: bounds from above, exact on forests.

use posterior_inference::{BeliefPropagation, Engine, Enumeration, Error, LnZ, Targets, TreeReweighted};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;

use crate::corpus::{assert_close, reference_cases};
use crate::examples::voting;
use crate::random_models::{evidence, forest, pairwise, rng};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_bound_is_a_bound(
        seed: u64,
        scale in prop_oneof![Just(0.3), Just(2.0)],
        sweeps in prop_oneof![Just(1_usize), Just(3), Just(1000)],
    ) {
        let rng = &mut rng(seed);
        let pairs = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (3, 4), (1, 4), (2, 4)];
        let model = pairwise(&[2, 3, 2, 2, 3], &pairs, scale, rng);
        let evidence = evidence(model.variables(), rng);
        let known = Enumeration::default().query(&model, &Targets::All, &evidence).unwrap().ln_z().value();
        // Whether it converged or not.
        let engine = TreeReweighted { max_iterations: sweeps, ..TreeReweighted::default() };
        let fixed = TreeReweighted { tree_steps: 0, ..engine }.query(&model, &Targets::All, &evidence).unwrap().ln_z().value();
        let best = engine.query(&model, &Targets::All, &evidence).unwrap().ln_z().value();
        prop_assert!(known <= best + 1e-9 && best <= fixed + 1e-12, "{} {} {}", known, best, fixed);
    }

    #[test]
    fn forests_are_exact(seed: u64, zeros in prop_oneof![Just(0.0), Just(0.3)]) {
        let rng = &mut rng(seed);
        let model = forest(zeros, rng);
        let evidence = evidence(model.variables(), rng);
        let engine = TreeReweighted { tolerance: 1e-13, ..TreeReweighted::default() };
        let own = engine.query(&model, &Targets::All, &evidence);
        match Enumeration::default().query(&model, &Targets::All, &evidence) {
            Err(_) => prop_assert_eq!(own.unwrap_err(), Error::ImpossibleEvidence),
            Ok(known) => {
                let own = own.unwrap();
                prop_assert!((own.ln_z().exact().unwrap() - known.ln_z().value()).abs() < 1e-10);
                for v in model.variables().ids() {
                    assert_close(own.marginal(v).unwrap(), known.marginal(v).unwrap(), 1e-10, "forest");
                }
            }
        }
    }
}

/// Networks and fields with zeros and factors of any number of variables.
#[test]
fn the_reference_is_bounded() {
    for case in reference_cases() {
        let engine = TreeReweighted { max_iterations: 200, tree_steps: 3, ..TreeReweighted::default() };
        for question in &case.questions {
            let (own, Some(answer)) =
                (engine.query(&*case.model, &Targets::All, &question.evidence), &question.answer)
            else {
                continue;
            };
            let bound = own.unwrap().ln_z().value();
            assert!(bound >= answer.ln_z - 1e-9, "{}: {bound} {}", case.name, answer.ln_z);
        }
    }
}

/// Four friends: the best trees leave out each edge equally often, and are less sure than belief propagation.
#[test]
fn friends_are_less_sure_of_themselves() {
    let model = voting();
    let own = TreeReweighted::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!(own.report().converged);
    let LnZ::Upper(bound) = own.ln_z() else { panic!("the ring is no forest") };
    assert!(bound > 11327_f64.ln() && bound < 11327_f64.ln() + 0.25, "{bound}");
    let loopy = BeliefPropagation::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    for v in model.variables().ids() {
        assert!(own.marginal(v).unwrap()[1] < loopy.marginal(v).unwrap()[1]);
    }
    // By symmetry each edge appears in three of four trees: the value of the bound by its formula, ∑ E ln φ +
    // ∑ H - ∑ ρ I, at the beliefs of one edge that maximise it (golden section over a symmetric family).
    let value = |p11: f64, p00: f64| {
        let off = (1.0 - p11 - p00) / 2.0;
        let entropy = |p: f64| -p * p.ln();
        let one = p11 + off;
        let h = entropy(one) + entropy(1.0 - one);
        let joint = entropy(p11) + entropy(p00) + 2.0 * entropy(off);
        4.0 * (p11 * 10_f64.ln() + p00 * 5_f64.ln() + h - 0.75 * (2.0 * h - joint))
    };
    let mut best = f64::NEG_INFINITY;
    for i in 1..1000 {
        for j in 1..200 {
            let (p11, p00) = (f64::from(i) / 1000.0, f64::from(j) / 1000.0);
            if p11 + p00 < 1.0 {
                best = best.max(value(p11, p00));
            }
        }
    }
    assert!(bound >= best - 1e-9 && bound - best < 1e-3, "{bound} {best}");
}

/// Two factors of the same pair, one the other way round, are one edge, and one edge is no loop.
#[test]
fn factors_of_one_pair_are_one_edge() {
    let [a, b] = [0, 1].map(VarId::new);
    let tables = vec![
        Table::new(vec![a, b], vec![2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap(),
        Table::new(vec![b, a], vec![3, 2], vec![2.0, 0.5, 1.0, 3.0, 0.1, 4.0]).unwrap(),
    ];
    let model = MarkovRandomField::new(Variables::numbered(&[2, 3]).unwrap(), tables).unwrap();
    let own = TreeReweighted { tolerance: 1e-13, ..TreeReweighted::default() };
    let own = own.query(&model, &Targets::All, &Evidence::none()).unwrap();
    let known = Enumeration::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!((own.ln_z().exact().unwrap() - known.ln_z().value()).abs() < 1e-12);
    assert_close(own.marginal(b).unwrap(), known.marginal(b).unwrap(), 1e-12, "pair");
}

#[test]
fn options_that_cannot_be_are_refused() {
    for damping in [-0.1, 1.0, f64::NAN] {
        let engine = TreeReweighted { damping, ..TreeReweighted::default() };
        assert!(matches!(engine.plan(&voting(), &Targets::All), Err(Error::Parameter(_))));
    }
    assert!(
        TreeReweighted { tolerance: -1.0, ..TreeReweighted::default() }
            .plan(&voting(), &Targets::All)
            .is_err()
    );
}
