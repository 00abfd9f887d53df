//! Gradients: against differences, against forward derivatives, and as sums over tiles.

use posterior_gp::Kernel;
use posterior_gp::kernel::{InputTile, Tile};
use posterior_math::autodiff::{Dual, Real};
use posterior_math::linalg::DMatrix;
use proptest::prelude::*;

use super::any_kernel::{every_kernel, every_kernel_of, expression, inputs, rows};

/// ∂k/∂φ by central differences of sixth order.
fn differences(kernel: &Kernel, x: &[f64], y: &[f64]) -> Vec<f64> {
    let free = kernel.free_parameters();
    let step = 2e-4;
    (0..free.len())
        .map(|i| {
            let at = |steps: f64| {
                let mut moved = free.clone();
                moved[i] += steps * step;
                kernel.with_free_parameters(&moved).unwrap().value(x, y)
            };
            let across = |steps: f64| at(steps) - at(-steps);
            (45.0 * across(1.0) - 9.0 * across(2.0) + across(3.0)) / (60.0 * step)
        })
        .collect()
}

pub(super) fn gradients_are_differences(kernel: &Kernel, inputs: &DMatrix<f64>) -> Result<(), TestCaseError> {
    let rows = rows(inputs);
    for (i, x) in rows.iter().enumerate() {
        for y in &rows[..=i] {
            let (gradient, differences) = (kernel.gradient(x, y), differences(kernel, x, y));
            let scale = 1.0 + kernel.value(x, x) + kernel.value(y, y);
            for (entry, difference) in gradient.iter().zip(&differences) {
                let error = (entry - difference).abs();
                prop_assert!(
                    error <= 1e-8 * (scale + difference.abs()),
                    "{} at {:?} {:?}: {:?} {:?}",
                    kernel,
                    x,
                    y,
                    gradient,
                    differences
                );
            }
        }
    }
    Ok(())
}

pub(super) fn sums_are_those_of_pairs(
    kernel: &Kernel,
    x: &DMatrix<f64>,
    y: &DMatrix<f64>,
) -> Result<(), TestCaseError> {
    let (n, m) = (x.nrows(), y.nrows());
    let weights = DMatrix::from_fn(n, n, |i, j| (1.0 + (i + j) as f64 + 10.0 * (i * j) as f64).sin());
    let cross_weights = DMatrix::from_fn(n, m, |i, j| (2.0 + (3 * i + 7 * j) as f64).cos());
    let diagonal_weights: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
    // What is above the diagonal must not be read.
    let mut lower = weights.clone();
    lower.fill_upper_triangle(f64::NAN, 1);
    let sums = [
        kernel.gram_gradient(x, &lower),
        kernel.cross_gradient(x, y, &cross_weights),
        kernel.diagonal_gradient(x, &diagonal_weights),
    ];
    // Both at once are each alone.
    let mut values = vec![f64::NAN; n * m];
    let mut both = vec![1.0; sums[1].len()];
    let tile = Tile { rows: InputTile::all(x), columns: InputTile::all(y) };
    kernel.covariance().fill_and_pull_back(&tile, cross_weights.as_slice(), &mut values, &mut both);
    let cross = kernel.cross(x, y);
    for (value, alone) in values.iter().zip(cross.iter()) {
        prop_assert!((value - alone).abs() <= 1e-15 * alone.abs(), "{} {} {}", kernel, value, alone);
    }
    let (x, y) = (rows(x), rows(y));
    for (k, _) in kernel.parameters().iter().enumerate() {
        let mut totals = [0.0; 3];
        let mut sizes = [0.0; 3];
        let mut add = |which: usize, weight: f64, left: &[f64], right: &[f64]| {
            let term = weight * kernel.gradient(left, right)[k];
            totals[which] += term;
            sizes[which] += term.abs() + weight.abs() * kernel.value(left, right).abs();
        };
        for i in 0..n {
            for j in 0..n {
                add(0, weights[(i, j)], &x[i], &x[j]);
            }
            for j in 0..m {
                add(1, cross_weights[(i, j)], &x[i], &y[j]);
            }
            add(2, diagonal_weights[i], &x[i], &x[i]);
        }
        prop_assert!(
            (both[k] - 1.0 - totals[1]).abs() <= 1e-13 * (1.0 + sizes[1]),
            "{} parameter {}",
            kernel,
            k
        );
        for which in 0..3 {
            let error = (sums[which][k] - totals[which]).abs();
            prop_assert!(
                error <= 1e-13 * sizes[which],
                "{} sum {} parameter {}: {} {}",
                kernel,
                which,
                k,
                sums[which][k],
                totals[which]
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn of_every_kernel(
        x in inputs(4, 1),
        y in inputs(2, 1),
        z in inputs(4, 3),
        parameters in prop::array::uniform3(0.5..2.0_f64),
    ) {
        for kernel in every_kernel(parameters) {
            gradients_are_differences(&kernel, &x)?;
            sums_are_those_of_pairs(&kernel, &x, &y)?;
        }
        for kernel in every_kernel_of(3, parameters) {
            gradients_are_differences(&kernel, &z)?;
            sums_are_those_of_pairs(&kernel, &z, &z)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn of_expressions(kernel in expression(), x in inputs(4, 1), y in inputs(2, 1)) {
        gradients_are_differences(&kernel, &x)?;
        sums_are_those_of_pairs(&kernel, &x, &y)?;
    }
}

/// Several tiles, and the same bits again.
#[test]
fn sums_over_many_tiles() {
    let kernel: Kernel = "2*rbf([1, 3])*rational_quadratic(2, 0.5) + 0.3*linear()".parse().unwrap();
    let x = DMatrix::from_fn(101, 2, |i, j| (i as f64 * 0.37 + j as f64).sin() * 3.0);
    let y = DMatrix::from_fn(50, 2, |i, j| (i as f64 * 0.71 - j as f64).cos() * 3.0);
    sums_are_those_of_pairs(&kernel, &x, &y).unwrap();
    let weights = DMatrix::from_fn(101, 101, |i, j| ((i * j) as f64).sin());
    assert_eq!(kernel.gram_gradient(&x, &weights), kernel.gram_gradient(&x, &weights));
}

/// A formula as code, with derivatives by ln l and ln of the second parameter.
fn dual_gradient(formula: impl Fn([Dual<2>; 2]) -> Dual<2>, parameters: [f64; 2]) -> ([f64; 2], f64) {
    let free = [Dual::variable(parameters[0].ln(), 0), Dual::variable(parameters[1].ln(), 1)];
    let value = formula(free.map(Real::exp));
    (value.derivatives(), value.inner())
}

#[test]
fn gradients_are_forward_derivatives() {
    for (l, p, d) in [(0.7, 1.3, 0.4), (2.0, 0.3, 1.9), (0.05, 7.0, 0.1), (1.0, 1.0, 0.0)] {
        let cases = [
            (
                Kernel::rational_quadratic(l, p).unwrap(),
                dual_gradient(
                    |[l, p]| {
                        let ratio = (l * l * p * 2.0).recip() * (d * d) + 1.0;
                        (-(p * ratio.ln())).exp()
                    },
                    [l, p],
                ),
            ),
            (
                Kernel::periodic(l, p).unwrap(),
                dual_gradient(
                    |[l, p]| {
                        let sine = (p.recip() * (std::f64::consts::PI * d)).sin();
                        (-(sine * sine * 2.0 / (l * l))).exp()
                    },
                    [l, p],
                ),
            ),
            (
                p * Kernel::matern52(l).unwrap(),
                dual_gradient(
                    |[l, p]| {
                        let t = l.recip() * (5_f64.sqrt() * d);
                        p * (t + 1.0 + t * t / 3.0) * (-t).exp()
                    },
                    [l, p],
                ),
            ),
        ];
        for (kernel, (gradient, value)) in cases {
            let ours = kernel.gradient(&[0.0], &[d]);
            // The factor comes first in our list.
            let ours =
                if kernel.to_string().contains("matern") { [ours[1], ours[0]] } else { [ours[0], ours[1]] };
            assert!((kernel.value(&[0.0], &[d]) - value).abs() <= 1e-14 * value, "{kernel}");
            for (entry, expected) in ours.iter().zip(gradient) {
                assert!(
                    (entry - expected).abs() <= 1e-12 * (value + expected.abs()),
                    "{kernel}: {ours:?} {gradient:?}"
                );
            }
        }
    }
}
