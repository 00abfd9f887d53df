//! Join-graph propagation: exact where clusters are large enough, bounded where they are not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    BeliefPropagation, Beliefs, Budget, Engine, Enumeration, Error, JoinGraph, LnZ, Targets,
};
use posterior_pgm::{Evidence, GraphicalModel};
use proptest::prelude::*;

use crate::any_model;
use crate::corpus::{assert_close, marginals_agree};
use crate::examples::voting;
use crate::fields::{Contest, contest, ising};
use crate::random_models::{pairwise, rng};

/// Pairs of a ladder of five steps with diagonals: its width is 3.
const LADDER: [(usize, usize); 17] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (8, 9),
    (0, 2),
    (1, 3),
    (2, 4),
    (3, 5),
    (4, 6),
    (5, 7),
    (6, 8),
    (7, 9),
    (0, 3),
    (2, 5),
    (4, 7),
    (6, 9),
];

#[test]
fn the_corpus_is_exact() {
    marginals_agree(&JoinGraph::default(), 1e-11);
}

/// Whether the truth is where an answer says that it is.
fn holds(ln_z: LnZ, truth: f64) -> bool {
    let slack = 1e-9 * (1.0 + truth.abs());
    match ln_z {
        LnZ::Exact(value) => (value - truth).abs() <= slack,
        LnZ::Between { lower, upper, value } => {
            lower <= truth + slack && truth <= upper + slack && lower <= value && value <= upper
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Networks and fields with zeros, hard and soft evidence, and clusters of any size.
    #[test]
    fn the_truth_is_within_the_bounds(seed: u64, i_bound in 0..3_usize, sweeps in 1..30_usize) {
        let any_model::Random { model, evidence } = any_model::random(seed);
        let truth = Enumeration::default().query(&*model, &Targets::All, &evidence);
        let engine =
            JoinGraph { i_bound, max_iterations: sweeps, bound_iterations: sweeps, ..JoinGraph::default() };
        match (engine.query(&*model, &Targets::All, &evidence), truth) {
            (Ok(own), Ok(truth)) => {
                prop_assert!(holds(own.ln_z(), truth.ln_z().value()), "{:?} {:?}", own.ln_z(), truth.ln_z());
                for v in model.variables().ids() {
                    let own = own.marginal(v).unwrap();
                    prop_assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    // What is possible is not called impossible.
                    for (own, truth) in own.iter().zip(truth.marginal(v).unwrap()) {
                        prop_assert!(*own > 0.0 || *truth == 0.0);
                    }
                }
            }
            (Ok(own), Err(_)) => prop_assert!(!matches!(own.ln_z(), LnZ::Exact(_))),
            (Err(error), truth) => {
                prop_assert_eq!(&error, &Error::ImpossibleEvidence);
                prop_assert!(truth.is_err());
            }
        }
    }

    /// Strong and weak couplings, without zeros: both bounds are finite, and meet at the width of the ladder.
    #[test]
    fn without_zeros_both_bounds_are_finite(seed: u64, scale in prop_oneof![Just(0.3), Just(2.0)]) {
        let model = pairwise(&[2, 3, 2, 2, 3, 2, 2, 2, 3, 2], &LADDER, scale, &mut rng(seed));
        let none = Evidence::none();
        let truth = Enumeration::default().query(&model, &Targets::All, &none).unwrap();
        for i_bound in 1..=3 {
            let engine = JoinGraph { i_bound, max_iterations: 50, bound_iterations: 5, ..JoinGraph::default() };
            let own = engine.query(&model, &Targets::All, &none).unwrap();
            prop_assert!(holds(own.ln_z(), truth.ln_z().value()), "{:?} {:?}", own.ln_z(), truth.ln_z());
            if let LnZ::Between { lower, upper, .. } = own.ln_z() {
                prop_assert!(i_bound < 3 && lower.is_finite() && upper.is_finite());
                continue;
            }
            for v in model.variables().ids() {
                assert_close(own.marginal(v).unwrap(), truth.marginal(v).unwrap(), 1e-11, "exact");
            }
        }
    }

    /// Clusters of two variables: the fixed point is that of belief propagation.
    #[test]
    fn pairs_are_belief_propagation(seed: u64) {
        let model = pairwise(&[2, 3, 2, 2, 3, 2, 2, 2, 3, 2], &LADDER, 0.3, &mut rng(seed));
        let none = Evidence::none();
        let loopy = BeliefPropagation { tolerance: 1e-12, ..BeliefPropagation::default() };
        let loopy = loopy.query(&model, &Targets::All, &none).unwrap();
        let own = JoinGraph { i_bound: 1, tolerance: 1e-11, bound_iterations: 0, ..JoinGraph::default() };
        let own = own.query(&model, &Targets::All, &none).unwrap();
        prop_assert!(own.report().converged && loopy.report().converged);
        prop_assert!((own.ln_z().value() - loopy.ln_z().value()).abs() < 1e-8);
        for v in model.variables().ids() {
            assert_close(own.marginal(v).unwrap(), loopy.marginal(v).unwrap(), 1e-8, "pairs");
        }
    }
}

/// A ring of four: with pairs Bethe's approximation, 4 ln of the larger eigenvalue of [[5, 1], [1, 10]]; with
/// triples exact.
#[test]
fn friends_in_a_ring() {
    let model = voting();
    let ask = |i_bound| {
        let engine = JoinGraph { i_bound, tolerance: 1e-12, ..JoinGraph::default() };
        engine.query(&model, &Targets::All, &Evidence::none()).unwrap()
    };
    let pairs = ask(1);
    let bethe = 4.0 * (0.5 * (15.0 + 29_f64.sqrt())).ln();
    let LnZ::Between { lower, upper, value } = pairs.ln_z() else { panic!("{:?}", pairs.ln_z()) };
    assert!((value - bethe).abs() < 1e-10 && pairs.report().converged, "{value} {bethe}");
    assert!(lower <= 11327_f64.ln() && 11327_f64.ln() <= upper && upper - lower < 0.5, "{lower} {upper}");
    let triples = ask(2);
    assert!((triples.ln_z().exact().unwrap() - 11327_f64.ln()).abs() < 1e-13);
    for v in model.variables().ids() {
        assert!((pairs.marginal(v).unwrap()[1] - 0.964_238_35).abs() < 1e-8);
        assert!((triples.marginal(v).unwrap()[1] - 10_426.0 / 11_327.0).abs() < 1e-13);
    }
}

/// Less memory makes clusters smaller, until there is too little for the factors.
#[test]
fn clusters_fit_in_the_budget() {
    let Some(case) = ising("clusters_fit_in_the_budget").into_iter().find(|case| case.name == "ferro8x8")
    else {
        return;
    };
    let (all, none) = (Targets::All, Evidence::none());
    for kib in [1024, 128, 64, 48] {
        let engine =
            JoinGraph { budget: Budget::bytes(kib << 10), bound_iterations: 0, ..JoinGraph::default() };
        let own = engine.query(&case.model, &all, &none).unwrap();
        assert!(own.report().cost.bytes() <= kib << 10);
        let error = (own.ln_z().value() - case.ln_z).abs();
        assert!(error < 0.1, "{kib}: {error}");
    }
    let engine = JoinGraph { budget: Budget::bytes(4 << 10), ..JoinGraph::default() };
    assert!(engine.query(&case.model, &all, &none).unwrap_err().is_too_large());
}

fn mean_error(case: &Contest, beliefs: &Beliefs) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for v in case.model.variables().ids() {
        for (own, known) in beliefs.marginal(v).unwrap().iter().zip(&case.marginals[v.index()]) {
            sum += (own - known).abs();
            count += 1.0;
        }
    }
    sum / count
}

/// The models of the competition, wide ones last, and spins.
fn all_fields(test: &str) -> Vec<Contest> {
    let mut cases = contest(test, "data/mrf/uai");
    cases.extend(contest(test, "data/mrf/uai_wide"));
    cases.extend(ising(test).into_iter().map(|case| Contest {
        name: case.name,
        marginals: case.plus.iter().map(|&p| vec![1.0 - p, p]).collect(),
        ln_z: Some(case.ln_z),
        evidence: Evidence::none(),
        model: Box::new(case.model),
    }));
    cases
}

/// Models of which clusters of 1024 numbers are no junction tree: the mean error of the marginals of belief
/// propagation, and what it is at most here, rounded up.
const KNOWN: [(&str, f64, f64); 6] = [
    ("Segmentation_13.uai", 0.12, 1e-4),
    ("Pedigree_11.uai", 0.06, 0.005),
    ("ferro8x8", 3e-4, 1e-6),
    ("glass10x10", 0.11, 0.002),
    ("glass10x10_strong", 0.4, 0.006),
    ("torus8x8", 0.03, 0.002),
];

#[test]
fn fields_are_ten_times_nearer_than_by_belief_propagation() {
    let cases = all_fields("fields_are_ten_times_nearer_than_by_belief_propagation");
    for case in &cases {
        let Some(&(_, loopy, known)) = KNOWN.iter().find(|row| row.0 == case.name) else { continue };
        let all = Targets::All;
        let before = BeliefPropagation::default().query(&*case.model, &all, &case.evidence).unwrap();
        let engine = JoinGraph { largest_table: 1 << 10, bound_iterations: 5, ..JoinGraph::default() };
        let own = engine.query(&*case.model, &all, &case.evidence).unwrap();
        let [before, error] = [&before, &own].map(|beliefs| mean_error(case, beliefs));
        assert!(own.report().converged, "{}", case.name);
        assert!(before > loopy && error < known && known <= loopy / 10.0, "{}: {before} {error}", case.name);
        assert!(holds(own.ln_z(), case.ln_z.unwrap()), "{}: {:?}", case.name, own.ln_z());
    }
}

/// Prints a table: for every model belief propagation, and clusters of three sizes.
#[test]
#[ignore = "slow"]
fn all_fields_are_bounded_and_settle() {
    println!("| model | ln Z | loopy | error | largest table | sweeps | error | ln Z from | about | to |");
    for case in &all_fields("all_fields_are_bounded_and_settle") {
        let all = Targets::All;
        let loopy = BeliefPropagation::default().query(&*case.model, &all, &case.evidence).unwrap();
        for power in [6, 10, 14] {
            let engine = JoinGraph { largest_table: 1 << power, ..JoinGraph::default() };
            let own = engine.query(&*case.model, &all, &case.evidence).unwrap();
            let (lower, value, upper) = match own.ln_z() {
                LnZ::Between { lower, upper, value } => (lower, value, upper),
                other => (other.value(), other.value(), other.value()),
            };
            println!(
                "| {} | {:.3} | {} | {:.1e} | 2^{power} | {}{} | {:.1e} | {lower:.3} | {value:.3} | {upper:.3} |",
                case.name,
                case.ln_z.unwrap_or(f64::NAN),
                if loopy.report().converged { "settles" } else { "does not" },
                mean_error(case, &loopy),
                own.report().iterations,
                if own.report().converged { "" } else { " and on" },
                mean_error(case, &own),
            );
            if let Some(truth) = case.ln_z {
                assert!(holds(own.ln_z(), truth), "{}: {:?} {truth}", case.name, own.ln_z());
            }
        }
    }
}
