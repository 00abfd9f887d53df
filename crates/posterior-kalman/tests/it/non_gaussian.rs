//! Counts and heavy tails: likelihoods against quadrature, exact cases, limits that are Gaussian, coverage.

use posterior_dist::stream::stream;
use posterior_kalman::non_gaussian::{ImportanceSmoother, SignalLikelihood, SignalModeOptions, mode};
use posterior_kalman::structural::Structural;
use posterior_kalman::{
    Error, FilterOptions, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation,
    filter, ln_likelihood,
};
use posterior_math::linalg::DMatrix;
use posterior_math::special::HALF_LN_TAU;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

fn scalar(value: f64) -> DMatrix<f64> {
    DMatrix::from_element(1, 1, value)
}

/// x(t+1) = 0.9 x(t) + noise of variance 0.4 from N(0.3, 0.8), which is the signal.
fn autoregression() -> StateSpace {
    StateSpace::new(
        TransitionEquation::constant(&scalar(0.9), &scalar(0.4)).unwrap(),
        ObservationEquation::constant(&scalar(1.0), &scalar(0.0)).unwrap(),
        Initial::known(&[0.3], &scalar(0.8)).unwrap(),
    )
    .unwrap()
}

fn local_level(variance: f64) -> StateSpace {
    format!("local-level({variance}) + noise(0)").parse::<Structural>().unwrap().state_space().unwrap()
}

fn student(degrees_of_freedom: f64, scale: f64) -> SignalLikelihood {
    SignalLikelihood::StudentT { degrees_of_freedom, scale }
}

/// ln p(y) and E[x(1) | y] of two observations, by the trapezoidal rule on a grid of the plane, whose
/// refinement by 1.7 moves no digit here. The last number is a floor of effective draws: of Student's t with
/// a Gaussian stand-in there are 4889 of 20,000.
#[test]
fn two_observations_have_the_likelihood_of_quadrature() {
    let smoother = ImportanceSmoother { draws: 20_000, ..ImportanceSmoother::default() };
    for (likelihood, y, exact, mean, least) in [
        (SignalLikelihood::Poisson, [2.0, 7.0], -5.884_064_484_001_8, 1.573_699_567_936_5, 15_000.0),
        (
            SignalLikelihood::Binomial { trials: vec![5, 8] },
            [5.0, 1.0],
            -6.462_208_930_255_1,
            -0.482_971_911_366_9,
            15_000.0,
        ),
        (
            SignalLikelihood::NegativeBinomial { size: 2.5 },
            [0.0, 9.0],
            -6.620_410_895_038,
            1.427_210_680_655,
            15_000.0,
        ),
        (student(3.0, 0.5), [0.2, 3.5], -6.148_536_125_724_3, 1.162_919_046_368_6, 2_500.0),
    ] {
        let series = Series::univariate(&y).unwrap();
        let found = smoother.run(&autoregression(), &likelihood, &series, &mut stream(4, &[])).unwrap();
        let estimate = found.ln_likelihood();
        let error = estimate.standard_error;
        assert!((estimate.ln_value - exact).abs() < 4.0 * error, "{likelihood:?} {estimate:?} {exact}");
        assert!(error < 0.02 && found.weights().ess() > least, "{likelihood:?} {}", found.weights().ess());
        let state = found.expectation(|theta| theta[1]).unwrap();
        assert!((state.value - mean).abs() < 4.0 * state.standard_error, "{likelihood:?} {state} {mean}");
        assert!(state.standard_error < 0.02);
        assert!((found.moments()[1].0 - state.value).abs() < 1e-12);
    }
}

/// Of 100 runs with 6000 draws, two standard errors hold ln p(y) 92 times, by a program of its own in another
/// language (of 200 runs; 56 and 79 times of 100 with 60 and 600): weights of pairs have a long tail.
#[test]
fn errors_of_the_likelihood_are_what_they_say() {
    let series = Series::univariate(&[2.0, 7.0]).unwrap();
    let smoother = ImportanceSmoother { draws: 6000, ..ImportanceSmoother::default() };
    let held = (0..100).filter(|&run| {
        let mut rng = stream(6, &[run]);
        let found = smoother.run(&autoregression(), &SignalLikelihood::Poisson, &series, &mut rng).unwrap();
        let estimate = found.ln_likelihood();
        (estimate.ln_value + 5.884_064_484_001_8).abs() < 1.96 * estimate.standard_error
    });
    let held = held.count();
    assert!((82..=99).contains(&held), "{held}");
}

/// Of one observation and a diffuse signal the integral is known: by gamma and beta functions.
#[test]
fn one_observation_of_a_diffuse_signal_has_a_closed_form() {
    let smoother = ImportanceSmoother { draws: 20_000, ..ImportanceSmoother::default() };
    for (likelihood, y, exact) in [
        // 1 / y; B(y, n - y) C(n, y) = n / (y (n - y)); 1 / y.
        (SignalLikelihood::Poisson, 30.0, -(30_f64).ln()),
        (SignalLikelihood::Binomial { trials: vec![50] }, 20.0, (50.0 / (20.0 * 30.0_f64)).ln()),
        (SignalLikelihood::NegativeBinomial { size: 80.0 }, 40.0, -(40_f64).ln()),
    ] {
        let series = Series::univariate(&[y]).unwrap();
        let found = smoother.run(&local_level(1.0), &likelihood, &series, &mut stream(1, &[])).unwrap();
        let estimate = found.ln_likelihood();
        let exact = exact - HALF_LN_TAU;
        assert!((estimate.ln_value - exact).abs() < 4.0 * estimate.standard_error, "{estimate:?} {exact}");
        assert!(estimate.standard_error < 1e-2 && found.weights().ess() > 15_000.0, "{estimate:?}");
        assert!((found.mode().laplace_ln_likelihood - exact).abs() < 0.02);
    }
}

#[test]
fn many_degrees_of_freedom_are_a_gaussian() {
    let nile = Series::univariate(posterior_datasets::series::NILE.values).unwrap();
    let level = local_level(1469.1);
    let found = ImportanceSmoother { draws: 200, ..ImportanceSmoother::default() }
        .run(&level, &student(1e9, 15099_f64.sqrt()), &nile, &mut stream(1, &[]))
        .unwrap();
    let gaussian: Structural = "local-level(1469.1) + noise(15099)".parse().unwrap();
    let model = gaussian.state_space().unwrap();
    let filtered = filter(&model, &nile, &FilterOptions::default()).unwrap();
    assert!((found.ln_likelihood().ln_value - filtered.ln_likelihood()).abs() < 1e-5);
    let smoothed = filtered.smooth(&model).unwrap();
    for (t, theta) in found.mode().signal.iter().enumerate() {
        assert!((theta - smoothed.mean(t)[0]).abs() < 1e-4 * theta.abs());
    }
    assert!((found.weights().ess() - 200.0).abs() < 1e-3);
}

/// The slope of ln p(y | θ) + ln p(θ) at the mode is zero: by differences of both.
#[test]
fn the_mode_is_a_mode() {
    let model = autoregression();
    for (likelihood, values) in [
        (SignalLikelihood::Poisson, vec![Some(0.0), Some(14.0), None, Some(2.0), Some(160.0)]),
        (
            SignalLikelihood::Binomial { trials: vec![3, 8, 1, 20, 4] },
            vec![Some(3.0), Some(0.0), None, Some(20.0), Some(1.0)],
        ),
        (
            SignalLikelihood::NegativeBinomial { size: 0.7 },
            vec![Some(0.0), Some(30.0), None, Some(1.0), Some(0.0)],
        ),
        (student(4.0, 0.3), vec![Some(0.2), Some(-6.0), None, Some(1.1), Some(0.7)]),
    ] {
        let series = Series::univariate_with_missing(&values).unwrap();
        let found = mode(&model, &likelihood, &series, &SignalModeOptions::default()).unwrap();
        assert!(found.converged, "{likelihood:?}");
        let ln_density = |theta: &[f64]| {
            let steps = theta.windows(2).map(|pair| -(pair[1] - 0.9 * pair[0]).powi(2) / 0.8).sum::<f64>();
            let seen = values.iter().zip(theta).enumerate();
            let seen = seen.filter_map(|(t, (y, theta))| y.map(|y| likelihood.ln_density(t, y, *theta)));
            seen.sum::<f64>() + steps - (theta[0] - 0.3).powi(2) / 1.6
        };
        for t in 0..5 {
            let beside = |step: f64| {
                let mut theta = found.signal.clone();
                theta[t] += step;
                ln_density(&theta)
            };
            let slope = (beside(1e-4) - beside(-1e-4)) / 2e-4;
            assert!(slope.abs() < 2e-5, "{likelihood:?} {t} {slope}");
            assert!(beside(0.01) < beside(0.0) && beside(-0.01) < beside(0.0));
        }
    }
}

/// Intervals of the rate hold it as often as they say: 60 series of 25 counts, of which the 80 % intervals of
/// the last rate and of the next count are looked at, with a standard deviation of 5 %.
#[test]
fn intervals_cover() {
    let truth = local_level(0.1).with_initial(Initial::known(&[1.5], &scalar(0.5)).unwrap()).unwrap();
    let mut held = [0.0; 2];
    let runs = 60;
    for run in 0..runs {
        let mut rng = stream(21, &[run]);
        let rates = posterior_kalman::simulation::simulate(&truth, 26, &mut rng).unwrap().states;
        let counts: Vec<f64> =
            (0..26).map(|t| SignalLikelihood::Poisson.draw(t, rates[(t, 0)], &mut rng).unwrap()).collect();
        let series = Series::univariate(&counts[..25]).unwrap();
        let smoother = ImportanceSmoother { draws: 400, ..ImportanceSmoother::default() };
        let found = smoother.run(&truth, &SignalLikelihood::Poisson, &series, &mut rng).unwrap();
        assert!(found.weights().ess() > 200.0, "{}", found.weights().ess());
        let below = found.expectation(|theta| f64::from(u8::from(theta[24] <= rates[(24, 0)]))).unwrap();
        held[0] += f64::from(u8::from((0.1..=0.9).contains(&below.value)));
        let paths = found.forecast_paths(1, 800, &mut rng).unwrap();
        // Of counts the middle of the jump.
        let rank = |y: f64| {
            let of = |own: &f64| {
                if *own < counts[25] {
                    1.0
                } else if *own == counts[25] {
                    y
                } else {
                    0.0
                }
            };
            paths.column(0).iter().map(of).sum::<f64>() / 800.0
        };
        let jump: f64 = rank(0.0) + uniform(&mut rng) * (rank(1.0) - rank(0.0));
        held[1] += f64::from(u8::from((0.1..=0.9).contains(&jump)));
    }
    for held in held {
        assert!((held / runs as f64 - 0.8).abs() < 0.16, "{held}");
    }
}

fn uniform<R: Rng + ?Sized>(rng: &mut R) -> f64 {
    rand::distr::StandardUniform.sample(rng)
}

/// Of a Gaussian random walk forecasts have a closed form.
#[test]
fn forecast_paths_have_the_moments_of_the_forecast() {
    let mut rng = stream(2, &[]);
    let y: Vec<f64> = (0..30)
        .map(|_| {
            let e: f64 = StandardNormal.sample(&mut rng);
            e
        })
        .collect();
    let series = Series::univariate(&y).unwrap();
    let smoother = ImportanceSmoother { draws: 2000, ..ImportanceSmoother::default() };
    let found = smoother.run(&local_level(0.3), &student(1e8, 0.5), &series, &mut rng).unwrap();
    let paths = found.forecast_paths(3, 20_000, &mut rng).unwrap();
    let model = "local-level(0.3) + noise(0.25)".parse::<Structural>().unwrap().state_space().unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let sampler = posterior_kalman::simulation::ForecastSampler::new(&model, &filtered, 3).unwrap();
    let exact: Vec<_> = (0..20_000).map(|_| sampler.sample(&mut rng).observations).collect();
    let ahead = posterior_kalman::forecast(&model, &filtered, 3).unwrap().observations;
    for (t, own) in ahead.iter().enumerate() {
        let (mean, variance) = (own.mean()[0], own.covariance()[(0, 0)]);
        let of_paths: Vec<f64> = paths.column(t).iter().copied().collect();
        let of_sampler: Vec<f64> = exact.iter().map(|path| path[(t, 0)]).collect();
        for own in [of_paths, of_sampler] {
            let found = own.iter().sum::<f64>() / 20_000.0;
            assert!((found - mean).abs() < 0.02, "{found} {mean}");
            let found = own.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 20_000.0;
            assert!((found / variance - 1.0).abs() < 0.06, "{found} {variance}");
        }
    }
    // Steps of one path belong together: y(2) - y(1) has the variance of a step and two noises.
    let steps = exact.iter().map(|path| (path[(1, 0)] - path[(0, 0)]).powi(2)).sum::<f64>() / 20_000.0;
    assert!((steps / 0.8 - 1.0).abs() < 0.05, "{steps}");
}

/// Half of the steps of Newton's method from a bad start go down; the search climbs none the less.
#[test]
fn hard_series_have_modes() {
    let wide = local_level(25.0);
    let series = Series::univariate(&[0.0, 0.0, 100_000.0, 0.0, 1.0, 0.0, 1e6, 3.0]).unwrap();
    for likelihood in [SignalLikelihood::Poisson, SignalLikelihood::NegativeBinomial { size: 0.01 }] {
        let found = mode(&wide, &likelihood, &series, &SignalModeOptions::default()).unwrap();
        assert!(found.converged && found.iterations < 100, "{likelihood:?} {}", found.iterations);
    }
    // Nothing but missing values.
    let none = Series::univariate_with_missing(&[None, None]).unwrap();
    let found = ImportanceSmoother::default()
        .run(&autoregression(), &SignalLikelihood::Poisson, &none, &mut stream(1, &[]))
        .unwrap();
    assert!(found.ln_likelihood().ln_value.abs() < 1e-12);
    assert!((found.moments()[0].0 - 0.3).abs() < 1e-12);
}

#[test]
fn an_exposure_is_an_offset() {
    let exposures = [0.5_f64, 2.0, 8.0];
    let offsets: Vec<f64> = exposures.iter().map(|own| own.ln()).collect();
    let seen = ObservationEquation::constant(&scalar(1.0), &scalar(0.0)).unwrap();
    let seen = seen.with_offset(Matrices::from_entries(1, 1, offsets).unwrap()).unwrap();
    let still = TransitionEquation::constant(&scalar(1.0), &scalar(0.0)).unwrap();
    let model = StateSpace::new(still, seen, Initial::diffuse(1).unwrap()).unwrap();
    let series = Series::univariate(&[1.0, 6.0, 20.0]).unwrap();
    let found = mode(&model, &SignalLikelihood::Poisson, &series, &SignalModeOptions::default()).unwrap();
    // The rate is 27 counts in 10.5.
    assert!((found.signal[0] - (27.0 / 10.5 * 0.5_f64).ln()).abs() < 1e-9);
}

#[test]
fn misuse_is_refused() {
    let model = autoregression();
    let refused = |model: &StateSpace, likelihood: &SignalLikelihood, y: &[f64]| -> Error {
        let series = Series::univariate(y).unwrap();
        mode(model, likelihood, &series, &SignalModeOptions::default()).unwrap_err()
    };
    for y in [-1.0, 0.5, 1e300] {
        refused(&model, &SignalLikelihood::Poisson, &[1.0, y]);
    }
    refused(&model, &SignalLikelihood::Binomial { trials: vec![4] }, &[5.0]);
    refused(&model, &SignalLikelihood::Binomial { trials: vec![] }, &[0.0]);
    refused(&model, &SignalLikelihood::Binomial { trials: vec![4, 4] }, &[1.0, 1.0, 1.0]);
    refused(&model, &SignalLikelihood::NegativeBinomial { size: 0.0 }, &[1.0]);
    refused(&model, &student(0.0, 1.0), &[1.0]);
    refused(&model, &student(3.0, f64::NAN), &[1.0]);
    let noisy = "local-level(1) + noise(1)".parse::<Structural>().unwrap().state_space().unwrap();
    refused(&noisy, &SignalLikelihood::Poisson, &[1.0]);
    assert!(ln_likelihood(&noisy, &Series::univariate(&[1.0]).unwrap(), &FilterOptions::default()).is_ok());
    let series = Series::univariate(&[3.0, 0.0]).unwrap();
    let few = ImportanceSmoother { draws: 3, ..ImportanceSmoother::default() };
    assert!(few.run(&model, &SignalLikelihood::Poisson, &series, &mut stream(1, &[])).is_err());
    let mode = SignalModeOptions { max_iterations: 1, ..SignalModeOptions::default() };
    let short = ImportanceSmoother { mode, ..ImportanceSmoother::default() };
    assert!(short.run(&model, &SignalLikelihood::Poisson, &series, &mut stream(1, &[])).is_err());
}

/// The mean, the variance and the distribution function are those of sums over the density.
#[test]
fn observations_have_the_moments_of_their_density() {
    for likelihood in [
        SignalLikelihood::Poisson,
        SignalLikelihood::Binomial { trials: vec![5, 8] },
        SignalLikelihood::NegativeBinomial { size: 2.5 },
        student(5.0, 0.5),
    ] {
        for theta in [-1.5, 0.4, 1.3] {
            let step = if likelihood.is_count() { 1.0 } else { 1e-3 };
            let last = match likelihood {
                SignalLikelihood::Binomial { .. } => 8,
                SignalLikelihood::StudentT { .. } => 400_000,
                _ => 400,
            };
            let first = if likelihood.is_count() { 0 } else { -last };
            let points: Vec<(f64, f64)> = (first..=last)
                .map(|k| {
                    let y = if likelihood.is_count() { f64::from(k) } else { theta + step * f64::from(k) };
                    (y, step * likelihood.ln_density(1, y, theta).exp())
                })
                .collect();
            let mean: f64 = points.iter().map(|(y, p)| y * p).sum();
            let variance: f64 = points.iter().map(|(y, p)| (y - mean).powi(2) * p).sum();
            let error = if likelihood.is_count() { 1e-10 } else { 1e-6 };
            assert!((likelihood.mean(1, theta) - mean).abs() < error, "{likelihood:?} {theta}");
            assert!((likelihood.variance(1, theta) / variance - 1.0).abs() < error, "{likelihood:?} {theta}");
            let (end, below) = if likelihood.is_count() { (3.0, 3.0) } else { (theta + 0.7, theta + 0.7) };
            let sum: f64 = points.iter().filter(|(y, _)| *y <= below).map(|(_, p)| p).sum();
            let error = if likelihood.is_count() { 1e-10 } else { 2e-3 };
            assert!((likelihood.cdf(1, end, theta) - sum).abs() < error, "{likelihood:?} {theta} {sum}");
        }
    }
}
