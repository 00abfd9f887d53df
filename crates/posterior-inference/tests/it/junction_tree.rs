//! The junction tree against the reference table and enumeration.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    Budget, Engine, Enumeration, Error, FactorEngine, JointEngine, JunctionTree, MapEngine, Propagation,
    Targets, VariableElimination,
};
use posterior_pgm::{
    BayesianNetwork, Evidence, Finding, GraphicalModel, MarkovRandomField, Table, VarId, Variables,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::bn_repository::{self, Repository};
use crate::corpus::{assert_close, best_states_agree, joints_agree, marginals_agree};
use crate::examples::{alarm, student, voting};

#[test]
fn it_meets_the_reference() {
    marginals_agree(&JunctionTree::default(), 1e-13);
    joints_agree(&JunctionTree::default(), 1e-13);
    best_states_agree(&JunctionTree::default(), 1e-13);
}

fn prepare(model: &dyn GraphicalModel) -> Propagation<'_> {
    let engine = JunctionTree::default();
    engine.prepare(model, &engine.plan(model, &Targets::All).unwrap()).unwrap()
}

/// A random field: about a third of its values are zero.
fn field() -> impl Strategy<Value = MarkovRandomField> {
    let cards = prop::collection::vec(1_usize..4, 1..8);
    cards
        .prop_flat_map(|cards| {
            let n = cards.len();
            let scope = prop::collection::btree_set(0..n, 0..4.min(n + 1));
            let factor = (
                scope,
                prop::collection::vec(prop_oneof![1 => Just(0.0), 2 => 0.1..3.0_f64], 27),
                any::<bool>(),
            );
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
                Table::new(scope.into_iter().map(VarId::new).collect(), own, values[..cells].to_vec())
                    .unwrap()
            };
            let factors = factors.into_iter().map(table).collect();
            MarkovRandomField::new(variables, factors).unwrap()
        })
}

/// Whether a state was seen, which, or how likely each is.
type Raw = (bool, usize, Vec<f64>);

/// Evidence for the variables of a field: nothing, a state, or likelihoods.
fn evidence() -> impl Strategy<Value = Vec<Option<Raw>>> {
    let finding = (any::<bool>(), 0_usize..3, prop::collection::vec(prop_oneof![Just(0.0), 0.1..2.0_f64], 3));
    prop::collection::vec(prop::option::weighted(0.4, finding), 8)
}

fn findings(variables: &Variables, raw: &[Option<Raw>]) -> Evidence {
    let finding = |(v, raw): (VarId, &Option<Raw>)| {
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

    #[test]
    fn joints_factors_and_best_states_are_enumerations(
        model in field(), raw in evidence(), picks in prop::collection::btree_set(0_usize..8, 0..4)
    ) {
        let evidence = findings(model.variables(), &raw);
        let engine = JunctionTree::default();
        let oracle = Enumeration::default();
        let plan = engine.plan(&model, &Targets::All).unwrap();
        let every = oracle.plan(&model, &Targets::All).unwrap();
        let mut scope: Vec<VarId> = picks.into_iter().filter(|&v| v < model.variables().len()).map(VarId::new).collect();
        scope.reverse();
        let mut propagation = engine.prepare(&model, &plan).unwrap();
        propagation.set_evidence(&evidence).unwrap();
        match oracle.joint(&model, &every, &evidence, &scope) {
            Err(error) => {
                prop_assert_eq!(engine.joint(&model, &plan, &evidence, &scope).unwrap_err(), error.clone());
                prop_assert_eq!(engine.most_probable(&model, &evidence).unwrap_err(), error.clone());
                prop_assert_eq!(engine.factor_marginals(&model, &plan, &evidence).unwrap_err(), error.clone());
                prop_assert_eq!(propagation.joint(&scope).unwrap_err(), error.clone());
                prop_assert_eq!(propagation.most_probable().unwrap_err(), error);
            }
            Ok(expected) => {
                for own in [engine.joint(&model, &plan, &evidence, &scope).unwrap(), propagation.joint(&scope).unwrap()] {
                    prop_assert_eq!(own.scope(), expected.scope());
                    assert_close(own.values(), expected.values(), 1e-12, "joint");
                }
                let best = oracle.most_probable(&model, &evidence).unwrap();
                for own in [engine.most_probable(&model, &evidence).unwrap(), propagation.most_probable().unwrap()] {
                    prop_assert!((own.ln_value - best.ln_value).abs() < 1e-12);
                }
                let (tables, _) = engine.factor_marginals(&model, &plan, &evidence).unwrap();
                let (expected, _) = oracle.factor_marginals(&model, &every, &evidence).unwrap();
                let warm = propagation.factor_marginals().unwrap();
                for ((own, warm), expected) in tables.iter().zip(&warm).zip(&expected) {
                    prop_assert_eq!(own.scope(), expected.scope());
                    assert_close(own.values(), expected.values(), 1e-12, "factor");
                    assert_close(warm.values(), expected.values(), 1e-12, "factor");
                }
            }
        }
    }
}

/// A chain of binary variables that copy their neighbour with probability `stay`, each with an observed leaf.
fn chain(n: usize, stay: f64) -> BayesianNetwork {
    let variables = Variables::numbered(&vec![2; 2 * n]).unwrap();
    let v = VarId::new;
    let rows = |p: f64| vec![p, 1.0 - p, 1.0 - p, p];
    let mut tables = vec![Table::new(vec![v(0)], vec![2], vec![0.5, 0.5]).unwrap()];
    tables.extend((1..n).map(|i| Table::new(vec![v(i - 1), v(i)], vec![2, 2], rows(stay)).unwrap()));
    tables.extend((0..n).map(|i| Table::new(vec![v(i), v(n + i)], vec![2, 2], rows(1e-3)).unwrap()));
    BayesianNetwork::new(variables, tables).unwrap()
}

#[test]
fn nothing_underflows_in_a_long_chain() {
    let n = 1000;
    let model = chain(n, 0.9);
    let evidence = Evidence::of((0..n).map(|i| (VarId::new(n + i), i % 2)));
    // Forwards, in logarithms.
    let emit = |i: usize, state: usize| {
        if i.is_multiple_of(2) == (state == 0) { 1e-3_f64.ln() } else { (1.0_f64 - 1e-3).ln() }
    };
    let add = |a: f64, b: f64| a.max(b) + (-(a - b).abs()).exp().ln_1p();
    let mut alpha = [0.5_f64.ln() + emit(0, 0), 0.5_f64.ln() + emit(0, 1)];
    for i in 1..n {
        let from = |s: usize| add(alpha[s] + 0.9_f64.ln(), alpha[1 - s] + 0.1_f64.ln()) + emit(i, s);
        alpha = [from(0), from(1)];
    }
    let expected = add(alpha[0], alpha[1]);
    let engine = JunctionTree::default();
    let cold = engine.query(&model, &Targets::All, &evidence).unwrap();
    let mut propagation = prepare(&model);
    propagation.set_evidence(&evidence).unwrap();
    for own in [cold.ln_z().value(), propagation.ln_z().unwrap()] {
        assert!((own / expected - 1.0).abs() < 1e-12, "{own} {expected}");
    }
}

/// A hidden coin with n observed tosses: what the first half says against it, the second half says for it.
#[test]
fn evidence_that_cancels_is_not_lost_to_underflow() {
    let n = 2000;
    let variables = Variables::numbered(&vec![2; n + 1]).unwrap();
    let mut tables = vec![Table::new(vec![VarId::new(0)], vec![2], vec![0.3, 0.7]).unwrap()];
    let rows = vec![0.9, 0.1, 0.1, 0.9];
    tables.extend(
        (1..=n).map(|i| Table::new(vec![VarId::new(0), VarId::new(i)], vec![2, 2], rows.clone()).unwrap()),
    );
    let model = BayesianNetwork::new(variables, tables).unwrap();
    let evidence = Evidence::of((1..=n).map(|i| (VarId::new(i), usize::from(2 * i > n))));
    let soft: Evidence = (1..=n)
        .map(|i| {
            (VarId::new(i), Finding::Likelihood(if 2 * i > n { vec![0.0, 1.0] } else { vec![1.0, 0.0] }))
        })
        .collect();
    for evidence in [evidence, soft] {
        let beliefs = JunctionTree::default().query(&model, &Targets::All, &evidence).unwrap();
        assert_close(beliefs.marginal(VarId::new(0)).unwrap(), &[0.3, 0.7], 1e-9, "coin");
        let expected = n as f64 / 2.0 * 0.09_f64.ln();
        assert!((beliefs.ln_z().value() / expected - 1.0).abs() < 1e-12);
        let best = JunctionTree::default().most_probable(&model, &evidence).unwrap();
        assert_eq!(best.states[0], 1);
        assert!((best.ln_value - expected - 0.7_f64.ln()).abs() < 1e-9);
    }
}

#[test]
fn potentials_of_any_size_are_potentials() {
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let [a, b] = [0, 1].map(VarId::new);
    let huge =
        |scale: f64| Table::new(vec![a, b], vec![2, 2], vec![3.0 * scale, scale, 0.0, 2.0 * scale]).unwrap();
    let tables = vec![huge(1e300), huge(1e300), huge(1e-300), huge(1e-300), huge(1e300)];
    let model = MarkovRandomField::new(variables, tables).unwrap();
    let beliefs = JunctionTree::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    let z = 243.0 + 1.0 + 32.0;
    assert_close(beliefs.marginal(a).unwrap(), &[244.0 / z, 32.0 / z], 1e-15, "a");
    assert!((beliefs.ln_z().value() - (z.ln() + 300.0 * 10_f64.ln())).abs() < 1e-12);
    // A factor whose own values are too far apart for products of numbers.
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let wide = |x: f64, y: f64| Table::new(vec![a, b], vec![2, 2], vec![x, 0.0, 0.0, y]).unwrap();
    let tables = vec![wide(1e300, 1e-300), wide(2.0, 1.0), wide(1e-300, 1e300), wide(1e-300, 1e-300)];
    let model = MarkovRandomField::new(variables, tables).unwrap();
    let beliefs = JunctionTree::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert_close(beliefs.marginal(a).unwrap(), &[2.0 / 3.0, 1.0 / 3.0], 1e-12, "wide");
}

#[test]
fn evidence_that_is_taken_back_leaves_no_trace() {
    let model = student();
    let mut propagation = prepare(&model);
    let before = propagation.beliefs().unwrap();
    let seen = Evidence::of([(VarId::new(2), 1), (VarId::new(3), 0)]);
    propagation.set_evidence(&seen).unwrap();
    let during = propagation.beliefs().unwrap();
    propagation.retract(VarId::new(3)).unwrap();
    propagation.observe(VarId::new(4), Finding::Likelihood(vec![0.2, 0.9])).unwrap();
    propagation.retract(VarId::new(4)).unwrap();
    propagation.observe(VarId::new(3), Finding::State(0)).unwrap();
    assert_eq!(propagation.beliefs().unwrap(), during);
    assert_eq!(propagation.evidence(), &seen);
    // Evidence that is impossible, or wrong, does no harm.
    assert!(propagation.observe(VarId::new(9), Finding::State(0)).is_err());
    assert!(propagation.observe(VarId::new(0), Finding::State(2)).is_err());
    assert_eq!(propagation.beliefs().unwrap(), during);
    propagation.set_evidence(&Evidence::none()).unwrap();
    assert_eq!(propagation.beliefs().unwrap(), before);
}

#[test]
fn impossible_evidence_can_be_taken_back() {
    let model = alarm();
    let mut propagation = prepare(&model);
    let before = propagation.beliefs().unwrap();
    // No radio report without an earthquake.
    propagation.set_evidence(&Evidence::of([(VarId::new(1), 0), (VarId::new(3), 1)])).unwrap();
    assert_eq!(propagation.beliefs().unwrap_err(), Error::ImpossibleEvidence);
    assert_eq!(propagation.marginal(VarId::new(0)).unwrap_err(), Error::ImpossibleEvidence);
    assert_eq!(propagation.draw(&mut Pcg64::seed_from_u64(1)).unwrap_err(), Error::ImpossibleEvidence);
    propagation.retract(VarId::new(3)).unwrap();
    propagation.retract(VarId::new(1)).unwrap();
    assert_eq!(propagation.beliefs().unwrap(), before);
}

#[test]
fn a_marginal_on_demand_is_that_of_all() {
    let model = student();
    let mut all = prepare(&model);
    let mut one = prepare(&model);
    for evidence in [Evidence::none(), Evidence::of([(VarId::new(4), 1)])] {
        all.set_evidence(&evidence).unwrap();
        one.set_evidence(&evidence).unwrap();
        let beliefs = all.beliefs().unwrap();
        for v in model.variables().ids() {
            assert_eq!(one.marginal(v).unwrap(), beliefs.marginal(v).unwrap());
        }
    }
}

#[test]
fn draws_follow_the_posterior() {
    let model = student();
    let mut propagation = prepare(&model);
    let evidence = Evidence::of([(VarId::new(4), 1)]).with_likelihood(VarId::new(3), vec![0.2, 0.9]);
    propagation.set_evidence(&evidence).unwrap();
    let scope: Vec<VarId> = [0, 1, 2].map(VarId::new).to_vec();
    let expected = propagation.joint(&scope).unwrap();
    let mut counts = vec![0.0; expected.values().len()];
    let mut rng = Pcg64::seed_from_u64(7);
    let n = 20_000;
    for _ in 0..n {
        let states = propagation.draw(&mut rng).unwrap();
        assert_eq!(states[4], 1);
        counts[(states[0] * 2 + states[1]) * 3 + states[2]] += 1.0 / f64::from(n);
    }
    // Five standard errors of a proportion: a false alarm in 10^5 tests.
    for (count, p) in counts.iter().zip(expected.values()) {
        assert!((count - p).abs() < 5.0 * (p * (1.0 - p) / f64::from(n)).sqrt() + 1e-12, "{count} {p}");
    }
}

#[test]
fn neighbours_agree_and_components_are_apart() {
    // Two rings of friends who do not know each other.
    let variables = Variables::numbered(&[2; 8]).unwrap();
    let ring = voting();
    let shifted = |by: usize| {
        let shift = move |table: &Table| {
            let scope = table.scope().iter().map(|v| VarId::new(v.index() + by)).collect();
            Table::new(scope, table.cards().to_vec(), table.values().to_vec()).unwrap()
        };
        ring.factors().iter().map(shift).collect::<Vec<_>>()
    };
    let model = MarkovRandomField::new(variables, [shifted(0), shifted(4)].concat()).unwrap();
    let mut propagation = prepare(&model);
    assert!((propagation.ln_z().unwrap() - 2.0 * 11327_f64.ln()).abs() < 1e-13);
    let pair = [VarId::new(1), VarId::new(6)];
    let joint = propagation.joint(&pair).unwrap();
    let [a, b] = pair.map(|v| propagation.marginal(v).unwrap().to_vec());
    assert_close(joint.values(), &[a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]], 1e-15, "independent");
}

#[test]
fn a_wide_model_is_refused_before_it_takes_memory() {
    let n = 40;
    let variables = Variables::numbered(&vec![2; n]).unwrap();
    let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let table = |(a, b)| {
        Table::new(vec![VarId::new(a), VarId::new(b)], vec![2, 2], vec![2.0, 1.0, 1.0, 2.0]).unwrap()
    };
    let model = MarkovRandomField::new(variables, pairs.map(table).collect()).unwrap();
    let error = JunctionTree::default().plan(&model, &Targets::All).unwrap_err();
    assert!(error.is_too_large());
    let small = JunctionTree { budget: Budget::bytes(100), ..JunctionTree::default() };
    assert!(small.plan(&student(), &Targets::All).unwrap_err().is_too_large());
}

#[test]
fn a_plan_of_another_model_is_refused() {
    let engine = JunctionTree::default();
    let plan = engine.plan(&student(), &Targets::All).unwrap();
    let error = engine.infer(&voting(), &plan, &Evidence::none()).unwrap_err();
    assert!(matches!(error, Error::OtherModel { .. }));
}

const NETWORKS: [&str; 16] = [
    "asia",
    "cancer",
    "earthquake",
    "survey",
    "sachs",
    "child",
    "alarm",
    "hepar2",
    "win95pts",
    "water",
    "pathfinder",
    "mildew",
    "diabetes",
    "munin2",
    "munin",
    "munin4",
];

/// Every published marginal, ln p(evidence) and most probable explanation of the networks of the repository.
#[test]
fn it_answers_the_networks_of_the_repository() {
    for name in NETWORKS {
        let Some(Repository { network, questions }) = bn_repository::load(name) else { return };
        let mut propagation = prepare(&network);
        for question in &questions {
            propagation.set_evidence(&question.evidence).unwrap();
            let beliefs = propagation.beliefs().unwrap();
            assert!((beliefs.ln_z().value() - question.ln_z).abs() < 1e-10, "{name}");
            for (v, expected) in &question.marginals {
                // The file has 12 digits after the point.
                assert_close(beliefs.marginal(*v).unwrap(), expected, 1e-11, name);
            }
            let best = propagation.most_probable().unwrap();
            assert!((best.ln_value - question.best_ln_value).abs() < 1e-9, "{name}");
        }
    }
}

/// Two combs of overlapping factors over seven variables of four states: large enough for threads.
fn combs() -> MarkovRandomField {
    let mut rng = Pcg64::seed_from_u64(3);
    let n = 24;
    let mut tables = Vec::new();
    for comb in 0..2 {
        for start in 0..n / 2 - 6 {
            let scope: Vec<VarId> = (start..start + 7).map(|v| VarId::new(v + comb * n / 2)).collect();
            let values =
                (0..4_usize.pow(7)).map(|_| if rng.random_bool(0.3) { 0.0 } else { rng.random() }).collect();
            tables.push(Table::new(scope, vec![4; 7], values).unwrap());
        }
    }
    tables.push(Table::new(vec![VarId::new(5), VarId::new(17)], vec![4, 4], vec![0.5; 16]).unwrap());
    MarkovRandomField::new(Variables::numbered(&vec![4; n]).unwrap(), tables).unwrap()
}

#[test]
fn a_large_field_agrees_with_elimination() {
    let model = combs();
    let evidence =
        Evidence::none().with(VarId::new(3), 2).with_likelihood(VarId::new(20), vec![0.1, 0.0, 0.7, 0.2]);
    let own = JunctionTree::default().query(&model, &Targets::All, &evidence).unwrap();
    let mut propagation = prepare(&model);
    propagation.set_evidence(&evidence).unwrap();
    let warm = propagation.beliefs().unwrap();
    let some: Vec<VarId> = [0, 5, 12, 23].map(VarId::new).to_vec();
    let other =
        VariableElimination::default().query(&model, &Targets::These(some.clone()), &evidence).unwrap();
    for beliefs in [&own, &warm] {
        assert!((beliefs.ln_z().value() - other.ln_z().value()).abs() < 1e-12);
        for &v in &some {
            assert_close(beliefs.marginal(v).unwrap(), other.marginal(v).unwrap(), 1e-13, "elimination");
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_number_of_threads_changes_no_bit() {
    let model = combs();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut propagation = prepare(&model);
            let before = propagation.beliefs().unwrap();
            propagation.set_evidence(&Evidence::none().with(VarId::new(7), 1)).unwrap();
            (before, propagation.beliefs().unwrap(), propagation.most_probable().unwrap())
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}
