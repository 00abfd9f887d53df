//! The smoother against worked numbers and identities.

use posterior_kalman::{
    CovarianceForm, FilterOptions, Initial, Matrices, ObservationEquation, Series, StateSpace,
    TransitionEquation, filter,
};
use posterior_math::linalg::DMatrix;

use crate::random_model::distance;

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

fn wiener() -> (StateSpace, Series) {
    let steps = Matrices::each(&[scalar(1.0), scalar(2.0)]).unwrap();
    let model = StateSpace::new(
        TransitionEquation::varying(Matrices::constant(&scalar(1.0)), steps).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(0.25)).unwrap(),
        Initial::known(&[0.0], &scalar(1.0)).unwrap(),
    );
    (model.unwrap(), Series::univariate(&[0.5, 1.2, 0.3]).unwrap())
}

#[test]
fn local_level_has_its_numbers_and_not_the_misprinted_ones() {
    let (model, series) = wiener();
    for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
        let filtered = filter(&model, &series, &FilterOptions { form, ..FilterOptions::default() }).unwrap();
        let smoothed = filtered.smooth(&model).unwrap();
        let means = [0.499649122807018, 0.997894736842105, 0.377543859649123];
        let variances = [0.171929824561404, 0.189473684210526, 0.224561403508772];
        for t in 0..3 {
            assert!((smoothed.mean(t)[0] - means[t]).abs() < 1e-14);
            assert!((smoothed.covariance(t)[(0, 0)] - variances[t]).abs() < 1e-14);
        }
        // The gain P(t) Aᵀ(t) / P⁻(t+1), with the index that is often misprinted, would give these.
        assert!((smoothed.mean(0)[0] - 0.508809).abs() > 5e-3);
        assert!((smoothed.mean(1)[0] - 0.944047).abs() > 5e-2);
        // Cov(x(t+1), x(t)) = P⁺(t+1) G(t), G = P / P⁻.
        assert!((smoothed.lag_one_covariance(0)[(0, 0)] - 0.189473684210526 * 0.2 / 1.2).abs() < 1e-14);
        assert_eq!(smoothed.mean(2), filtered.mean(2));
        assert!(distance(&smoothed.covariance(2), &filtered.covariance(2)) < 1e-15);
        let signal = smoothed.signal(&model, 1).unwrap();
        assert!(
            (signal.mean[0] - means[1]).abs() < 1e-14 && (signal.variance(0) - variances[1]).abs() < 1e-14
        );
    }
}

#[test]
fn constant_velocity_has_its_numbers() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let q = DMatrix::from_row_slice(2, 2, &[1.0 / 3.0, 0.5, 0.5, 1.0]) * 0.1;
    let model = StateSpace::new(
        TransitionEquation::constant(&a, &q).unwrap(),
        ObservationEquation::constant(&DMatrix::from_row_slice(1, 2, &[1.0, 0.0]), &scalar(0.5)).unwrap(),
        Initial::known(&[0.0, 0.0], &(&a * a.transpose() * 10.0 + &q)).unwrap(),
    )
    .unwrap();
    let series = Series::univariate_with_missing(&[Some(1.1), Some(1.9), None, Some(4.2)]).unwrap();
    for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
        let filtered = filter(&model, &series, &FilterOptions { form, ..FilterOptions::default() }).unwrap();
        let smoothed = filtered.smooth(&model).unwrap();
        for (t, mean) in [(0, [1.021390469845, 1.012681434125]), (2, [3.082593940916, 1.049471150295])] {
            assert!((smoothed.mean(t)[0] - mean[0]).abs() < 1e-11);
            assert!((smoothed.mean(t)[1] - mean[1]).abs() < 1e-11);
        }
        assert!((smoothed.covariance(2)[(0, 0)] - 0.23821958546).abs() < 1e-11);
    }
}

/// A stationary process that looks the same backwards, seen backwards.
#[test]
fn reversed_series_have_reversed_smoothers() {
    let model = StateSpace::new(
        TransitionEquation::constant(&scalar(0.8), &scalar(2.0 * (1.0 - 0.64))).unwrap(),
        ObservationEquation::constant(&scalar(1.5), &scalar(0.3)).unwrap(),
        Initial::known(&[0.0], &scalar(2.0)).unwrap(),
    )
    .unwrap();
    let values = [Some(0.3), Some(-1.0), None, Some(2.0), Some(0.1), None, Some(1.0)];
    let mut reversed = values;
    reversed.reverse();
    let smoothed = |values: &[Option<f64>]| {
        let series = Series::univariate_with_missing(values).unwrap();
        filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap()
    };
    let (forwards, backwards) = (smoothed(&values), smoothed(&reversed));
    assert!((forwards.ln_likelihood() - backwards.ln_likelihood()).abs() < 1e-13);
    for t in 0..7 {
        assert!((forwards.mean(t)[0] - backwards.mean(6 - t)[0]).abs() < 1e-14);
        assert!((forwards.covariance(t)[(0, 0)] - backwards.covariance(6 - t)[(0, 0)]).abs() < 1e-14);
    }
}

/// An autoregression of second order, seen without noise: states are known exactly, and their predicted
/// covariance is singular.
#[test]
fn states_that_are_known_exactly_stay_so() {
    let model = StateSpace::new(
        TransitionEquation::constant(
            &DMatrix::from_row_slice(2, 2, &[0.5, 0.3, 1.0, 0.0]),
            &DMatrix::from_row_slice(2, 2, &[1.0, 0.0, 0.0, 0.0]),
        )
        .unwrap(),
        ObservationEquation::constant(&DMatrix::from_row_slice(1, 2, &[1.0, 0.0]), &scalar(0.0)).unwrap(),
        Initial::known(&[0.0, 0.0], &DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0])).unwrap(),
    )
    .unwrap();
    let values = [0.3, -1.0, 0.7, 2.0, 0.1];
    let mut some: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
    some[2] = None;
    for form in [CovarianceForm::SquareRoot, CovarianceForm::Joseph] {
        let options = FilterOptions { form, ..FilterOptions::default() };
        let all =
            filter(&model, &Series::univariate(&values).unwrap(), &options).unwrap().smooth(&model).unwrap();
        for t in 0..5 {
            assert!((all.mean(t)[0] - values[t]).abs() < 1e-14);
            assert!(all.covariance(t)[(0, 0)].abs() < 1e-14);
            if t > 0 {
                assert!((all.mean(t)[1] - values[t - 1]).abs() < 1e-14);
                assert!(all.covariance(t).amax() < 1e-14);
            }
        }
        // x₋₁ given x₀ = 0.3, and x₁ = 0.5 x₀ + 0.3 x₋₁ + noise: a prior N(0.15, 1.5) and an observation of
        // 0.3 x₋₁.
        let precision = 1.0 / 1.5 + 0.09;
        assert!((all.covariance(0)[(1, 1)] - 1.0 / precision).abs() < 1e-14);
        assert!((all.mean(0)[1] - (0.15 / 1.5 + 0.3 * (-1.0 - 0.15)) / precision).abs() < 1e-14);
        // The missing one between its neighbours: three equations of weight one.
        let series = Series::univariate_with_missing(&some).unwrap();
        let smoothed = filter(&model, &series, &options).unwrap().smooth(&model).unwrap();
        let precision = 1.0 + 0.25 + 0.09;
        let ahead = 0.5 * values[1] + 0.3 * values[0];
        let next = 0.5 * (values[3] - 0.3 * values[1]) + 0.3 * (values[4] - 0.5 * values[3]);
        assert!((smoothed.mean(2)[0] - (ahead + next) / precision).abs() < 1e-13);
        assert!((smoothed.covariance(2)[(0, 0)] - 1.0 / precision).abs() < 1e-13);
        assert!((smoothed.covariance(3)[(1, 1)] - 1.0 / precision).abs() < 1e-13);
    }
}

/// A large first variance: where smoothed variances are differences, most digits are lost.
#[test]
fn vague_starts_keep_their_digits() {
    let a = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let smoothed = |initial: Initial| {
        let model = StateSpace::new(
            TransitionEquation::constant(&a, &(DMatrix::identity(2, 2) * 0.1)).unwrap(),
            ObservationEquation::constant(&DMatrix::from_row_slice(1, 2, &[1.0, 0.0]), &scalar(1.0)).unwrap(),
            initial,
        )
        .unwrap();
        let series = Series::univariate(&[1.0, 2.5, 2.0, 4.0]).unwrap();
        filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap()
    };
    // The difference between a variance of 1e12 and an infinite one is of the order of 1e-12.
    let vague = smoothed(Initial::known(&[0.0, 0.0], &(DMatrix::identity(2, 2) * 1e12)).unwrap());
    let exact = smoothed(Initial::diffuse(2).unwrap());
    for t in 0..4 {
        assert!((vague.mean(t)[0] - exact.mean(t)[0]).abs() < 1e-9);
        assert!(distance(&vague.covariance(t), &exact.covariance(t)) < 1e-9);
    }
}
