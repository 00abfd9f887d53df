//! Exact messages on forests, of anything that has a product and a marginal.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(feature = "linalg")]
use posterior_gaussian::{InformationGaussian, LinearGaussian};
#[cfg(feature = "linalg")]
use posterior_inference::GaussianFactor;
use posterior_inference::{
    BeliefPropagation, Engine, Enumeration, Error, FactorTree, Targets, Valuation, Weights, pass_messages,
};
#[cfg(feature = "linalg")]
use posterior_math::linalg::DMatrix;
use posterior_pgm::{
    Counting, Evidence, GraphicalModel, LogSumProduct, MarkovRandomField, MaxProduct, MaxSum, MinSum,
    Semiring, SumProduct, Table, VarId, Variables,
};
use proptest::prelude::*;

use crate::corpus::assert_close;
use crate::examples::voting;
use crate::random_models::{forest, rng};

/// All joint states of a model, multiplied out.
fn whole<S: Semiring>(model: &MarkovRandomField, convert: impl Fn(f64) -> S::Value) -> Table<S::Value> {
    let mut all = Table::scalar(S::ONE);
    for v in model.variables().ids() {
        let card = model.variables().card(v);
        let ones = Table::new(vec![v], vec![card], vec![S::ONE; card]).unwrap();
        all = all.product::<S>(&ones).unwrap();
    }
    for factor in model.factors() {
        all = all.product::<S>(&factor.map(&convert)).unwrap();
    }
    all
}

/// Every marginal and the total, against all joint states. `same` compares two numbers.
#[track_caller]
fn agrees<S: Semiring>(
    model: &MarkovRandomField,
    convert: impl Fn(f64) -> S::Value + Copy,
    same: impl Fn(S::Value, S::Value) -> bool,
) {
    let tree = FactorTree::new(&model.factor_graph()).unwrap();
    let factors: Vec<Weights<S>> = model.factors().iter().map(|f| Weights::new(f.map(convert))).collect();
    let marginals = pass_messages(&tree, &factors).unwrap();
    let all = whole::<S>(model, convert);
    let total = all.marginal::<S>(&[]).unwrap().at(&[]);
    // The number of states of what no factor reads, and of other components.
    let scale = |own: &Table<S::Value>| own.marginal::<S>(&[]).unwrap().at(&[]);
    let read = |v: VarId| model.factors().iter().any(|factor| factor.scope().contains(&v));
    let mut product = S::ONE;
    for total in marginals.totals() {
        product = S::multiply(product, total.table().at(&[]));
    }
    for v in model.variables().ids().filter(|&v| !read(v)) {
        for _ in 0..model.variables().card(v) {
            assert!(marginals.variable(v).is_none());
        }
        let ones =
            Table::new(vec![v], vec![model.variables().card(v)], vec![S::ONE; model.variables().card(v)]);
        product = S::multiply(product, scale(&ones.unwrap()));
    }
    assert!(same(product, total), "{product:?} {total:?}");
    // What a component says times what is left of the others is what the whole says.
    let check = |own: &Table<S::Value>, scope: &[VarId]| {
        let expected = all.marginal::<S>(scope).unwrap();
        let own_total = scale(own);
        for (&a, &b) in own.values().iter().zip(expected.values()) {
            assert!(same(S::multiply(a, total), S::multiply(b, own_total)), "{a:?} {b:?}");
        }
    };
    for v in model.variables().ids() {
        if let Some(own) = marginals.variable(v) {
            check(own.table(), &[v]);
        }
    }
    for (s, factor) in model.factors().iter().enumerate() {
        assert_eq!(marginals.factor(s).scope(), factor.scope());
        check(marginals.factor(s).table(), factor.scope());
    }
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-11 * (a.abs() + b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_semiring_is_exact_on_forests(seed: u64, zeros in prop_oneof![Just(0.0), Just(0.3)]) {
        let model = forest(zeros, &mut rng(seed));
        agrees::<SumProduct>(&model, |x| x, near);
        agrees::<MaxProduct>(&model, |x| x, near);
        agrees::<LogSumProduct>(&model, f64::ln, near);
        agrees::<MaxSum>(&model, f64::ln, near);
        agrees::<MinSum>(&model, |x| -x.ln(), near);
        agrees::<Counting>(&model, |x| u64::from(x > 0.0), |a, b| a == b);
    }
}

/// Nobody and nothing.
#[test]
fn a_model_without_variables_has_a_value() {
    let model = MarkovRandomField::new(Variables::numbered(&[]).unwrap(), vec![Table::scalar(3.0)]).unwrap();
    let beliefs = BeliefPropagation::default().query(&model, &Targets::All, &Evidence::none()).unwrap();
    assert!((beliefs.ln_z().exact().unwrap() - 3_f64.ln()).abs() < 1e-15);
}

#[test]
fn a_loop_is_named() {
    let refusal = FactorTree::new(&voting().factor_graph()).unwrap_err();
    let Error::Loop { cycle } = &refusal else { panic!("{refusal}") };
    assert_eq!(cycle.len(), 5);
    assert_eq!(cycle.first(), cycle.last());
    let known = ["A", "B", "C", "D"];
    for pair in cycle.windows(2) {
        let [a, b] = [0, 1].map(|i| known.iter().position(|name| *name == pair[i]).unwrap());
        assert!((a + 1) % 4 == b || (b + 1) % 4 == a, "{cycle:?}");
    }
    assert!(refusal.to_string().starts_with("these factors form a loop: "));
    // Two factors of the same pair are a loop too.
    let variables = Variables::numbered(&[2, 2]).unwrap();
    let pair = |a, b| Table::new(vec![VarId::new(a), VarId::new(b)], vec![2, 2], vec![1.0; 4]).unwrap();
    let model = MarkovRandomField::new(variables, vec![pair(0, 1), pair(1, 0)]).unwrap();
    let Err(Error::Loop { cycle }) = FactorTree::new(&model.factor_graph()) else { panic!() };
    assert_eq!(cycle.len(), 3);
}

/// A chain of positions and velocities seen with noise: messages equal to conditioning the joint Gaussian.
#[cfg(feature = "linalg")]
#[test]
fn a_gaussian_chain_equals_direct_conditioning() {
    let step = LinearGaussian::new(
        &DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]),
        &[0.1, 0.0],
        &DMatrix::from_row_slice(2, 2, &[0.1 / 3.0, 0.05, 0.05, 0.1]),
    )
    .unwrap();
    let see = LinearGaussian::new(
        &DMatrix::from_row_slice(1, 2, &[1.0, 0.0]),
        &[0.0],
        &DMatrix::from_element(1, 1, 0.5),
    )
    .unwrap();
    let v = VarId::new;
    // p(next | now) as a function of both: a likelihood of 0 = next - A now - b, of (now, next).
    let both = LinearGaussian::new(
        &DMatrix::from_row_slice(2, 4, &[-1.0, -1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0]),
        &[0.0, 0.0],
        &step.noise(),
    )
    .unwrap();
    let prior = InformationGaussian::new(&[0.0, 0.0], &(DMatrix::identity(2, 2) * 0.1), 0.0).unwrap();
    let n = 6;
    let mut factors = vec![GaussianFactor::new(vec![v(0)], vec![2], prior).unwrap()];
    for t in 1..n {
        let function = both.likelihood(&[0.1, 0.0]).unwrap();
        factors.push(GaussianFactor::new(vec![v(t - 1), v(t)], vec![2, 2], function).unwrap());
    }
    for (t, y) in [(0, 1.1), (1, 1.9), (3, 4.2), (5, 7.0)] {
        factors.push(GaussianFactor::new(vec![v(t)], vec![2], see.likelihood(&[y]).unwrap()).unwrap());
    }
    let scopes = factors.iter().map(|factor| factor.scope().to_vec());
    let graph = posterior_graph::FactorGraph::new(posterior_graph::Names::numbered(n), scopes).unwrap();
    let marginals = pass_messages(&FactorTree::new(&graph).unwrap(), &factors).unwrap();

    let mut all = factors[0].clone();
    for factor in &factors[1..] {
        all = all.product(factor).unwrap();
    }
    let ln_z = all.function().ln_integral().unwrap();
    assert_eq!(marginals.totals().len(), 1);
    assert!((marginals.totals()[0].function().ln_scale() - ln_z).abs() < 1e-11);
    for t in 0..n {
        let direct = all.marginal(&[v(t)]).unwrap().function().distribution().unwrap();
        let own = marginals.variable(v(t)).unwrap().function();
        assert!((own.ln_integral().unwrap() - ln_z).abs() < 1e-11, "the same at every node");
        let own = own.distribution().unwrap();
        assert_close(own.mean().as_slice(), direct.mean().as_slice(), 1e-11, "mean");
        assert_close(own.covariance().as_slice(), direct.covariance().as_slice(), 1e-11, "covariance");
    }
}

#[test]
fn factors_of_another_tree_are_refused() {
    let model = voting();
    let variables = model.variables().names().clone();
    let graph = posterior_graph::FactorGraph::new(variables, [model.factors()[0].scope().to_vec()]).unwrap();
    let tree = FactorTree::new(&graph).unwrap();
    let factor = |i: usize| Weights::<SumProduct>::new(model.factors()[i].clone());
    assert!(pass_messages(&tree, &[factor(0)]).is_ok());
    assert!(matches!(pass_messages(&tree, &[factor(1)]), Err(Error::OtherModel { .. })));
    assert!(matches!(pass_messages(&tree, &[factor(0), factor(0)]), Err(Error::OtherModel { .. })));
}

/// Engine and generic passes agree.
#[test]
fn the_fast_engine_is_the_general_one() {
    for seed in 0..50 {
        let model = forest(0.1, &mut rng(seed));
        let Ok(beliefs) = BeliefPropagation::default().query(&model, &Targets::All, &Evidence::none()) else {
            let none = Enumeration::default().query(&model, &Targets::All, &Evidence::none());
            assert_eq!(none.unwrap_err(), Error::ImpossibleEvidence);
            continue;
        };
        let tree = FactorTree::new(&model.factor_graph()).unwrap();
        let factors: Vec<_> = model.factors().iter().map(|f| Weights::<SumProduct>::new(f.clone())).collect();
        let marginals = pass_messages(&tree, &factors).unwrap();
        for v in model.variables().ids() {
            if let Some(own) = marginals.variable(v) {
                let own = own.table().normalized().unwrap();
                assert_close(own.values(), beliefs.marginal(v).unwrap(), 1e-13, "marginal");
            }
        }
    }
}
