//! Residual checks against the book's numbers, and against simple cases.

use posterior_dist::stream::stream;
use posterior_kalman::diagnostics::{AuxiliaryResiduals, ResidualChecks, SmoothedDisturbances};
use posterior_kalman::structural::Structural;
use posterior_kalman::{FilterOptions, Series, filter};
use posterior_math::linalg::DVector;
use rand_distr::{Distribution, StandardNormal};

use crate::random_model::{Shape, random_model};

/// The exact diffuse filter of a local level by its scalar recursion, as in the book's chapter 2.
fn local_level_residuals(values: &[f64], noise: f64, level: f64) -> Vec<f64> {
    let (mut mean, mut variance) = (values[0], noise + level);
    values[1..]
        .iter()
        .map(|y| {
            let spread = variance + noise;
            let innovation = y - mean;
            mean += variance / spread * innovation;
            variance = variance * noise / spread + level;
            innovation / spread.sqrt()
        })
        .collect()
}

#[test]
fn the_nile_has_the_numbers_of_the_book() {
    // Durbin and Koopman (2012), section 2.12.2: S = -0.03, K = 0.09, N = 0.05, H(33) = 0.61, Q(9) = 8.84.
    let values = posterior_datasets::series::NILE.values;
    let residuals = local_level_residuals(values, 15_099.0, 1_469.1);
    let checks = ResidualChecks::new(&residuals, 9).unwrap();
    let near = |own: f64, book: f64| (own - book).abs() < 0.0051;
    assert!(near(checks.skewness, -0.03) && near(checks.excess_kurtosis, 0.09), "{checks:?}");
    assert!(
        near(checks.normality.statistic, 0.05) && near(checks.independence.statistic, 8.84),
        "{checks:?}"
    );
    assert!(near(checks.equal_variance.statistic, 0.61), "{checks:?}");
    assert_eq!((checks.count, checks.equal_variance.degrees_of_freedom), (99, 33));
    assert!((checks.mean.abs()) < 0.2 && (checks.variance - 1.0).abs() < 0.05);
}

#[test]
fn p_values_are_uniform_for_white_noise() {
    let mut below = [0; 3];
    for seed in 0..400 {
        let mut rng = stream(seed, &[]);
        let noise: Vec<f64> = (0..300).map(|_| StandardNormal.sample(&mut rng)).collect();
        let checks = ResidualChecks::new(&noise, 10).unwrap();
        for (count, test) in
            below.iter_mut().zip([checks.independence, checks.normality, checks.equal_variance])
        {
            *count += u32::from(test.p_value < 0.2);
        }
    }
    // 80 of 400 are expected, sd 8; the skewness and kurtosis converge slowly, hence fewer. False alarms:
    // below 1e-4 each.
    assert!(below.iter().all(|count| (45..115).contains(count)), "{below:?}");
}

#[test]
fn small_cases_by_hand_and_gaps() {
    let checks = ResidualChecks::new(&[1.0, -1.0, 2.0, -2.0], 2).unwrap();
    // Products at lag 1: -1, -2, -4; at lag 2: 2, 2; squares 10.
    assert!(
        (checks.autocorrelations[1] - -0.7).abs() < 1e-15 && (checks.autocorrelations[2] - 0.4).abs() < 1e-15
    );
    let q = 4.0 * 6.0 * (0.49 / 3.0 + 0.16 / 2.0);
    assert!((checks.independence.statistic - q).abs() < 1e-13);
    // χ² with two degrees of freedom: e^(-q/2).
    assert!((checks.independence.p_value - (-0.5 * q).exp()).abs() < 1e-14);
    assert!((checks.equal_variance.statistic - 4.0).abs() < 1e-15);
    // A gap between two residuals: they are no neighbours.
    let gap = ResidualChecks::new(&[1.0, -1.0, f64::NAN, 2.0, -2.0], 1).unwrap();
    assert!((gap.autocorrelations[1] - (-1.0 - 4.0) / 10.0).abs() < 1e-15);
    assert_eq!(gap.count, 4);
}

#[test]
fn what_cannot_be_checked_is_refused() {
    for (residuals, lags) in [
        (vec![], 1),
        (vec![1.0, 2.0], 1),
        (vec![1.0; 5], 1),
        // Their mean is not 0.1, by rounding.
        (vec![0.1; 10], 1),
        (vec![1.0, 2.0, 3.0], 0),
        (vec![1.0, 2.0, 3.0], 3),
        (vec![1.0, f64::INFINITY, 3.0, 2.0], 1),
        (vec![f64::NAN; 9], 1),
        (vec![0.0, 0.0, 1.0, 2.0, 0.5, 3.0], 1),
    ] {
        assert!(ResidualChecks::new(&residuals, lags).is_err(), "{residuals:?}");
    }
}

#[test]
fn the_unit_of_the_residuals_does_not_matter() {
    let residuals = [1.0, -2.0, 3.0, 0.5, f64::NAN, -1.0, 0.25];
    let checks = ResidualChecks::new(&residuals, 2).unwrap();
    for unit in [1e-150, 1e-100, 1e100, 1e150] {
        let scaled = ResidualChecks::new(&residuals.map(|residual| residual * unit), 2).unwrap();
        for (found, truth) in [
            (scaled.mean / unit, checks.mean),
            (scaled.variance / unit / unit, checks.variance),
            (scaled.skewness, checks.skewness),
            (scaled.excess_kurtosis, checks.excess_kurtosis),
            (scaled.autocorrelations[2], checks.autocorrelations[2]),
            (scaled.normality.p_value, checks.normality.p_value),
            (scaled.equal_variance.p_value, checks.equal_variance.p_value),
        ] {
            assert!((found - truth).abs() < 1e-13, "{unit}: {found} {truth}");
        }
    }
}

/// Figures of statsmodels 0.15, UnobservedComponents with an exact diffuse start: smoothed disturbances over
/// the roots of what their variances given the data leave.
#[test]
fn auxiliary_residuals_of_the_nile_are_those_of_statsmodels() {
    let structure: Structural = "local-level(1469.1) + noise(15099)".parse().unwrap();
    let model = structure.state_space().unwrap();
    let series = Series::univariate(posterior_datasets::series::NILE.values).unwrap();
    let smoothed = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
    let residuals = AuxiliaryResiduals::new(&model, &series, &smoothed).unwrap();
    let near = |own: f64, expected: f64| assert!((own - expected).abs() < 1e-6, "{own} {expected}");
    for (t, expected) in [
        (0, 0.0791992),
        (6, -2.50494848),
        (10, -0.69987468),
        (42, -3.03902355),
        (50, -0.5446251),
        (99, -0.55485565),
    ] {
        near(residuals.observations[t][0], expected);
    }
    for (t, expected) in
        [(0, -0.0791992), (10, -1.06007171), (27, -3.23371374), (50, 0.05156898), (98, -0.55485565)]
    {
        near(residuals.states[t][0], expected);
    }
    assert_eq!((residuals.observations.len(), residuals.states.len()), (100, 99));
}

/// The backward pass of the noises themselves, against the difference of smoothed states and observations:
/// with gaps, diffuse starts, offsets, and noises that depend on each other.
#[test]
fn smoothed_disturbances_are_what_smoothed_states_leave() {
    for diffuse in [0, 2] {
        let shape = Shape { states: 3, width: 2, length: 9, noises: 2, diffuse, varying: true, missing: 0.2 };
        let (model, series) = random_model(shape, 17);
        let smoothed = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
        let noises = SmoothedDisturbances::new(&model, &series).unwrap();
        let own = noises.standardized();
        let residuals = AuxiliaryResiduals::new(&model, &series, &smoothed).unwrap();
        assert_eq!((noises.len(), own.states.len()), (9, 8));
        let state = |t: usize| DVector::from_column_slice(smoothed.mean(t));
        for t in 0..9 {
            let equation = model.observation();
            let expected = equation.matrix().matrix(t) * state(t) + equation.offset().matrix(t);
            for i in 0..2 {
                if series.at(t)[i].is_nan() {
                    continue;
                }
                let noise = series.at(t)[i] - expected[i];
                assert!((noises.of_observation(t)[i] - noise).abs() < 1e-10, "{t} {i}");
                let difference = own.observations[t][i] - residuals.observations[t][i];
                assert!(difference.abs() < 1e-7, "{t} {i} {difference}");
            }
        }
        for t in 0..8 {
            let equation = model.transition();
            let moved = equation.matrix().matrix(t) * state(t) + equation.offset().matrix(t);
            let noise = state(t + 1) - moved;
            assert!((noises.of_state(t) - noise).amax() < 1e-10, "{t}");
            let pairs = own.states[t].iter().zip(residuals.states[t].iter());
            for (own, theirs) in pairs.filter(|(_, theirs)| !theirs.is_nan()) {
                assert!((own - theirs).abs() < 1e-5, "{t} {own} {theirs}");
            }
            let spread = noises.covariance_of_state(t);
            assert!((0..3).all(|i| spread[(i, i)] <= model.transition().noise().matrix(t)[(i, i)] + 1e-12));
            assert!(noises.covariance_of_observation(t)[(0, 0)] >= -1e-12);
        }
    }
}

/// Where the data say next to nothing of a noise, differences are rounding and the backward pass is not.
#[test]
fn noises_of_which_nothing_is_known_keep_their_digits() {
    let structure: Structural = "local-level(1e-9) + noise(1)".parse().unwrap();
    let model = structure.state_space().unwrap();
    let series = Series::univariate(&[0.3, -0.2, 0.8, 0.1]).unwrap();
    let own = SmoothedDisturbances::new(&model, &series).unwrap().standardized();
    // To first order in the variance, the level's noise has the mean of what comes after less the mean: of
    // the last step q (y(3) - mean) in units of q √(3/4).
    let expected = (0.1 - 0.25) / 0.75_f64.sqrt();
    assert!((own.states[2][0] - expected).abs() < 1e-8, "{}", own.states[2][0]);
}

/// Drawn from the model, they are standard normal: also of a trend with a season, and with gaps.
#[test]
fn auxiliary_residuals_of_the_right_model_are_standard_normal() {
    let structure: Structural = "local-linear-trend(0.5, 0.1) + seasonal:4(0.2) + noise(1)".parse().unwrap();
    let model = structure.state_space().unwrap();
    let known = posterior_kalman::Initial::known(&[0.0; 5], &posterior_math::linalg::DMatrix::identity(5, 5));
    let model = model.with_initial(known.unwrap()).unwrap();
    let mut squares = [(0.0, 0.0); 4];
    for seed in 0..60 {
        let drawn = posterior_kalman::simulation::simulate(&model, 40, &mut stream(seed, &[])).unwrap();
        let value = |t: usize| (t % 9 != 4).then(|| drawn.observations.at(t)[0]);
        let series = Series::univariate_with_missing(&(0..40).map(value).collect::<Vec<_>>()).unwrap();
        let smoothed = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
        let residuals = AuxiliaryResiduals::new(&model, &series, &smoothed).unwrap();
        let mut see = |place: usize, own: f64| {
            if !own.is_nan() {
                squares[place].0 += own * own;
                squares[place].1 += 1.0;
            }
        };
        residuals.observations.iter().for_each(|own| see(0, own[0]));
        residuals.states.iter().for_each(|own| (0..3).for_each(|state| see(state + 1, own[state])));
        // The other states of a season have no noise.
        assert!(residuals.states.iter().all(|own| own[3].is_nan() && own[4].is_nan()));
        assert!(residuals.observations[4][0].is_nan());
    }
    for (sum, count) in squares {
        assert!(count > 1900.0 && (sum / count - 1.0).abs() < 0.25, "{squares:?}");
    }
}
