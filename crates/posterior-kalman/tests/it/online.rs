//! One observation at a time, without memory from the heap.

use posterior_kalman::online::{Motion, Sensor, Tracker};
use posterior_kalman::{CovarianceForm, Error, FilterOptions, SteadyState, filter};
use posterior_math::linalg::DMatrix;

use crate::random_model::{Shape, random_model};

fn rows<const R: usize, const C: usize>(matrix: &DMatrix<f64>) -> [[f64; C]; R] {
    std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)]))
}

/// Follows a series with missing numbers as the filter does.
fn agrees<const N: usize, const M: usize>(seed: u64) {
    let shape =
        Shape { states: N, width: M, length: 30, noises: N, diffuse: 0, varying: false, missing: 0.3 };
    let (model, series) = random_model(shape, seed);
    let options = FilterOptions {
        form: CovarianceForm::SquareRoot,
        steady_state: SteadyState::Ignore,
        ..FilterOptions::default()
    };
    let filtered = filter(&model, &series, &options).unwrap();
    let column = |values: &[f64]| <[f64; N]>::try_from(values).unwrap();
    let motion = Motion::<N>::new(
        rows(&model.transition().matrix().matrix(0)),
        rows(&model.transition().noise().matrix(0)),
    )
    .unwrap()
    .with_offset(column(model.transition().offset().at(0)))
    .unwrap();
    let sensor = Sensor::<N, M>::new(
        rows(&model.observation().matrix().matrix(0)),
        rows(&model.observation().noise().matrix(0)),
    )
    .unwrap()
    .with_offset(<[f64; M]>::try_from(model.observation().offset().at(0)).unwrap())
    .unwrap();
    let distribution = model.initial().distribution();
    let mut tracker =
        Tracker::new(column(distribution.mean().as_slice()), rows(distribution.covariance())).unwrap();
    let mut results = Vec::with_capacity(60);
    let counted = allocation_counter::measure(|| {
        for t in 0..series.len() {
            if t > 0 {
                results.push(tracker.predict(&motion).map(|()| 0.0));
            }
            let seen: [Option<f64>; M] =
                std::array::from_fn(|i| Some(series.at(t)[i]).filter(|value| !value.is_nan()));
            results.push(tracker.update(&sensor, seen));
        }
    });
    assert_eq!(counted.count_total, 0);
    let ln_likelihood: f64 = results.into_iter().map(Result::unwrap).sum();
    assert!((ln_likelihood - filtered.ln_likelihood()).abs() < 1e-11 * (1.0 + ln_likelihood.abs()));
    let (mean, covariance) = (filtered.mean(29), filtered.covariance(29));
    for i in 0..N {
        assert!((tracker.mean()[i] - mean[i]).abs() < 1e-12);
        for j in 0..N {
            assert!((tracker.covariance()[i][j] - covariance[(i, j)]).abs() < 1e-12);
        }
    }
    assert_eq!(tracker.time(), 29);
}

#[test]
fn the_tracker_is_the_filter_without_a_heap() {
    agrees::<1, 1>(1);
    agrees::<2, 1>(2);
    agrees::<4, 2>(3);
    agrees::<2, 3>(4);
    agrees::<6, 4>(5);
}

#[test]
fn what_is_refused_leaves_the_distribution_alone() {
    let sensor = Sensor::new([[1.0]], [[0.0]]).unwrap();
    let mut known = Tracker::new([1.0], [[0.0]]).unwrap();
    let before = known;
    assert!(matches!(known.update(&sensor, [Some(1.0)]), Err(Error::Singular { time: 0 })));
    assert!(matches!(known.update(&sensor, [Some(f64::NAN)]), Err(Error::Observation { component: 0, .. })));
    let explosion = Motion::new([[1e308]], [[1e308]]).unwrap();
    known.predict(&explosion).unwrap();
    let large = known;
    assert!(matches!(known.predict(&explosion), Err(Error::Overflow { time: 2 })));
    assert_eq!(known, large);
    assert_ne!(known, before);
    assert!(Motion::new([[f64::NAN]], [[1.0]]).is_err());
    assert!(Sensor::new([[1.0]], [[-1.0]]).is_err());
    assert!(Tracker::new([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]]).is_err());
}

#[test]
fn what_was_seen_exactly_is_not_seen_again() {
    let sensor = Sensor::new([[0.3, 0.7]], [[0.0]]).unwrap();
    let mut tracker = Tracker::new([0.0; 2], [[0.9, 0.2], [0.2, 0.4]]).unwrap();
    tracker.update(&sensor, [Some(0.5)]).unwrap();
    let before = tracker;
    assert!(matches!(tracker.update(&sensor, [Some(0.5)]), Err(Error::Singular { time: 0 })));
    assert_eq!(tracker, before);
}
