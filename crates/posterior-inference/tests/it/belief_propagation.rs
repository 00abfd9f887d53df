//! Belief propagation: exact on forests, against enumeration; approximate elsewhere, with the numbers that
//! are known.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    BeliefPropagation, Damping, Engine, Enumeration, Error, FactorEngine, JointEngine, LnZ, MapEngine,
    Schedule, Targets,
};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use proptest::prelude::*;
use rand::RngExt;

use crate::corpus::{assert_close, reference_cases};
use crate::examples::voting;
use crate::random_models::{evidence, forest, pairwise, rng};

const SCHEDULES: [Schedule; 3] = [Schedule::Sequential, Schedule::Flooding, Schedule::Residual];

fn v(index: usize) -> VarId {
    VarId::new(index)
}

/// Everything that is asked of a forest is exact.
#[track_caller]
fn exact(engine: &BeliefPropagation, model: &MarkovRandomField, evidence: &Evidence) {
    let expected = Enumeration::default().query(model, &Targets::All, evidence);
    let beliefs = engine.query(model, &Targets::All, evidence);
    let best = engine.most_probable(model, evidence);
    let Ok(expected) = expected else {
        assert_eq!(beliefs.unwrap_err(), Error::ImpossibleEvidence);
        assert_eq!(best.unwrap_err(), Error::ImpossibleEvidence);
        return;
    };
    let beliefs = beliefs.unwrap();
    assert!(matches!(beliefs.ln_z(), LnZ::Exact(_)));
    let [ln_z, known] = [&beliefs, &expected].map(|answer| answer.ln_z().value());
    assert!((ln_z - known).abs() <= 1e-12 * (1.0 + known.abs()), "{ln_z} {known}");
    for v in model.variables().ids() {
        assert_close(beliefs.marginal(v).unwrap(), expected.marginal(v).unwrap(), 1e-12, "marginal");
    }
    let best = best.unwrap();
    let known = Enumeration::default().most_probable(model, evidence).unwrap();
    assert!(best.optimal);
    assert!((best.ln_value - known.ln_value).abs() <= 1e-12 * (1.0 + known.ln_value.abs()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn forests_are_exact(seed: u64, zeros in prop_oneof![Just(0.0), Just(0.2), Just(0.6)]) {
        let rng = &mut rng(seed);
        let model = forest(zeros, rng);
        let evidence = evidence(model.variables(), rng);
        for schedule in SCHEDULES {
            exact(&BeliefPropagation { schedule, ..BeliefPropagation::default() }, &model, &evidence);
        }
    }

    #[test]
    fn joints_of_factors_are_exact_on_forests(seed: u64) {
        let rng = &mut rng(seed);
        let model = forest(0.1, rng);
        let evidence = evidence(model.variables(), rng);
        let engine = BeliefPropagation::default();
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let oracle = Enumeration::default().plan(&model, &Targets::All).unwrap();
        for factor in model.factors() {
            let mut asked = factor.scope().to_vec();
            asked.reverse();
            match Enumeration::default().joint(&model, &oracle, &evidence, &asked) {
                Err(error) => prop_assert_eq!(engine.joint(&model, &plan, &evidence, &asked), Err(error)),
                Ok(known) => {
                    let own = engine.joint(&model, &plan, &evidence, &asked).unwrap();
                    prop_assert_eq!(own.scope(), known.scope());
                    assert_close(own.values(), known.values(), 1e-12, "joint");
                }
            }
        }
    }

    #[test]
    fn marginals_of_all_factors_are_exact_on_forests(seed: u64) {
        let rng = &mut rng(seed);
        let model = forest(0.1, rng);
        let evidence = evidence(model.variables(), rng);
        let engine = BeliefPropagation::default();
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let oracle = Enumeration::default().plan(&model, &Targets::All).unwrap();
        match Enumeration::default().factor_marginals(&model, &oracle, &evidence) {
            Err(error) => prop_assert_eq!(engine.factor_marginals(&model, &plan, &evidence), Err(error)),
            Ok((known, _)) => {
                let (own, ln_z) = engine.factor_marginals(&model, &plan, &evidence).unwrap();
                prop_assert!(ln_z.exact().is_some());
                for (own, known) in own.iter().zip(&known) {
                    prop_assert_eq!(own.scope(), known.scope());
                    assert_close(own.values(), known.values(), 1e-12, "factor");
                }
            }
        }
    }

    /// A fixed point of a single loop with positive tables is unique, and where two maxima don't tie the best
    /// state is right (Weiss 2000).
    #[test]
    fn a_single_loop_has_one_fixed_point(seed: u64) {
        let rng = &mut rng(seed);
        let n = rng.random_range(3..7);
        let cards: Vec<usize> = (0..n).map(|_| rng.random_range(2..4)).collect();
        let mut pairs: Vec<(usize, usize)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        pairs.pop();
        pairs.push((0, n - 1));
        let model = pairwise(&cards, &pairs, 1.0, rng);
        let query = |schedule| {
            let engine = BeliefPropagation { schedule, tolerance: 1e-13, ..BeliefPropagation::default() };
            (BeliefPropagation { max_iterations: 100_000, ..engine }).query(&model, &Targets::All, &Evidence::none()).unwrap()
        };
        let [a, b, c] = SCHEDULES.map(query);
        for beliefs in [&b, &c] {
            prop_assert!(beliefs.report().converged);
            prop_assert!((a.ln_z().value() - beliefs.ln_z().value()).abs() < 1e-9);
            for v in model.variables().ids() {
                assert_close(a.marginal(v).unwrap(), beliefs.marginal(v).unwrap(), 1e-9, "loop");
            }
        }
        let known = Enumeration::default().most_probable(&model, &Evidence::none()).unwrap();
        let best = BeliefPropagation::default().most_probable(&model, &Evidence::none()).unwrap();
        if best.optimal {
            prop_assert_eq!(best.states, known.states);
        }
        // Each binary variable prefers the right state, though its probability is wrong.
        if cards.iter().all(|&card| card == 2) {
            let exact = Enumeration::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
            for v in model.variables().ids() {
                let [own, known] = [&a, &exact].map(|beliefs| beliefs.marginal(v).unwrap()[1]);
                prop_assert_eq!(own > 0.5, known > 0.5);
            }
        }
    }

    /// At a fixed point Bethe's free energy by its definition, ∑ₛ (E ln fₛ + Hₛ) - ∑ᵥ (dᵥ - 1) Hᵥ, is the ln
    /// Z that is returned, and beliefs of factors agree with those of their variables.
    #[test]
    fn fixed_points_are_consistent(seed: u64) {
        let rng = &mut rng(seed);
        let pairs = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (3, 4), (1, 4)];
        let model = pairwise(&[2, 3, 2, 2, 3], &pairs, 0.4, rng);
        let engine = BeliefPropagation { tolerance: 1e-13, ..BeliefPropagation::default() };
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let beliefs = engine.infer(&model, &plan, &Evidence::none()).unwrap();
        prop_assert!(beliefs.report().converged);
        let entropy = |p: &[f64]| -p.iter().map(|&p| p * p.ln()).sum::<f64>();
        let mut bethe = 0.0;
        let mut degrees = [0.0; 5];
        for factor in model.factors() {
            let joint = engine.joint(&model, &plan, &Evidence::none(), factor.scope()).unwrap();
            bethe += entropy(joint.values());
            bethe += joint.values().iter().zip(factor.values()).map(|(p, f)| p * f.ln()).sum::<f64>();
            for &v in factor.scope() {
                degrees[v.index()] += 1.0;
                let own = joint.marginal::<posterior_pgm::SumProduct>(&[v]).unwrap();
                assert_close(own.values(), beliefs.marginal(v).unwrap(), 1e-11, "factor and variable");
            }
        }
        for v in model.variables().ids() {
            bethe -= (degrees[v.index()] - 1.0) * entropy(beliefs.marginal(v).unwrap());
        }
        let LnZ::Approximate(ln_z) = beliefs.ln_z() else { panic!("an answer of the wrong kind") };
        prop_assert!((ln_z - bethe).abs() < 1e-10, "{} {}", ln_z, bethe);
    }
}

#[test]
fn the_reference_is_met_where_it_has_no_loop() {
    let mut forests = 0;
    for case in reference_cases() {
        let engine = BeliefPropagation::default();
        let plan = engine.plan(&*case.model, &Targets::All).unwrap();
        for question in &case.questions {
            let beliefs = engine.infer(&*case.model, &plan, &question.evidence);
            let (Ok(beliefs), Some(answer)) = (&beliefs, &question.answer) else { continue };
            let Some(ln_z) = beliefs.ln_z().exact() else { continue };
            forests += 1;
            assert!((ln_z - answer.ln_z).abs() < 1e-13 * (1.0 + answer.ln_z.abs()));
            for v in case.model.variables().ids() {
                assert_close(beliefs.marginal(v).unwrap(), &answer.marginals[v.index()], 1e-13, &case.name);
            }
            let best = engine.most_probable(&*case.model, &question.evidence).unwrap();
            assert!((best.ln_value - answer.best_ln_value).abs() < 1e-13);
            if let Some(states) = &answer.best_states {
                assert_eq!(&best.states, states, "{}", case.name);
            }
        }
    }
    assert!(forests >= 20, "{forests}");
}

#[test]
fn the_evidence_that_reference_calls_impossible_is_refused_or_at_least_not_exact() {
    for case in reference_cases() {
        for question in case.questions.iter().filter(|question| question.answer.is_none()) {
            let engine = BeliefPropagation::default();
            match engine.query(&*case.model, &Targets::All, &question.evidence) {
                Err(error) => assert_eq!(error, Error::ImpossibleEvidence),
                Ok(beliefs) => assert_eq!(beliefs.ln_z().exact(), None, "{}", case.name),
            }
        }
    }
}

/// Four friends in a ring: the messages' fixed point is an eigenvector, and Bethe's Z is λ₁⁴.
#[test]
fn friends_are_too_sure_of_themselves() {
    let model = voting();
    for schedule in SCHEDULES {
        for damping in [Damping::None, Damping::Linear(0.3), Damping::Geometric(0.3)] {
            let engine = BeliefPropagation { schedule, damping, ..BeliefPropagation::default() };
            let plan = engine.plan(&model, &Targets::All).unwrap();
            let beliefs = engine.infer(&model, &plan, &Evidence::none()).unwrap();
            assert!(beliefs.report().converged && beliefs.report().iterations > 1);
            let largest = f64::midpoint(15.0, 29_f64.sqrt());
            assert!((beliefs.ln_z().value() - 4.0 * largest.ln()).abs() < 1e-9);
            assert!((beliefs.ln_z().value() - 9.286640961617).abs() < 1e-9);
            assert!(matches!(beliefs.ln_z(), LnZ::Approximate(_)));
            for friend in 0..4 {
                assert!((beliefs.marginal(v(friend)).unwrap()[1] - 0.96423835).abs() < 1e-8);
            }
            let pair = engine.joint(&model, &plan, &Evidence::none(), &[v(1), v(0)]).unwrap();
            assert_close(pair.values(), &[0.01754298, 0.01821867, 0.01821867, 0.94601967], 1e-8, "pair");
            let best = engine.most_probable(&model, &Evidence::none()).unwrap();
            assert_eq!((best.states, best.optimal), (vec![1; 4], true));
            assert!((best.ln_value - 10_000_f64.ln()).abs() < 1e-12);
        }
    }
}

/// With one vote known the loop is cut, and everything is exact.
#[test]
fn evidence_cuts_loops() {
    let model = voting();
    let evidence = Evidence::of([(v(2), 0)]);
    let beliefs = BeliefPropagation::default().query(&model, &Targets::All, &evidence).unwrap();
    assert!((beliefs.marginal(v(0)).unwrap()[1] - 225.0 / 901.0).abs() < 1e-15);
    assert!((beliefs.ln_z().exact().unwrap() - 901_f64.ln()).abs() < 1e-14);
    assert_eq!(beliefs.marginal(v(2)), Some(&[1.0, 0.0][..]));
}

/// A Markov chain (toolbox INF-07), and Viterbi's path.
#[test]
fn a_chain_forgets_its_start() {
    let n = 200;
    let mut factors = vec![Table::new(vec![v(0)], vec![2], vec![0.5, 0.5]).unwrap()];
    for i in 1..n {
        factors.push(Table::new(vec![v(i - 1), v(i)], vec![2, 2], vec![0.9, 0.1, 0.4, 0.6]).unwrap());
    }
    let model = MarkovRandomField::new(Variables::numbered(&vec![2; n]).unwrap(), factors).unwrap();
    let beliefs = BeliefPropagation::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_close(beliefs.marginal(v(3)).unwrap(), &[0.7625, 0.2375], 1e-15, "third step");
    assert_close(beliefs.marginal(v(n - 1)).unwrap(), &[0.8, 0.2], 1e-14, "stationary");
    assert!(beliefs.ln_z().exact().unwrap().abs() < 1e-13);
    let best = BeliefPropagation::default().most_probable(&model, &Evidence::none()).unwrap();
    assert_eq!(best.states, vec![0; n]);
    assert!((best.ln_value - (0.5_f64.ln() + 199.0 * 0.9_f64.ln())).abs() < 1e-12);
}

/// A thousand witnesses for each of two states, each of whom excludes the other but for 1e-9: numbers
/// underflow, logarithms don't.
#[test]
fn contradicting_witnesses_do_not_underflow() {
    let n = 2001;
    let factors = (1..n)
        .map(|i| {
            let sure = if i % 2 == 0 { [1.0, 1e-9] } else { [1e-9, 1.0] };
            let values = sure.iter().flat_map(|&p| [p, 0.0]).collect();
            Table::new(vec![v(0), v(i)], vec![2, 2], values).unwrap()
        })
        .chain([Table::new(vec![v(0)], vec![2], vec![1.0, 3.0]).unwrap()])
        .collect();
    let model = MarkovRandomField::new(Variables::numbered(&vec![2; n]).unwrap(), factors).unwrap();
    let beliefs = BeliefPropagation::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_close(beliefs.marginal(v(0)).unwrap(), &[0.25, 0.75], 1e-10, "judge");
    let expected = 4_f64.ln() + 1000.0 * 1e-9_f64.ln();
    assert!((beliefs.ln_z().exact().unwrap() / expected - 1.0).abs() < 1e-13);
    let best = BeliefPropagation::default().most_probable(&model, &Evidence::none()).unwrap();
    assert_eq!(best.states[0], 1);
}

/// A frustrated loop with strong couplings goes in circles unless it is damped; the report says both.
#[test]
fn going_in_circles_is_reported() {
    let sign = |same: f64, other: f64| vec![same, other, other, same];
    let table = |a, b, values| Table::new(vec![v(a), v(b)], vec![2, 2], values).unwrap();
    let mut factors = Vec::new();
    for a in 0..4 {
        for b in a + 1..4 {
            factors.push(table(a, b, sign(0.01, 1.0)));
        }
        factors.push(Table::new(vec![v(a)], vec![2], vec![1.0, 1.1]).unwrap());
    }
    let model = MarkovRandomField::new(Variables::numbered(&[2; 4]).unwrap(), factors).unwrap();
    let flooding = BeliefPropagation { schedule: Schedule::Flooding, ..BeliefPropagation::default() };
    let beliefs = flooding.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!(!beliefs.report().converged);
    assert_eq!(beliefs.report().period, Some(2));
    assert!(beliefs.report().residual.unwrap() > 0.1);
    assert_eq!(beliefs.report().iterations, 1000);
    let damped = BeliefPropagation { damping: Damping::Linear(0.5), ..flooding };
    let beliefs = damped.query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!(beliefs.report().converged && beliefs.report().period.is_none());
    let best = flooding.most_probable(&model, &Evidence::none()).unwrap();
    let known = Enumeration::default().most_probable(&model, &Evidence::none()).unwrap();
    assert!(!best.optimal);
    assert!((best.ln_value - known.ln_value).abs() < 1e-12);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let model = voting();
    let engine = BeliefPropagation::default();
    let plan = engine.plan(&model, &Targets::All).unwrap();
    let refusal = engine.joint(&model, &plan, &Evidence::none(), &[v(0), v(2)]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "no joint posterior of A, C: belief propagation knows joint posteriors of variables of one factor"
    );
    for keep in [-0.1, 1.0, f64::NAN] {
        let engine = BeliefPropagation { damping: Damping::Linear(keep), ..engine };
        assert!(matches!(engine.plan(&model, &Targets::All), Err(Error::Parameter(_))));
        assert!(matches!(engine.most_probable(&model, &Evidence::none()), Err(Error::Parameter(_))));
    }
    assert!(BeliefPropagation { tolerance: f64::NAN, ..engine }.plan(&model, &Targets::All).is_err());
    assert!(engine.plan(&model, &Targets::These(vec![v(4)])).is_err());
    let small = MarkovRandomField::new(Variables::numbered(&[2]).unwrap(), vec![]).unwrap();
    assert!(matches!(engine.infer(&small, &plan, &Evidence::none()), Err(Error::OtherModel { .. })));
    assert!(engine.infer(&model, &plan, &Evidence::of([(v(9), 0)])).is_err());
}
