//! The score against the tape, differences, and the filter.

use posterior_kalman::learning::{
    Derivative, LikelihoodScore, ModelFamily, Parameter, ParameterScale, ParametricModel, score,
};
use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_kalman::{
    Error, FilterOptions, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation,
    ln_likelihood,
};
use posterior_math::autodiff::gradient;
use posterior_math::linalg::DMatrix;

use crate::differentiable_filter;
use crate::example_models::{Noise, awkward, constant_velocity, wiener};

/// The score in the order of [`differentiable_filter::numbers`], for a model whose matrices are all
/// different.
fn in_order(score: &LikelihoodScore, length: usize) -> Vec<f64> {
    let mut numbers = Vec::new();
    for t in 0..length {
        if t + 1 < length {
            for part in [&score.transition.matrix, &score.transition.offset, &score.transition.noise] {
                numbers.extend(part.of(t).transpose().iter());
            }
        }
        for part in [&score.observation.matrix, &score.observation.offset, &score.observation.noise] {
            numbers.extend(part.of(t).transpose().iter());
        }
    }
    numbers.extend(score.initial_mean.iter());
    numbers.extend(score.initial_covariance.iter());
    numbers
}

#[test]
fn every_number_has_the_derivative_of_the_tape() {
    for seed in 0..20 {
        let noise = if seed % 2 == 0 { Noise::Full } else { Noise::Singular };
        let (model, series) = awkward(seed, 6, noise);
        let numbers = differentiable_filter::numbers(&model, 6);
        let mut slopes = vec![0.0; numbers.len()];
        let value = gradient(|x| differentiable_filter::ln_likelihood(x, 3, &series), &numbers, &mut slopes);
        let score = score(&model, &series).unwrap();
        assert!((score.ln_likelihood - value).abs() < 1e-11 * value.abs(), "{seed}");
        for (place, (ours, theirs)) in in_order(&score, 6).iter().zip(&slopes).enumerate() {
            let scale = theirs.abs().max(1.0);
            assert!((ours - theirs).abs() < 1e-9 * scale, "{seed} {place}: {ours} {theirs}");
        }
    }
}

#[test]
fn a_matrix_that_serves_at_many_times_has_the_sum_of_its_scores() {
    let (model, short) = constant_velocity();
    // Long enough for covariances to come to their limits, with a gap.
    let missing = |t: usize| (t == 170 || t == 171).then_some(f64::NAN);
    let long = |t: usize, _| missing(t).unwrap_or_else(|| (t as f64 * 0.7).sin() * 3.0);
    let long = Series::with_missing(&DMatrix::from_fn(300, 1, long)).unwrap();
    assert!((score(&model, &short).unwrap().ln_likelihood - -6.204585057577754).abs() < 1e-13);
    for series in [short, long] {
        let whole = score(&model, &series).unwrap();
        let length = series.len();
        let each = |matrices: &Matrices| Matrices::each(&vec![matrices.matrix(0); length]).unwrap();
        let (transition, observation) = (model.transition(), model.observation());
        let apart = StateSpace::new(
            TransitionEquation::varying(each(transition.matrix()), each(transition.noise())).unwrap(),
            ObservationEquation::varying(each(observation.matrix()), each(observation.noise())).unwrap(),
            model.initial().clone(),
        )
        .unwrap();
        let apart = score(&apart, &series).unwrap();
        assert!((whole.ln_likelihood - apart.ln_likelihood).abs() < 1e-12 * whole.ln_likelihood.abs());
        for (whole, apart) in [
            (&whole.transition.matrix, &apart.transition.matrix),
            (&whole.transition.noise, &apart.transition.noise),
            (&whole.observation.matrix, &apart.observation.matrix),
            (&whole.observation.noise, &apart.observation.noise),
        ] {
            let sum: DMatrix<f64> = (0..length).map(|t| apart.of(t)).sum();
            assert!((whole.of(0) - sum).amax() < 1e-12 * whole.of(0).amax().max(1.0));
        }
    }
}

#[test]
fn the_wiener_process_has_its_worked_likelihood() {
    let (model, series) = wiener();
    assert!((score(&model, &series).unwrap().ln_likelihood - -3.9424958410509636).abs() < 1e-14);
}

/// The model of [`wiener`] with three unknown variances, started by a known, a diffuse or a vague
/// distribution.
fn local_level(start: Option<f64>) -> ModelFamily<impl Fn(&[f64]) -> Result<StateSpace, Error>> {
    let scalar = |value| DMatrix::from_element(1, 1, value);
    let parameters = vec![
        Parameter::new("level variance", ParameterScale::Positive, 1.0).unwrap(),
        Parameter::new("noise variance", ParameterScale::Positive, 0.25).unwrap(),
        Parameter::new("persistence", ParameterScale::within(-1.0, 1.5).unwrap(), 0.9).unwrap(),
    ];
    ModelFamily::new(parameters, move |natural| {
        let initial = match start {
            Some(variance) => Initial::known(&[0.0], &scalar(variance))?,
            None => Initial::diffuse(1)?,
        };
        StateSpace::new(
            TransitionEquation::constant(&scalar(natural[2]), &scalar(natural[0]))?,
            ObservationEquation::constant(&scalar(1.0), &scalar(natural[1]))?,
            initial,
        )
    })
}

#[test]
fn the_chain_rule_by_differences_of_matrices_is_that_of_the_likelihood() {
    let (family, series) = (local_level(Some(2.0)), Series::univariate(&[0.3, 1.2, 0.7, 1.9, 1.1]).unwrap());
    let free = [0.2, -0.7, 0.4];
    let score = score(&family.at(&free).unwrap(), &series).unwrap();
    for parameter in 0..3 {
        let ours = score.along(&family.derivative(&free, parameter).unwrap()).unwrap();
        let at = |step: f64| {
            let mut point = free;
            point[parameter] += step;
            ln_likelihood(&family.at(&point).unwrap(), &series, &FilterOptions::default()).unwrap()
        };
        let h = 1e-3;
        let theirs = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        assert!((ours - theirs).abs() < 1e-10, "{parameter}: {ours} {theirs}");
    }
}

#[test]
fn a_diffuse_start_is_the_limit_of_vague_ones() {
    let series = Series::univariate_with_missing(&[None, Some(1.2), Some(0.7), None, Some(1.1)]).unwrap();
    let free = [0.2, -0.7, 0.4];
    let exact = score(&local_level(None).at(&free).unwrap(), &series).unwrap();
    for variance in [1e5_f64, 1e7] {
        let vague = score(&local_level(Some(variance)).at(&free).unwrap(), &series).unwrap();
        let limit = vague.ln_likelihood + 0.5 * variance.ln();
        assert!((exact.ln_likelihood - limit).abs() < 100.0 / variance, "{} {limit}", exact.ln_likelihood);
        for (exact, vague) in [
            (&exact.transition.matrix, &vague.transition.matrix),
            (&exact.transition.noise, &vague.transition.noise),
            (&exact.observation.matrix, &vague.observation.matrix),
            (&exact.observation.noise, &vague.observation.noise),
        ] {
            let (exact, vague) = (exact.of(0)[0], vague.of(0)[0]);
            assert!((exact - vague).abs() < 100.0 / variance, "{variance}: {exact} {vague}");
        }
    }
}

#[test]
fn the_likelihood_is_that_of_the_filter() {
    for seed in 0..12 {
        let (model, series) =
            awkward(50 + seed, 8, if seed % 2 == 0 { Noise::Full } else { Noise::Singular });
        let direction = DMatrix::from_column_slice(3, 2, &[1.0, -0.5, 2.0, 0.3, 0.0, 3.0]);
        let start = model.initial().clone().with_diffuse(&direction).unwrap();
        for model in [model.clone(), model.with_initial(start).unwrap()] {
            let filtered = ln_likelihood(&model, &series, &FilterOptions::default()).unwrap();
            let ours = score(&model, &series).unwrap().ln_likelihood;
            assert!((ours - filtered).abs() < 1e-10 * filtered.abs().max(1.0), "{seed}: {ours} {filtered}");
        }
    }
}

#[test]
fn a_diffuse_level_far_from_zero_keeps_its_digits() {
    let family = local_level(None);
    let near = [0.3, 1.2, 0.7, 1.9, 1.1];
    // On a level that stays (persistence 1), only differences count; all sums are exact in binary.
    let model = |values: &[f64]| {
        let free = [0.2, -0.7, ParameterScale::within(-1.0, 1.5).unwrap().free(1.0)];
        score(&family.at(&free).unwrap(), &Series::univariate(values).unwrap()).unwrap().ln_likelihood
    };
    let far: Vec<f64> = near.map(|value| value + 1048576.0).to_vec();
    let back: Vec<f64> = far.iter().map(|value| value - 1048576.0).collect();
    assert!((model(&far) - model(&back)).abs() < 1e-8);
}

#[test]
fn a_derivative_of_another_model_is_refused() {
    let (model, series) = constant_velocity();
    let score = score(&model, &series).unwrap();
    let wrong = Derivative { initial_covariance: Some(DMatrix::zeros(1, 1)), ..Derivative::default() };
    assert!(matches!(
        score.along(&wrong),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
    assert_eq!(score.along(&Derivative::default()).unwrap(), 0.0);
}

#[test]
fn an_empty_series_has_no_score() {
    let (model, _) = constant_velocity();
    let score = score(&model, &Series::univariate(&[]).unwrap()).unwrap();
    assert_eq!(score.ln_likelihood, 0.0);
    assert_eq!(score.initial_covariance.amax(), 0.0);
}

#[test]
fn a_start_whose_diffuse_directions_move_has_no_derivative() {
    let one = DMatrix::from_element(1, 1, 1.0);
    let model = |free: &[f64]| {
        StateSpace::new(
            TransitionEquation::constant(&one, &one)?,
            ObservationEquation::constant(&one, &one)?,
            Initial::known(&[0.0], &one)?.with_diffuse(&(&one * free[0]))?,
        )
    };
    assert!(Derivative::by_differences(model, &[1.0], 0).is_err());
    assert!(Derivative::by_differences(|_| model(&[1.0]), &[1.0], 0).is_ok());
}

#[test]
fn each_step_has_its_own_derivative() {
    // Steps of three lengths: each is stored, and moves by itself.
    let model = Structural::new(vec![SeriesComponent::local_level(0.7).unwrap()], 0.4).unwrap();
    let model = model.at_times(&[0.0, 0.5, 2.5, 2.75]).unwrap();
    let series = Series::univariate(&[0.3, 1.0, -2.0, 0.4]).unwrap();
    let free = [0.7f64.ln(), 0.4f64.ln()];
    let ln_p =
        |free: &[f64]| ln_likelihood(&model.at(free).unwrap(), &series, &FilterOptions::default()).unwrap();
    let score = score(&model.at(&free).unwrap(), &series).unwrap();
    assert_eq!(score.transition.noise.distinct(), 3);
    for k in 0..2 {
        let moved = |h: f64| {
            let mut point = free;
            point[k] += h;
            ln_p(&point)
        };
        let difference = (8.0 * (moved(1e-3) - moved(-1e-3)) - (moved(2e-3) - moved(-2e-3))) / 12e-3;
        let along = score.along(&model.derivative(&free, k).unwrap()).unwrap();
        assert!((along - difference).abs() < 1e-9, "{k}: {along} {difference}");
    }
}

#[test]
fn of_a_long_series_the_first_times_alone_know_of_what_is_diffuse() {
    // Of a slope that hardly moves the later values tell a thousand million times what the first do.
    for (text, length) in
        [("local-level(0.3) + seasonal:12(0.05) + noise(1)", 150), ("local-linear-trend(0.1, 1e-12)", 3000)]
    {
        let model: Structural = text.parse().unwrap();
        let value = |t: usize| {
            let gap = t == 2 || t % 41 == 40;
            (!gap).then(|| 0.01 * t as f64 + (1.3 * t as f64).sin() + ((t * t) as f64).cos())
        };
        let series = Series::univariate_with_missing(&(0..length).map(value).collect::<Vec<_>>()).unwrap();
        let free: Vec<f64> = model.parameters().iter().map(Parameter::start_free).collect();
        let ln_p = |free: &[f64]| {
            ln_likelihood(&model.at(free).unwrap(), &series, &FilterOptions::default()).unwrap()
        };
        let score = score(&model.at(&free).unwrap(), &series).unwrap();
        assert!((score.ln_likelihood - ln_p(&free)).abs() < 1e-10 * ln_p(&free).abs());
        for k in 0..free.len() {
            let moved = |h: f64| {
                let mut point = free.clone();
                point[k] += h;
                ln_p(&point)
            };
            let h = 1e-2;
            let difference = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
            let along = score.along(&model.derivative(&free, k).unwrap()).unwrap();
            let name = model.parameters()[k].name().to_owned();
            assert!(
                (along - difference).abs() < 1e-6 * difference.abs().max(1.0),
                "{name}: {along} {difference}"
            );
        }
    }
}
