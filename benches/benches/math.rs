//! Special functions and log space, beside the crates that people use today.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use posterior::math::log_space::ln_sum_exp;
use posterior::math::special::{digamma, ln_gamma, ln_rising_factorial};

/// Arguments from 0.01 to about 400, in no order.
fn arguments() -> Vec<f64> {
    (0..1024_u32).map(|i| 0.01 * f64::from(i * 7919 % 1024 + 1) * f64::from(i % 40 + 1)).collect()
}

type Function = fn(f64) -> f64;

fn compare(criterion: &mut Criterion, name: &str, functions: &[(&str, Function)]) {
    let arguments = arguments();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(arguments.len() as u64));
    for (peer, function) in functions {
        group.bench_function(*peer, |bencher| {
            bencher.iter(|| arguments.iter().map(|&x| function(black_box(x))).sum::<f64>());
        });
    }
    group.finish();
}

fn special_functions(criterion: &mut Criterion) {
    compare(criterion, "ln_gamma", &[("posterior", ln_gamma), ("statrs", statrs::function::gamma::ln_gamma)]);
    compare(criterion, "digamma", &[("posterior", digamma), ("statrs", statrs::function::gamma::digamma)]);
    compare(
        criterion,
        "ln_rising_factorial",
        &[
            ("posterior", |x| ln_rising_factorial(x, 12)),
            ("difference of statrs", |x| {
                statrs::function::gamma::ln_gamma(x + 12.0) - statrs::function::gamma::ln_gamma(x)
            }),
        ],
    );
}

fn log_space(criterion: &mut Criterion) {
    let terms: Vec<f64> = arguments().into_iter().map(|x| -x).collect();
    let mut group = criterion.benchmark_group("ln_sum_exp");
    group.throughput(Throughput::Elements(terms.len() as u64));
    group.bench_function("posterior", |bencher| bencher.iter(|| ln_sum_exp(black_box(&terms))));
    group.finish();
}

criterion_group!(benches, special_functions, log_space);
criterion_main!(benches);
