//! The smoother against worked numbers and the dense oracle.

use posterior_kalman::{
    FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter,
};
use posterior_math::linalg::DMatrix;

use crate::oracle;

#[test]
fn constant_velocity_agrees_with_the_dense_posterior() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let q = DMatrix::from_row_slice(2, 2, &[1.0 / 3.0, 0.5, 0.5, 1.0]) * 0.1;
    let h = DMatrix::from_row_slice(1, 2, &[1.0, 0.0]);
    let before = DMatrix::identity(2, 2) * 10.0;
    let model = StateSpace::new(
        TransitionEquation::constant(&a, &q).unwrap(),
        ObservationEquation::constant(&h, &DMatrix::from_element(1, 1, 0.5)).unwrap(),
        Initial::known(&[0.0, 0.0], &(&a * before * a.transpose() + &q)).unwrap(),
    )
    .unwrap();
    let series = Series::univariate_with_missing(&[Some(1.1), Some(1.9), None, Some(4.2)]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let smoothed = filtered.smooth(&model).unwrap();
    let (posterior, ln_likelihood) = oracle::condition_everything(&model, &series);
    assert!((filtered.ln_likelihood() - -6.204585057577754).abs() < 1e-13);
    assert!((ln_likelihood - -6.204585057577754).abs() < 1e-12);
    for t in 0..series.len() {
        for i in 0..2 {
            assert!((smoothed.mean(t)[i] - posterior.mean()[2 * t + i]).abs() < 1e-12);
        }
    }
    assert!((smoothed.covariance(2)[(0, 0)] - 0.23821958546).abs() < 1e-11);
}
