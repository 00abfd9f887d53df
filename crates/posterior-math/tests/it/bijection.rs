//! Bijections: inverses, volumes, pull-backs, and the far tails.

use posterior_math::autodiff::{Real, gradient};
use posterior_math::bijection::{
    AffineMap, Bijector, Composition, Correlation, CorrelationFactor, Elementwise, Exp, Identity,
    IntervalMap, IsometricLogRatio, Ordered, PositiveDefinite, ProductMap, RealBijector, ScalarBijector,
    SoftmaxMap, Softplus, StickBreaking,
};
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_logistic;
use posterior_math::optimize::gradient_check;
use posterior_math::quadrature::{QuadratureOptions, gauss_kronrod};
use posterior_testkit::accuracy::{assert_close, assert_within};
use proptest::prelude::*;

/// A map, and the coordinates of the constrained point in which its J is.
type Case = (Box<dyn Bijector>, Vec<usize>);

/// The indices below the diagonal of a d x d matrix, column after column, with the diagonal if `from` is 0.
fn below(d: usize, from: usize) -> Vec<usize> {
    (0..d).flat_map(|j| (j + from..d).map(move |i| j * d + i)).collect()
}

fn every_map() -> Vec<Case> {
    let interval = IntervalMap::logit(-1.0, 3.0).expect("an interval");
    let tanh = IntervalMap::tanh(2.0, 2.5).expect("an interval");
    let affine = AffineMap::new(1.5, -2.0).expect("an affine map");
    let softmax = SoftmaxMap::new(4).expect("proportions");
    let product = ProductMap::default()
        .and(Elementwise::new(Exp, 1))
        .and(StickBreaking::new(3).expect("proportions"))
        .and(Ordered::new(2));
    let composed =
        Composition::new(Ordered::new(3), Elementwise::new((Softplus, affine), 3)).expect("they fit");
    vec![
        (Box::new(Elementwise::new(Identity, 2)), vec![0, 1]),
        (Box::new(Elementwise::new(Exp, 2)), vec![0, 1]),
        (Box::new(Elementwise::new(Softplus, 2)), vec![0, 1]),
        (Box::new(Elementwise::new(affine, 2)), vec![0, 1]),
        (Box::new(Elementwise::new(interval, 3)), vec![0, 1, 2]),
        (Box::new(Elementwise::new(tanh, 1)), vec![0]),
        (Box::new(Elementwise::new((Exp, affine), 2)), vec![0, 1]),
        (Box::new(StickBreaking::new(2).expect("proportions")), vec![0]),
        (Box::new(StickBreaking::new(5).expect("proportions")), vec![0, 1, 2, 3]),
        (Box::new(softmax), vec![0, 1, 2]),
        (Box::new(IsometricLogRatio::new(2).expect("proportions")), vec![0]),
        (Box::new(IsometricLogRatio::new(5).expect("proportions")), vec![0, 1, 2, 3]),
        (Box::new(Ordered::new(4)), vec![0, 1, 2, 3]),
        (Box::new(PositiveDefinite::new(1)), vec![0]),
        (Box::new(PositiveDefinite::new(3)), below(3, 0)),
        (Box::new(CorrelationFactor::new(2)), below(2, 1)),
        (Box::new(CorrelationFactor::new(4)), below(4, 1)),
        (Box::new(Correlation::new(2)), below(2, 1)),
        (Box::new(Correlation::new(4)), below(4, 1)),
        (Box::new(product), vec![0, 1, 2, 4, 5]),
        (Box::new(composed), vec![0, 1, 2]),
    ]
}

/// ln |det| of central differences of these coordinates.
fn numeric_ln_jacobian(map: &dyn Bijector, free: &[f64], coordinates: &[usize]) -> f64 {
    let n = free.len();
    let at = |i: usize, h: f64| {
        let mut moved = free.to_vec();
        moved[i] += h;
        let mut point = vec![0.0; map.constrained_dim()];
        map.forward(&moved, &mut point);
        point
    };
    let mut jacobian = DMatrix::zeros(n, n);
    let h = 1e-4;
    for i in 0..n {
        // Of fourth order: the determinant of a wide matrix multiplies the errors.
        let (a, b, c, d) = (at(i, 2.0 * h), at(i, h), at(i, -h), at(i, -2.0 * h));
        for (row, &k) in coordinates.iter().enumerate() {
            jacobian[(row, i)] = (8.0 * (b[k] - c[k]) - (a[k] - d[k])) / (12.0 * h);
        }
    }
    jacobian.determinant().abs().ln()
}

proptest! {
    #[test]
    fn every_map_is_consistent(numbers in prop::array::uniform10(-1.5..1.5_f64), weights in prop::array::uniform16(-1.0..1.0_f64)) {
        for (map, coordinates) in every_map() {
            let free = &numbers[..map.free_dim()];
            let mut point = vec![0.0; map.constrained_dim()];
            let ln_jacobian = map.forward(free, &mut point);
            prop_assert_eq!(map.ln_jacobian(free), ln_jacobian);

            let mut back = vec![0.0; map.free_dim()];
            map.inverse(&point, &mut back);
            for (x, y) in back.iter().zip(free) {
                prop_assert!((x - y).abs() < 1e-11, "{map:?}: {back:?} {free:?}");
            }

            let numeric = numeric_ln_jacobian(&*map, free, &coordinates);
            prop_assert!((ln_jacobian - numeric).abs() < 1e-6, "{map:?}: {ln_jacobian} {numeric}");

            // A function of all coordinates, as if they were free.
            let function = |point: &[f64]| point.iter().zip(&weights).map(|(x, w)| (x * w).sin()).sum::<f64>();
            for volume in [0.0, 1.0, -2.5] {
                let pulled = |free: &[f64], gradient: &mut [f64]| {
                    let mut point = vec![0.0; map.constrained_dim()];
                    let ln_jacobian = map.forward(free, &mut point);
                    let of_point: Vec<f64> = point.iter().zip(&weights).map(|(x, w)| w * (x * w).cos()).collect();
                    map.pull_back_scaled(free, &of_point, volume, gradient);
                    function(&point) + volume * ln_jacobian
                };
                let check = gradient_check(pulled, free);
                // Central differences are no better where a variance of e³ is in a sine.
                prop_assert!(check.error < 1e-6, "{map:?}: {check:?}");
            }
        }
    }

    #[test]
    fn far_out_nothing_is_nan(numbers in prop::collection::vec(prop::sample::select(vec![-800.0, -40.0, 0.0, 1.0, 40.0, 800.0]), 10)) {
        for (map, _) in every_map() {
            let free = &numbers[..map.free_dim()];
            let mut point = vec![0.0; map.constrained_dim()];
            let ln_jacobian = map.forward(free, &mut point);
            prop_assert!(ln_jacobian.is_finite(), "{map:?} {free:?}");
            let matrix_overflows = point.iter().any(|x| x.is_infinite());
            if !matrix_overflows {
                prop_assert!(point.iter().all(|x| x.is_finite()), "{map:?} {free:?} {point:?}");
                let mut gradient = vec![0.0; map.free_dim()];
                map.pull_back(free, &vec![1.0; map.constrained_dim()], &mut gradient);
                prop_assert!(gradient.iter().all(|g| !g.is_nan()), "{map:?} {free:?} {gradient:?}");
            }
        }
        for map in simplexes(6) {
            let mut proportions = [0.0; 6];
            map.forward(&numbers[..5], &mut proportions);
            prop_assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            let mut gradient = [0.0; 5];
            map.pull_back(&numbers[..5], &[3.0, 1.0, 4.0, 1.0, 5.0, 9.0], &mut gradient);
            prop_assert!(gradient.iter().all(|g| g.is_finite()));
        }
    }

    #[test]
    fn inverses_of_stick_breaking_far_out(numbers in prop::array::uniform5(-150.0..150.0_f64)) {
        // While no proportion underflows, the way back has the digits.
        let map = StickBreaking::new(6).expect("proportions");
        let (mut proportions, mut back) = ([0.0; 6], [0.0; 5]);
        map.forward(&numbers, &mut proportions);
        map.inverse(&proportions, &mut back);
        for (x, y) in back.iter().zip(&numbers) {
            prop_assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{back:?} {numbers:?}");
        }
    }
}

fn simplexes(proportions: usize) -> [Box<dyn Bijector>; 3] {
    [
        Box::new(StickBreaking::new(proportions).expect("proportions")),
        Box::new(SoftmaxMap::new(proportions).expect("proportions")),
        Box::new(IsometricLogRatio::new(proportions).expect("proportions")),
    ]
}

#[test]
fn the_volume_of_the_simplex_is_right_in_the_tails() {
    // The formula of each map, in logarithms.
    let y = [800.0, -800.0, 800.0, -3.0];
    let mut proportions = [0.0; 5];
    let found = StickBreaking::new(5).expect("proportions").forward(&y, &mut proportions);
    let (mut expected, mut ln_rest) = (0.0, 0.0);
    for (k, y) in y.iter().enumerate() {
        let u = y - (4.0 - k as f64).ln();
        expected += ln_logistic(u) + ln_logistic(-u) + ln_rest;
        ln_rest += ln_logistic(-u);
    }
    assert_close(found, expected, 1e-15);
    assert!(proportions.iter().all(|x| (0.0..=1.0).contains(x)));
    let found = SoftmaxMap::new(3).expect("proportions").forward(&[800.0, -800.0], &mut proportions[..3]);
    assert_close(found, -1600.0 - 800.0, 1e-15);
    assert_eq!(proportions[..3], [1.0, 0.0, (-800_f64).exp()]);
    let found = Correlation::new(2).forward(&[800.0], &mut proportions[..4]);
    assert_close(found, 2.0 * (2_f64.ln() - 800.0), 1e-15);
    let found = Elementwise::new(IntervalMap::logit(0.0, 1.0).expect("an interval"), 1)
        .forward(&[-800.0], &mut proportions[..1]);
    assert_close(found, -800.0, 1e-15);
}

#[test]
fn densities_pushed_through_still_integrate_to_one() {
    // Beta(2.5, 1.5) on two proportions, by each map; a gamma distribution by exp and softplus.
    let options = QuadratureOptions::default();
    let ln_beta = |x: f64, y: f64| 1.5 * x.ln() + 0.5 * y.ln() - posterior_math::special::ln_beta(2.5, 1.5);
    for map in simplexes(2) {
        let density = |y: f64| {
            let mut proportions = [0.0; 2];
            let ln_jacobian = map.forward(&[y], &mut proportions);
            (ln_beta(proportions[0], proportions[1]) + ln_jacobian).exp()
        };
        assert_close(gauss_kronrod(density, -30.0, 30.0, &options).value, 1.0, 1e-10);
    }
    let ln_gamma = |x: f64| 1.5 * x.ln() - x - posterior_math::special::ln_gamma(2.5);
    let of = |map: &dyn ScalarBijector| {
        gauss_kronrod(|x| (ln_gamma(map.forward(x)) + map.ln_slope(x)).exp(), -40.0, 60.0, &options).value
    };
    assert_close(of(&Exp), 1.0, 1e-10);
    assert_close(of(&Softplus), 1.0, 1e-10);
    // LKJ(1) is uniform on correlation matrices: the volume for d = 2 is 2.
    let volume = gauss_kronrod(|y| Correlation::new(2).ln_jacobian(&[y]).exp(), -20.0, 20.0, &options).value;
    assert_close(volume, 2.0, 1e-10);
}

#[test]
fn boundaries_and_refusals() {
    let mut free = [0.0; 2];
    let sticks = StickBreaking::new(3).expect("proportions");
    sticks.inverse(&[0.0, 1.0, 0.0], &mut free);
    assert_eq!(free, [f64::NEG_INFINITY, f64::INFINITY]);
    sticks.inverse(&[1.0, 0.0, 0.0], &mut free);
    assert_eq!(free, [f64::INFINITY, 0.0]);
    sticks.inverse(&[-0.5, 1.0, 0.5], &mut free);
    assert!(free[0].is_nan());
    assert!(Exp.inverse(-1.0).is_nan() && Exp.inverse(0.0) == f64::NEG_INFINITY);
    assert!(Softplus.inverse(-1.0).is_nan() && Softplus.inverse(0.0) == f64::NEG_INFINITY);
    assert_eq!(Softplus.inverse(f64::INFINITY), f64::INFINITY);
    let unit = IntervalMap::logit(0.0, 1.0).expect("an interval");
    assert!(unit.inverse(-0.1).is_nan() && unit.inverse(1.1).is_nan());
    assert_eq!((unit.inverse(0.0), unit.inverse(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert_within(IntervalMap::tanh(-1.0, 1.0).expect("an interval").inverse(1e-300), 1e-300, 1e-310);
    let mut free = [0.0; 3];
    PositiveDefinite::new(2).inverse(&[1.0, 2.0, 2.0, 1.0], &mut free);
    assert!(free[0].is_nan());
    Ordered::new(3).inverse(&[1.0, 0.0, 5.0], &mut free);
    assert!(free[1].is_nan());
    for error in
        [StickBreaking::new(0).is_err(), SoftmaxMap::new(0).is_err(), IsometricLogRatio::new(0).is_err()]
    {
        assert!(error);
    }
    assert!(IntervalMap::logit(1.0, 1.0).is_err() && IntervalMap::tanh(0.0, f64::INFINITY).is_err());
    assert!(AffineMap::new(0.0, 0.0).is_err() && AffineMap::new(f64::NAN, 1.0).is_err());
    assert!(Composition::new(Correlation::new(3), Ordered::new(9)).is_err());
}

#[test]
fn the_smallest_sizes_work() {
    for map in simplexes(1) {
        let mut proportion = [0.0];
        assert_eq!(map.forward(&[], &mut proportion), 0.0);
        assert_eq!(proportion, [1.0]);
        map.pull_back(&[], &[1.0], &mut []);
        map.inverse(&[1.0], &mut []);
    }
    let mut one = [0.0];
    assert_eq!(Correlation::new(1).forward(&[], &mut one), 0.0);
    assert_eq!(one, [1.0]);
    let empty: [Box<dyn Bijector>; 6] = [
        Box::new(Correlation::new(0)),
        Box::new(CorrelationFactor::new(0)),
        Box::new(PositiveDefinite::new(0)),
        Box::new(Ordered::new(0)),
        Box::new(Elementwise::new(Exp, 0)),
        Box::new(ProductMap::default()),
    ];
    for map in empty {
        assert_eq!(map.forward(&[], &mut []), 0.0);
        map.inverse(&[], &mut []);
        map.pull_back_function(&[], &[], &mut []);
    }
}

#[test]
#[should_panic(expected = "the number of free coordinates")]
fn slices_have_the_right_length() {
    Ordered::new(3).forward(&[1.0], &mut [0.0; 3]);
}

fn weight(index: usize) -> f64 {
    0.3 + 0.7 * index as f64
}

/// A function of all coordinates of the constrained point, and of the Jacobian.
fn weighted<R: Real>(map: &impl RealBijector, free: &[R]) -> R {
    let mut point = vec![R::from(0.0); map.constrained_dim()];
    let ln_jacobian = map.forward_real(free, &mut point);
    point.iter().enumerate().map(|(k, &x)| (x * weight(k)).sin()).sum::<R>() + ln_jacobian * 1.5
}

/// Derivatives that go through a map are those of its pull-back, and the image is that of `forward`.
fn derivatives_go_through(map: &impl RealBijector, numbers: &[f64]) {
    let free = &numbers[..map.free_dim()];
    let mut slope = vec![0.0; free.len()];
    let value = gradient(|free| weighted(map, free), free, &mut slope);
    let mut point = vec![0.0; map.constrained_dim()];
    let ln_jacobian = map.forward(free, &mut point);
    let sum: f64 = point.iter().enumerate().map(|(k, x)| (x * weight(k)).sin()).sum();
    assert_within(value, sum + 1.5 * ln_jacobian, 1e-12 * (1.0 + value.abs()));
    let of_point: Vec<f64> =
        point.iter().enumerate().map(|(k, x)| weight(k) * (x * weight(k)).cos()).collect();
    let mut pulled = vec![0.0; free.len()];
    map.pull_back_scaled(free, &of_point, 1.5, &mut pulled);
    for (a, b) in slope.iter().zip(&pulled) {
        assert_within(*a, *b, 1e-12 * (1.0 + b.abs()));
    }
}

#[test]
fn derivatives_go_through_the_maps_as_their_pull_backs_say() {
    let interval = IntervalMap::logit(-1.0, 3.0).expect("an interval");
    let affine = AffineMap::new(1.5, -2.0).expect("an affine map");
    for scale in [0.0, 0.4, 3.0, -6.0] {
        let numbers = [0.3, -1.0, 0.9, 0.1, -0.4, 1.0].map(|x| x * scale);
        derivatives_go_through(&Elementwise::new(Identity, 2), &numbers);
        derivatives_go_through(&Elementwise::new(Exp, 2), &numbers);
        derivatives_go_through(&Elementwise::new((Softplus, affine), 3), &numbers);
        derivatives_go_through(&Elementwise::new(interval, 3), &numbers);
        derivatives_go_through(&StickBreaking::new(4).expect("proportions"), &numbers);
        derivatives_go_through(&Ordered::new(4), &numbers);
        derivatives_go_through(&CorrelationFactor::new(4), &numbers);
    }
}
