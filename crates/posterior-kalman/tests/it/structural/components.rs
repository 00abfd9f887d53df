//! The matrices of components, and what follows from them.

use posterior_kalman::continuous::Process;
use posterior_kalman::structural::SeriesComponent;
use posterior_kalman::{Error, FilterOptions, Series, StateSpace, filter};
use posterior_math::linalg::{DMatrix, DVector};

use super::alone;

/// Cov[y(t), y(t + k)] of the component, from its start.
fn autocovariance(model: &StateSpace, lag: usize) -> f64 {
    let h = model.observation().matrix().matrix(0);
    let a = model.transition().matrix().matrix(0);
    let power = (0..lag).fold(DMatrix::identity(a.nrows(), a.nrows()), |power, _| &a * power);
    (&h * power * model.initial().distribution().covariance() * h.transpose())[(0, 0)]
}

/// Whether the distribution at the start is that after any step.
fn is_stationary(model: &StateSpace) -> bool {
    let a = model.transition().matrix().matrix(0);
    let p = model.initial().distribution().covariance();
    let next = &a * p * a.transpose() + model.transition().noise().matrix(0);
    (next - p).amax() < 1e-12 * p.amax() && !model.initial().is_diffuse()
}

#[test]
fn autoregressions_have_their_autocovariances() {
    let model = |ar: &[f64], ma: &[f64], variance: f64| {
        let model = alone(SeriesComponent::arma(ar, ma, variance).unwrap(), 0.0).state_space().unwrap();
        assert!(is_stationary(&model));
        model
    };
    let close = |value: f64, expected: f64| {
        assert!((value - expected).abs() < 1e-12 * expected.abs().max(1.0), "{value} {expected}");
    };

    let ar1 = model(&[0.8], &[], 2.0);
    (0..6).for_each(|k| close(autocovariance(&ar1, k), 2.0 / (1.0 - 0.64) * 0.8_f64.powi(k as i32)));

    let (p1, p2) = (0.5, -0.7);
    let ar2 = model(&[p1, p2], &[], 1.0);
    let variance = (1.0 - p2) / ((1.0 + p2) * ((1.0 - p2).powi(2) - p1 * p1));
    let mut expected = vec![variance, variance * p1 / (1.0 - p2)];
    for k in 2..8 {
        expected.push(p1 * expected[k - 1] + p2 * expected[k - 2]);
    }
    expected.iter().enumerate().for_each(|(k, &value)| close(autocovariance(&ar2, k), value));

    let ma2 = model(&[], &[0.4, -0.3], 1.5);
    close(autocovariance(&ma2, 0), 1.5 * (1.0 + 0.16 + 0.09));
    close(autocovariance(&ma2, 1), 1.5 * (0.4 - 0.3 * 0.4));
    close(autocovariance(&ma2, 2), 1.5 * -0.3);
    close(autocovariance(&ma2, 3), 0.0);

    let (phi, theta) = (0.9, -0.5);
    let arma = model(&[phi], &[theta], 1.0);
    let first = (1.0 + phi * theta) * (phi + theta) / (1.0 - phi * phi);
    close(autocovariance(&arma, 0), (1.0 + 2.0 * phi * theta + theta * theta) / (1.0 - phi * phi));
    (1..6).for_each(|k| close(autocovariance(&arma, k), first * phi.powi(k as i32 - 1)));

    // Close to a unit root: 1/(1 - φ²), to the digits that φ has.
    let slow = model(&[1.0 - 1e-9], &[], 1.0);
    assert!((autocovariance(&slow, 0) * (2e-9 - 1e-18) - 1.0).abs() < 1e-6);
}

#[test]
fn what_is_not_stationary_or_invertible_is_refused() {
    assert!(SeriesComponent::arma(&[1.0], &[], 1.0).is_err());
    assert!(SeriesComponent::arma(&[0.5, 0.5], &[], 1.0).is_err());
    assert!(SeriesComponent::arma(&[1.5, -0.6], &[], 1.0).is_ok());
    assert!(SeriesComponent::arma(&[], &[2.0], 1.0).is_err());
    assert!(SeriesComponent::arma(&[], &[], 1.0).is_err());
    assert!(SeriesComponent::arma(&[f64::NAN], &[], 1.0).is_err());
    assert!(SeriesComponent::cycle(10.0, 1.0, 1.0).is_err());
    assert!(SeriesComponent::seasonal(1, 1.0).is_err());
    assert!(SeriesComponent::local_level(-1.0).is_err());
    assert!(SeriesComponent::constant_velocity(0.0).is_err());
    assert!(SeriesComponent::damped_trend(1.0, 1.0, 1.0).is_err());
    // Dummies and autoregressions know steps only, not times.
    let irregular = |component| alone(component, 1.0).at_times(&[0.0, 1.5]);
    assert!(irregular(SeriesComponent::seasonal(4, 1.0).unwrap()).is_err());
    assert!(irregular(SeriesComponent::arma(&[0.5], &[], 1.0).unwrap()).is_err());
    assert!(irregular(SeriesComponent::damped_trend(1.0, 1.0, 0.5).unwrap()).is_err());
    assert!(irregular(SeriesComponent::trigonometric(4.0, 1, 1.0).unwrap()).is_ok());
}

#[test]
fn cycles_have_their_autocovariances_at_any_times() {
    let (period, damping, variance) = (7.5_f64, 0.85_f64, 0.6);
    let cycle = || alone(SeriesComponent::cycle(period, damping, variance).unwrap(), 0.0);
    let regular = cycle().state_space().unwrap();
    assert!(is_stationary(&regular));
    let expected = |time: f64| {
        variance / (1.0 - damping * damping)
            * damping.powf(time)
            * (std::f64::consts::TAU * time / period).cos()
    };
    (0..10).for_each(|k| assert!((autocovariance(&regular, k) - expected(k as f64)).abs() < 1e-13));
    let irregular = cycle().at_times(&[1.0, 3.7]).unwrap().state_space().unwrap();
    assert!(is_stationary(&irregular));
    assert!((autocovariance(&irregular, 1) - expected(2.7)).abs() < 1e-13);
    // Damping and wave as a product of processes: the same covariance function.
    let scale = variance / (1.0 - damping * damping);
    let process = Process::cosine(period).unwrap().times(Process::matern12(-1.0 / damping.ln()).unwrap());
    assert!((process.scaled(scale).unwrap().kernel(0.0, 2.7) - expected(2.7)).abs() < 1e-13);
}

#[test]
fn seasons_repeat_and_add_up_to_nothing() {
    let seasons = [
        (4, SeriesComponent::seasonal(4, 0.3).unwrap()),
        (12, SeriesComponent::seasonal(12, 0.3).unwrap()),
        (12, SeriesComponent::trigonometric(12.0, 6, 0.3).unwrap()),
        (7, SeriesComponent::trigonometric(7.0, 3, 0.3).unwrap()),
        (12, SeriesComponent::trigonometric(12.0, 2, 0.3).unwrap()),
        (2, SeriesComponent::seasonal(2, 0.3).unwrap()),
    ];
    for (period, season) in seasons {
        let model = alone(season, 1.0).state_space().unwrap();
        let h = model.observation().matrix().matrix(0);
        let a = model.transition().matrix().matrix(0);
        let mut power = DMatrix::identity(a.nrows(), a.nrows());
        let mut sum = DMatrix::zeros(1, a.nrows());
        for _ in 0..period {
            sum += &h * &power;
            power = &a * power;
        }
        assert!(sum.amax() < 1e-13, "any period adds up to zero");
        assert!(
            (power - DMatrix::identity(a.nrows(), a.nrows())).amax() < 1e-13,
            "what comes after it is the same"
        );
        assert_eq!(model.initial().diffuse_directions().ncols(), a.nrows());
    }
    let full = alone(SeriesComponent::trigonometric(12.0, 6, 0.3).unwrap(), 1.0);
    assert_eq!(full.state_space().unwrap().states(), 11);
    assert_eq!(full.at_times(&[0.0, 0.3]).unwrap().state_space().unwrap().states(), 12);
}

#[test]
fn matrices_of_trends_and_of_what_moves() {
    let regular = alone(SeriesComponent::local_linear_trend(0.3, 0.2).unwrap(), 1.0).state_space().unwrap();
    assert_eq!(regular.transition().matrix().at(0), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(regular.transition().noise().at(0), [0.3, 0.0, 0.0, 0.2]);
    assert_eq!(regular.observation().matrix().at(0), [1.0, 0.0]);
    assert_eq!(regular.times(), None);
    // In continuous time the parts between steps are the same as steps without parts.
    let trend = || alone(SeriesComponent::local_linear_trend(0.3, 0.2).unwrap(), 1.0);
    let steps = trend().at_times(&[0.0, 0.7, 2.0]).unwrap().state_space().unwrap();
    let whole = trend().at_times(&[0.0, 2.0]).unwrap().state_space().unwrap();
    let together = steps.transition().over(0, 2).unwrap();
    let step = whole.transition().over(0, 1).unwrap();
    assert!((together.matrix() - step.matrix()).amax() < 1e-15);
    assert!((together.noise() - step.noise()).amax() < 1e-14);

    let moving = alone(SeriesComponent::constant_velocity(0.4).unwrap(), 1.0).with_width(2).unwrap();
    let model = moving.state_space().unwrap();
    let third = 0.4 / 3.0;
    let q = DMatrix::from_row_slice(2, 2, &[third, 0.2, 0.2, 0.4]);
    assert!((model.transition().noise().matrix(0) - DMatrix::identity(2, 2).kronecker(&q)).amax() < 1e-15);
    assert_eq!(
        model.observation().matrix().matrix(0),
        DMatrix::from_row_slice(2, 4, &[1., 0., 0., 0., 0., 0., 1., 0.])
    );
    assert_eq!((model.width(), model.initial().diffuse_directions().ncols()), (2, 4));
    let accelerated = alone(SeriesComponent::constant_acceleration(0.4).unwrap(), 1.0).state_space().unwrap();
    let row = DVector::from_vec(vec![1.0, 1.0, 0.5]);
    assert_eq!(accelerated.transition().matrix().matrix(0).row(0).transpose(), row);
}

#[test]
fn a_diffuse_process_is_a_trend_that_starts_anywhere() {
    let wiener = Process::wiener().scaled(0.3).unwrap();
    // Before the origin too: that is where the process itself is not.
    let times = [-2.0, 0.5, 0.75, 3.0];
    let series = Series::univariate(&[7.0, 6.5, 8.25, 8.0]).unwrap();
    let ln_likelihood = |component| {
        let model = alone(component, 0.2).at_times(&times).unwrap().state_space().unwrap();
        assert_eq!(model.initial().diffuse_directions().ncols(), 1);
        filter(&model, &series, &FilterOptions::default()).unwrap().ln_likelihood()
    };
    let level = ln_likelihood(SeriesComponent::local_level(0.3).unwrap());
    assert!((ln_likelihood(SeriesComponent::diffuse_process(&wiener)) - level).abs() < 1e-12 * level.abs());
    assert!(alone(SeriesComponent::process(&wiener), 0.2).at_times(&times).is_err());

    let moving = Process::integrated_wiener().scaled(0.4).unwrap();
    assert_eq!(
        alone(SeriesComponent::diffuse_process(&moving), 0.2).state_space().unwrap(),
        alone(SeriesComponent::constant_velocity(0.4).unwrap(), 0.2).state_space().unwrap()
    );
}

#[test]
fn a_regression_is_not_taken_from_a_longer_series() {
    let regression = |rows| {
        let inputs = DMatrix::from_fn(rows, 1, |t, _| 1.0 + t as f64);
        alone(SeriesComponent::regression(&inputs, 0.1).unwrap(), 1.0)
    };
    let (short, long) = (regression(2), regression(3));
    let model = long.state_space().unwrap();
    let series = Series::univariate(&[1.0, 2.0, 2.5]).unwrap();
    let smoothed = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
    assert_eq!(long.extract(&smoothed).unwrap()[0].mean().len(), 3);
    assert!(matches!(
        short.extract(&smoothed),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 3, found: 2, .. }))
    ));
}

/// Holt's linear forecasts, damped: each step is φ times the one before, on to a limit.
#[test]
fn a_damped_trend_levels_off() {
    let model = alone(SeriesComponent::damped_trend(0.2, 0.1, 0.8).unwrap(), 0.5).state_space().unwrap();
    let series = Series::univariate(&[1.0, 1.7, 2.9, 3.1, 4.2, 5.6, 6.0]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let ahead = posterior_kalman::forecast(&model, &filtered, 60).unwrap();
    let mean = |h: usize| ahead.observations[h].mean()[0];
    let slope = filtered.mean(6)[1];
    for h in 1..40 {
        let expected = filtered.mean(6)[0] + slope * (1.0 - 0.8_f64.powi(h as i32 + 1)) / (1.0 - 0.8);
        assert!((mean(h) - expected).abs() < 1e-9, "{h}: {} {expected}", mean(h));
    }
}
