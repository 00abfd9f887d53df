//! Special functions and log space, beside the crates that people use today.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use posterior::math::log_space::ln_sum_exp;
use posterior::math::special::{
    bessel_i1_over_i0, bessel_k, beta_p, beta_p_gradient, digamma, erf, erfc, erfcx, gamma_p,
    gamma_p_shape_derivative, gamma_q, inverse_beta_p, inverse_gamma_p, inverse_mills, ln_bessel_i0,
    ln_gamma, ln_normal_cdf, ln_rising_factorial, normal_cdf, normal_quantile, owens_t, polygamma,
};

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

pub(super) fn special_functions(criterion: &mut Criterion) {
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

/// The fractional parts of multiples of irrational numbers: spread evenly, in no order.
fn spread(i: u32, multiplier: f64) -> f64 {
    (f64::from(i) * multiplier).fract()
}

/// From `low` to `high`, evenly in the logarithm.
fn log_spread(i: u32, multiplier: f64, low: f64, high: f64) -> f64 {
    low * (high / low).powf(spread(i, multiplier))
}

type FunctionOfThree = fn(f64, f64, f64) -> f64;

/// Times functions of three arguments, one of them often ignored.
fn compare_on(
    criterion: &mut Criterion,
    name: &str,
    arguments: &[[f64; 3]],
    functions: &[(&str, FunctionOfThree)],
) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(arguments.len() as u64));
    for (peer, function) in functions {
        group.bench_function(*peer, |bencher| {
            bencher.iter(|| arguments.iter().map(|&[x, y, z]| function(black_box(x), y, z)).sum::<f64>());
        });
    }
    group.finish();
}

pub(super) fn error_functions(criterion: &mut Criterion) {
    use statrs::function::erf as statrs;

    // x in (-5, 5)
    let points: Vec<_> =
        (0..8192).map(|i| [10.0 * spread(i, 0.618_033_988_749_895) - 5.0, 0.0, 0.0]).collect();
    compare_on(
        criterion,
        "erf",
        &points,
        &[
            ("posterior", |x, _, _| erf(x)),
            ("special", |x, _, _| special::Error::error(x)),
            ("statrs", |x, _, _| statrs::erf(x)),
        ],
    );
    compare_on(
        criterion,
        "erfc",
        &points,
        &[
            ("posterior", |x, _, _| erfc(x)),
            ("special", |x, _, _| special::Error::compl_error(x)),
            ("statrs", |x, _, _| statrs::erfc(x)),
        ],
    );
    compare_on(criterion, "erfcx", &points, &[("posterior", |x, _, _| erfcx(x))]);
    compare_on(criterion, "normal_cdf", &points, &[("posterior", |x, _, _| normal_cdf(x))]);
    compare_on(criterion, "ln_normal_cdf", &points, &[("posterior", |x, _, _| ln_normal_cdf(x))]);
    compare_on(criterion, "inverse_mills", &points, &[("posterior", |x, _, _| inverse_mills(x))]);
    let probabilities: Vec<_> = (0..8192).map(|i| [probability(i), 0.0, 0.0]).collect();
    compare_on(
        criterion,
        "normal_quantile",
        &probabilities,
        &[
            ("posterior", |p, _, _| normal_quantile(p)),
            ("special", |p, _, _| std::f64::consts::SQRT_2 * special::Error::inv_error(2.0 * p - 1.0)),
            ("statrs", |p, _, _| -std::f64::consts::SQRT_2 * statrs::erfc_inv(2.0 * p)),
        ],
    );
}

/// Half of them down to 1e-15, half of them even.
fn probability(i: u32) -> f64 {
    if spread(i, 0.366_025_403_784_439) < 0.5 {
        log_spread(i, 0.732_050_807_568_877, 1e-15, 0.5)
    } else {
        0.001 + 0.998 * spread(i, 0.236_067_977_499_79)
    }
}

pub(super) fn incomplete_gamma(criterion: &mut Criterion) {
    use statrs::function::gamma as statrs;

    // Shapes from 0.01 to 1000, x from a tenth of the shape to five times.
    let points: Vec<_> = (0..8192)
        .map(|i| {
            let a = log_spread(i, 0.618_033_988_749_895, 0.01, 1000.0);
            [a, a * log_spread(i, 0.414_213_562_373_095, 0.1, 5.0), probability(i)]
        })
        .collect();
    compare_on(
        criterion,
        "gamma_p",
        &points,
        &[
            ("posterior", |a, x, _| gamma_p(a, x)),
            ("special", |a, x, _| special::Gamma::inc_gamma(x, a)),
            ("statrs", |a, x, _| statrs::gamma_lr(a, x)),
        ],
    );
    compare_on(
        criterion,
        "gamma_q",
        &points,
        &[("posterior", |a, x, _| gamma_q(a, x)), ("statrs", |a, x, _| statrs::gamma_ur(a, x))],
    );
    compare_on(
        criterion,
        "gamma_p_shape_derivative",
        &points,
        &[("posterior", |a, x, _| gamma_p_shape_derivative(a, x))],
    );
    compare_on(criterion, "inverse_gamma_p", &points, &[("posterior", |a, _, p| inverse_gamma_p(a, p))]);
    compare(criterion, "polygamma(2)", &[("posterior", |x| polygamma(2, x))]);
}

pub(super) fn log_space(criterion: &mut Criterion) {
    let terms: Vec<f64> = arguments().into_iter().map(|x| -x).collect();
    let mut group = criterion.benchmark_group("ln_sum_exp");
    group.throughput(Throughput::Elements(terms.len() as u64));
    group.bench_function("posterior", |bencher| bencher.iter(|| ln_sum_exp(black_box(&terms))));
    group.finish();
}

/// Parameters from 0.1 to 100 and proportions between 0 and 1, in no order.
fn beta_arguments() -> Vec<(f64, f64, f64)> {
    let proportion = |i: u32, step: u32| f64::from(i * step % 1024) / 1024.0 + 1.0 / 2048.0;
    let size = |u: f64| 10_f64.powf(3.0 * u - 1.0);
    (0..1024_u32)
        .map(|i| (size(proportion(i, 7919)), size(proportion(i, 6733)), proportion(i, 5431)))
        .collect()
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

pub(super) fn incomplete_beta(criterion: &mut Criterion) {
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

pub(super) fn bessel_and_owen(criterion: &mut Criterion) {
    compare(criterion, "bessel_k", &[("posterior", |x| bessel_k(1.3, x))]);
    compare(criterion, "ln_bessel_i0", &[("posterior", ln_bessel_i0)]);
    compare(criterion, "bessel_i1_over_i0", &[("posterior", bessel_i1_over_i0)]);
    compare(criterion, "owens_t", &[("posterior", |x| owens_t(0.01 * x, 0.7))]);
}
