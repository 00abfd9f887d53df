//! Minimum cuts of images, expansion moves, and junction trees.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use posterior::math::iteration::Silent;
use posterior::pgm::{Evidence, VarId};
use posterior_benches::grids::{GridProblem, grid_problems};
use posterior_benches::networks::{sample_evidence, strip};
use posterior_inference::graph_cut::{BinaryEnergy, GridEnergy, LabelEnergy, SweepOptions, alpha_expansion};
use posterior_inference::{Engine, JunctionTree, Targets};
use rand::SeedableRng;
use rand_pcg::Pcg64;

fn cuts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("minimum cut of 512 x 512 pixels");
    group.sample_size(10);
    for problem in grid_problems().iter().filter(|problem| problem.side == 512) {
        group.throughput(Throughput::Elements(problem.data.len() as u64));
        let grid = GridEnergy::new(problem.side, problem.side, problem.data.clone())
            .and_then(|grid| grid.with_weights(problem.right.clone(), problem.below.clone()))
            .expect("valid weights");
        group.bench_function(format!("{}, grid", problem.name), |bencher| bencher.iter(|| grid.minimize()));
        let general = general(problem);
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

fn expansion(criterion: &mut Criterion) {
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

fn junction_tree(criterion: &mut Criterion) {
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

criterion_group!(benches, cuts, expansion, junction_tree);
criterion_main!(benches);
