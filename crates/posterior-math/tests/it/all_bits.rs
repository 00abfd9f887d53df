//! Every public function of numbers at numbers of any bits: it ends, does not panic, stays in its range, and
//! gives NaN for NaN. What takes closures, matrices or free coordinates gets the most hostile ones.

use std::ops::RangeInclusive;

use posterior_math::bijection::{
    AffineMap, Bijector, Correlation, CorrelationFactor, Elementwise, Exp, IntervalMap, IsometricLogRatio,
    Ordered, PositiveDefinite, ScalarBijector, SoftmaxMap, Softplus, StickBreaking,
};
use posterior_math::integrate::{leapfrog, runge_kutta, yoshida};
use posterior_math::iteration::{Silent, Stop};
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, MatrixError, PivotedCholesky, SymmetricEigen, Toeplitz, exponential,
};
use posterior_math::log_space::{
    LnSumExp, ln_1m_exp, ln_1p_exp, ln_add_exp, ln_diff_exp, ln_logistic, ln_softmax_in_place, ln_sum_exp,
    logistic, logit, softmax_in_place, x_ln_x, x_ln_y,
};
use posterior_math::optimize::{
    LbfgsOptions, LinearOptions, NewtonOptions, RootOptions, ScalarOptions, StochasticOptions,
    conjugate_gradients, find_root, find_root_newton, gradient_check, minimize, minimize_newton,
    minimize_scalar, minimize_stochastic,
};
use posterior_math::quadrature::{
    GaussHermite, GaussLegendre, QuadratureOptions, gauss_kronrod, gauss_kronrod_pieces, tanh_sinh, trapezoid,
};
use posterior_math::special::{
    bessel_i1_over_i0, bessel_k, beta_p, beta_p_gradient, beta_pq, beta_q, bivariate_normal_cdf, digamma,
    digamma_difference, erf, erf_inv, erfc, erfc_inv, erfcx, gamma, gamma_p, gamma_p_shape_derivative,
    gamma_pq, gamma_q, inverse_bessel_ratio, inverse_beta_p, inverse_beta_pq, inverse_beta_q,
    inverse_digamma, inverse_gamma_p, inverse_gamma_q, inverse_mills, ln_bessel_i0, ln_bessel_i1,
    ln_bessel_k, ln_beta, ln_beta_p, ln_beta_q, ln_binomial, ln_factorial, ln_gamma, ln_gamma_p, ln_gamma_q,
    ln_gamma_sign, ln_multinomial, ln_multivariate_beta, ln_normal_cdf, ln_pochhammer, ln_rising_factorial,
    multivariate_ln_gamma, normal_cdf, normal_ln_quantile, normal_quantile, normal_sf, normal_upper_quantile,
    owens_t, poisson_deviance, polygamma, ratio_power, stirling_remainder, trigamma, trigamma_difference,
};
use posterior_math::streaming::{MeanVariance, NeumaierSum, StreamingCovariance, StreamingMoments};
use posterior_testkit::accuracy::assert_close;
use proptest::prelude::*;

const INF: f64 = f64::INFINITY;
const ALL: RangeInclusive<f64> = -INF..=INF;
const POSITIVE: RangeInclusive<f64> = 0.0..=INF;
const PROPORTION: RangeInclusive<f64> = 0.0..=1.0;

/// A function of one number, and where its values are.
type Unary = (&'static str, fn(f64) -> f64, RangeInclusive<f64>);

const UNARY: [Unary; 35] = [
    ("ln_gamma", ln_gamma, ALL),
    ("ln_gamma_sign", |x| ln_gamma_sign(x).0, ALL),
    ("gamma", gamma, ALL),
    ("digamma", digamma, ALL),
    ("trigamma", trigamma, POSITIVE),
    ("polygamma", |x| polygamma(2, x), ALL),
    ("polygamma", |x| polygamma(100, x), ALL),
    ("inverse_digamma", inverse_digamma, POSITIVE),
    ("stirling_remainder", stirling_remainder, POSITIVE),
    ("multivariate_ln_gamma", |x| multivariate_ln_gamma(4, x), ALL),
    ("erf", erf, -1.0..=1.0),
    ("erfc", erfc, 0.0..=2.0),
    ("erfcx", erfcx, POSITIVE),
    ("erf_inv", erf_inv, ALL),
    ("erfc_inv", erfc_inv, ALL),
    ("normal_cdf", normal_cdf, PROPORTION),
    ("normal_sf", normal_sf, PROPORTION),
    ("ln_normal_cdf", ln_normal_cdf, -INF..=0.0),
    ("inverse_mills", inverse_mills, POSITIVE),
    ("normal_quantile", normal_quantile, ALL),
    ("normal_upper_quantile", normal_upper_quantile, ALL),
    ("normal_ln_quantile", normal_ln_quantile, ALL),
    ("ln_bessel_i0", ln_bessel_i0, POSITIVE),
    ("ln_bessel_i1", ln_bessel_i1, ALL),
    ("bessel_i1_over_i0", bessel_i1_over_i0, -1.0..=1.0),
    ("inverse_bessel_ratio", inverse_bessel_ratio, ALL),
    ("ln_1p_exp", ln_1p_exp, POSITIVE),
    ("ln_1m_exp", ln_1m_exp, -INF..=0.0),
    ("logistic", logistic, PROPORTION),
    ("ln_logistic", ln_logistic, -INF..=0.0),
    ("logit", logit, ALL),
    ("x_ln_x", x_ln_x, -0.368..=INF),
    ("ln_multivariate_beta", |x| ln_multivariate_beta(&[x, 1.0, x]), ALL),
    ("ln_sum_exp", |x| ln_sum_exp(&[x, 1.0]), 1.0..=INF),
    ("LnSumExp", |x| [x, 1.0].into_iter().collect::<LnSumExp>().value(), 1.0..=INF),
];

/// A function of two numbers, and where its values are.
type Binary = (&'static str, fn(f64, f64) -> f64, RangeInclusive<f64>);

const BINARY: [Binary; 26] = [
    ("ln_beta", ln_beta, ALL),
    ("ln_pochhammer", ln_pochhammer, ALL),
    ("digamma_difference", digamma_difference, POSITIVE),
    ("trigamma_difference", trigamma_difference, POSITIVE),
    ("poisson_deviance", poisson_deviance, POSITIVE),
    ("ratio_power", |x, y| ratio_power(x.abs(), y.abs(), 2.5), POSITIVE),
    ("gamma_p", gamma_p, PROPORTION),
    ("gamma_q", gamma_q, PROPORTION),
    ("gamma_pq", |a, x| gamma_pq(a, x).0, PROPORTION),
    ("gamma_pq", |a, x| gamma_pq(a, x).1, PROPORTION),
    ("ln_gamma_p", ln_gamma_p, -INF..=0.0),
    ("ln_gamma_q", ln_gamma_q, -INF..=0.0),
    ("gamma_p_shape_derivative", gamma_p_shape_derivative, -INF..=0.0),
    ("inverse_gamma_p", inverse_gamma_p, POSITIVE),
    ("inverse_gamma_q", inverse_gamma_q, POSITIVE),
    ("bessel_k", bessel_k, POSITIVE),
    ("ln_bessel_k", ln_bessel_k, ALL),
    ("owens_t", owens_t, -0.25..=0.25),
    ("ln_add_exp", ln_add_exp, ALL),
    ("ln_diff_exp", ln_diff_exp, ALL),
    ("x_ln_y", |x, y| if x == 0.0 { x + y } else { x_ln_y(x, y) }, ALL),
    ("bivariate_normal_cdf", |x, y| bivariate_normal_cdf(x, y, 0.7), PROPORTION),
    ("bivariate_normal_cdf", |x, rho| bivariate_normal_cdf(x, 0.3, rho), PROPORTION),
    ("beta_pq", |x, y| beta_pq(2.0, 0.3, x, y).0, PROPORTION),
    ("inverse_beta_pq", |p, q| inverse_beta_pq(2.0, 0.3, p, q).1, PROPORTION),
    ("ln_rising_factorial", |a, d| ln_rising_factorial(a, 3) + 0.0 * d, ALL),
];

/// A function of three numbers, and where its values are.
type Ternary = (&'static str, fn(f64, f64, f64) -> f64, RangeInclusive<f64>);

const TERNARY: [Ternary; 10] = [
    ("beta_p", beta_p, PROPORTION),
    ("beta_q", beta_q, PROPORTION),
    ("ln_beta_p", ln_beta_p, -INF..=0.0),
    ("ln_beta_q", ln_beta_q, -INF..=0.0),
    ("beta_p_gradient", |a, b, x| beta_p_gradient(a, b, x).0, ALL),
    ("beta_p_gradient", |a, b, x| beta_p_gradient(a, b, x).1, ALL),
    ("inverse_beta_p", |a, b, p| inverse_beta_p(a, b, p).0, PROPORTION),
    ("inverse_beta_q", |a, b, q| inverse_beta_q(a, b, q).1, PROPORTION),
    ("bivariate_normal_cdf", bivariate_normal_cdf, PROPORTION),
    ("softmax_in_place", |x, y, z| softmax_of([x, y, z]), PROPORTION),
];

fn softmax_of(mut weights: [f64; 3]) -> f64 {
    let mut ln_weights = weights;
    let (total, same) = (softmax_in_place(&mut weights), ln_softmax_in_place(&mut ln_weights));
    assert!(total.to_bits() == same.to_bits() || total.is_nan() == same.is_nan());
    weights[0]
}

/// Numbers of any bits, and more often than these the ones where something happens.
fn hostile() -> impl Strategy<Value = f64> {
    let corners = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        12.0,
        -2.5,
        1e-17,
        1e-300,
        5e-324,
        -5e-324,
        1e-308,
        1e16,
        1e154,
        1e300,
        f64::MAX,
        f64::MIN,
        INF,
        -INF,
        f64::NAN,
    ];
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        prop::sample::select(corners),
        0.0..1.0_f64,
        -40.0..40.0_f64
    ]
}

/// Whether a value is what a function may give for these arguments.
fn admissible(value: f64, arguments: &[f64], range: &RangeInclusive<f64>) -> bool {
    if arguments.iter().any(|x| x.is_nan()) {
        value.is_nan()
    } else {
        value.is_nan() || range.contains(&value)
    }
}

proptest! {
    // The functions are fast.
    #![proptest_config(ProptestConfig::with_cases(2560))]

    #[test]
    fn functions_of_numbers_are_total(x in hostile(), y in hostile(), z in hostile()) {
        for (name, function, range) in &UNARY {
            let value = function(x);
            prop_assert!(admissible(value, &[x], range), "{name}({x:e}) = {value:e}");
        }
        for (name, function, range) in &BINARY {
            let value = function(x, y);
            prop_assert!(admissible(value, &[x, y], range), "{name}({x:e}, {y:e}) = {value:e}");
        }
        for (name, function, range) in &TERNARY {
            let value = function(x, y, z);
            prop_assert!(admissible(value, &[x, y, z], range), "{name}({x:e}, {y:e}, {z:e}) = {value:e}");
        }
    }

    #[test]
    fn functions_of_counts_are_total(n in any::<u64>(), k in any::<u64>(), shift in 0..64_u32, a in hostile()) {
        let (n, k) = (n >> shift, k >> (63 - shift));
        prop_assert!(ln_factorial(n) >= 0.0);
        let ways = ln_binomial(n, k);
        prop_assert_eq!(ways == -INF, k > n);
        prop_assert!(k > n || ways >= 0.0);
        prop_assert!(n.checked_add(k).is_none() == ln_multinomial(&[n, k]).is_nan());
        prop_assert!(a >= 0.0 || n == 0 || ln_rising_factorial(a, n).is_nan());
        prop_assert!(polygamma((n % 101) as u32, 1.0).is_finite());
        prop_assert!(k > 1000 || a.is_nan() <= multivariate_ln_gamma(k as usize, a).is_nan());
    }

    #[test]
    fn streams_are_total(points in prop::array::uniform3(hostile()), weight in hostile()) {
        let finite = points.iter().all(|x| x.abs() < 1e100);
        let mut two: MeanVariance = points.into_iter().collect();
        let four: StreamingMoments = points.into_iter().collect();
        let sum: NeumaierSum = points.into_iter().collect();
        let mut joint = StreamingCovariance::new(3);
        joint.push(&points);
        joint.push(&[1.0; 3]);
        prop_assert!(!finite || (two.variance() >= 0.0 && four.variance() >= 0.0 && joint.covariance()[(0, 0)] >= 0.0));
        prop_assert!(!finite || sum.value().is_finite());
        prop_assert!(!points.iter().any(|x| x.is_nan()) || (two.mean().is_nan() && two.variance().is_nan() && sum.value().is_nan()));
        two.remove(points[0]);
        two.push_weighted(points[1], weight.abs());
        two.remove_weighted(points[2], weight);
        joint.push_weighted(&points, weight.abs());
        joint.remove_weighted(&points, weight);
        prop_assert!(joint.mean().len() == 3 && !(two.sum_of_squares() < 0.0 && weight >= 0.0));
    }
}

proptest! {
    #[test]
    fn bijections_are_total(free in prop::array::uniform6(hostile()), gradient in prop::array::uniform9(hostile())) {
        let scalars: [Box<dyn ScalarBijector>; 4] = [
            Box::new(Exp),
            Box::new(Softplus),
            Box::new(IntervalMap::tanh(-1.0, 3.0).expect("ends in order")),
            Box::new(AffineMap::new(1.0, -2.0).expect("finite")),
        ];
        for map in &scalars {
            for (value, at) in [(map.forward(free[0]), free[0]), (map.inverse(free[0]), free[0]), (map.ln_slope(free[0]) + 0.0 * free[0], free[0])] {
                prop_assert!(!at.is_nan() || value.is_nan(), "{map:?} {at}");
            }
        }
        let maps: [Box<dyn Bijector>; 8] = [
            Box::new(Elementwise::new(Exp, 2)),
            Box::new(StickBreaking::new(4).expect("proportions")),
            Box::new(SoftmaxMap::new(4).expect("proportions")),
            Box::new(IsometricLogRatio::new(4).expect("proportions")),
            Box::new(Ordered::new(4)),
            Box::new(PositiveDefinite::new(3)),
            Box::new(Correlation::new(3)),
            Box::new(CorrelationFactor::new(3)),
        ];
        for map in &maps {
            let (free, gradient) = (&free[..map.free_dim()], &gradient[..map.constrained_dim()]);
            let (mut point, mut out) = (vec![0.0; gradient.len()], vec![0.0; free.len()]);
            let ln_jacobian = map.forward(free, &mut point);
            prop_assert!(!free.iter().any(|x| x.is_nan()) || ln_jacobian.is_nan() || point.iter().any(|x| x.is_nan()), "{map:?}");
            map.pull_back_scaled(free, gradient, free[0], &mut out);
            map.inverse(gradient, &mut out);
        }
    }

    #[test]
    fn closures_may_return_anything(values in prop::collection::vec(hostile(), 1..6), ends in prop::array::uniform2(hostile())) {
        let mut calls = 0;
        let mut next = || {
            calls += 1;
            values[calls % values.len()]
        };
        let few = QuadratureOptions { max_evaluations: 500, ..QuadratureOptions::default() };
        let [a, b] = ends;
        for found in [
            gauss_kronrod(|_| next(), a, b, &few),
            gauss_kronrod_pieces(|_| next(), &[a, 0.0, b], &few),
            tanh_sinh(|_| next(), a, b, &few),
            trapezoid(|_| next(), a, b, &few),
        ] {
            prop_assert!(found.evaluations <= 500 && (!found.converged || found.value.is_finite()), "{found:?}");
        }
        let rule = (GaussLegendre::new(5).expect("n > 0"), GaussHermite::new(5).expect("n > 0"));
        prop_assert!(!a.is_nan() || (rule.0.integrate(a, b, |x| x).is_nan() && rule.1.expectation(a, 1.0, |x| x).is_nan()));
        let options = RootOptions { relative: a, absolute: b, max_evaluations: 50, ..RootOptions::default() };
        for found in [
            find_root(|_| next(), -1.0, 2.0, &options),
            find_root(|_| next(), a, b, &RootOptions::default()),
            find_root_newton(|_| (next(), next()), a, b, &RootOptions::default()),
        ] {
            prop_assert!(found.evaluations <= 200 && (!found.converged || !found.value.is_nan()), "{found:?}");
        }
        let scalar = minimize_scalar(|_| next(), a, b, &ScalarOptions { relative: b, absolute: a, ..ScalarOptions::default() });
        prop_assert!(scalar.evaluations <= 200 && (!scalar.converged || scalar.value < INF), "{scalar:?}");
    }

    #[test]
    fn objectives_may_return_anything(values in prop::collection::vec(hostile(), 1..6), start in prop::array::uniform2(hostile())) {
        let mut calls = 0;
        let mut objective = |_: &[f64], gradient: &mut [f64]| {
            for g in gradient.iter_mut() {
                calls += 1;
                *g = values[calls % values.len()];
            }
            values[(2 * calls + 1) % values.len()]
        };
        let found = minimize(&mut objective, &start, &LbfgsOptions { max_iterations: 20, ..LbfgsOptions::default() }, &mut Silent);
        prop_assert!(!found.report.converged() || found.model.value.is_finite());
        let found = minimize_stochastic(&mut objective, &start, &StochasticOptions { max_iterations: 20, ..StochasticOptions::default() }, &mut Silent);
        prop_assert!(!found.report.converged() || found.model.value.is_finite());
        gradient_check(&mut objective, &start);
        let smooth = |x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
            objective(x, hessian.as_mut_slice());
            objective(x, gradient)
        };
        let found = minimize_newton(smooth, &start, &NewtonOptions { max_iterations: 20, ..NewtonOptions::default() }, &mut Silent);
        prop_assert!(!found.report.converged() || found.model.value.is_finite());
        let system = |x: &[f64], product: &mut [f64]| {
            for (i, (p, x)) in product.iter_mut().zip(x).enumerate() {
                *p = values[i % values.len()] * x;
            }
        };
        let solved = conjugate_gradients(system, &start, &LinearOptions::default(), &mut Silent);
        prop_assert!(!solved.report.converged() || solved.model.point.iter().all(|x| x.is_finite()), "{solved:?}");
        let mut state = start;
        runge_kutta(|_, _, slope| slope.fill(values[0]), start[0], &mut state, start[1], 3);
        let (mut position, mut momentum) = (start, start);
        let mut force = |_: &[f64], gradient: &mut [f64]| gradient.fill(values[0]);
        leapfrog(&mut force, &mut position, &mut momentum, start[0], 3);
        yoshida(&mut force, &mut position, &mut momentum, start[1], 3);
    }

    #[test]
    fn matrices_may_hold_anything(entries in prop::array::uniform9(hostile()), cap in hostile()) {
        let square = DMatrix::from_column_slice(3, 3, &entries);
        let vector = DVector::from_column_slice(&entries[..3]);
        if let Ok(factor) = Cholesky::new(&square) {
            factor.condition_estimate();
            factor.inverse_diagonal();
            let mut changed = factor.clone();
            prop_assert!(changed.rank_one_update(&vector).is_ok() || changed == factor);
            prop_assert!(changed.rank_one_downdate(&vector).is_ok() || changed.size() == 3);
            prop_assert!(changed.append(&vector, cap).is_ok() || changed.size() == 3);
        }
        prop_assert!(Cholesky::with_jitter(&square, cap).is_err() || !square[(2, 0)].is_nan());
        for matrix in [DMatrix::from_column_slice(3, 2, &entries[..6]), DMatrix::from_column_slice(2, 3, &entries[..6])] {
            let refused = matches!(Cholesky::with_jitter(&matrix, INF), Err(MatrixError::NotSquare { .. }));
            prop_assert!(refused);
        }
        prop_assert!(PivotedCholesky::new(&square).is_err() || !square[(2, 0)].is_nan());
        prop_assert!(SymmetricEigen::new(&square).is_err() || !square[(2, 0)].is_nan());
        prop_assert!(Toeplitz::new(&vector).is_err() || vector[0] > 0.0);
        let power = exponential(&square).expect("square");
        prop_assert!(power[(2, 0)].is_nan() || !square[(2, 0)].is_nan());
    }
}

#[test]
fn right_hand_sides_beyond_the_squares_are_not_solved_by_zero() {
    let identity = |x: &[f64], product: &mut [f64]| product.copy_from_slice(x);
    for b in [1e200, 1e-200, INF, f64::NAN] {
        let solved = conjugate_gradients(identity, &[b], &LinearOptions::default(), &mut Silent);
        assert_eq!(solved.report.stop, Stop::Stalled, "{b}");
    }
    let solved = conjugate_gradients(identity, &[0.0], &LinearOptions::default(), &mut Silent);
    assert!(solved.report.converged());
}

/// What is between the regimes of the tables (mpmath at 60 digits).
#[test]
fn far_corners_have_their_values() {
    assert_close(gamma_q(11.5, 745.0), 3.458453837061288752e-301, 1e-14);
    assert_close(inverse_gamma_q(0.21714338939986103, 2.3061886893277117e-298), 678.79208575395094437, 1e-15);
    assert_close(ln_pochhammer(1.0, 1e22), 4.9656872045869005048e23, 1e-15);
    assert_close(normal_ln_quantile(-760.0), -38.869530226544764911, 1e-15);
    assert_close(normal_ln_quantile(-2000.0), -63.165418608783609485, 1e-15);
    assert_close(ln_bessel_k(0.0, 5e-324), 6.6127880721788323524, 1e-15);
    assert_close(ln_bessel_k(0.25, 5e-324), 186.87818011962343405, 1e-15);
    assert_close(ln_bessel_k(0.5, 5e-324), 372.44582731333535859, 1e-15);
    assert_close(bessel_k(0.25, 5e-324), 1.4459804261642885712e81, 2e-15);
    assert_close(bessel_k(0.7, 1e-300), 1.0543485545459369171e210, 2e-15);
    assert_close(bessel_k(0.41, 1e-291), 2.9337075709750786213e119, 2e-15);
    assert_close(bessel_k(0.958, 1e-291), 5.9776258051006527934e278, 2e-15);
}

#[test]
fn a_trust_region_grows() {
    let square = |x: &[f64], gradient: &mut [f64], hessian: &mut DMatrix<f64>| {
        gradient[0] = x[0];
        hessian[(0, 0)] = 1.0;
        0.5 * x[0] * x[0]
    };
    let found = minimize_newton(square, &[1e6], &NewtonOptions::default(), &mut Silent);
    assert!(found.report.converged() && found.report.iterations() < 30);
}

#[test]
fn owens_t_on_the_diagonal_is_a_product() {
    for i in 0..360 {
        let h = 0.1 * f64::from(i);
        assert_close(owens_t(h, 1.0), 0.5 * normal_cdf(h) * normal_sf(h), 2e-15);
    }
}

#[test]
fn what_is_removed_leaves_no_negative_square() {
    for i in 1..200 {
        let mut two: MeanVariance = [0.1, 0.1, 0.37 * f64::from(i)].into_iter().collect();
        two.remove(0.37 * f64::from(i));
        assert!(two.sum_of_squares() >= 0.0);
    }
    assert_eq!(Softplus.inverse(INF), INF);
}

#[test]
fn conjugate_gradients_end_after_as_many_steps_as_eigenvalues() {
    let matrix = |x: &[f64], product: &mut [f64]| {
        for (i, (p, x)) in product.iter_mut().zip(x).enumerate() {
            *p = (1.0 + (i % 5) as f64) * x;
        }
    };
    let solved = conjugate_gradients(matrix, &[1.0; 40], &LinearOptions::default(), &mut Silent);
    assert!(solved.report.converged() && solved.report.iterations() <= 5);
}

#[test]
fn the_first_step_of_adam_has_the_full_length() {
    let slope = |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = 7.0;
        7.0 * x[0]
    };
    let once = StochasticOptions { max_iterations: 1, ..StochasticOptions::default() };
    let found = minimize_stochastic(slope, &[0.0], &once, &mut Silent);
    assert!((found.model.point[0] + 1e-3).abs() < 1e-10);
}

#[test]
fn an_infinite_slope_is_not_a_root() {
    let found = find_root_newton(|x| (x - 0.3, INF), 0.0, 1.0, &RootOptions::default());
    assert!((found.point - 0.3).abs() < 1e-15);
}
