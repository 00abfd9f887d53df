//! Forecasts.

use posterior_kalman::{
    CovarianceForm, Error, FilterOptions, Matrices, Series, StateSpace, TransitionEquation, filter, forecast,
};
use posterior_math::linalg::DMatrix;

use crate::random_model::{Shape, distance, random_model};

const SHAPE: Shape =
    Shape { states: 3, width: 2, length: 9, noises: 2, diffuse: 0, varying: true, missing: 0.2 };

/// What follows is what a filter says of a series whose end is missing.
#[test]
fn forecasts_are_filters_of_what_is_missing() {
    for diffuse in [0, 2] {
        let (model, series) = random_model(Shape { diffuse, missing: 0.1, ..SHAPE }, 3);
        let rows = |hidden: usize| {
            let value = |i: usize, j: usize| if i < 6 { series.at(i)[j] } else { f64::NAN };
            Series::with_missing(&DMatrix::from_fn(6 + hidden, 2, value)).unwrap()
        };
        for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
            let options = FilterOptions { form, ..FilterOptions::default() };
            let ahead = forecast(&model, &filter(&model, &rows(0), &options).unwrap(), 3).unwrap();
            let hidden = filter(&model, &rows(3), &options).unwrap();
            assert_eq!((ahead.states.len(), ahead.observations.len()), (3, 3));
            for (k, (state, seen)) in ahead.states.iter().zip(&ahead.observations).enumerate() {
                let t = 6 + k;
                let mean = DMatrix::from_column_slice(3, 1, hidden.predicted_mean(t));
                assert!(distance(&DMatrix::from_column_slice(3, 1, state.mean().as_slice()), &mean) < 1e-12);
                assert!(distance(state.covariance(), &hidden.predicted_covariance(t)) < 1e-12);
                let signal = hidden.signal(&model, t).unwrap();
                let noise = model.observation().noise().matrix(t);
                assert!(distance(seen.covariance(), &(signal.covariance + noise)) < 1e-12);
                assert!((seen.mean()[0] - signal.mean[0]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn before_all_observations_it_is_the_prior() {
    let (model, _) = random_model(SHAPE, 4);
    let empty = Series::with_missing(&DMatrix::zeros(0, 2)).unwrap();
    let ahead = forecast(&model, &filter(&model, &empty, &FilterOptions::default()).unwrap(), 1).unwrap();
    assert_eq!(&ahead.states[0], model.initial().distribution());
}

#[test]
fn a_model_that_does_not_reach_so_far_is_refused() {
    let (model, series) = random_model(SHAPE, 5);
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    assert!(matches!(
        forecast(&model, &filtered, 1),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 10, found: 9, .. }))
    ));
    assert!(matches!(
        forecast(&model, &filtered, usize::MAX),
        Err(Error::Dimension(posterior_math::DimensionError { found: 9, .. }))
    ));
    let transition = TransitionEquation::varying(
        Matrices::constant(&DMatrix::identity(2, 2)),
        Matrices::constant(&DMatrix::identity(2, 2)),
    );
    let (other, _) = random_model(Shape { states: 2, ..SHAPE }, 6);
    let other =
        StateSpace::new(transition.unwrap(), other.observation().clone(), other.initial().clone()).unwrap();
    assert!(matches!(forecast(&other, &filtered, 0), Err(Error::Dimension { .. })));
}
