//! Exact Gaussian process regression: the evidence with its gradient, predictions, parts of both; one thread.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use posterior::gp::{GaussianProcess, Kernel, Noise};
use posterior::math::linalg::{Cholesky, DMatrix};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

const SIZES: [usize; 3] = [500, 1000, 2000];

/// A smooth function of two coordinates with noise of standard deviation 0.1.
fn data(n: usize) -> (DMatrix<f64>, Vec<f64>) {
    let mut rng = Pcg64::seed_from_u64(n as u64);
    let x = DMatrix::from_fn(n, 2, |_, _| 5.0 * rng.random::<f64>());
    let y = x
        .row_iter()
        .map(|x| {
            let noise: f64 = rng.sample(StandardNormal);
            x[0].sin() * (1.3 * x[1]).cos() + 0.3 * x[0] + 0.1 * noise
        })
        .collect();
    (x, y)
}

fn kernel() -> Kernel {
    1.5 * Kernel::rbf_ard(&[0.9, 1.1]).expect("positive lengths")
}

fn noise() -> Noise {
    Noise::variance(0.02).expect("a positive variance")
}

fn regression(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gp regression");
    group.sample_size(10);
    let (at, _) = data(1000);
    for n in SIZES {
        let (x, y) = data(n);
        let prior = GaussianProcess::new(kernel());
        group.bench_function(BenchmarkId::new("evidence", n), |bencher| {
            bencher.iter(|| prior.condition(black_box(&x), &y, &noise()));
        });
        group.bench_function(BenchmarkId::new("evidence and gradient", n), |bencher| {
            bencher.iter(|| prior.condition(black_box(&x), &y, &noise()).map(|posterior| posterior.gradient()));
        });
        let Ok(posterior) = prior.condition(&x, &y, &noise()) else { continue };
        group.bench_function(BenchmarkId::new("mean at 1000 places", n), |bencher| {
            bencher.iter(|| posterior.mean(black_box(&at)));
        });
        group.bench_function(BenchmarkId::new("mean and variance at 1000 places", n), |bencher| {
            bencher.iter(|| posterior.predict(black_box(&at)));
        });
        group.bench_function(BenchmarkId::new("leave one out", n), |bencher| {
            bencher.iter(|| black_box(&posterior).leave_one_out());
        });
    }
    group.finish();
}

fn parts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("gp parts");
    group.sample_size(10);
    for n in SIZES {
        let (x, _) = data(n);
        let mut gram = kernel().gram(&x);
        for i in 0..n {
            gram[(i, i)] += 0.02;
        }
        group.bench_function(BenchmarkId::new("gram", n), |bencher| {
            bencher.iter(|| kernel().gram(black_box(&x)));
        });
        group.bench_function(BenchmarkId::new("gradient through gram", n), |bencher| {
            bencher.iter(|| kernel().gram_gradient(black_box(&x), &gram));
        });
        let Ok(factor) = Cholesky::new(&gram) else { continue };
        group.bench_function(BenchmarkId::new("inverse", n), |bencher| {
            bencher.iter(|| black_box(&factor).inverse_triangle());
        });
    }
    group.finish();
}

criterion_group!(benches, regression, parts);
criterion_main!(benches);
