//! What holds for every process: steps compose, noises are covariances, and the kernel is the closed form.

use std::f64::consts::TAU;

use posterior_kalman::continuous::Process;
use posterior_math::linalg::{DMatrix, SymmetricEigen, discretize};
use proptest::prelude::*;

use super::all;

/// The largest difference, each entry beside the scales of its row and column.
fn distance(a: &DMatrix<f64>, b: &DMatrix<f64>, scale: &DMatrix<f64>) -> f64 {
    let size = |i: usize, j: usize| (scale[(i, i)] * scale[(j, j)]).sqrt().max(f64::MIN_POSITIVE);
    let places = (0..a.nrows()).flat_map(|i| (0..a.ncols()).map(move |j| (i, j)));
    places.map(|(i, j)| (a[(i, j)] - b[(i, j)]).abs() / size(i, j)).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn steps_compose(from in 0.0..5.0_f64, s in 0.01..3.0_f64, t in 0.01..3.0_f64) {
        for (name, process) in all() {
            let (first, second) = (process.step(from, s), process.step(from + s, t));
            let whole = process.step(from, s + t);
            let distribution = process.covariance(from + s + t);
            let transition = &second.transition * &first.transition;
            let noise = &second.transition * &first.noise * second.transition.transpose() + &second.noise;
            // The polynomials of the largest Matérn process alternate, and lose four digits.
            let bound = if name == "matern 15/2" { 1e-9 } else { 1e-11 };
            // Transitions move what is of the size of the standard deviations.
            let before = process.covariance(from);
            let spread = |a: &DMatrix<f64>| a * &before * a.transpose();
            prop_assert!(distance(&spread(&transition), &spread(&whole.transition), &distribution) < bound, "{name}");
            prop_assert!(distance(&noise, &whole.noise, &distribution) < bound, "{name}");
            let moved = spread(&whole.transition) + &whole.noise;
            prop_assert!(distance(&moved, &distribution, &distribution) < bound, "{name}: the distribution of the state moves with it");
        }
    }
}

#[test]
fn a_step_of_no_length_changes_nothing() {
    for (name, process) in all() {
        let step = process.step(1.5, 0.0);
        let n = process.states();
        assert!((step.transition - DMatrix::identity(n, n)).amax() < 1e-15, "{name}");
        assert_eq!(step.noise.amax(), 0.0, "{name}");
    }
}

#[test]
fn noises_are_positive_semidefinite_for_any_step() {
    for (name, process) in all() {
        for exponent in -12..=6 {
            let noise = process.step(0.5, 10_f64.powi(exponent)).noise;
            assert!(noise.iter().all(|entry| entry.is_finite()), "{name} 1e{exponent}");
            // In units in which all variances are one.
            let n = noise.nrows();
            let scale = |i: usize| if noise[(i, i)] > 0.0 { noise[(i, i)].sqrt().recip() } else { 0.0 };
            let correlation = DMatrix::from_fn(n, n, |i, j| noise[(i, j)] * scale(i) * scale(j));
            let least = SymmetricEigen::new(&correlation).unwrap().values()[0];
            assert!(least > -1e-13, "{name} 1e{exponent}: {least}");
        }
    }
}

/// k = e^(-z) p!/(2p)! Σ (p + i)!/(i! (p - i)!) (2z)^(p-i), z = √(2ν) r / l.
fn matern(order: usize, length_scale: f64, r: f64) -> f64 {
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let z = (2.0 * order as f64 + 1.0).sqrt() * r / length_scale;
    let term = |i: usize| {
        factorial(order + i) / (factorial(i) * factorial(order - i)) * (2.0 * z).powi((order - i) as i32)
    };
    (-z).exp() * factorial(order) / factorial(2 * order) * (0..=order).map(term).sum::<f64>()
}

#[test]
fn kernels_are_the_closed_forms() {
    for (s, t) in [(0.0_f64, 0.0), (0.3, 1.1), (2.0, 0.25), (1.7, 1.7 + 1e-6), (0.5, 9.0)] {
        let r: f64 = (s - t).abs();
        let least = s.min(t);
        let close = |process: &Process, value: f64| {
            let error = (process.kernel(s, t) - value).abs();
            assert!(error < 2e-14 * value.abs().max(1.0), "{process:?}: {error}");
        };
        for order in 0..=7 {
            close(&Process::matern(order, 1.3).unwrap(), matern(order, 1.3, r));
        }
        close(&Process::wiener(), least);
        close(&Process::integrated_wiener(), least.powi(3) / 3.0 + r * least * least / 2.0);
        close(&Process::constant(), 1.0);
        close(&Process::linear(), s * t);
        close(&Process::cosine(0.9).unwrap(), (TAU * r / 0.9).cos());
        let product = Process::matern32(1.3).unwrap().times(Process::wiener()).scaled(2.0).unwrap();
        close(&product, 2.0 * matern(1, 1.3, r) * least);
        close(&product.plus(Process::constant()), 2.0 * matern(1, 1.3, r) * least + 1.0);
    }
}

#[test]
fn systems_from_time_0_have_their_closed_forms() {
    let scalar = |value: f64| DMatrix::from_element(1, 1, value);
    // Twice x with dx = rate x dt + dβ, from a variance at time 0; it may grow.
    let relaxed = |rate: f64, variance: f64| {
        Process::sde_from_origin(&scalar(rate), &scalar(1.0), &[2.0], &scalar(variance)).unwrap()
    };
    let (drift, diffusion) = (
        DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0]),
        DMatrix::from_row_slice(2, 2, &[0.0, 0.0, 0.0, 1.0]),
    );
    let integrated =
        Process::sde_from_origin(&drift, &diffusion, &[1.0, 0.0], &DMatrix::zeros(2, 2)).unwrap();
    let settled = Process::sde(&scalar(-0.5), &scalar(1.0), &[2.0]).unwrap();
    for (s, t) in [(0.0_f64, 0.0), (0.3, 1.1), (2.0, 0.25), (0.5, 5.0)] {
        let (least, r) = (s.min(t), (s - t).abs());
        let close = |process: &Process, value: f64| {
            let error = (process.kernel(s, t) - value).abs();
            assert!(error < 1e-13 * value.abs().max(1.0), "{process:?}: {error}");
        };
        for rate in [-0.5_f64, 0.5] {
            let variance = 3.0 * (2.0 * rate * least).exp() + (2.0 * rate * least).exp_m1() / (2.0 * rate);
            close(&relaxed(rate, 3.0), 4.0 * (rate * r).exp() * variance);
        }
        close(&relaxed(-0.5, 1.0), settled.kernel(s, t));
        close(&integrated, Process::integrated_wiener().kernel(s, t));
    }
    let growing = relaxed(0.5, 3.0);
    assert!(!growing.is_stationary() && growing.origin() == 0.0 && growing.kernel(-1.0, 1.0).is_nan());
    assert!(Process::sde(&scalar(0.5), &scalar(1.0), &[2.0]).is_err());
    assert!(Process::sde_from_origin(&scalar(0.5), &scalar(1.0), &[2.0], &scalar(-1.0)).is_err());
    assert!(Process::sde_from_origin(&scalar(0.5), &scalar(1.0), &[2.0], &DMatrix::zeros(2, 2)).is_err());
}

/// Each state pushes the next one round a circle; iterations for eigenvalues stand still at the circle
/// itself.
#[test]
fn a_damped_circle_has_a_stationary_distribution() {
    for n in [4, 9] {
        let circle = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from((i + 1) % n == j)));
        let (identity, mut row) = (DMatrix::identity(n, n), vec![0.0; n]);
        row[0] = 1.0;
        assert!(Process::sde(&circle, &identity, &row).is_err());
        let process = Process::sde(&(circle - &identity * 2.0), &identity, &row).unwrap();
        let modes = (0..n).map(|k| 1.0 / (4.0 - 2.0 * (TAU * k as f64 / n as f64).cos()));
        assert!((process.kernel(0.0, 0.0) - modes.sum::<f64>() / n as f64).abs() < 1e-14);
    }
}

#[test]
fn approximations_are_within_their_errors_and_reach_them() {
    let exact =
        |l: f64, p: f64, r: f64| (-2.0 * (std::f64::consts::PI * r / p).sin().powi(2) / (l * l)).exp();
    for terms in [0, 1, 3, 6, 12, 30] {
        let process = Process::periodic(0.7, 1.9, terms).unwrap();
        let bound = process.approximation_error(0.0);
        let worst = (0..200)
            .map(|i| f64::from(i) * 0.01)
            .map(|r| (process.kernel(0.0, r) - exact(0.7, 1.9, r)).abs())
            .fold(0.0, f64::max);
        assert!(worst <= bound + 2e-15, "{terms}: {worst} {bound}");
        assert!(worst >= bound - 2e-15, "{terms}: {worst} {bound}");
    }
    let mut before = 1.0;
    for order in [1, 2, 3, 4, 5, 6, 8, 10, 12] {
        let process = Process::rbf(1.7, order).unwrap();
        let bound = process.approximation_error(0.0);
        let worst = (0..200)
            .map(|i| f64::from(i) * 0.05)
            .map(|r| (process.kernel(0.0, r) - (-0.5 * (r / 1.7_f64).powi(2)).exp()).abs())
            .fold(0.0, f64::max);
        assert!(worst <= bound + 1e-10, "{order}: {worst} {bound}");
        assert!(worst >= bound - 1e-10, "{order}: {worst} {bound}");
        assert!(bound < before, "{order}: more states, less error");
        before = bound;
    }
}

#[test]
fn as_many_harmonics_as_an_error_needs() {
    for (length_scale, error) in [(0.7, 1e-3), (0.2, 1e-6), (5.0, 1e-10), (0.01, 1e-8)] {
        let terms = Process::periodic_terms(length_scale, error).unwrap();
        let reached = |terms| Process::periodic(length_scale, 1.0, terms).unwrap().approximation_error(0.0);
        assert!(reached(terms) <= error);
        assert!(terms == 0 || reached(terms - 1) > error);
    }
}

#[test]
fn sums_and_products_of_approximations_bound_their_errors() {
    let rough = Process::periodic(0.7, 1.9, 2).unwrap();
    let fine = Process::periodic(0.7, 1.9, 40).unwrap();
    let around = |periodic: &Process| {
        let season = periodic.clone().times(Process::matern32(2.0).unwrap().scaled(3.0).unwrap());
        season.plus(Process::wiener().times(periodic.clone()))
    };
    let (rough, fine) = (around(&rough), around(&fine));
    let worst = (0..100)
        .map(|i| f64::from(i) * 0.05)
        .map(|t| (rough.kernel(t, 5.0) - fine.kernel(t, 5.0)).abs())
        .fold(0.0, f64::max);
    let bound = rough.approximation_error(5.0);
    assert!(worst <= bound && bound < 2.0 * worst, "{worst} {bound}");
}

#[test]
fn the_closed_form_of_matern_is_the_exponential_of_its_matrix() {
    for order in 0..=5_usize {
        let rate = (2.0 * order as f64 + 1.0).sqrt() / 0.8;
        let n = order + 1;
        let binomial = |k: usize| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        // With f⁽ⁱ⁾ / λⁱ as states, so that all numbers are of one size.
        let mut drift = DMatrix::zeros(n, n);
        for i in 1..n {
            drift[(i - 1, i)] = rate;
        }
        for j in 0..n {
            drift[(order, j)] = -binomial(j) * rate;
        }
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let mut diffusion = DMatrix::zeros(n, n);
        diffusion[(order, order)] =
            2_f64.powi(2 * order as i32 + 1) * rate * factorial(order).powi(2) / factorial(2 * order);
        let units = DMatrix::from_fn(n, n, |i, j| if i == j { rate.powi(-(i as i32)) } else { 0.0 });
        let process = Process::matern(order, 0.8).unwrap();
        let distribution = &units * process.covariance(0.0) * &units;
        for dt in [1e-3, 0.1, 0.7, 2.0, 5.0, 12.0] {
            let (closed, general) = (process.step(0.0, dt), discretize(&drift, &diffusion, dt).unwrap());
            for i in 0..n {
                for j in 0..n {
                    let scaled = closed.transition[(i, j)] * rate.powi(j as i32 - i as i32);
                    assert!((scaled - general.transition[(i, j)]).abs() < 1e-12, "{order} {dt}: A {i} {j}");
                }
            }
            let noise = &units * closed.noise * &units;
            let error = distance(&noise, &general.noise, &distribution);
            let bound = if order <= 2 { 5e-14 } else { 1e-12 };
            assert!(error < bound, "{order} {dt}: {error}");
        }
    }
}

#[test]
fn tiny_steps_keep_their_digits() {
    // q ∫ φ φᵀ for short steps: the leading term, where the next is smaller by a = 2 λ dt.
    let dt = 1e-12;
    let process = Process::matern52(2.0).unwrap();
    let rate = 5_f64.sqrt() / 2.0;
    let q = (2.0 * rate).powi(5) / 6.0; // (2λ)^5 2!²/4!
    let noise = process.step(0.0, dt).noise;
    for (i, j, value) in [
        (0, 0, dt.powi(5) / 20.0),
        (0, 1, dt.powi(4) / 8.0),
        (1, 1, dt.powi(3) / 3.0),
        (0, 2, dt.powi(3) / 6.0),
        (1, 2, dt.powi(2) / 2.0),
        (2, 2, dt),
    ] {
        assert!((noise[(i, j)] / (q * value) - 1.0).abs() < 1e-11, "{i} {j}");
    }
    // And nothing overflows or becomes no number where all is forgotten.
    for dt in [1e6, 1e100, 1e300] {
        let step = process.step(0.0, dt);
        assert_eq!(step.transition.amax(), 0.0);
        assert_eq!(step.noise, process.covariance(0.0));
    }
}

#[test]
fn before_its_origin_a_process_has_no_distribution() {
    let wiener = Process::integrated_wiener();
    assert_eq!(wiener.kernel(2.0, 0.0), 0.0);
    assert!(wiener.kernel(2.0, -1.0).is_nan() && wiener.covariance(-1.0)[(1, 1)].is_nan());
    assert_eq!(wiener.times(Process::constant()).covariance(1.0)[(1, 1)], 1.0);
    assert_eq!(Process::linear().kernel(-1.0, 2.0), -2.0);
}

#[test]
fn golden_matrices() {
    let process = Process::matern32(1.5).unwrap().scaled(2.0).unwrap();
    let step = process.step(0.0, 0.4);
    let a = [0.921127524319, -0.336052166115, 0.252039124587, 0.339068098614];
    let q = [0.133651580357, 0.391204661632, 0.391204661632, 2.134225415305];
    for k in 0..4 {
        assert!((step.transition.as_slice()[k] - a[k]).abs() < 1e-12);
        assert!((step.noise.as_slice()[k] - q[k]).abs() < 1e-12);
    }
    let distribution = process.covariance(7.0);
    assert!((distribution[(0, 0)] - 2.0).abs() < 1e-15 && (distribution[(1, 1)] - 8.0 / 3.0).abs() < 1e-15);
    assert_eq!(distribution[(0, 1)], 0.0);
    assert!((process.kernel(0.0, 0.4) - 1.8422550486382656).abs() < 1e-15);

    let noise = Process::integrated_wiener().step(0.0, 0.5).noise;
    assert!((noise[(0, 0)] - 1.0 / 24.0).abs() < 1e-17);
    assert_eq!((noise[(0, 1)], noise[(1, 1)]), (0.125, 0.5));

    let step = Process::ornstein_uhlenbeck(1.5).unwrap().scaled(2.0).unwrap().step(0.0, 0.4);
    let a = (-0.4_f64 / 1.5).exp();
    assert!((step.transition[(0, 0)] - a).abs() < 1e-16);
    assert!((step.noise[(0, 0)] - 2.0 * (1.0 - a * a)).abs() < 1e-15);
    assert!((Process::integrated_wiener().kernel(1.0, 2.0) - 5.0 / 6.0).abs() < 1e-15);
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(Process::matern32(0.0).is_err());
    assert!(Process::matern32(f64::NAN).is_err());
    assert!(Process::matern(8, 1.0).is_err());
    assert!(Process::periodic(1e-4, 1.0, 3).is_err());
    assert!(Process::rbf(1.0, 0).is_err());
    assert!(Process::rbf(1.0, 13).is_err());
    assert!(Process::wiener().scaled(-1.0).is_err());
    let unstable = DMatrix::from_element(1, 1, 0.1);
    let one = DMatrix::from_element(1, 1, 1.0);
    let error = Process::sde(&unstable, &one, &[1.0]).unwrap_err();
    assert!(error.to_string().contains("eigenvalue of the drift = 0.1 must be negative"), "{error}");
    assert!(Process::sde(&-unstable, &-one, &[1.0]).is_err());
    let process = Process::matern12(1.0).unwrap();
    assert!(process.state_space(&[1.0, 0.5], &[0.1]).is_err());
    assert!(process.state_space(&[1.0, f64::NAN], &[0.1]).is_err());
    assert!(process.state_space(&[1.0, 2.0], &[-0.1]).is_err());
    assert!(process.state_space(&[1.0, 2.0], &[0.1, 0.1, 0.1]).is_err());
    assert!(Process::wiener().state_space(&[-1.0, 2.0], &[0.1]).is_err());
    assert!(process.with_parameters(&[1.0, 2.0]).is_err());
    assert!(process.with_parameters(&[0.0]).is_err());
}
