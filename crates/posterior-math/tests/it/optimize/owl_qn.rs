//! Minima with L1 penalties.

use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::optimize::{LbfgsOptions, minimize_l1};

use super::{random, rosenbrock};

/// |A x - b|²/2 for a matrix of 40 rows and 12 columns that depend on each other.
fn least_squares() -> (DMatrix<f64>, DVector<f64>) {
    let mut a = DMatrix::from_fn(40, 12, |i, j| random(i * 12 + j));
    for j in 1..12 {
        let mixed = 0.6 * a.column(j - 1) + a.column(j);
        a.set_column(j, &mixed);
    }
    let b = DVector::from_fn(40, |i, _| 2.0 * a[(i, 0)] - a[(i, 5)] + 0.3 * random(1000 + i));
    (a, b)
}

#[test]
fn owl_qn_solves_the_lasso() {
    let (a, b) = least_squares();
    let (gram, product) = (a.transpose() * &a, a.transpose() * &b);
    let smooth = |x: &[f64], gradient: &mut [f64]| {
        let rest = &a * DVector::from_column_slice(x) - &b;
        gradient.copy_from_slice((a.transpose() * &rest).as_slice());
        0.5 * rest.norm_squared()
    };
    for (penalty, zeros) in [(0.0, 0..=0), (0.5, 1..=11), (3.0, 5..=11), (1e4, 12..=12)] {
        // The first variable is free of the penalty in the second half.
        for free in [false, true] {
            let mut penalties = vec![penalty; 12];
            if free {
                penalties[0] = 0.0;
            }
            // Coordinate descent: each variable in turn has a closed form.
            let mut x = DVector::zeros(12);
            for _ in 0..2_000 {
                for j in 0..12 {
                    let square = gram[(j, j)];
                    let pull = product[j] - gram.column(j).dot(&x) + square * x[j];
                    x[j] = pull.signum() * (pull.abs() - penalties[j]).max(0.0) / square;
                }
            }
            let options = LbfgsOptions { gradient_tolerance: 1e-11, ..LbfgsOptions::default() };
            let found = minimize_l1(smooth, &penalties, &[0.1; 12], &options, &mut Silent).unwrap();
            assert!(
                found.report.converged(),
                "{penalty}: {:?} {}",
                found.report.stop,
                found.model.gradient_norm
            );
            for (found, expected) in found.model.point.iter().zip(x.iter()) {
                assert!((found - expected).abs() < 1e-9, "{penalty}: {found} {expected}");
            }
            // Zeros are exact.
            let count = found.model.point.iter().filter(|x| **x == 0.0).count();
            assert_eq!(count, x.iter().filter(|x| **x == 0.0).count());
            assert!(zeros.contains(&(count + usize::from(free && penalty == 1e4))), "{penalty}: {count}");
            assert!(found.report.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12 * pair[0].abs()));
        }
    }
}

#[test]
fn owl_qn_without_penalties_is_lbfgs() {
    for n in [2, 10] {
        let found =
            minimize_l1(rosenbrock, &vec![0.0; n], &vec![-1.2; n], &LbfgsOptions::default(), &mut Silent)
                .unwrap();
        assert!(found.report.converged());
        assert!(found.model.value < 1e-12 || n > 3, "{}", found.model.value);
    }
}

#[test]
fn owl_qn_of_separate_variables_is_the_soft_threshold() {
    // x⁴ has no curvature at 0: Σ (xᵢ - cᵢ)⁴ + |xᵢ| has its minimum at cᵢ ∓ 4^(-1/3), or at 0.
    let centres = [3.0, -2.0, 0.5, -0.1, 0.0];
    let smooth = |x: &[f64], gradient: &mut [f64]| {
        let mut value = 0.0;
        for (i, c) in centres.iter().enumerate() {
            gradient[i] = 4.0 * (x[i] - c).powi(3);
            value += (x[i] - c).powi(4);
        }
        value
    };
    let options = LbfgsOptions { gradient_tolerance: 1e-10, ..LbfgsOptions::default() };
    let found = minimize_l1(smooth, &[1.0; 5], &[0.0; 5], &options, &mut Silent).unwrap();
    let shift = 0.25_f64.cbrt();
    for (found, expected) in found.model.point.iter().zip([3.0 - shift, -2.0 + shift, 0.0, 0.0, 0.0]) {
        assert!((found - expected).abs() < 1e-8, "{found} {expected}");
    }
}

#[test]
fn owl_qn_refuses_what_is_no_penalty_and_stalls_where_nothing_can_be_evaluated() {
    let sphere = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = 2.0 * x[0];
        x[0] * x[0]
    };
    let run =
        |penalties: &[f64]| minimize_l1(sphere, penalties, &[1.0], &LbfgsOptions::default(), &mut Silent);
    for penalties in [&[][..], &[1.0, 1.0], &[-1.0], &[f64::NAN], &[f64::INFINITY]] {
        assert!(run(penalties).is_err());
    }
    assert_eq!(run(&[1.0]).unwrap().model.point, [0.0]);
    let nowhere = |_: &[f64], _: &mut [f64]| f64::NAN;
    let found = minimize_l1(nowhere, &[1.0], &[1.0], &LbfgsOptions::default(), &mut Silent).unwrap();
    assert_eq!(found.report.stop, Stop::Stalled);
    // A wrong gradient leads nowhere, and that is reported.
    let wrong = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = -1.0;
        x[0]
    };
    let found = minimize_l1(wrong, &[0.5], &[1.0], &LbfgsOptions::default(), &mut Silent).unwrap();
    assert_eq!(found.report.stop, Stop::Stalled);
}
