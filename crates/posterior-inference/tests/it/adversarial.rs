//! Models that nobody would write, through every engine: all say what enumeration says.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod junction_tree;
mod large;
mod models;

use posterior_graph::Heuristic;
use posterior_inference::{
    BeliefPropagation, Beliefs, Budget, Conditioning, Engine, Enumeration, Error, FactorEngine, JoinGraph,
    JointEngine, LnZ, MapEngine, MeanField, OrderChoice, Targets, TreeReweighted, VariableElimination,
    eliminate,
};
use posterior_pgm::{Counting, Evidence, Finding, GraphicalModel, LogSumProduct, MaxSum, Table, VarId};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::any_model::{Random, shuffled};
use models::adversary;

/// Probabilities, absolute: tables have numbers from 5e-324 (which has one digit) to 1e300.
const NEAR: f64 = 1e-10;

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= NEAR
}

/// ln Z, whose parts can be ±700 each.
fn near_ln(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-10 + 1e-13 * b.abs()
}

fn all_near(a: &[f64], b: &[f64], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    assert!(a.iter().zip(b).all(|(a, b)| near(*a, *b)), "{what}: {a:?} instead of {b:?}");
}

fn all_of(model: &dyn GraphicalModel) -> Vec<VarId> {
    model.variables().ids().collect()
}

/// Some variables, in any order.
fn some_of(model: &dyn GraphicalModel, seed: u64) -> Vec<VarId> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let n = model.variables().len();
    let mut some: Vec<VarId> = shuffled(&mut rng, n).into_iter().map(VarId::new).collect();
    some.truncate(rng.random_range(0..=n));
    some
}

/// The answer of an engine that says it is exact is that of enumeration.
fn exact(
    name: &str,
    own: Result<Beliefs, Error>,
    truth: &Result<Beliefs, Error>,
    model: &dyn GraphicalModel,
    targets: &[VarId],
) {
    match (own, truth) {
        (Ok(own), Ok(truth)) => {
            let [a, b] = [&own, truth].map(|beliefs| beliefs.ln_z().exact().unwrap());
            assert!(near_ln(a, b), "{name}: ln Z {a} instead of {b}");
            for v in model.variables().ids() {
                match own.marginal(v) {
                    Some(own) => all_near(own, truth.marginal(v).unwrap(), name),
                    None => assert!(!targets.contains(&v), "{name}: {v:?} has no marginal"),
                }
            }
        }
        (own, truth) => assert_eq!(own.err(), truth.clone().err(), "{name}"),
    }
}

fn orders() -> [OrderChoice; 3] {
    [
        OrderChoice::Cheapest,
        OrderChoice::Heuristic(Heuristic::MinFill),
        OrderChoice::Heuristic(Heuristic::MinNeighbours),
    ]
}

fn exact_engines(model: &dyn GraphicalModel, evidence: &Evidence, seed: u64) {
    let truth = Enumeration::default().query(model, &Targets::All, evidence);
    let some = some_of(model, seed);
    let repeated = [some.clone(), some.clone()].concat();
    for (targets, list) in [(Targets::All, all_of(model)), (Targets::These(repeated), some)] {
        for order in orders() {
            let engine = VariableElimination { order, ..VariableElimination::default() };
            exact("ve", engine.query(model, &targets, evidence), &truth, model, &list);
        }
        for largest in [0, 2, 6, u64::MAX] {
            let engine = Conditioning { largest: Some(largest), ..Conditioning::default() };
            exact("conditioning", engine.query(model, &targets, evidence), &truth, model, &list);
        }
        exact("conditioning", Conditioning::default().query(model, &targets, evidence), &truth, model, &list);
    }
}

/// Engines that may be approximate: right where they say they are exact, bounds where they say so, and
/// numbers always.
fn other_engines(model: &dyn GraphicalModel, evidence: &Evidence) {
    let truth = Enumeration::default().query(model, &Targets::All, evidence);
    let ln_z = truth.as_ref().map_or(f64::NEG_INFINITY, |own| own.ln_z().value());
    let all = all_of(model);
    let small = JoinGraph { i_bound: 1, max_iterations: 50, bound_iterations: 4, ..JoinGraph::default() };
    let answers = [
        (
            "bp",
            BeliefPropagation { max_iterations: 50, ..BeliefPropagation::default() }.query(
                model,
                &Targets::All,
                evidence,
            ),
        ),
        (
            "trw",
            (TreeReweighted { max_iterations: 50, tree_steps: 2, ..TreeReweighted::default() }).query(
                model,
                &Targets::All,
                evidence,
            ),
        ),
        (
            "mean-field",
            MeanField { max_iterations: 20, restarts: 1, seed: 3, ..MeanField::default() }.query(
                model,
                &Targets::All,
                evidence,
            ),
        ),
        ("join graph, exact", JoinGraph::default().query(model, &Targets::All, evidence)),
        ("join graph", small.query(model, &Targets::All, evidence)),
    ];
    for (name, own) in answers {
        let own = match own {
            Ok(own) => own,
            Err(error) => {
                // Only what is impossible may be called so.
                assert!(error.is_impossible_evidence() && truth.is_err(), "{name}: {error}");
                continue;
            }
        };
        for &v in &all {
            let marginal = own.marginal(v).unwrap();
            assert!(near(marginal.iter().sum(), 1.0), "{name}: {marginal:?}");
            assert!(marginal.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)), "{name}: {marginal:?}");
        }
        let slack = 1e-9 + 1e-12 * ln_z.abs();
        match own.ln_z() {
            LnZ::Exact(_) => exact(name, Ok(own), &truth, model, &all),
            LnZ::Between { lower, upper, value } => {
                let holds = lower <= ln_z + slack && ln_z <= upper + slack;
                assert!(holds && lower <= value && value <= upper, "{name}: {lower} {ln_z} {upper}");
            }
            LnZ::Lower(bound) => assert!(
                bound == f64::NEG_INFINITY || bound <= ln_z + slack,
                "{name}: {bound} is above {ln_z}"
            ),
            LnZ::Upper(bound) => {
                assert!(truth.is_err() || bound >= ln_z - slack, "{name}: {bound} is below {ln_z}");
            }
            LnZ::Approximate(value) => assert!(value.is_finite(), "{name}: {value}"),
            other => assert!(matches!(other, LnZ::Exact(_)), "{name}: {other:?}"),
        }
    }
}

fn joint_of<E: JointEngine>(
    engine: &E,
    model: &dyn GraphicalModel,
    evidence: &Evidence,
    of: &[VarId],
) -> Result<Table, Error> {
    engine.joint(model, &engine.plan(model, &Targets::These(of.to_vec()))?, evidence, of)
}

fn same_table(name: &str, own: Result<Table, Error>, truth: &Result<Table, Error>) {
    match (own, truth) {
        (Ok(own), Ok(truth)) => {
            assert_eq!((own.scope(), own.cards()), (truth.scope(), truth.cards()), "{name}");
            all_near(own.values(), truth.values(), name);
        }
        (own, truth) => assert_eq!(own.err(), truth.clone().err(), "{name}"),
    }
}

fn joints(model: &dyn GraphicalModel, evidence: &Evidence, seed: u64) {
    let mut reversed = all_of(model);
    reversed.reverse();
    for of in [Vec::new(), reversed, some_of(model, seed), evidence.states().map(|(v, _)| v).collect()] {
        let truth = joint_of(&Enumeration::default(), model, evidence, &of);
        same_table("joint ve", joint_of(&VariableElimination::default(), model, evidence, &of), &truth);
        let bp = BeliefPropagation::default();
        if bp.query(model, &Targets::All, evidence).is_ok_and(|own| own.ln_z().exact().is_some()) {
            match joint_of(&bp, model, evidence, &of) {
                Err(Error::NoJoint { .. }) => {}
                own => same_table("joint bp", own, &truth),
            }
        }
    }
}

fn families_of<E: FactorEngine>(name: &str, engine: &E, model: &dyn GraphicalModel, evidence: &Evidence) {
    let truth = Enumeration::default();
    let truth = truth.factor_marginals(model, &truth.plan(model, &Targets::All).unwrap(), evidence);
    let own =
        engine.plan(model, &Targets::All).and_then(|plan| engine.factor_marginals(model, &plan, evidence));
    match (own, &truth) {
        (Ok((_, LnZ::Approximate(_))), _) => {}
        (Ok((own, ln_z)), Ok((truth, true_ln_z))) => {
            assert!(near_ln(ln_z.value(), true_ln_z.value()), "{name}");
            assert_eq!(own.len(), truth.len());
            for (own, truth) in own.into_iter().zip(truth) {
                same_table(name, Ok(own), &Ok(truth.clone()));
            }
        }
        (own, truth) => assert_eq!(own.err(), truth.as_ref().err().cloned(), "{name}"),
    }
}

/// The ln score of every possible joint state, best first.
fn scores(model: &dyn GraphicalModel, evidence: &Evidence) -> Vec<f64> {
    let mut states = vec![0; model.variables().len()];
    let mut scores = Vec::new();
    loop {
        let score = score(model, evidence, &states);
        if score > f64::NEG_INFINITY {
            scores.push(score);
        }
        let Some(i) = (0..states.len()).rev().find(|&i| states[i] + 1 < model.variables().cards()[i]) else {
            break;
        };
        states[i] += 1;
        states[i + 1..].fill(0);
    }
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

fn score(model: &dyn GraphicalModel, evidence: &Evidence, states: &[usize]) -> f64 {
    let of_factor = |factor: &Table| {
        let own: Vec<usize> = factor.scope().iter().map(|v| states[v.index()]).collect();
        factor.at(&own).ln()
    };
    let of_finding = |(v, finding): (VarId, &Finding)| match finding {
        Finding::State(state) if *state == states[v.index()] => 0.0,
        Finding::Likelihood(likelihood) => likelihood[states[v.index()]].ln(),
        _ => f64::NEG_INFINITY,
    };
    model.factors().iter().map(of_factor).sum::<f64>() + evidence.iter().map(of_finding).sum::<f64>()
}

fn best_states(model: &dyn GraphicalModel, evidence: &Evidence, seed: u64) {
    let scores = scores(model, evidence);
    let engines: [(&str, &dyn MapEngine); 3] = [
        ("ve", &VariableElimination::default()),
        ("bp", &BeliefPropagation { max_iterations: 50, ..BeliefPropagation::default() }),
        ("enumeration", &Enumeration::default()),
    ];
    for (name, engine) in engines {
        match (engine.most_probable(model, evidence), scores.first()) {
            (Ok(own), _) if !own.optimal => {
                assert_eq!(own.states.len(), model.variables().len());
                assert!(own.ln_value <= scores.first().map_or(f64::NEG_INFINITY, |best| best + 1e-9));
            }
            (Ok(own), Some(&best)) => {
                assert!(near_ln(own.ln_value, best), "{name}: {} instead of {best}", own.ln_value);
                assert!(near_ln(score(model, evidence, &own.states), best), "{name}");
            }
            (own, best) => {
                assert_eq!(own.err(), Some(Error::ImpossibleEvidence), "{name}");
                assert!(best.is_none(), "{name}");
            }
        }
    }
    let k = 1 + usize::try_from(seed % 50).unwrap();
    match VariableElimination::default().k_best(model, evidence, k) {
        Ok(own) => {
            assert_eq!(own.len(), k.min(scores.len()));
            assert!(
                own.iter().zip(&scores).all(|(own, score)| near_ln(own.ln_value, *score)),
                "{own:?} {scores:?}"
            );
        }
        error => {
            assert_eq!(error, Err(Error::ImpossibleEvidence));
            assert!(scores.is_empty());
        }
    }
    let some = some_of(model, seed);
    let own = VariableElimination::default().most_probable_of(model, evidence, &some);
    if scores.is_empty() {
        assert_eq!(own, Err(Error::ImpossibleEvidence));
        return;
    }
    let own = own.unwrap();
    let truth = joint_of(&Enumeration::default(), model, evidence, &some).unwrap();
    let ln_z = Enumeration::default().query(model, &Targets::All, evidence).unwrap().ln_z().value();
    let peak = truth.values().iter().copied().fold(0.0, f64::max);
    assert!(
        near_ln(own.ln_value, peak.ln() + ln_z),
        "marginal MAP: {} instead of {}",
        own.ln_value,
        peak.ln() + ln_z
    );
    assert!(truth.at(&own.states) >= peak - NEAR, "marginal MAP");
}

/// One elimination over each semiring, with the evidence as tables.
fn semirings(model: &dyn GraphicalModel, evidence: &Evidence) {
    let mut tables: Vec<Table> = model.factors().to_vec();
    for v in model.variables().ids() {
        let card = model.variables().card(v);
        let values = match evidence.get(v) {
            Some(Finding::State(state)) => (0..card).map(|own| f64::from(own == *state)).collect(),
            Some(Finding::Likelihood(likelihood)) => likelihood.clone(),
            _ => vec![1.0; card],
        };
        tables.push(Table::new(vec![v], vec![card], values).unwrap());
    }
    let order = all_of(model);
    let scores = scores(model, evidence);
    let logs: Vec<Table> = tables.iter().map(|table| table.map(f64::ln)).collect();
    let best = eliminate::<MaxSum>(&logs, &order, Budget::bytes(1 << 20)).unwrap().values()[0];
    let count: Vec<Table<u64>> =
        tables.iter().map(|table| table.map(|value| u64::from(value > 0.0))).collect();
    let count = eliminate::<Counting>(&count, &order, Budget::bytes(1 << 20)).unwrap().values()[0];
    assert_eq!(count, scores.len() as u64);
    let sum = eliminate::<LogSumProduct>(&logs, &order, Budget::bytes(1 << 20)).unwrap().values()[0];
    match Enumeration::default().query(model, &Targets::All, evidence) {
        Ok(truth) => {
            assert!(near_ln(best, scores[0]));
            assert!(near_ln(sum, truth.ln_z().value()));
        }
        Err(_) => assert_eq!((best, sum), (f64::NEG_INFINITY, f64::NEG_INFINITY)),
    }
}

/// How many models each claim is held against.
const CASES: u64 = 300;

/// That the claim holds of the first adversaries; tells the seeds of all for which it does not.
fn hold(claim: impl Fn(&dyn GraphicalModel, &Evidence, u64)) {
    let broken = (0..CASES).filter(|&seed| {
        let Random { model, evidence } = adversary(seed);
        let run = std::panic::AssertUnwindSafe(|| claim(&*model, &evidence, seed));
        std::panic::catch_unwind(run)
            .inspect_err(|_| {
                eprintln!("seed {seed}, {:?} {:?} {evidence:?}", model.variables().cards(), model.factors());
            })
            .is_err()
    });
    assert_eq!(broken.collect::<Vec<u64>>(), Vec::<u64>::new());
}

#[test]
fn exact_engines_agree() {
    hold(exact_engines);
}

#[test]
fn other_engines_do_not_lie() {
    hold(|model, evidence, _| other_engines(model, evidence));
}

#[test]
fn joints_agree() {
    hold(joints);
}

#[test]
fn families_agree() {
    hold(|model, evidence, _| families_of("families bp", &BeliefPropagation::default(), model, evidence));
}

#[test]
fn best_states_agree() {
    hold(best_states);
}

#[test]
fn semirings_agree() {
    hold(|model, evidence, _| semirings(model, evidence));
}
