//! Blocks of Gaussian rows by changes of rank one, against the same model out of `Conjugate`.

use posterior_dist::stream::stream;
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_latent::gibbs::{
    ClusterSampler, ClusterState, Clusters, CollapsedGibbs, Collapsible, ConjugateComponents,
    ConjugateGaussians, Home,
};
use posterior_latent::partition::PartitionPrior;
use posterior_math::linalg::DMatrix;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

fn rows(n: usize, p: usize, offset: f64, seed: u64) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    let centre: Vec<f64> =
        (0..3 * p).map(|_| 4.0 * Distribution::<f64>::sample(&StandardNormal, &mut rng)).collect();
    DMatrix::from_fn(n, p, |i, j| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        offset + centre[(i % 3) * p + j] + noise
    })
}

fn prior(p: usize, offset: f64, scale: f64) -> NormalInverseWishart {
    let psi = DMatrix::from_fn(p, p, |i, j| scale * if i == j { 1.0 } else { 0.2 });
    NormalInverseWishart::new(&vec![offset; p], 0.5, &psi, p as f64 + 1.5).unwrap()
}

/// Data come and go at random; all predictive densities and evidences agree throughout.
fn walk(p: usize, offset: f64, scale: f64, tolerance: f64) {
    let values = rows(30, p, offset, p as u64);
    let prior = prior(p, offset, scale);
    let points: Vec<Vec<f64>> = values.row_iter().map(|row| row.iter().copied().collect()).collect();
    let fast = ConjugateGaussians::new(&values, &prior).unwrap();
    let slow = ConjugateComponents::<Gaussian, _, _>::new(&points, p, prior).unwrap();
    let (mut a, mut b) = (fast.clusters(), slow.clusters());
    let blocks = 11;
    for _ in 0..blocks {
        a.open();
        b.open();
    }
    let mut labels: Vec<usize> = (0..30).map(|observation| observation % blocks).collect();
    let mut rng = stream(77, &[]);
    for (observation, &label) in labels.iter().enumerate() {
        a.insert(observation, label).unwrap();
        b.insert(observation, label).unwrap();
    }
    let (mut x, mut y) = (vec![0.0; blocks], vec![0.0; blocks]);
    for step in 0..300 {
        let observation = rng.random_range(0..30);
        let home = labels[observation];
        let others: Vec<usize> =
            (0..30).filter(|&other| other != observation && labels[other] == home).collect();
        a.ln_predictive(observation, Some(Home { block: home, others: &mut others.iter().copied() }), &mut x)
            .unwrap();
        b.ln_predictive(observation, Some(Home { block: home, others: &mut others.iter().copied() }), &mut y)
            .unwrap();
        for block in 0..blocks {
            if block == home && others.is_empty() {
                continue;
            }
            let error = (x[block] - y[block]).abs() / y[block].abs().max(1.0);
            assert!(error < tolerance, "p {p}, step {step}, block {block}: {} {}", x[block], y[block]);
            let error = (a.ln_evidence(block).unwrap() - b.ln_evidence(block).unwrap()).abs();
            assert!(error < 30.0 * tolerance, "p {p}, step {step}, block {block}: {error}");
        }
        let to = rng.random_range(0..blocks);
        if to != home {
            a.remove(observation, Home { block: home, others: &mut others.iter().copied() }).unwrap();
            b.remove(observation, Home { block: home, others: &mut others.iter().copied() }).unwrap();
            a.insert(observation, to).unwrap();
            b.insert(observation, to).unwrap();
            labels[observation] = to;
        }
    }
}

#[test]
fn predictive_densities_are_those_of_the_family() {
    for p in [1, 2, 3, 5, 10] {
        walk(p, 0.0, 1.0, 1e-11);
    }
}

/// 1e8 ± 1: the mean of the prior is where the data are, and nothing is lost but what the data have lost
/// themselves, 1e-8 of their spread.
#[test]
fn a_huge_offset_costs_no_more_than_the_data_have_lost() {
    walk(3, 1e8, 1.0, 1e-6);
}

/// A prior scale of 1e-6 under data that are 4 apart: where an observation is most of what its block knows,
/// the block is made anew without it. The statistics that are compared with round at 1e-15 of the scatter,
/// 1e-8 of the prior.
#[test]
fn blocks_without_a_observation_are_right_where_little_is_left() {
    for p in [1, 2, 3] {
        walk(p, 0.0, 1e-6, 1e-6);
    }
}

/// The fast route and the slow one take the same uniform numbers, and make the same draws.
#[test]
fn both_routes_draw_the_same_partitions() {
    let values = rows(60, 2, 0.0, 9);
    let prior = prior(2, 0.0, 1.0);
    let points: Vec<Vec<f64>> = values.row_iter().map(|row| row.iter().copied().collect()).collect();
    let fast = ConjugateGaussians::new(&values, &prior).unwrap();
    let slow = ConjugateComponents::<Gaussian, _, _>::new(&points, 2, prior).unwrap();
    let seats = PartitionPrior::finite(6, 0.5).unwrap();
    let (fast, slow) = (CollapsedGibbs::new(&fast, seats), CollapsedGibbs::new(&slow, seats));
    let (mut a, mut b) = (fast.start(&mut stream(3, &[])).unwrap(), slow.start(&mut stream(3, &[])).unwrap());
    let (mut first, mut second) = (stream(4, &[]), stream(4, &[]));
    for sweep in 0..50 {
        fast.sweep(&mut a, &mut first).unwrap();
        slow.sweep(&mut b, &mut second).unwrap();
        assert_eq!(a.labels(), b.labels(), "sweep {sweep}");
        assert!((a.ln_joint() - b.ln_joint()).abs() < 1e-9);
    }
}
