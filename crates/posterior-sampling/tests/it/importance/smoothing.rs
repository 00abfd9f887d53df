//! Pareto-smoothed weights. Expected figures: `psislw` of ArviZ 0.23.4 on the same numbers.

use posterior_dist::stream::stream;
use posterior_sampling::importance::{pareto_smoothed, reliable_shape};
use rand::RngExt;

use super::{GOLDEN, assert_close, normal_scores, spread};

#[test]
fn agrees_with_arviz() {
    // k, S, relative efficiency: k̂, the largest weight, Σ w̃², ln of the seventh weight.
    #[rustfmt::skip]
    let table = [
        (0.3, 1000, 1.0, 0.29672634063255093, 0.006116981969902274, 0.0011874737117193606, -6.926101155820842),
        (0.5, 200, 1.0, 0.4154658856281263, 0.03710234391371296, 0.008190603923809853, -5.380675998914048),
        (0.7, 4000, 0.5, 0.6542992708713433, 0.024881675963775603, 0.0020601187877784676, -8.635954528673697),
        (0.9, 1000, 1.0, 0.8067526396921474, 0.12172481913856968, 0.022012364602607196, -7.577295978594991),
        (1.2, 1000, 2.0, 1.0051289051903478, 0.2665472017104272, 0.08679667421641835, -8.383004280528144),
        (0.4, 30, 1.0, 0.36291010682164065, 0.08353942179226473, 0.03911002565863455, -3.3817784138233264),
    ];
    for (k, draws, efficiency, shape, largest, squares, seventh) in table {
        let ln_weights = spread(draws, 0, GOLDEN).iter().map(|u| -k * f64::ln(*u)).collect();
        let smoothed = pareto_smoothed(ln_weights, efficiency).unwrap();
        assert_close(smoothed.shape, shape, 1e-10);
        let weights = smoothed.weights.normalised();
        assert_close(weights.iter().copied().fold(0.0, f64::max) / largest, 1.0, 1e-10);
        assert_close(smoothed.weights.ess() * squares, 1.0, 1e-10);
        assert_close(weights[6].ln(), seventh, 1e-10);
    }
    for (variance, shape, squares) in [
        (2.0, -1.688_827_904_757_868_7, 0.001_156_209_537_325_067_3),
        (0.6, 0.426_019_755_016_002_37, 0.001_250_129_232_519_264_3),
        (0.4, 0.576_203_525_541_962, 0.002_256_664_291_266_662_5),
    ] {
        let weight = |z: &f64| 0.5 * f64::ln(variance) - 0.5 * z * z * (variance - 1.0);
        let smoothed = pareto_smoothed(normal_scores(1000, 0).iter().map(weight).collect(), 1.0).unwrap();
        assert_close(smoothed.shape, shape, 1e-10);
        assert_close(smoothed.weights.ess() * squares, 1.0, 1e-10);
    }
}

/// Weights of N(0, 1) over N(0, s²) have a tail with k = 1 - s²: no variance for s² ≤ 1/2.
#[test]
fn weights_without_variance_are_found_out() {
    for (variance, reliable) in [(0.2, false), (0.1, false), (0.6, true), (0.8, true), (1.5, true)] {
        let mut rng = stream(11, &[]);
        let ln_weights = (0..10_000).map(|_| {
            let z: f64 = rand_distr::Distribution::sample(&rand_distr::StandardNormal, &mut rng);
            -0.5 * z * z * (variance - 1.0)
        });
        let smoothed = pareto_smoothed(ln_weights.collect(), 1.0).unwrap();
        assert_eq!(smoothed.is_reliable(), reliable, "{variance}: {}", smoothed.shape);
        if variance < 1.0 {
            // A tail of 300 has k̂ ± (1 + k) / √300.
            assert!((smoothed.shape - (1.0 - variance)).abs() < 0.35, "{variance}: {}", smoothed.shape);
        }
    }
}

#[test]
fn thresholds_and_sizes_follow_the_paper() {
    assert_close(reliable_shape(100), 0.5, 1e-15);
    assert_close(reliable_shape(1000), 2.0 / 3.0, 1e-15);
    assert_close(reliable_shape(10_000), 0.7, 1e-15);
    let at = |k: f64| {
        let ln = (0..2000).map(|s| -k * ((f64::from(s) + 0.5) / 2000.0).ln()).collect();
        pareto_smoothed(ln, 1.0).unwrap()
    };
    let half = at(0.5);
    assert_close(half.draws_needed(), 10_f64.powf(1.0 / (1.0 - half.shape)), 1e-15);
    assert!(half.is_reliable() && half.tail == 135); // 3 √2000 = 134.2
    assert_eq!(at(1.5).draws_needed(), f64::INFINITY);
    assert!(!at(1.5).is_reliable());
}

#[test]
fn smoothing_keeps_order_and_bounds() {
    let mut rng = stream(2, &[]);
    let ln: Vec<f64> = (0..500).map(|_| -1.5 * rng.random::<f64>().ln()).collect();
    let largest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smoothed = pareto_smoothed(ln.clone(), 1.0).unwrap();
    let mut order: Vec<usize> = (0..500).collect();
    order.sort_by(|&a, &b| ln[a].total_cmp(&ln[b]));
    let after: Vec<f64> = order.iter().map(|&s| smoothed.weights.ln()[s]).collect();
    assert!(after.is_sorted() && after[499] <= largest);
    let changed = (0..500).filter(|&s| smoothed.weights.ln()[s] != ln[s]).count();
    // 3 √500 = 67.1, and the largest weight is not raised.
    assert_eq!((smoothed.tail, changed), (68, 67));
}

#[test]
fn what_has_no_tail_says_so() {
    let constant = pareto_smoothed(vec![-3.0; 100], 1.0).unwrap();
    assert_eq!((constant.shape, constant.is_reliable()), (f64::NEG_INFINITY, true));
    // Too few.
    let few = pareto_smoothed((0..20).map(f64::from).collect(), 1.0).unwrap();
    assert_eq!((few.shape, few.tail, few.is_reliable()), (f64::INFINITY, 4, false));
    assert_close(few.weights.ln()[19], 19.0, 0.0);
    // One weight that is beyond comparison with the others.
    let mut alone = vec![-2000.0; 100];
    alone[7] = 0.0;
    let alone = pareto_smoothed(alone, 1.0).unwrap();
    assert!(!alone.is_reliable() && alone.tail == 1, "{alone:?}");
    assert_eq!(pareto_smoothed(vec![0.0], 1.0).unwrap().shape, f64::NEG_INFINITY);
    for efficiency in [0.0, f64::NAN] {
        assert!(pareto_smoothed(vec![0.0; 10], efficiency).is_err());
    }
    assert!(pareto_smoothed(vec![0.0, f64::NAN], 1.0).is_err());
}

#[test]
fn one_draw_is_not_reliable() {
    assert!(!pareto_smoothed(vec![0.0], 1.0).unwrap().is_reliable());
}
