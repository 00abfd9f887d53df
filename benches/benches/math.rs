//! Special functions and log space, beside the crates that people use today.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use posterior::math::log_space::ln_sum_exp;
use posterior::math::special::{
    bessel_i1_over_i0, bessel_k, beta_p, beta_p_gradient, inverse_beta_p, ln_bessel_i0, owens_t,
};
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

/// Parameters from 0.1 to 100 and shares between 0 and 1, in no order.
fn beta_arguments() -> Vec<(f64, f64, f64)> {
    let share = |i: u32, step: u32| f64::from(i * step % 1024) / 1024.0 + 1.0 / 2048.0;
    let size = |u: f64| 10_f64.powf(3.0 * u - 1.0);
    (0..1024_u32).map(|i| (size(share(i, 7919)), size(share(i, 6733)), share(i, 5431))).collect()
}

type OfThree = fn(f64, f64, f64) -> f64;

fn compare_of_three(criterion: &mut Criterion, name: &str, functions: &[(&str, OfThree)]) {
    let arguments = beta_arguments();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(arguments.len() as u64));
    for (peer, function) in functions {
        group.bench_function(*peer, |bencher| {
            bencher.iter(|| arguments.iter().map(|&(a, b, x)| function(black_box(a), b, x)).sum::<f64>());
        });
    }
    group.finish();
}

fn incomplete_beta(criterion: &mut Criterion) {
    compare_of_three(
        criterion,
        "beta_p",
        &[("posterior", beta_p), ("statrs", |a, b, x| statrs::function::beta::beta_reg(a, b, x))],
    );
    compare_of_three(
        criterion,
        "inverse_beta_p",
        &[
            ("posterior", |a, b, p| inverse_beta_p(a, b, p).0),
            ("statrs", |a, b, p| statrs::function::beta::inv_beta_reg(a, b, p)),
        ],
    );
    compare_of_three(criterion, "beta_p_gradient", &[("posterior", |a, b, x| beta_p_gradient(a, b, x).0)]);
}

fn bessel_and_owen(criterion: &mut Criterion) {
    compare(criterion, "bessel_k", &[("posterior", |x| bessel_k(1.3, x))]);
    compare(criterion, "ln_bessel_i0", &[("posterior", ln_bessel_i0)]);
    compare(criterion, "bessel_i1_over_i0", &[("posterior", bessel_i1_over_i0)]);
    compare(criterion, "owens_t", &[("posterior", |x| owens_t(0.01 * x, 0.7))]);
}

criterion_group!(benches, special_functions, log_space);
criterion_group!(beta_and_bessel, incomplete_beta, bessel_and_owen);
criterion_main!(benches, beta_and_bessel);
