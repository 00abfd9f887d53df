//! Chains, stars and wide factors, with numbers whose product underflows: what can be said in a formula, all
//! engines say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_inference::{
    BeliefPropagation, Conditioning, Engine, Enumeration, JoinGraph, JunctionTree, MapEngine, Targets,
    TreeReweighted, VariableElimination,
};
use posterior_pgm::{Evidence, GraphicalModel, MarkovRandomField, Table, VarId, Variables};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::{near, near_ln};
use crate::any_model::shuffled;

const N: usize = 1000;

fn marginal<E: Engine>(engine: &E, model: &dyn GraphicalModel, v: VarId) -> (f64, f64) {
    let beliefs = engine.query(model, &Targets::These(vec![v]), &Evidence::none()).unwrap();
    (beliefs.marginal(v).unwrap()[1], beliefs.ln_z().value())
}

/// p(v = 1) and ln Z of every engine, and the value of the best state.
fn all_say(model: &dyn GraphicalModel, v: VarId, p: f64, ln_z: f64, best: f64) {
    let answers = [
        marginal(&VariableElimination::default(), model, v),
        marginal(&JunctionTree::default(), model, v),
        marginal(&Conditioning::default(), model, v),
        marginal(&BeliefPropagation::default(), model, v),
        marginal(&TreeReweighted::default(), model, v),
        marginal(&JoinGraph::default(), model, v),
    ];
    for (place, (own, own_ln_z)) in answers.into_iter().enumerate() {
        assert!(near(own, p) && near_ln(own_ln_z, ln_z), "engine {place}: {own} {own_ln_z}, not {p} {ln_z}");
    }
    let engines: [&dyn MapEngine; 3] =
        [&VariableElimination::default(), &JunctionTree::default(), &BeliefPropagation::default()];
    for engine in engines {
        let own = engine.most_probable(model, &Evidence::none()).unwrap();
        assert!(near_ln(own.ln_value, best) && own.optimal, "{} instead of {best}", own.ln_value);
    }
    let k_best = VariableElimination::default().k_best(model, &Evidence::none(), 2).unwrap();
    assert!(near_ln(k_best[0].ln_value, best) && k_best[1].ln_value <= k_best[0].ln_value);
}

/// Pairs of a tree that rather agree: (1, 1) has weight 2, (0, 0) 1, others 1 / 2; all times `scale`.
fn tree(pairs: impl Iterator<Item = (usize, usize)>, scale: f64) -> MarkovRandomField {
    // Names in random order: nothing may depend on them.
    let names = shuffled(&mut Pcg64Mcg::seed_from_u64(7), N);
    let tables = pairs.map(|(a, b)| {
        let scope = vec![VarId::new(names[a]), VarId::new(names[b])];
        Table::new(scope, vec![2, 2], [1.0, 0.5, 0.5, 2.0].map(|value| value * scale).to_vec()).unwrap()
    });
    MarkovRandomField::new(Variables::numbered(&[2; N]).unwrap(), tables.collect()).unwrap()
}

/// The variable at this place of [`tree`].
fn named(place: usize) -> VarId {
    VarId::new(shuffled(&mut Pcg64Mcg::seed_from_u64(7), N)[place])
}

#[test]
fn chains_are_long() {
    for scale in [1.0, 1e-5, 1e250] {
        let model = tree((1..N).map(|i| (i - 1, i)), scale);
        // Powers of the matrix of a pair, with the sum taken out.
        let (mut end, mut ln_z) = ([1.0, 1.0], 0.0);
        for _ in 1..N {
            let next: [f64; 2] = [end[0] + 0.5 * end[1], 0.5 * end[0] + 2.0 * end[1]];
            let sum = next[0] + next[1];
            end = next.map(|value| value / sum);
            ln_z += sum.ln() + f64::ln(scale);
        }
        let best = (N - 1) as f64 * (2.0 * scale).ln();
        all_say(&model, named(N - 1), end[1], ln_z, best);
    }
}

#[test]
fn stars_are_wide() {
    for scale in [1.0, 1e-5, 1e250] {
        let model = tree((1..N).map(|i| (0, i)), scale);
        let rays = (N - 1) as f64;
        // The centre in state 1: each ray gives 5/2 instead of 3/2.
        let ln_z = rays * (2.5 * scale).ln() + (rays * 0.6_f64.ln()).exp().ln_1p();
        all_say(&model, named(1), 0.8, ln_z, rays * (2.0 * scale).ln());
        all_say(&model, named(0), 1.0, ln_z, rays * (2.0 * scale).ln());
    }
}

#[test]
fn factors_are_wide() {
    let n = 14;
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let scope: Vec<VarId> = shuffled(&mut rng, n).into_iter().map(VarId::new).collect();
    let values = (0..1 << n).map(|_| rng.random::<f64>()).collect();
    let table = Table::new(scope, vec![2; n], values).unwrap();
    let model = MarkovRandomField::new(Variables::numbered(&vec![2; n]).unwrap(), vec![table]).unwrap();
    let (p, ln_z) = marginal(&Enumeration::default(), &model, VarId::new(3));
    let best = Enumeration::default().most_probable(&model, &Evidence::none()).unwrap().ln_value;
    all_say(&model, VarId::new(3), p, ln_z, best);
}
