//! The filter against worked numbers, the dense oracle and its own other form.

use posterior_kalman::{
    CovarianceForm, Error, FilterOptions, Filtered, Initial, Matrices, ObservationEquation, Series,
    StateSpace, SteadyState, TransitionEquation, filter, ln_likelihood, steady_state,
};
use posterior_math::linalg::{DMatrix, DVector};
use proptest::prelude::*;

use crate::oracle;
use crate::random_model::{Shape, distance, random_model};

const FORMS: [CovarianceForm; 2] = [CovarianceForm::SquareRoot, CovarianceForm::Joseph];

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

fn level(noise: f64, seen: f64, initial: Initial) -> StateSpace {
    StateSpace::new(
        TransitionEquation::constant(&scalar(1.0), &scalar(noise)).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(seen)).unwrap(),
        initial,
    )
    .unwrap()
}

/// Times 1, 2, 4 of a Wiener process that starts at time 0 in 0.
fn wiener() -> StateSpace {
    let steps = Matrices::each(&[scalar(1.0), scalar(2.0)]).unwrap();
    StateSpace::new(
        TransitionEquation::varying(Matrices::constant(&scalar(1.0)), steps).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(0.25)).unwrap(),
        Initial::known(&[0.0], &scalar(1.0)).unwrap(),
    )
    .unwrap()
}

fn options(form: CovarianceForm) -> FilterOptions {
    FilterOptions { form, ..FilterOptions::default() }
}

#[test]
fn local_level_at_irregular_times_has_its_numbers() {
    let series = Series::univariate(&[0.5, 1.2, 0.3]).unwrap();
    for form in FORMS {
        let filtered = filter(&wiener(), &series, &options(form)).unwrap();
        let means = [0.4, 1.062068965517241, 0.377543859649123];
        let variances = [0.2, 0.206896551724138, 0.224561403508772];
        for t in 0..3 {
            assert!((filtered.mean(t)[0] - means[t]).abs() < 1e-14);
            assert!((filtered.covariance(t)[(0, 0)] - variances[t]).abs() < 1e-14);
        }
        assert!((filtered.ln_likelihood() - -3.9424958410509636).abs() < 1e-14);
        // v = y - m⁻, S = P⁻ + R, K = P⁻ / S.
        assert!((filtered.innovation(1)[0] - 0.8).abs() < 1e-15);
        assert!((filtered.innovation_covariance(1)[(0, 0)] - 1.45).abs() < 1e-14);
        assert!((filtered.standardized_innovation(1)[0] - 0.8 / 1.45f64.sqrt()).abs() < 1e-14);
        assert!((filtered.gain(1)[(0, 0)] - 1.2 / 1.45).abs() < 1e-14);
        assert!((filtered.signal(&wiener(), 1).unwrap().mean[0] - means[1]).abs() < 1e-14);
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
    let means = [
        [1.073214285714, 0.538392857143],
        [1.878451299614, 0.774384358947],
        [2.652835658561, 0.774384358947],
        [4.13631102301, 1.055840047994],
    ];
    for form in FORMS {
        let filtered = filter(&model, &series, &options(form)).unwrap();
        for (t, mean) in means.iter().enumerate() {
            assert!((filtered.mean(t)[0] - mean[0]).abs() < 1e-11);
            assert!((filtered.mean(t)[1] - mean[1]).abs() < 1e-11);
        }
        let last =
            DMatrix::from_row_slice(2, 2, &[0.458792296363, 0.182105965102, 0.182105965102, 0.195464094389]);
        assert!(distance(&filtered.covariance(3), &last) < 1e-11);
        assert!((filtered.ln_likelihood() - -6.204585057577754).abs() < 1e-13);
        assert_eq!(filtered.ln_likelihood_terms()[2], 0.0);
        assert!(filtered.innovation(2)[0].is_nan() && filtered.standardized_innovation(2)[0].is_nan());
        assert_eq!(filtered.gain(2)[(0, 0)], 0.0);
    }
}

/// The distribution of all states by one dense Gaussian, against what filter and smoother say.
fn agrees_with_the_dense_distribution(
    model: &StateSpace,
    series: &Series,
    filtered: &Filtered,
    tolerance: f64,
) {
    let n = model.states();
    let (posterior, ln_likelihood) = oracle::condition_everything(model, series);
    let smoothed = filtered.smooth(model).unwrap();
    assert!((filtered.ln_likelihood() - ln_likelihood).abs() < tolerance * (1.0 + ln_likelihood.abs()));
    for t in 0..series.len() {
        let mean = posterior.mean().rows(n * t, n).into_owned();
        let block = |s: usize| posterior.covariance().view((n * s, n * t), (n, n)).into_owned();
        let ours = DMatrix::from_column_slice(n, 1, smoothed.mean(t));
        assert!(distance(&ours, &DMatrix::from_column_slice(n, 1, mean.as_slice())) < tolerance);
        assert!(distance(&smoothed.covariance(t), &block(t)) < tolerance, "covariance at {t}");
        if t + 1 < series.len() {
            assert!(distance(&smoothed.lag_one_covariance(t), &block(t + 1)) < tolerance, "lag one at {t}");
        }
        let gain = filtered.covariance(t) - smoothed.covariance(t);
        assert!(gain.diagonal().min() > -tolerance, "smoothing at {t} loses");
    }
}

fn shapes() -> impl Strategy<Value = (Shape, u64)> {
    let sizes = (1..6usize, 1..5usize, 1..7usize, 0..6usize);
    (sizes, any::<bool>(), prop::sample::select(vec![0.0, 0.3, 1.0]), any::<u64>()).prop_map(
        |((states, width, length, noises), varying, missing, seed)| {
            let noises = noises.min(states);
            (Shape { states, width, length, noises, diffuse: 0, varying, missing }, seed)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn filter_and_smoother_are_dense_conditioning((shape, seed) in shapes()) {
        let (model, series) = random_model(shape, seed);
        for form in FORMS {
            let filtered = filter(&model, &series, &options(form)).unwrap();
            agrees_with_the_dense_distribution(&model, &series, &filtered, 1e-9);
            prop_assert_eq!(ln_likelihood(&model, &series, &options(form)).unwrap(), filtered.ln_likelihood());
        }
    }

    #[test]
    fn the_accessors_are_the_equations((shape, seed) in shapes()) {
        let (model, series) = random_model(shape, seed);
        let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
        for t in 0..series.len() {
            let there: Vec<usize> = (0..shape.width).filter(|&i| !series.at(t)[i].is_nan()).collect();
            let h = model.observation().matrix().matrix(t);
            let predicted = DVector::from_column_slice(filtered.predicted_mean(t));
            let seen = &h * &predicted + DVector::from_column_slice(model.observation().offset().at(t));
            let s = &h * filtered.predicted_covariance(t) * h.transpose() + model.observation().noise().matrix(t);
            let mut added = predicted;
            for &i in &there {
                let innovation = filtered.innovation(t)[i];
                prop_assert!((innovation - (series.at(t)[i] - seen[i])).abs() < 1e-9);
                added += filtered.gain(t).column(i) * innovation;
                for &j in &there {
                    prop_assert!((filtered.innovation_covariance(t)[(i, j)] - s[(i, j)]).abs() < 1e-9);
                }
            }
            prop_assert!((added - DVector::from_column_slice(filtered.mean(t))).amax() < 1e-9);
            if t + 1 < series.len() {
                let a = model.transition().matrix().matrix(t);
                let moved = &a * filtered.covariance(t) * a.transpose() + model.transition().noise().matrix(t);
                prop_assert!(distance(&filtered.predicted_covariance(t + 1), &moved) < 1e-12);
            }
        }
    }
}

/// A long series of a random constant model with a proportion of missing numbers.
fn long(states: usize, width: usize, missing: f64, seed: u64) -> (StateSpace, Series) {
    let shape = Shape { states, width, length: 1500, noises: states, diffuse: 0, varying: false, missing };
    let (model, series) = random_model(shape, seed);
    let a = model.transition().matrix().matrix(0);
    // Make it stable.
    let norm = a.clone().svd(false, false).singular_values.max();
    let transition =
        TransitionEquation::constant(&(a * (0.98 / norm)), &model.transition().noise().matrix(0));
    let model =
        StateSpace::new(transition.unwrap(), model.observation().clone(), model.initial().clone()).unwrap();
    (model, series)
}

#[test]
fn the_steady_state_changes_nothing_that_counts() {
    for (states, width, missing, seed) in
        [(1, 1, 0.0, 1), (2, 1, 0.0, 2), (3, 2, 0.005, 3), (4, 3, 0.0, 4), (6, 2, 0.002, 5), (2, 1, 0.01, 6)]
    {
        let (model, series) = long(states, width, missing, seed);
        for form in FORMS {
            let always = FilterOptions { steady_state: SteadyState::Ignore, ..options(form) };
            let (short, full) = (filter(&model, &series, &options(form)), filter(&model, &series, &always));
            let (short, full) = (short.unwrap(), full.unwrap());
            let difference = (short.ln_likelihood() - full.ln_likelihood()).abs();
            assert!(difference < 1e-12 * full.ln_likelihood().abs(), "{difference:e}");
            let (before, after) = (short.smooth(&model).unwrap(), full.smooth(&model).unwrap());
            for t in 0..series.len() {
                assert!(distance(&short.covariance(t), &full.covariance(t)) < 1e-12);
                assert!(distance(&before.covariance(t), &after.covariance(t)) < 1e-12);
                for i in 0..states {
                    assert!((before.mean(t)[i] - after.mean(t)[i]).abs() < 1e-11);
                }
                if t + 1 < series.len() {
                    assert!(distance(&before.lag_one_covariance(t), &after.lag_one_covariance(t)) < 1e-12);
                }
            }
        }
    }
}

#[test]
fn slow_convergence_is_not_taken_for_a_steady_state() {
    // The variance falls as 1 / t: no change is large, and together they are everything.
    let model = level(1e-12, 1.0, Initial::known(&[0.0], &scalar(1.0)).unwrap());
    let series = Series::univariate(&vec![0.5; 20_000]).unwrap();
    for form in FORMS {
        let filtered = filter(&model, &series, &options(form)).unwrap();
        let variance = filtered.covariance(19_999)[(0, 0)];
        // Without noise it is 1 / 20,001; the noise adds n q / 3.
        assert!((variance * 20_001.0 - 1.0).abs() < 2e-4, "{variance:e}");
        let always = FilterOptions { steady_state: SteadyState::Ignore, ..options(form) };
        assert_eq!(ln_likelihood(&model, &series, &always).unwrap(), filtered.ln_likelihood());
    }
}

#[test]
fn doubling_finds_the_limit_of_the_filter() {
    for (states, width, seed) in [(1, 1, 11), (2, 1, 12), (4, 2, 13), (5, 3, 14)] {
        let (model, series) = long(states, width, 0.0, seed);
        let limit = steady_state(&model).unwrap();
        let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
        assert!(distance(&limit.predicted_covariance, &filtered.predicted_covariance(1400)) < 1e-12);
        assert!(distance(&limit.covariance, &filtered.covariance(1400)) < 1e-12);
        assert!(distance(&limit.gain, &filtered.gain(1400)) < 1e-12);
        assert!(distance(&limit.innovation_covariance, &filtered.innovation_covariance(1400)) < 1e-12);
    }
    let golden = steady_state(&level(1.0, 1.0, Initial::diffuse(1).unwrap())).unwrap();
    assert!((golden.predicted_covariance[(0, 0)] - f64::midpoint(1.0, 5f64.sqrt())).abs() < 1e-15);
    assert!((golden.gain[(0, 0)] - 0.6180339887498949).abs() < 1e-15);
    // Slow: (1 ± ε) per step.
    let slow = steady_state(&level(1e-10, 1.0, Initial::diffuse(1).unwrap())).unwrap();
    let exact = f64::midpoint(1e-10, (1e-20f64 + 4e-10).sqrt());
    // 22 doublings, of which each adds its rounding.
    assert!((slow.predicted_covariance[(0, 0)] / exact - 1.0).abs() < 1e-12);
    // Observed without noise.
    let exact = steady_state(&level(2.0, 0.0, Initial::diffuse(1).unwrap())).unwrap();
    assert!(
        (exact.predicted_covariance[(0, 0)] - 2.0).abs() < 1e-15 && exact.covariance[(0, 0)].abs() < 1e-15
    );
}

#[test]
fn what_has_no_steady_state_is_refused() {
    // It grows and is not seen.
    let model = StateSpace::new(
        TransitionEquation::constant(&scalar(2.0), &scalar(1.0)).unwrap(),
        ObservationEquation::constant(&scalar(0.0), &scalar(1.0)).unwrap(),
        Initial::known(&[0.0], &scalar(1.0)).unwrap(),
    );
    assert!(steady_state(&model.unwrap()).is_err());
    assert!(matches!(steady_state(&wiener()), Err(Error::Dimension { .. })));
}

/// P. Dyer and S. McReynolds' example: two nearly equal sensors, whose noise disappears beside one in f64.
#[test]
fn the_square_root_survives_where_the_covariance_does_not() {
    let d = 1e-9;
    let model = StateSpace::new(
        TransitionEquation::constant(&DMatrix::identity(2, 2), &DMatrix::zeros(2, 2)).unwrap(),
        ObservationEquation::constant(
            &DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0 + d]),
            &(DMatrix::identity(2, 2) * (d * d)),
        )
        .unwrap(),
        Initial::known(&[0.0, 0.0], &DMatrix::identity(2, 2)).unwrap(),
    )
    .unwrap();
    let series = Series::new(&DMatrix::from_row_slice(1, 2, &[1.0, 1.0])).unwrap();
    let filtered = filter(&model, &series, &options(CovarianceForm::SquareRoot)).unwrap();
    let exact = DMatrix::from_row_slice(2, 2, &[2.0 + 2.0 * d, -2.0 - d, -2.0 - d, 2.0]) / (5.0 + 2.0 * d);
    assert!(distance(&filtered.covariance(0), &exact) < 1e-6);
    match filter(&model, &series, &options(CovarianceForm::Joseph)) {
        Ok(joseph) => assert!(distance(&joseph.covariance(0), &exact) > 1e-3),
        Err(error) => assert!(matches!(error, Error::Singular { time: 0 }), "{error}"),
    }
}

#[test]
fn an_observation_that_is_known_beforehand_is_refused_with_its_time() {
    let model = level(0.0, 0.0, Initial::known(&[0.0], &scalar(1.0)).unwrap());
    let series = Series::univariate(&[1.0, 1.0]).unwrap();
    for form in FORMS {
        assert!(matches!(filter(&model, &series, &options(form)), Err(Error::Singular { time: 1 })));
        assert!(matches!(ln_likelihood(&model, &series, &options(form)), Err(Error::Singular { time: 1 })));
    }
    // Two components that are one.
    let twins = StateSpace::new(
        TransitionEquation::constant(&scalar(1.0), &scalar(0.3)).unwrap(),
        ObservationEquation::constant(&DMatrix::from_element(2, 1, 0.7), &DMatrix::from_element(2, 2, 0.1))
            .unwrap(),
        Initial::known(&[0.0], &scalar(0.2)).unwrap(),
    );
    let series = Series::new(&DMatrix::from_row_slice(1, 2, &[1.0, 1.0])).unwrap();
    for form in FORMS {
        let result = filter(twins.as_ref().unwrap(), &series, &options(form));
        assert!(matches!(result, Err(Error::Singular { time: 0 })), "{form:?}");
    }
}

#[test]
fn what_explodes_is_refused_with_its_time() {
    let model = StateSpace::new(
        TransitionEquation::constant(&scalar(1e200), &scalar(1.0)).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(1.0)).unwrap(),
        Initial::known(&[1.0], &scalar(1.0)).unwrap(),
    )
    .unwrap();
    let series = Series::univariate_with_missing(&[None; 4]).unwrap();
    for form in FORMS {
        assert!(matches!(filter(&model, &series, &options(form)), Err(Error::Overflow { .. })));
    }
}

#[test]
fn nothing_seen_is_the_prior() {
    let shape = Shape { states: 3, width: 2, length: 4, noises: 2, diffuse: 0, varying: true, missing: 1.0 };
    let (model, series) = random_model(shape, 5);
    for form in FORMS {
        let filtered = filter(&model, &series, &options(form)).unwrap();
        let smoothed = filtered.smooth(&model).unwrap();
        assert_eq!(filtered.ln_likelihood(), 0.0);
        let mut distribution = model.initial().distribution().clone();
        for t in 0..4 {
            if t > 0 {
                let a = model.transition().matrix().matrix(t - 1);
                let noise = model.transition().noise().matrix(t - 1);
                let mean = &a * distribution.mean()
                    + DVector::from_column_slice(model.transition().offset().at(t - 1));
                let covariance = &a * distribution.covariance() * a.transpose() + noise;
                let covariance = (&covariance + covariance.transpose()) * 0.5;
                distribution = posterior_gaussian::MomentGaussian::new(mean.as_slice(), &covariance).unwrap();
            }
            for covariance in [filtered.covariance(t), smoothed.covariance(t)] {
                assert!(distance(&covariance, distribution.covariance()) < 1e-13);
            }
            for mean in [filtered.mean(t), smoothed.mean(t)] {
                assert!((DVector::from_column_slice(mean) - distribution.mean()).amax() < 1e-13);
            }
        }
    }
    let empty = Series::with_missing(&DMatrix::zeros(0, 2)).unwrap();
    let filtered = filter(&model, &empty, &FilterOptions::default()).unwrap();
    assert!(filtered.is_empty() && filtered.smooth(&model).unwrap().is_empty());
    assert_eq!((filtered.ln_likelihood(), filtered.len()), (0.0, 0));
}

#[test]
fn series_and_models_that_do_not_fit_are_refused() {
    let series = Series::univariate(&[0.0; 4]).unwrap();
    assert!(matches!(filter(&wiener(), &series, &FilterOptions::default()), Err(Error::Dimension { .. })));
    let pair = Series::new(&DMatrix::zeros(2, 2)).unwrap();
    assert!(filter(&wiener(), &pair, &FilterOptions::default()).is_err());
    let short = filter(&wiener(), &Series::univariate(&[0.0]).unwrap(), &FilterOptions::default()).unwrap();
    let other = StateSpace::new(
        TransitionEquation::constant(&DMatrix::identity(2, 2), &DMatrix::identity(2, 2)).unwrap(),
        ObservationEquation::constant(&DMatrix::identity(1, 2), &scalar(1.0)).unwrap(),
        Initial::diffuse(2).unwrap(),
    )
    .unwrap();
    assert!(short.smooth(&other).is_err());
}

#[test]
fn sizes_beyond_all_memory_are_refused() {
    assert!(matches!(Matrices::from_entries(usize::MAX, 2, vec![1.0]), Err(Error::Dimension { .. })));
}

#[test]
fn what_was_seen_exactly_is_not_seen_again() {
    // Also where the numbers are no powers of two, and the covariance is singular up to rounding only.
    let mut rng = posterior_dist::stream::stream(3, &[]);
    let mut random = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0));
    for n in 1..5 {
        for _ in 0..20 {
            let (h, root, along) = (random(1, n), random(n, n), random(n, 1));
            let known = &root * root.transpose() + DMatrix::identity(n, n) * 0.1;
            let known = (&known + known.transpose()) * 0.5;
            let stays = DMatrix::identity(n, n);
            let transition = TransitionEquation::constant(&stays, &(&stays * 0.0)).unwrap();
            let observation = ObservationEquation::constant(&h, &scalar(0.0)).unwrap();
            let initial = Initial::known(&vec![0.0; n], &known).unwrap();
            let partly = initial.clone().with_diffuse(&along).unwrap();
            let series = Series::univariate_with_missing(&[Some(0.7), None, Some(0.7)]).unwrap();
            for initial in [initial, partly] {
                let model = StateSpace::new(transition.clone(), observation.clone(), initial).unwrap();
                for form in FORMS {
                    let found = ln_likelihood(&model, &series, &options(form));
                    assert!(matches!(found, Err(Error::Singular { time: 2 })), "{n} {form:?} {found:?}");
                }
            }
        }
    }
}

#[test]
fn what_moves_is_seen_exactly_again_and_again() {
    // An autoregression without noise of the observation, by its own densities.
    let (y, noise) = ([0.7, 0.2, -0.4, 0.31], 1e-12);
    let model = |seen| {
        StateSpace::new(
            TransitionEquation::constant(&scalar(0.6), &scalar(noise)).unwrap(),
            ObservationEquation::constant(&scalar(0.3), &scalar(seen)).unwrap(),
            Initial::known(&[0.0], &scalar(5.0)).unwrap(),
        )
        .unwrap()
    };
    let ln_normal =
        |x: f64, variance: f64| -0.5 * (x * x / variance + (std::f64::consts::TAU * variance).ln());
    let mut truth = ln_normal(y[0], 5.0 * 0.09);
    for pair in y.windows(2) {
        truth += ln_normal(pair[1] - 0.6 * pair[0], noise * 0.09);
    }
    for form in FORMS {
        let series = Series::univariate(&y).unwrap();
        let found = ln_likelihood(&model(0.0), &series, &options(form)).unwrap();
        assert!((found / truth - 1.0).abs() < 1e-12, "{form:?} {found} {truth}");
    }
}

#[test]
fn a_slow_convergence_is_waited_for() {
    // Changes shrink by 2e-4 a step: when one of the root is 1e-14, those to come add up to 5e-11, twice that
    // of the variance. Rounding ends them at 1e-11.
    let model = level(1e-8, 1.0, Initial::known(&[0.0], &scalar(1.0)).unwrap());
    let limit = steady_state(&model).unwrap().covariance[(0, 0)];
    let series = Series::univariate(&vec![0.5; 400_000]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let found = filtered.covariance(399_999)[(0, 0)];
    assert!((found / limit - 1.0).abs() < 3e-11, "{found} {limit}");
}

/// Known inputs u(t) move the state by B u(t) and what is seen of it by D u(t).
#[test]
fn inputs_are_offsets_of_their_times() {
    let gain = DMatrix::from_row_slice(2, 1, &[1.0, -0.5]);
    let inputs = DMatrix::from_column_slice(3, 1, &[0.0, 2.0, 5.0]);
    let one = DMatrix::identity(2, 2);
    let moved = TransitionEquation::constant(&one, &one).unwrap();
    let seen = ObservationEquation::constant(&one, &one).unwrap();
    assert!(moved.clone().with_inputs(&gain, &DMatrix::zeros(3, 2)).is_err());
    assert!(seen.clone().with_inputs(&DMatrix::zeros(1, 1), &inputs).is_err());
    let (moved, seen) =
        (moved.with_inputs(&gain, &inputs).unwrap(), seen.with_inputs(&gain, &inputs).unwrap());
    assert_eq!(moved.times(), Some(3));
    for (t, u) in inputs.iter().enumerate() {
        assert_eq!(moved.offset().matrix(t).as_slice(), [*u, -0.5 * u]);
        assert_eq!(seen.offset().matrix(t).as_slice(), [*u, -0.5 * u]);
    }
}
