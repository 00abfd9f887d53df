//! Starts of which nothing is known: against worked numbers, and against least squares with a flat prior.

use posterior_kalman::{
    Error, FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter,
    forecast, ln_likelihood,
};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use proptest::prelude::*;

use crate::oracle;
use crate::random_model::{Shape, distance, random_model};

const LN_TWO_PI: f64 = 1.8378770664093453;

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

#[test]
fn a_diffuse_level_starts_with_the_first_observation() {
    let model = StateSpace::new(
        TransitionEquation::constant(&scalar(1.0), &scalar(2.0)).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(0.5)).unwrap(),
        Initial::diffuse(1).unwrap(),
    )
    .unwrap();
    let series = Series::univariate_with_missing(&[None, Some(3.0), Some(4.0)]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    assert_eq!(filtered.diffuse_times(), 2);
    assert_eq!(filtered.diffuse_directions(0), scalar(1.0));
    assert_eq!(filtered.diffuse_directions(1).ncols(), 0);
    assert_eq!((filtered.mean(1)[0], filtered.gain(1)[(0, 0)]), (3.0, 1.0));
    assert!((filtered.covariance(1)[(0, 0)] - 0.5).abs() < 1e-15);
    assert!(filtered.standardized_innovation(1)[0].is_nan());
    assert!((filtered.innovation(1)[0] - 3.0).abs() < 1e-15);
    // Durbin and Koopman: (n p / 2) ln 2π for all that is seen, ln F∞ = 0 for the first.
    assert_eq!(filtered.ln_likelihood_terms()[0], 0.0);
    assert!((filtered.ln_likelihood_terms()[1] - -0.5 * LN_TWO_PI).abs() < 1e-15);
    // Then P⁻ = 2.5 and F = 3.
    let last = -0.5 * (LN_TWO_PI + 3f64.ln() + 1.0 / 3.0);
    assert!((filtered.ln_likelihood_terms()[2] - last).abs() < 1e-15);
    let smoothed = filtered.smooth(&model).unwrap();
    // Two observations at distance two: the first has precision 1 / 0.5 and 1 / 2.5 from the second.
    assert!((smoothed.covariance(1)[(0, 0)] - 1.0 / (2.0 + 0.4)).abs() < 1e-14);
    assert!((smoothed.mean(1)[0] - (6.0 + 1.6) / 2.4).abs() < 1e-14);
    assert!((smoothed.mean(0)[0] - smoothed.mean(1)[0]).abs() < 1e-14);
    assert!((smoothed.covariance(0)[(0, 0)] - (2.0 + 1.0 / 2.4)).abs() < 1e-14);
    assert!((smoothed.lag_one_covariance(0)[(0, 0)] - 1.0 / 2.4).abs() < 1e-14);
}

#[test]
fn a_diffuse_trend_takes_two_observations() {
    let model = StateSpace::new(
        TransitionEquation::constant(
            &DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]),
            &DMatrix::zeros(2, 2),
        )
        .unwrap(),
        ObservationEquation::constant(&DMatrix::from_row_slice(1, 2, &[1.0, 0.0]), &scalar(1.0)).unwrap(),
        Initial::diffuse(2).unwrap(),
    )
    .unwrap();
    let values = [1.0, 3.0, 4.0, 8.0];
    let filtered = filter(&model, &Series::univariate(&values).unwrap(), &FilterOptions::default()).unwrap();
    assert_eq!(filtered.diffuse_times(), 2);
    assert!((filtered.mean(1)[0] - 3.0).abs() < 1e-14 && (filtered.mean(1)[1] - 2.0).abs() < 1e-14);
    let second = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 2.0]);
    assert!(distance(&filtered.covariance(1), &second) < 1e-14);
    // No noise of the state: a straight line by least squares, slope Σ (t - 3/2) y / 5.
    let smoothed = filtered.smooth(&model).unwrap();
    let slope = (-1.5 * 1.0 - 0.5 * 3.0 + 0.5 * 4.0 + 1.5 * 8.0) / 5.0;
    for t in 0..4 {
        assert!((smoothed.mean(t)[1] - slope).abs() < 1e-13);
        assert!((smoothed.mean(t)[0] - (4.0 + slope * (t as f64 - 1.5))).abs() < 1e-13);
        assert!((smoothed.covariance(t)[(1, 1)] - 0.2).abs() < 1e-13);
    }
    let one = filter(&model, &Series::univariate(&[1.0]).unwrap(), &FilterOptions::default()).unwrap();
    assert!(matches!(one.smooth(&model), Err(Error::Undetermined)));
    assert!(matches!(forecast(&model, &one, 1), Err(Error::Undetermined)));
}

/// All states given all observations with a flat prior along the directions, and the diffuse ln p; `None` if
/// they do not determine it.
fn least_squares(model: &StateSpace, series: &Series) -> Option<(DVector<f64>, DMatrix<f64>, f64)> {
    let (n, m, k) = (model.states(), model.width(), model.initial().diffuse_directions().ncols());
    let (states, (map, noise)) = oracle::joint(model, series.len());
    let mut along = DMatrix::zeros(n * series.len(), k);
    let mut moved = model.initial().diffuse_directions().clone();
    for t in 0..series.len() {
        if t > 0 {
            moved = model.transition().matrix().matrix(t - 1) * moved;
        }
        along.view_mut((n * t, 0), (n, k)).copy_from(&moved);
    }
    let seen: Vec<usize> = (0..m * series.len()).filter(|&i| !series.at(i / m)[i % m].is_nan()).collect();
    let map = map.select_rows(&seen);
    let residual =
        DVector::from_iterator(seen.len(), seen.iter().map(|&i| series.at(i / m)[i % m] - noise.mean()[i]))
            - &map * states.mean();
    let v = &map * states.covariance() * map.transpose()
        + noise.covariance().select_rows(&seen).select_columns(&seen);
    let v = Cholesky::new(&((&v + v.transpose()) * 0.5)).ok()?;
    let g = &map * &along;
    let information = g.tr_mul(&v.solve(&g));
    let scale = information.diagonal().max();
    if k > 0 && !(information.clone().symmetric_eigenvalues().min() > 1e-4 * scale && scale > 1e-4) {
        return None;
    }
    let factor = Cholesky::new(&information).ok()?;
    let right = v.solve(&DMatrix::from_column_slice(seen.len(), 1, residual.as_slice()));
    let beta = factor.solve(&g.tr_mul(&right));
    let across = states.covariance() * map.transpose();
    let rest = &along - &across * v.solve(&g);
    let mean = states.mean() + (&across * &right).column(0) + (&rest * &beta).column(0);
    let covariance = states.covariance() - &across * v.solve(&across.transpose())
        + &rest * factor.solve(&rest.transpose());
    let quadratic = residual.dot(&right.column(0)) - (beta.transpose() * &information * &beta)[(0, 0)];
    let ln_determinants = v.ln_determinant() + factor.ln_determinant();
    let ln_likelihood = -0.5 * (seen.len() as f64 * LN_TWO_PI + ln_determinants + quadratic);
    Some((mean, covariance, ln_likelihood))
}

fn shapes() -> impl Strategy<Value = (Shape, u64)> {
    let sizes = (1..5usize, 1..4usize, 1..8usize, 0..5usize, 1..5usize);
    (sizes, any::<bool>(), prop::sample::select(vec![0.0, 0.4]), any::<u64>()).prop_map(
        |((states, width, length, noises, diffuse), varying, missing, seed)| {
            let (noises, diffuse) = (noises.min(states), diffuse.min(states));
            (Shape { states, width, length, noises, diffuse, varying, missing }, seed)
        },
    )
}

proptest! {
    #[test]
    fn diffuse_filter_and_smoother_are_least_squares((shape, seed) in shapes()) {
        let (model, series) = random_model(shape, seed);
        let n = shape.states;
        let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
        prop_assert_eq!(
            ln_likelihood(&model, &series, &FilterOptions::default()).unwrap(),
            filtered.ln_likelihood()
        );
        if let Some((mean, covariance, ln_likelihood)) = least_squares(&model, &series) {
            let smoothed = filtered.smooth(&model).unwrap();
            let error = (filtered.ln_likelihood() - ln_likelihood).abs();
            prop_assert!(error < 1e-9 * (1.0 + ln_likelihood.abs()), "ln p is off by {error:e}");
            for t in 0..series.len() {
                let ours = DMatrix::from_column_slice(n, 1, smoothed.mean(t));
                let theirs = DMatrix::from_column_slice(n, 1, mean.rows(n * t, n).into_owned().as_slice());
                prop_assert!(distance(&ours, &theirs) < 1e-8);
                let block = |s: usize| covariance.view((n * s, n * t), (n, n)).into_owned();
                prop_assert!(distance(&smoothed.covariance(t), &block(t)) < 1e-8);
                if t + 1 < series.len() {
                    prop_assert!(distance(&smoothed.lag_one_covariance(t), &block(t + 1)) < 1e-8);
                }
            }
        }
    }
}

/// What is only seen while a regressor is not zero, after a long time in which nothing is seen.
#[test]
fn a_diffuse_coefficient_waits_for_its_regressor() {
    let h: Vec<DMatrix<f64>> =
        (0..40).map(|t| DMatrix::from_row_slice(1, 2, &[1.0, f64::from(u8::from(t >= 30))])).collect();
    let model = StateSpace::new(
        TransitionEquation::constant(
            &DMatrix::identity(2, 2),
            &DMatrix::from_row_slice(2, 2, &[0.1, 0.0, 0.0, 0.0]),
        )
        .unwrap(),
        ObservationEquation::varying(
            posterior_kalman::Matrices::each(&h).unwrap(),
            posterior_kalman::Matrices::constant(&scalar(1.0)),
        )
        .unwrap(),
        Initial::diffuse(2).unwrap(),
    )
    .unwrap();
    let values: Vec<f64> =
        (0..40).map(|t| f64::from(t % 7) * 0.1 + if t >= 30 { 5.0 } else { 0.0 }).collect();
    let series = Series::univariate(&values).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    assert_eq!(filtered.diffuse_times(), 31);
    let (mean, covariance, ln_likelihood) = least_squares(&model, &series).unwrap();
    assert!((filtered.ln_likelihood() - ln_likelihood).abs() < 1e-10);
    let smoothed = filtered.smooth(&model).unwrap();
    for t in 0..40 {
        assert!((smoothed.mean(t)[1] - mean[2 * t + 1]).abs() < 1e-11);
        let block = covariance.view((2 * t, 2 * t), (2, 2)).into_owned();
        assert!(distance(&smoothed.covariance(t), &block) < 1e-11);
    }
}

/// A direction that the transition forgets before it is seen can never be known.
#[test]
fn what_is_forgotten_unseen_is_undetermined() {
    let model = StateSpace::new(
        TransitionEquation::constant(
            &DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]),
            &DMatrix::identity(2, 2),
        )
        .unwrap(),
        ObservationEquation::constant(&DMatrix::from_row_slice(1, 2, &[1.0, 0.0]), &scalar(1.0)).unwrap(),
        Initial::diffuse(2).unwrap(),
    )
    .unwrap();
    let series = Series::univariate(&[1.0, 2.0, 3.0]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    assert_eq!(filtered.diffuse_directions(2).ncols(), 0);
    assert!(forecast(&model, &filtered, 2).is_ok());
    assert!(matches!(filtered.smooth(&model), Err(Error::Undetermined)));
}
