//! Precisions against covariances.

use posterior_gaussian::InformationGaussian;
use posterior_kalman::information::{
    InformationFiltered, filter_backwards, filter_information, smooth_by_two_filters,
};
use posterior_kalman::{
    FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter,
};
use posterior_math::linalg::{DMatrix, DVector};

use crate::example_models::{Noise, awkward, constant_velocity, wiener};
use crate::oracle;
use crate::random_model::{Shape, distance, random_model};

fn close(ours: &DMatrix<f64>, theirs: &DMatrix<f64>) {
    assert!((ours - theirs).amax() < 1e-9 * theirs.amax().max(1.0), "{ours} {theirs}");
}

fn close_means(ours: &DVector<f64>, theirs: &[f64]) {
    let theirs = DVector::from_column_slice(theirs);
    assert!((ours - &theirs).amax() < 1e-9 * theirs.amax().max(1.0), "{ours} {theirs}");
}

fn has_distribution(information: &InformationGaussian, mean: &[f64], covariance: &DMatrix<f64>) {
    let distribution = information.distribution().unwrap();
    close_means(distribution.mean(), mean);
    close(distribution.covariance(), covariance);
}

fn agrees_with_the_filter(model: &StateSpace, series: &Series) -> InformationFiltered {
    let forwards = filter_information(model, series).unwrap();
    let filtered = filter(model, series, &FilterOptions::default()).unwrap();
    let smoothed = filtered.smooth(model).unwrap();
    let two = smooth_by_two_filters(&forwards, &filter_backwards(model, series).unwrap()).unwrap();
    assert_eq!((forwards.len(), two.len()), (series.len(), series.len()));
    for (t, two) in two.iter().enumerate() {
        // While something is diffuse, a precision is singular up to rounding.
        if forwards
            .predicted(t)
            .distribution()
            .is_ok_and(|distribution| distribution.cholesky().condition_estimate() < 1e10)
        {
            has_distribution(
                forwards.predicted(t),
                filtered.predicted_mean(t),
                &filtered.predicted_covariance(t),
            );
            has_distribution(forwards.filtered(t), filtered.mean(t), &filtered.covariance(t));
        }
        close_means(two.mean(), smoothed.mean(t));
        close(two.covariance(), &smoothed.covariance(t));
    }
    let ln_likelihood = filtered.ln_likelihood();
    assert!((forwards.ln_likelihood().unwrap() - ln_likelihood).abs() < 1e-9 * ln_likelihood.abs().max(1.0));
    forwards
}

#[test]
fn worked_series_have_their_numbers() {
    let (model, series) = wiener();
    let forwards = agrees_with_the_filter(&model, &series);
    assert!((forwards.ln_likelihood().unwrap() - -3.9424958410509636).abs() < 1e-13);
    for (t, (mean, variance)) in
        [(0.4, 0.2), (1.062068965517241, 0.206896551724138), (0.377543859649123, 0.224561403508772)]
            .into_iter()
            .enumerate()
    {
        has_distribution(forwards.filtered(t), &[mean], &DMatrix::from_element(1, 1, variance));
    }
    let two = smooth_by_two_filters(&forwards, &filter_backwards(&model, &series).unwrap()).unwrap();
    for (distribution, mean) in two.iter().zip([0.499649122807018, 0.997894736842105, 0.377543859649123]) {
        assert!((distribution.mean()[0] - mean).abs() < 1e-14);
    }
    let (model, series) = constant_velocity();
    let forwards = agrees_with_the_filter(&model, &series);
    assert!((forwards.ln_likelihood().unwrap() - -6.204585057577754).abs() < 1e-12);
}

#[test]
fn awkward_models_agree() {
    for seed in 0..10 {
        let (model, series) = awkward(seed, 6, Noise::Full);
        agrees_with_the_filter(&model, &series);
    }
}

#[test]
fn a_diffuse_start_agrees_with_the_exact_one() {
    for seed in 20..26 {
        let (model, series) = awkward(seed, 9, Noise::Full);
        let everything = Initial::diffuse(3).unwrap();
        let diffuse = agrees_with_the_filter(&model.clone().with_initial(everything).unwrap(), &series);
        assert_eq!(diffuse.predicted(0).precision().amax(), 0.0);
        assert!(diffuse.predicted(0).distribution().is_err());
        // Along one direction only.
        let direction = DMatrix::from_column_slice(3, 1, &[1.0, -0.5, 2.0]);
        for length in [1.0, 1e-9, 1e9] {
            let part = model.initial().clone().with_diffuse(&(&direction * length)).unwrap();
            agrees_with_the_filter(&model.clone().with_initial(part).unwrap(), &series);
        }
    }
}

#[test]
fn the_backward_filter_is_the_likelihood_of_the_start() {
    let (model, series) = awkward(31, 5, Noise::Singular);
    let backwards = filter_backwards(&model, &series).unwrap();
    // A start at a point: ln p(y) is the function at the point.
    let point = [0.3, -0.8, 1.1];
    let known = Initial::known(&point, &DMatrix::zeros(3, 3)).unwrap();
    let (_, ln_likelihood) = oracle::condition_everything(&model.with_initial(known).unwrap(), &series);
    assert!((backwards.from_now(0).ln_value(&point) - ln_likelihood).abs() < 1e-10 * ln_likelihood.abs());
    assert_eq!(backwards.later(4), &InformationGaussian::flat(3));
}

#[test]
fn infinite_precisions_are_refused() {
    let (model, series) = constant_velocity();
    let build = |a: &[f64], r: f64, p: f64| {
        StateSpace::new(
            TransitionEquation::constant(
                &DMatrix::from_row_slice(2, 2, a),
                &model.transition().noise().matrix(0),
            )
            .unwrap(),
            ObservationEquation::constant(
                &model.observation().matrix().matrix(0),
                &DMatrix::from_element(1, 1, r),
            )
            .unwrap(),
            Initial::known(&[0.0, 0.0], &(DMatrix::identity(2, 2) * p)).unwrap(),
        )
        .unwrap()
    };
    let regular = [1.0, 1.0, 0.0, 1.0];
    assert!(filter_information(&build(&regular, 1.0, 1.0), &series).is_ok());
    assert!(filter_information(&build(&[1.0, 1.0, 1.0, 1.0], 1.0, 1.0), &series).is_err());
    assert!(filter_information(&build(&regular, 0.0, 1.0), &series).is_err());
    assert!(filter_information(&build(&regular, 1.0, 0.0), &series).is_err());
    // What is never seen stays open.
    let unseen = Series::univariate_with_missing(&[None, Some(1.0)]).unwrap();
    let open = model.with_initial(Initial::diffuse(2).unwrap()).unwrap();
    assert!(filter_information(&open, &unseen).unwrap().ln_likelihood().is_err());
}

/// Random models of up to 5 states, also such that nearly forget a direction in each step, over 10,000 times,
/// of which every 97th is compared; and 40 shorter ones, each time.
#[test]
fn both_routes_agree_over_ten_thousand_times() {
    let mut largest: f64 = 0.0;
    for (seed, length, every) in
        (0..40).map(|seed| (seed, 60, 1)).chain((40..44).map(|seed| (seed, 10_000, 97)))
    {
        let states = 1 + (seed % 5) as usize;
        let shape = Shape {
            states,
            width: 1 + (seed % 2) as usize,
            length,
            noises: states,
            diffuse: usize::from(seed % 3 == 0),
            varying: seed % 2 == 0 && length < 100,
            missing: 0.1,
        };
        let (model, series) = random_model(shape, 1000 + seed);
        // A random matrix may explode over so many times.
        let model = if length > 100 { stable(&model) } else { model };
        let smoothed = filter(&model, &series, &FilterOptions::default()).unwrap().smooth(&model).unwrap();
        let forwards = filter_information(&model, &series).unwrap();
        let two = smooth_by_two_filters(&forwards, &filter_backwards(&model, &series).unwrap()).unwrap();
        for t in (0..length).step_by(every) {
            let mean = DMatrix::from_column_slice(states, 1, two[t].mean().as_slice());
            let theirs = DMatrix::from_column_slice(states, 1, smoothed.mean(t));
            largest = largest.max(distance(&mean, &theirs));
            largest = largest.max(distance(two[t].covariance(), &smoothed.covariance(t)));
        }
    }
    assert!(largest < 1e-9, "{largest}");
}

/// The same with a transition that does not grow: halved until it does not.
fn stable(model: &StateSpace) -> StateSpace {
    let transition = model.transition();
    let mut matrix = transition.matrix().matrix(0);
    while matrix.pow(64).amax() > 1.0 {
        matrix *= 0.9;
    }
    let transition = TransitionEquation::constant(&matrix, &transition.noise().matrix(0)).unwrap();
    StateSpace::new(transition, model.observation().clone(), model.initial().clone()).unwrap()
}
