//! Data as large as people have them.

use std::time::Instant;

use posterior_dist::Poisson;
use posterior_dist::stream::stream;
use posterior_gaussian::{FiniteElements, GaussianMarkovField, MaternSpde};
use posterior_hierarchical::{
    FamilyResponse, FieldEffect, HierarchicalModel, HierarchicalOptions, HyperEstimate, HyperparameterPrior,
    MaternField, PlaceEffect as _, Skewness,
};
use rand::RngExt as _;
use rand_distr::{Distribution as _, StandardNormal};

/// 10⁵ rows with 10⁴ and 100 crossed groups.
#[test]
#[ignore = "slow"]
fn many_crossed_groups_by_reml() {
    let mut rng = stream(1, &[]);
    let rows = 100_000;
    let mut normals = |count: usize, sd: f64| -> Vec<f64> {
        (0..count)
            .map(|_| {
                let z: f64 = StandardNormal.sample(&mut rng);
                sd * z
            })
            .collect()
    };
    let (a, b, noise, x) = (normals(10_000, 0.8), normals(100, 0.4), normals(rows, 1.5), normals(rows, 1.0));
    let of_a: Vec<usize> = (0..rows).map(|_| rng.random_range(0..10_000)).collect();
    let of_b: Vec<usize> = (0..rows).map(|_| rng.random_range(0..100)).collect();
    let y: Vec<f64> = (0..rows).map(|i| 1.0 + 0.5 * x[i] + a[of_a[i]] + b[of_b[i]] + noise[i]).collect();
    let start = Instant::now();
    let model = HierarchicalModel::new(FamilyResponse::gaussian(1.0).unwrap(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &x)
        .unwrap()
        .effect(FieldEffect::groups("a", 10_000).unwrap().at(&of_a).unwrap())
        .unwrap()
        .effect(FieldEffect::groups("b", 100).unwrap().at(&of_b).unwrap())
        .unwrap();
    let options = HierarchicalOptions {
        estimate: HyperEstimate::RestrictedLikelihood,
        ..HierarchicalOptions::default()
    };
    let fit = model.fit(&options).unwrap();
    println!("crossed groups: {:?}", start.elapsed());
    let mode = fit.mode();
    for ((name, own), truth) in mode.iter().zip([1.5, 0.8, 0.4]) {
        assert!((own / truth - 1.0).abs() < 0.2, "{name}: {own} {truth}");
    }
    assert!((fit.fixed("x").unwrap().mean() - 0.5).abs() < 0.03);
}

/// Whether the 95 % intervals of range and standard deviation hold the truth, for Poisson counts at the nodes
/// of a grid.
fn held_in_space(side: usize, seed: u64) -> [bool; 2] {
    let mut rng = stream(seed, &[]);
    let equation = MaternSpde::with_range(20.0, 0.8, 2, 2).unwrap();
    let field = GaussianMarkovField::matern_on_grid(&[side, side], 1.0, &equation).unwrap();
    let u: Vec<f64> = field.sample(&mut rng);
    let y: Vec<f64> =
        u.iter().map(|u| Poisson::new((1.0 + u).exp()).unwrap().sample(&mut rng) as f64).collect();
    let places: Vec<usize> = (0..side * side).collect();
    let start = Instant::now();
    let elements = FiniteElements::on_grid(&[side, side], 1.0).unwrap();
    let effect = MaternField::new("space", &elements)
        .unwrap()
        .at(&places)
        .unwrap()
        .with_prior("sd(space)", HyperparameterPrior::deviation_above(1.0, 0.05).unwrap())
        .unwrap()
        .with_prior("range(space)", HyperparameterPrior::range_below(5.0, 0.05, 2).unwrap())
        .unwrap();
    let model = HierarchicalModel::new(FamilyResponse::poisson(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .effect(effect)
        .unwrap();
    let fit = model
        .fit(&HierarchicalOptions { skewness: Skewness::FixedEffects, ..HierarchicalOptions::default() })
        .unwrap();
    println!("field of {side}² nodes: {:?}, {} points", start.elapsed(), fit.points().len());
    [("range(space)", 20.0), ("sd(space)", 0.8)].map(|(name, truth)| {
        let [low, high] = fit.hyperparameter(name).unwrap().interval(0.95);
        println!("{name}: {low} {high}");
        low < truth && truth < high
    })
}

/// Eight grids of 10⁴ nodes: one or none of the intervals may miss the truth, which has probability 0.94.
#[test]
#[ignore = "slow: minutes"]
fn fields_in_space() {
    let mut held = [0; 2];
    for seed in 2..10 {
        held.iter_mut().zip(held_in_space(100, seed)).for_each(|(count, own)| *count += i32::from(own));
    }
    assert!(held.iter().all(|count| *count >= 7), "{held:?} of 8");
}

/// 10⁶ Poisson counts of 10⁴ groups.
#[test]
#[ignore = "slow: minutes and gigabytes"]
fn a_million_rows() {
    let mut rng = stream(3, &[]);
    let (rows, groups) = (1_000_000, 10_000);
    let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
    let u: Vec<f64> = (0..groups).map(|_| 0.6 * normal()).collect();
    let x: Vec<f64> = (0..rows).map(|_| normal()).collect();
    let places: Vec<usize> = (0..rows).map(|row| (row * 7919) % groups).collect();
    let y: Vec<f64> = x
        .iter()
        .zip(&places)
        .map(|(x, &group)| Poisson::new((0.5 + 0.3 * x + u[group]).exp()).unwrap().sample(&mut rng) as f64)
        .collect();
    let start = Instant::now();
    let model = HierarchicalModel::new(FamilyResponse::poisson(), &y)
        .unwrap()
        .intercept()
        .unwrap()
        .column("x", &x)
        .unwrap()
        .effect(FieldEffect::groups("group", groups).unwrap().at(&places).unwrap())
        .unwrap();
    let options = HierarchicalOptions { skewness: Skewness::FixedEffects, ..HierarchicalOptions::default() };
    let fit = model.fit(&options).unwrap();
    println!("10⁶ rows: {:?}, {} points", start.elapsed(), fit.points().len());
    for (name, truth) in [("intercept", 0.5), ("x", 0.3)] {
        let [low, high] = fit.fixed(name).unwrap().interval(0.99);
        println!("{name}: {low} {high}");
        assert!(low < truth && truth < high, "{name}: {low} {high}");
    }
    let [low, high] = fit.hyperparameter("sd(group)").unwrap().interval(0.99);
    println!("sd(group): {low} {high}");
    assert!(low < 0.6 && 0.6 < high, "{low} {high}");
}
