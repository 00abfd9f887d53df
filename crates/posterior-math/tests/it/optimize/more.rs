//! Products with the Hessian, limits, sums of squares, and no derivatives at all.

use std::ops::ControlFlow;

use posterior_math::iteration::{Silent, Step, Stop};
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::{
    CurvedObjective, LbfgsOptions, LeastSquaresOptions, NewtonOptions, SimplexOptions, isotonic_regression,
    minimize, minimize_in_box, minimize_least_squares, minimize_newton_cg, minimize_simplex,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{beale, powell, random, rosenbrock, rosenbrock_hessian};

/// Rosenbrock's valley with products by its Hessian.
struct Valley;

impl CurvedObjective for Valley {
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        rosenbrock(x, gradient)
    }

    fn curvature(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
        let n = x.len();
        product.fill(0.0);
        for i in 0..n - 1 {
            product[i] += (2.0 + 1200.0 * x[i] * x[i] - 400.0 * x[i + 1]) * v[i] - 400.0 * x[i] * v[i + 1];
            product[i + 1] += -400.0 * x[i] * v[i] + 200.0 * v[i + 1];
        }
    }
}

#[test]
fn newton_by_products_finds_the_end_of_the_valley() {
    // The products are those of the dense Hessian.
    let x = [0.3, -1.0, 2.0, 0.5];
    let (mut gradient, mut hessian) = (vec![0.0; 4], DMatrix::zeros(4, 4));
    rosenbrock_hessian(&x, &mut gradient, &mut hessian);
    hessian.fill_upper_triangle_with_lower_triangle();
    for j in 0..4 {
        let (mut unit, mut product) = (vec![0.0; 4], vec![0.0; 4]);
        unit[j] = 1.0;
        Valley.curvature(&x, &unit, &mut product);
        assert_eq!(product, hessian.column(j).as_slice());
    }
    for n in [2, 10, 1000] {
        let start: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { -1.2 } else { 1.0 }).collect();
        let options = NewtonOptions { max_iterations: 5000, ..NewtonOptions::default() };
        let found = minimize_newton_cg(Valley, &start, &options, &mut Silent);
        assert!(found.report.converged(), "{n}: {:?}", found.report.stop);
        // From this start some valleys have a second minimum, near to x₁ = -1 with a value of 4.
        assert!(found.model.gradient_norm <= 1e-9);
        assert!(
            found.model.value < 1e-15 || (found.model.value - 3.986).abs() < 0.01,
            "{}",
            found.model.value
        );
    }
}

/// x⁴ - x² in each variable, whose Hessian is negative at the start.
struct DoubleWell;

impl CurvedObjective for DoubleWell {
    fn evaluate(&mut self, x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.iter_mut().zip(x).for_each(|(g, x)| *g = 4.0 * x.powi(3) - 2.0 * x);
        x.iter().map(|x| x.powi(4) - x * x).sum()
    }

    fn curvature(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
        for i in 0..x.len() {
            product[i] = (12.0 * x[i] * x[i] - 2.0) * v[i];
        }
    }
}

#[test]
fn negative_curvature_leads_away_from_saddles() {
    let found = minimize_newton_cg(DoubleWell, &[0.01, -0.02, 0.03], &NewtonOptions::default(), &mut Silent);
    assert!(found.report.converged());
    assert!((found.model.value + 0.75).abs() < 1e-12);
    let stop = &mut |_: &Step| ControlFlow::Break(());
    let stopped = minimize_newton_cg(DoubleWell, &[0.1], &NewtonOptions::default(), stop);
    assert_eq!(stopped.report.stop, Stop::Observer);
    let failed = minimize_newton_cg(DoubleWell, &[f64::NAN], &NewtonOptions::default(), &mut Silent);
    assert_eq!(failed.report.stop, Stop::Stalled);
}

proptest! {
    #[test]
    fn a_quadratic_in_a_box_fulfils_the_conditions_of_karush_kuhn_and_tucker(
        entries in vec(-1.0..1.0, 64),
        linear in vec(-2.0..2.0, 8),
        low in vec(-1.0..0.5, 8),
        width in vec(0.0..1.0, 8),
    ) {
        let root = DMatrix::from_vec(8, 8, entries);
        let a = &root * root.transpose() + DMatrix::identity(8, 8) * 0.1;
        let b = DMatrix::from_column_slice(8, 1, &linear);
        let limits: Vec<(f64, f64)> = low.iter().zip(&width).map(|(low, width)| (*low, low + width)).collect();
        let objective = |x: &[f64], gradient: &mut [f64]| {
            assert!(x.iter().zip(&limits).all(|(x, limit)| (limit.0..=limit.1).contains(x)), "outside of the box");
            let x = DMatrix::from_column_slice(8, 1, x);
            let g: DMatrix<f64> = &a * &x + &b;
            gradient.copy_from_slice(g.as_slice());
            0.5 * (x.transpose() * (&g + &b))[0]
        };
        let options = LbfgsOptions::default();
        let found = minimize_in_box(objective, &[0.0; 8], &limits, &options, &mut Silent).unwrap();
        prop_assert!(found.report.converged(), "{:?} {}", found.report.stop, found.model.gradient_norm);
        let x = &found.model.point;
        let g: DMatrix<f64> = &a * DMatrix::from_column_slice(8, 1, x) + &b;
        for i in 0..8 {
            let at_low = x[i] == limits[i].0 && g[i] > -1e-7;
            let at_high = x[i] == limits[i].1 && g[i] < 1e-7;
            prop_assert!(at_low || at_high || g[i].abs() < 1e-7, "{i}: {} {}", x[i], g[i]);
        }
    }
}

#[test]
fn limits_hold_and_do_no_harm_where_they_are_far() {
    let far = vec![(f64::NEG_INFINITY, f64::INFINITY); 10];
    let options = LbfgsOptions::default();
    let start: Vec<f64> = (0..10).map(|i| 0.1 * f64::from(i)).collect();
    let found = minimize_in_box(rosenbrock, &start, &far, &options, &mut Silent).unwrap();
    assert!(found.report.converged());
    assert!(found.model.value < 1e-12);
    let free = minimize(rosenbrock, &start, &options, &mut Silent);
    assert!(found.model.evaluations < 2 * free.model.evaluations, "{}", found.model.evaluations);
    // Rosenbrock's valley cut off at x ≤ 0.8: the minimum is at (0.8, 0.64), with the value 0.04.
    let cut = [(-2.0, 0.8), (-2.0, 2.0)];
    let found = minimize_in_box(rosenbrock, &[-1.2, 1.0], &cut, &options, &mut Silent).unwrap();
    assert!(found.report.converged());
    assert_eq!(found.model.point[0], 0.8);
    assert!((found.model.point[1] - 0.64).abs() < 1e-8);
    // Beale's function above its minimum (3, 0.5) in the first coordinate.
    let found =
        minimize_in_box(beale, &[4.2, 0.0], &[(4.0, 5.0), (-1.0, 1.0)], &options, &mut Silent).unwrap();
    assert!(found.report.converged());
    assert_eq!(found.model.point[0], 4.0);
    let fixed = minimize_in_box(powell, &[9.0; 4], &[(1.0, 1.0); 4], &options, &mut Silent).unwrap();
    assert!(fixed.report.converged());
    assert_eq!(fixed.model.point, [1.0; 4]);
    let wrong =
        minimize_in_box(beale, &[0.0; 2], &[(1.0, 0.0), (0.0, 1.0)], &options, &mut Silent).unwrap_err();
    assert_eq!(wrong.to_string(), "minimize_in_box: lower limit[0] = 1 must be at most the upper limit");
    assert!(minimize_in_box(beale, &[0.0; 2], &[(0.0, f64::NAN); 2], &options, &mut Silent).is_err());
    assert!(minimize_in_box(beale, &[0.0; 2], &[(0.0, 1.0)], &options, &mut Silent).is_err());
}

#[test]
fn sums_of_squares_of_the_literature_are_minimised() {
    let options = LeastSquaresOptions::default();
    // J. J. Moré, B. S. Garbow, K. E. Hillstrom, Testing unconstrained optimization software, ACM TOMS 7
    // (1981): Rosenbrock (1), Powell's singular (13), Bard (8, least sum 8.21487e-3), Kowalik and Osborne
    // (15, 3.07505e-4).
    let valley = |x: &[f64], r: &mut [f64], j: &mut DMatrix<f64>| {
        r.copy_from_slice(&[10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]);
        j.copy_from_slice(&[-20.0 * x[0], -1.0, 10.0, 0.0]);
    };
    let found = minimize_least_squares(valley, &[-1.2, 1.0], 2, &options, &mut Silent);
    assert!(found.report.converged() && found.report.iterations() < 50);
    assert!((found.model.point[0] - 1.0).abs() < 1e-12);

    let y = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39];
    let bard = |x: &[f64], r: &mut [f64], j: &mut DMatrix<f64>| {
        for i in 0..15 {
            let (u, v) = (i as f64 + 1.0, 15.0 - i as f64);
            let w = u.min(v);
            let below = v * x[1] + w * x[2];
            r[i] = y[i] - (x[0] + u / below);
            (j[(i, 0)], j[(i, 1)], j[(i, 2)]) = (-1.0, u * v / (below * below), u * w / (below * below));
        }
    };
    let found = minimize_least_squares(bard, &[1.0; 3], 15, &options, &mut Silent);
    assert!(found.report.converged(), "{:?}", found.report.stop);
    assert!((2.0 * found.model.value - 8.21487e-3).abs() < 1e-8);

    let y = [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246];
    let u = [4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625];
    let kowalik = |x: &[f64], r: &mut [f64], j: &mut DMatrix<f64>| {
        for i in 0..11 {
            let (above, below) = (u[i] * u[i] + u[i] * x[1], u[i] * u[i] + u[i] * x[2] + x[3]);
            r[i] = y[i] - x[0] * above / below;
            j[(i, 0)] = -above / below;
            j[(i, 1)] = -x[0] * u[i] / below;
            j[(i, 2)] = x[0] * above * u[i] / (below * below);
            j[(i, 3)] = x[0] * above / (below * below);
        }
    };
    let found = minimize_least_squares(kowalik, &[0.25, 0.39, 0.415, 0.39], 11, &options, &mut Silent);
    assert!(found.report.converged(), "{:?}", found.report.stop);
    assert!((2.0 * found.model.value - 3.07505e-4).abs() < 1e-9);

    let singular = |x: &[f64], r: &mut [f64], j: &mut DMatrix<f64>| {
        let (p, q) = (x[1] - 2.0 * x[2], x[0] - x[3]);
        let (five, ten) = (5_f64.sqrt(), 10_f64.sqrt());
        r.copy_from_slice(&[x[0] + 10.0 * x[1], five * (x[2] - x[3]), p * p, ten * q * q]);
        j.fill(0.0);
        (j[(0, 0)], j[(0, 1)], j[(1, 2)], j[(1, 3)]) = (1.0, 10.0, five, -five);
        (j[(2, 1)], j[(2, 2)]) = (2.0 * p, -4.0 * p);
        (j[(3, 0)], j[(3, 3)]) = (2.0 * ten * q, -2.0 * ten * q);
    };
    let found = minimize_least_squares(singular, &[3.0, -1.0, 0.0, 1.0], 4, &options, &mut Silent);
    assert!(found.model.value < 1e-20, "{}", found.model.value);
}

#[test]
fn units_and_idle_parameters_do_not_matter_to_squares() {
    // A line with slope and offset in units 1e12 apart, and a parameter that does nothing.
    let line = |x: &[f64], r: &mut [f64], j: &mut DMatrix<f64>| {
        j.fill(0.0);
        for i in 0..5 {
            let t = i as f64;
            r[i] = 1e6 * x[0] + 1e-6 * t * x[1] - (1.0 + 2.0 * t);
            (j[(i, 0)], j[(i, 1)]) = (1e6, 1e-6 * t);
        }
    };
    let found = minimize_least_squares(line, &[0.0; 3], 5, &LeastSquaresOptions::default(), &mut Silent);
    assert!(found.report.converged());
    assert!((found.model.point[0] * 1e6 - 1.0).abs() < 1e-8);
    assert!((found.model.point[1] * 1e-6 - 2.0).abs() < 1e-8);
    assert_eq!(found.model.point[2], 0.0);
    let nothing = |_: &[f64], _: &mut [f64], _: &mut DMatrix<f64>| {};
    assert!(
        minimize_least_squares(nothing, &[], 0, &LeastSquaresOptions::default(), &mut Silent)
            .report
            .converged()
    );
    let failing = |_: &[f64], r: &mut [f64], _: &mut DMatrix<f64>| r.fill(f64::NAN);
    let found = minimize_least_squares(failing, &[1.0], 1, &LeastSquaresOptions::default(), &mut Silent);
    assert_eq!(found.report.stop, Stop::Stalled);
}

#[test]
fn a_simplex_walks_without_derivatives() {
    let options = SimplexOptions::default();
    let found = minimize_simplex(|x: &[f64]| beale(x, &mut [0.0; 2]), &[1.0, 1.0], &options, &mut Silent);
    assert!(found.report.converged());
    assert!((found.model.point[0] - 3.0).abs() < 1e-6 && (found.model.point[1] - 0.5).abs() < 1e-6);
    assert!(found.model.gradient_norm.is_nan());
    let found =
        minimize_simplex(|x: &[f64]| powell(x, &mut [0.0; 4]), &[3.0, -1.0, 0.0, 1.0], &options, &mut Silent);
    assert!(found.model.value < 1e-10, "{}", found.model.value);
    // A kink: |x - 1| + |y + 2|.
    let kink = |x: &[f64]| (x[0] - 1.0).abs() + (x[1] + 2.0).abs();
    let found = minimize_simplex(kink, &[0.0, 0.0], &options, &mut Silent);
    assert!(found.model.value < 1e-7, "{}", found.model.value);
    // Half of the plane cannot be evaluated.
    let half = |x: &[f64]| if x[0] < 0.5 { f64::NAN } else { x[0] * x[0] + x[1] * x[1] };
    let found = minimize_simplex(half, &[1.0, 1.0], &options, &mut Silent);
    assert!((found.model.value - 0.25).abs() < 1e-6, "{}", found.model.value);
    let nowhere = minimize_simplex(|_: &[f64]| f64::NAN, &[1.0], &options, &mut Silent);
    assert_eq!(nowhere.report.stop, Stop::Stalled);
    assert!(minimize_simplex(|_: &[f64]| 1.0, &[], &options, &mut Silent).report.converged());
}

/// Of all sequences that do not fall it is the nearest: against the max-min formula, fᵢ = the largest over
/// starts a ≤ i of the smallest over ends b ≥ i of the mean from a to b (Robertson, Wright, Dykstra 1988).
#[test]
fn isotonic_regression_is_the_max_min_formula() {
    let points: Vec<(f64, f64)> = (0..25)
        .map(|i| (0.1 * f64::from(i) + 2.0 * random(i as usize), 0.2 + random(100 + i as usize).abs()))
        .collect();
    let mean = |a: usize, b: usize| {
        let part = &points[a..=b];
        part.iter().map(|(y, w)| y * w).sum::<f64>() / part.iter().map(|(_, w)| w).sum::<f64>()
    };
    let found = isotonic_regression(&points).unwrap();
    for (i, own) in found.iter().enumerate() {
        let least = |a: usize| (i..points.len()).map(|b| mean(a, b)).fold(f64::INFINITY, f64::min);
        let expected = (0..=i).map(least).fold(f64::NEG_INFINITY, f64::max);
        assert!((own - expected).abs() < 1e-12, "{i} {own} {expected}");
    }
    assert!(isotonic_regression(&[]).unwrap().is_empty());
    assert_eq!(isotonic_regression(&[(1.0, 1.0), (f64::NAN, 1.0)]).unwrap_err().index(), Some(1));
    assert_eq!(isotonic_regression(&[(1.0, 0.0)]).unwrap_err().index(), Some(0));
}
