//! Quadrature, minimisation and automatic differentiation.

use std::hint::black_box;

use criterion::Criterion;
use posterior::math::autodiff::{Real, Tape, gradient_forward};
use posterior::math::iteration::Silent;
use posterior::math::log_space::logistic;
use posterior::math::optimize::{LbfgsOptions, minimize};
use posterior::math::quadrature::{GaussHermite, QuadratureOptions, gauss_kronrod, trapezoid};

/// E σ(f), f ~ N(1, 4), to ten digits by three rules.
pub(super) fn quadrature(criterion: &mut Criterion) {
    let density =
        |f: f64| (-0.125 * (f - 1.0) * (f - 1.0)).exp() * logistic(f) / (8.0 * std::f64::consts::PI).sqrt();
    let options = QuadratureOptions::default();
    let rule = GaussHermite::new(32).expect("n > 0");
    let mut group = criterion.benchmark_group("expectation of the logistic function");
    group.bench_function("gauss_kronrod", |bencher| {
        bencher.iter(|| gauss_kronrod(density, f64::NEG_INFINITY, black_box(f64::INFINITY), &options));
    });
    group.bench_function("trapezoid", |bencher| {
        bencher.iter(|| trapezoid(density, black_box(1.0), 2.0, &options));
    });
    group.bench_function("GaussHermite, 32 nodes", |bencher| {
        bencher.iter(|| rule.expectation(black_box(1.0), 4.0, logistic));
    });
    group.finish();
}

fn rosenbrock<R: Real>(x: &[R]) -> R {
    x.windows(2).map(|pair| (pair[0] - 1.0).powi(2) + (pair[1] - pair[0] * pair[0]).powi(2) * 100.0).sum()
}

fn rosenbrock_gradient(x: &[f64], gradient: &mut [f64]) -> f64 {
    gradient.fill(0.0);
    let mut value = 0.0;
    for i in 0..x.len() - 1 {
        let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
        gradient[i] += -2.0 * a - 400.0 * x[i] * b;
        gradient[i + 1] += 200.0 * b;
        value += a * a + 100.0 * b * b;
    }
    value
}

pub(super) fn minimisation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("L-BFGS on Rosenbrock's function");
    for (name, dimension) in [("2 variables", 2), ("100 variables", 100)] {
        let start = vec![-0.5; dimension];
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                minimize(rosenbrock_gradient, black_box(&start), &LbfgsOptions::default(), &mut Silent)
            });
        });
    }
    group.finish();
}

pub(super) fn gradients(criterion: &mut Criterion) {
    let x = vec![0.3; 100];
    let mut slope = vec![0.0; 100];
    let mut tape = Tape::new();
    let mut group = criterion.benchmark_group("gradient in 100 variables");
    group
        .bench_function("by hand", |bencher| bencher.iter(|| rosenbrock_gradient(black_box(&x), &mut slope)));
    group.bench_function("Tape", |bencher| {
        bencher.iter(|| tape.gradient(|x| rosenbrock(x), black_box(&x), &mut slope));
    });
    group.bench_function("Dual<8>", |bencher| {
        bencher.iter(|| gradient_forward::<8>(rosenbrock, black_box(&x), &mut slope));
    });
    group.finish();
}
