//! Exact Gaussian process regression: the evidence with its gradient, predictions, parts of both; one thread.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use posterior::math::linalg::Cholesky;
use posterior_benches::gaussian_processes::{Workload, process};

const SIZES: [usize; 3] = [500, 1000, 2000];

pub(super) fn regression(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gp regression");
    group.sample_size(10);
    let (prior, noise) = process().expect("positive parameters");
    for n in SIZES {
        let Workload { inputs: x, outputs: y, places: at } = Workload::generate(n);
        group.bench_function(BenchmarkId::new("evidence", n), |bencher| {
            bencher.iter(|| prior.condition(black_box(&x), &y, &noise));
        });
        group.bench_function(BenchmarkId::new("evidence and gradient", n), |bencher| {
            bencher.iter(|| prior.condition(black_box(&x), &y, &noise).map(|posterior| posterior.gradient()));
        });
        let Ok(posterior) = prior.condition(&x, &y, &noise) else { continue };
        group.bench_function(BenchmarkId::new("mean at 1000 places", n), |bencher| {
            bencher.iter(|| posterior.mean(black_box(&at)));
        });
        group.bench_function(BenchmarkId::new("mean and variance at 1000 places", n), |bencher| {
            bencher.iter(|| posterior.latent(black_box(&at)));
        });
        group.bench_function(BenchmarkId::new("leave one out", n), |bencher| {
            bencher.iter(|| black_box(&posterior).leave_one_out());
        });
    }
    group.finish();
}

pub(super) fn parts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gp parts");
    group.sample_size(10);
    let (prior, _) = process().expect("positive parameters");
    let kernel = prior.kernel();
    for n in SIZES {
        let x = Workload::generate(n).inputs;
        let mut gram = kernel.gram(&x);
        for i in 0..n {
            gram[(i, i)] += 0.02;
        }
        group.bench_function(BenchmarkId::new("gram", n), |bencher| {
            bencher.iter(|| kernel.gram(black_box(&x)));
        });
        group.bench_function(BenchmarkId::new("gradient through gram", n), |bencher| {
            bencher.iter(|| kernel.gram_gradient(black_box(&x), &gram));
        });
        let Ok(factor) = Cholesky::new(&gram) else { continue };
        group.bench_function(BenchmarkId::new("inverse", n), |bencher| {
            bencher.iter(|| black_box(&factor).inverse_triangle());
        });
    }
    group.finish();
}
