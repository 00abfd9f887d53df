//! Minimum cuts of images, expansion moves, junction trees, and messages on grids.

use criterion::{Criterion, Throughput};
use posterior::inference::{
    BeliefPropagation, Engine, JunctionTree, MeanField, Schedule, Targets, TreeReweighted,
};
use posterior::math::iteration::Silent;
use posterior::pgm::{Evidence, MarkovRandomField, Table, VarId, Variables};
use posterior_benches::grids::{GridProblem, grid_problems};
use posterior_benches::networks::{sample_evidence, strip};
use posterior_inference::graph_cut::{BinaryEnergy, GridEnergy, LabelEnergy, SweepOptions, alpha_expansion};
use rand::SeedableRng;
use rand_pcg::Pcg64;

pub(super) fn cuts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("minimum cut of 512 x 512 pixels");
    group.sample_size(10);
    for problem in grid_problems(&[512]) {
        group.throughput(Throughput::Elements(problem.data.len() as u64));
        let grid = GridEnergy::new(problem.side, problem.side, problem.data.clone())
            .and_then(|grid| grid.with_weights(problem.right.clone(), problem.below.clone()))
            .expect("valid weights");
        group.bench_function(format!("{}, grid", problem.name), |bencher| bencher.iter(|| grid.minimize()));
        let general = general(&problem);
        group.bench_function(format!("{}, any terms", problem.name), |bencher| {
            bencher.iter(|| general.minimize());
        });
    }
    group.finish();
}

/// The same energy without the knowledge that it is a grid.
fn general(problem: &GridProblem) -> BinaryEnergy {
    let side = problem.side;
    let mut energy = BinaryEnergy::pairwise(problem.data.len()).expect("few variables");
    for (pixel, &terms) in problem.data.iter().enumerate() {
        energy.add_unary(pixel, terms).expect("finite terms");
    }
    for (pixel, (&right, &below)) in problem.right.iter().zip(&problem.below).enumerate() {
        let (row, column) = (pixel / (side - 1), pixel % (side - 1));
        let first = row * side + column;
        energy.add_pairwise(first, first + 1, [0.0, right, right, 0.0]).expect("finite terms");
        energy.add_pairwise(pixel, pixel + side, [0.0, below, below, 0.0]).expect("finite terms");
    }
    energy
}

pub(super) fn expansion(criterion: &mut Criterion) {
    let side = 100;
    let unary = (0..side * side * 8).map(|k| f64::from((k * 7919_u32) % 101)).collect();
    let mut energy = LabelEnergy::potts(8, unary).expect("finite terms");
    for row in 0..side as usize {
        for column in 1..side as usize {
            let (pixel, other) = (row * side as usize + column, column * side as usize + row);
            energy.add_edge(pixel, pixel - 1, 30.0).expect("finite weights");
            energy.add_edge(other, other - side as usize, 30.0).expect("finite weights");
        }
    }
    let start = energy.independent_labels();
    let mut group = criterion.benchmark_group("8 labels, 100 x 100 pixels");
    group.sample_size(10);
    group.bench_function("alpha-expansion", |bencher| {
        bencher.iter(|| alpha_expansion(&energy, &start, &SweepOptions::default(), &mut Silent));
    });
    group.finish();
}

/// A square grid of variables with `states` states that rather agree with their neighbours, and a field on
/// each.
fn grid_field(side: usize, states: usize) -> MarkovRandomField {
    let mut factors = Vec::new();
    let agree: Vec<f64> =
        (0..states * states).map(|i| if i / states == i % states { 1.5 } else { 1.0 }).collect();
    let mut pair = |a, b| {
        let scope = vec![VarId::new(a), VarId::new(b)];
        factors.push(Table::new(scope, vec![states; 2], agree.clone()).expect("two variables"));
    };
    for row in 0..side {
        for column in 1..side {
            pair(row * side + column - 1, row * side + column);
            pair((column - 1) * side + row, column * side + row);
        }
    }
    for v in 0..side * side {
        let field = (0..states).map(|state| 1.0 + ((v * 7919 + state * 31) % 101) as f64 / 50.0).collect();
        factors.push(Table::new(vec![VarId::new(v)], vec![states], field).expect("one variable"));
    }
    let variables = Variables::numbered(&vec![states; side * side]).expect("states");
    MarkovRandomField::new(variables, factors).expect("a field")
}

/// Ten sweeps over all messages of a grid.
pub(super) fn messages(criterion: &mut Criterion) {
    let none = Evidence::none();
    for states in [2, 8] {
        let model = grid_field(100, states);
        let mut group = criterion.benchmark_group(format!("100 x 100 grid of {states} states, 10 sweeps"));
        group.sample_size(10);
        for schedule in [Schedule::Sequential, Schedule::Flooding, Schedule::Residual] {
            let engine = BeliefPropagation { schedule, ..BeliefPropagation::default() };
            let engine = BeliefPropagation { tolerance: 0.0, max_iterations: 10, ..engine };
            group.bench_function(format!("belief propagation, {schedule:?}"), |bencher| {
                bencher.iter(|| engine.query(&model, &Targets::All, &none));
            });
        }
        let engine =
            MeanField { max_iterations: 10, tolerance: 0.0, restarts: 0, seed: 0, ..MeanField::default() };
        group.bench_function("mean field", |bencher| {
            bencher.iter(|| engine.query(&model, &Targets::All, &none));
        });
        let engine =
            TreeReweighted { tolerance: 0.0, tree_steps: 0, max_iterations: 10, ..TreeReweighted::default() };
        group.bench_function("tree-reweighted", |bencher| {
            bencher.iter(|| engine.query(&model, &Targets::All, &none));
        });
        group.finish();
    }
}

pub(super) fn junction_tree(criterion: &mut Criterion) {
    let network = strip(1000);
    let engine = JunctionTree::default();
    let mut group = criterion.benchmark_group("1,000 binary nodes of treewidth 3");
    group.bench_function("plan, all marginals", |bencher| {
        bencher.iter(|| engine.query(&network, &Targets::All, &Evidence::none()));
    });
    let plan = engine.plan(&network, &Targets::All).expect("small cliques");
    let mut propagation = engine.prepare(&network, &plan).expect("its own plan");
    let evidence = [1, 2].map(|seed| sample_evidence(&network, seed));
    let mut turn = 0;
    group.bench_function("new evidence, all marginals", |bencher| {
        bencher.iter(|| {
            turn = 1 - turn;
            propagation.set_evidence(&evidence[turn]).expect("states that exist");
            propagation.beliefs()
        });
    });
    group.bench_function("new evidence, one marginal", |bencher| {
        bencher.iter(|| {
            turn = 1 - turn;
            propagation.set_evidence(&evidence[turn]).expect("states that exist");
            propagation.marginal(VarId::new(500)).map(<[f64]>::to_vec)
        });
    });
    group.bench_function("draw", |bencher| {
        let mut rng = Pcg64::seed_from_u64(1);
        bencher.iter(|| propagation.draw(&mut rng));
    });
    group.finish();
}
