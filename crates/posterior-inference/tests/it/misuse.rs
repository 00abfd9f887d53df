//! What callers should not do: errors, never panics and never numbers that mean nothing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::learning::{FittingOptions, fit_marginals};
use posterior_inference::{
    BeliefPropagation, Budget, Conditioning, Damping, Engine, Enumeration, Error, JeffreyOptions, JoinGraph,
    JointEngine, JunctionTree, LnZ, MapEngine, MeanField, Need, Schedule, Targets, TreeReweighted,
    VariableElimination, impact, jeffrey,
};
use posterior_math::iteration::Silent;
use posterior_pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};

fn field(cards: &[usize], tables: Vec<Table>) -> MarkovRandomField {
    MarkovRandomField::new(Variables::numbered(cards).unwrap(), tables).unwrap()
}

/// A ring of three, with one factor for each pair.
fn ring() -> MarkovRandomField {
    let edge =
        |a, b| Table::new(vec![VarId::new(a), VarId::new(b)], vec![2, 2], vec![2.0, 1.0, 1.0, 3.0]).unwrap();
    field(&[2; 3], vec![edge(0, 1), edge(1, 2), edge(2, 0)])
}

/// Plans of a ring of three are no use for one variable, whatever the engine: an error, or the right answer.
fn plan_of_a_larger_model<E: Engine>(engine: &E) {
    let plan = engine.plan(&ring(), &Targets::All).unwrap();
    let one = field(&[2], vec![Table::new(vec![VarId::new(0)], vec![2], vec![1.0, 3.0]).unwrap()]);
    let error = engine.infer(&one, &plan, &Evidence::none()).unwrap_err();
    assert!(matches!(error, Error::Model(_) | Error::OtherModel { .. }), "{error}");
}

#[test]
fn plans_of_larger_models_are_refused() {
    plan_of_a_larger_model(&Enumeration::default());
    plan_of_a_larger_model(&VariableElimination::default());
    plan_of_a_larger_model(&VariableElimination { need: Need::Posterior, ..VariableElimination::default() });
    plan_of_a_larger_model(&JunctionTree::default());
    plan_of_a_larger_model(&Conditioning::default());
    plan_of_a_larger_model(&BeliefPropagation::default());
    plan_of_a_larger_model(&MeanField::default());
    plan_of_a_larger_model(&TreeReweighted::default());
    plan_of_a_larger_model(&JoinGraph::default());
}

fn bad_evidence<E: Engine>(engine: &E) {
    let [v, nobody] = [0, 7].map(VarId::new);
    for evidence in [
        Evidence::of([(v, 2)]),
        Evidence::of([(nobody, 0)]),
        Evidence::none().with_likelihood(v, vec![1.0]),
        Evidence::none().with_likelihood(v, vec![f64::NAN, 1.0]),
        Evidence::none().with_likelihood(v, vec![f64::INFINITY, 1.0]),
        Evidence::none().with_likelihood(v, vec![-1.0, 1.0]),
        Evidence::none().with_likelihood(v, vec![0.0, 0.0]),
    ] {
        for targets in [Targets::All, Targets::These(vec![v]), Targets::These(Vec::new())] {
            let error = engine.query(&ring(), &targets, &evidence).unwrap_err();
            assert!(matches!(error, Error::Model(_)), "{error}");
        }
    }
    let error = engine.query(&ring(), &Targets::These(vec![v, nobody]), &Evidence::none()).unwrap_err();
    assert!(matches!(error, Error::Model(_)), "{error}");
}

#[test]
fn evidence_that_cannot_be_is_refused_by_all() {
    bad_evidence(&Enumeration::default());
    bad_evidence(&VariableElimination::default());
    bad_evidence(&VariableElimination { need: Need::Posterior, ..VariableElimination::default() });
    bad_evidence(&JunctionTree::default());
    bad_evidence(&Conditioning::default());
    bad_evidence(&BeliefPropagation::default());
    bad_evidence(&MeanField::default());
    bad_evidence(&TreeReweighted::default());
    bad_evidence(&JoinGraph::default());
}

#[test]
fn without_memory_or_time_nothing_is_computed() {
    let none = Budget::bytes(0);
    let seen = Evidence::none();
    let ve = VariableElimination { budget: none, ..VariableElimination::default() };
    assert!(ve.query(&ring(), &Targets::All, &seen).unwrap_err().is_too_large());
    assert!(ve.most_probable(&ring(), &seen).unwrap_err().is_too_large());
    assert!(ve.k_best(&ring(), &seen, 3).unwrap_err().is_too_large());
    assert!(ve.most_probable_of(&ring(), &seen, &[VarId::new(1)]).unwrap_err().is_too_large());
    assert!(
        (JunctionTree { budget: none, ..JunctionTree::default() })
            .plan(&ring(), &Targets::All)
            .unwrap_err()
            .is_too_large()
    );
    let join_graph = JoinGraph { budget: none, ..JoinGraph::default() };
    assert!(join_graph.query(&ring(), &Targets::All, &seen).unwrap_err().is_too_large());
    let conditioning = Conditioning { largest: Some(0), operations: 0, ..Conditioning::default() };
    assert!(conditioning.query(&ring(), &Targets::All, &seen).unwrap_err().is_too_large());
    assert_eq!(VariableElimination::default().k_best(&ring(), &seen, 0), Ok(Vec::new()));
    assert_eq!(VariableElimination::default().k_best(&ring(), &seen, usize::MAX).unwrap().len(), 8);
}

/// Options that can't be are refused by plans, and by queries with the plan of an engine that had others.
fn bad_options<E: Engine>(good: &E, bad: &E) {
    let plan = good.plan(&ring(), &Targets::All).unwrap();
    assert!(matches!(bad.plan(&ring(), &Targets::All), Err(Error::Parameter(_))));
    assert!(matches!(bad.infer(&ring(), &plan, &Evidence::none()), Err(Error::Parameter(_))));
}

#[test]
fn options_that_cannot_be_are_refused() {
    let bp = BeliefPropagation::default();
    for tolerance in [f64::NAN, -1.0, f64::INFINITY] {
        if tolerance != f64::INFINITY {
            bad_options(&MeanField::default(), &MeanField { tolerance, ..MeanField::default() });
            bad_options(
                &TreeReweighted::default(),
                &TreeReweighted { tolerance, ..TreeReweighted::default() },
            );
            bad_options(&bp, &BeliefPropagation { tolerance, ..bp });
            bad_options(&JoinGraph::default(), &JoinGraph { tolerance, ..JoinGraph::default() });
            let options = JeffreyOptions { tolerance, ..JeffreyOptions::default() };
            let beliefs = [(VarId::new(0), vec![0.5, 0.5])];
            let engine = VariableElimination::default();
            let answer = jeffrey(&engine, &ring(), &Evidence::none(), &beliefs, &options, &mut Silent);
            assert!(matches!(answer, Err(Error::Parameter(_))));
            let options = FittingOptions { tolerance, ..FittingOptions::default() };
            let targets = [Table::new(vec![VarId::new(0)], vec![2], vec![0.5, 0.5]).unwrap()];
            let variables = Variables::numbered(&[2]).unwrap();
            let fit = fit_marginals(&Enumeration::default(), variables, &targets, &options, &mut Silent);
            assert!(matches!(fit, Err(Error::Parameter(_))));
        }
    }
    for damping in [1.0, -0.1, f64::NAN, f64::INFINITY] {
        for damping in [Damping::Linear(damping), Damping::Geometric(damping)] {
            bad_options(&bp, &BeliefPropagation { damping, ..bp });
            let bad = BeliefPropagation { damping, ..bp };
            assert!(matches!(bad.most_probable(&ring(), &Evidence::none()), Err(Error::Parameter(_))));
            let plan = bp.plan(&ring(), &Targets::All).unwrap();
            let joint = bad.joint(&ring(), &plan, &Evidence::none(), &[VarId::new(0)]);
            assert!(matches!(joint, Err(Error::Parameter(_))));
        }
        bad_options(&TreeReweighted::default(), &TreeReweighted { damping, ..TreeReweighted::default() });
    }
}

#[test]
fn who_may_not_iterate_says_that_nothing_converged() {
    for schedule in [Schedule::Sequential, Schedule::Flooding, Schedule::Residual] {
        let bp = BeliefPropagation { schedule, max_iterations: 0, ..BeliefPropagation::default() };
        let beliefs = bp.query(&ring(), &Targets::All, &Evidence::none()).unwrap();
        let report = beliefs.report();
        assert_eq!((report.iterations, report.converged, report.period), (0, false, None), "{schedule:?}");
        assert!(beliefs.ln_z().value().is_finite());
    }
    let beliefs = (MeanField { max_iterations: 0, ..MeanField::default() }).query(
        &ring(),
        &Targets::All,
        &Evidence::none(),
    );
    assert!(!beliefs.unwrap().report().converged);
    let trw = (TreeReweighted { max_iterations: 0, ..TreeReweighted::default() }).query(
        &ring(),
        &Targets::All,
        &Evidence::none(),
    );
    let trw = trw.unwrap();
    assert!(!trw.report().converged && matches!(trw.ln_z(), LnZ::Upper(_)));
}

#[test]
fn joints_of_repeated_variables_are_refused() {
    let v = VarId::new(0);
    // A table of so many repetitions would not fit into any memory.
    for of in [vec![v, v], vec![v; 100]] {
        let engine = Enumeration::default();
        let plan = engine.plan(&ring(), &Targets::All).unwrap();
        assert!(matches!(engine.joint(&ring(), &plan, &Evidence::none(), &of), Err(Error::Model(_))));
        let engine = VariableElimination::default();
        let plan = engine.plan(&ring(), &Targets::All).unwrap();
        assert!(matches!(engine.joint(&ring(), &plan, &Evidence::none(), &of), Err(Error::Model(_))));
        let engine = JunctionTree::default();
        let plan = engine.plan(&ring(), &Targets::All).unwrap();
        assert!(matches!(engine.joint(&ring(), &plan, &Evidence::none(), &of), Err(Error::Model(_))));
        let engine = BeliefPropagation::default();
        let plan = engine.plan(&ring(), &Targets::All).unwrap();
        assert!(engine.joint(&ring(), &plan, &Evidence::none(), &of).is_err());
        assert!(engine.joint(&ring(), &plan, &Evidence::of([(v, 1)]), &of).is_err());
    }
}

#[test]
fn marginal_maxima_are_found_where_products_have_no_exponent() {
    // f(a) g(a) is 1 in one state, and 1/2 in the other, though beside its greatest number each has one of
    // 1e-600.
    let a = VarId::new(0);
    let table = |values| Table::new(vec![a], vec![2], values).unwrap();
    let model = field(&[2], vec![table(vec![1e300, 1e-300]), table(vec![1e-300, 5e299])]);
    let best = VariableElimination::default().most_probable_of(&model, &Evidence::none(), &[a]).unwrap();
    assert_eq!(best.states, [0]);
    assert!(best.ln_value.abs() < 1e-9, "{}", best.ln_value);
}

#[test]
fn beliefs_can_be_in_what_was_all_but_impossible() {
    let a = VarId::new(0);
    let model = field(&[2], vec![Table::new(vec![a], vec![2], vec![1.0, 1e-310]).unwrap()]);
    let beliefs = [(a, vec![0.25, 0.75])];
    let engine = VariableElimination::default();
    let options = JeffreyOptions::default();
    let fit = jeffrey(&engine, &model, &Evidence::none(), &beliefs, &options, &mut Silent).unwrap();
    let own = engine.query(&model, &Targets::All, &fit.model).unwrap();
    assert!((own.marginal(a).unwrap()[1] - 0.75).abs() < 1e-9 && fit.report.converged());
}

#[test]
fn nobody_asks_what_was_seen() {
    let v = VarId::new(0);
    let engine = VariableElimination::default();
    let seen = Evidence::of([(v, 1)]);
    assert!(matches!(impact(&engine, &ring(), &seen, v, &Targets::All), Err(Error::Model(_))));
    assert!(matches!(impact(&engine, &ring(), &seen, VarId::new(9), &Targets::All), Err(Error::Model(_))));
    // Those that were seen are no candidates.
    let impacts = impact(&engine, &ring(), &seen, VarId::new(1), &Targets::All).unwrap();
    assert_eq!(impacts.iter().map(|own| own.variable.index()).collect::<Vec<_>>(), [2]);
}

#[test]
fn impossible_outcomes_leave_the_target_as_it_is() {
    let [a, b] = [0, 1].map(VarId::new);
    let table = Table::new(vec![a, b], vec![2, 3], vec![1.0, 0.0, 1.0, 3.0, 0.0, 3.0]).unwrap();
    let impacts = impact(
        &VariableElimination::default(),
        &field(&[2, 3], vec![table]),
        &Evidence::none(),
        a,
        &Targets::All,
    );
    let outcome = &impacts.unwrap()[0].outcomes[1];
    assert_eq!((outcome.probability, outcome.posterior.as_slice()), (0.0, &[0.25, 0.75][..]));
}

#[test]
fn of_equally_good_states_the_first_is_taken() {
    let model = field(
        &[3, 2],
        vec![Table::new(vec![VarId::new(0), VarId::new(1)], vec![3, 2], vec![1.0; 6]).unwrap()],
    );
    let seen = Evidence::none();
    let engine = VariableElimination::default();
    assert_eq!(engine.most_probable(&model, &seen).unwrap().states, [0, 0]);
    assert_eq!(engine.most_probable_of(&model, &seen, &[VarId::new(0)]).unwrap().states, [0]);
    assert_eq!(engine.k_best(&model, &seen, 1).unwrap()[0].states, [0, 0]);
    assert_eq!(BeliefPropagation::default().most_probable(&model, &seen).unwrap().states, [0, 0]);
}
