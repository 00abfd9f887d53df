//! Derivatives of structural models against differences of them.

use posterior_kalman::Matrices;
use posterior_kalman::continuous::Process;
use posterior_kalman::learning::{Derivative, Parameter, ParametricModel};
use posterior_kalman::structural::{SeriesComponent, Structural};
use posterior_math::linalg::DMatrix;

use super::alone;

fn close(exact: Option<&Matrices>, differences: Option<&Matrices>, what: &str) {
    match (exact, differences) {
        (None, None) => {}
        (Some(exact), Some(differences)) => {
            assert_eq!(exact.distinct(), differences.distinct(), "{what}");
            for number in 0..exact.distinct() {
                let pairs = exact.stored(number).iter().zip(differences.stored(number));
                for (a, b) in pairs {
                    assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{what}: {a} {b}");
                }
            }
        }
        // Differences of what does not change may leave rounding.
        (None, Some(rest)) => {
            assert!((0..rest.distinct()).all(|k| rest.stored(k).iter().all(|d| d.abs() < 1e-9)));
        }
        (Some(_), None) => unreachable!("{what}: a derivative of what does not change"),
    }
}

fn check(model: &Structural) {
    let free: Vec<f64> = model.parameters().iter().map(|parameter| parameter.start_free() + 0.1).collect();
    for (index, parameter) in model.parameters().iter().enumerate() {
        let exact = model.derivative(&free, index).unwrap();
        let differences = Derivative::by_differences(|free| model.at(free), &free, index).unwrap();
        let name = parameter.name();
        close(exact.transition.matrix.as_ref(), differences.transition.matrix.as_ref(), name);
        close(exact.transition.noise.as_ref(), differences.transition.noise.as_ref(), name);
        close(exact.observation.noise.as_ref(), differences.observation.noise.as_ref(), name);
        let distribution =
            |derivative: &Derivative| derivative.initial_covariance.as_ref().map(Matrices::constant);
        close(distribution(&exact).as_ref(), distribution(&differences).as_ref(), name);
    }
}

#[test]
fn derivatives_of_arima_are_exact() {
    for text in [
        "arima:2,1,1(0.5, -0.3, 0.2, 1.5)",
        "arima-constant:1,0,2,1,1,1,3(0.5, -0.3, 0.2, 0.4, -0.6, 1.5) + noise(0.5)",
    ] {
        check(&text.parse().unwrap());
    }
}

#[test]
fn derivatives_are_exact() {
    let inputs = DMatrix::from_fn(5, 2, |t, j| (t + 3 * j) as f64);
    let anywhere = || {
        vec![
            SeriesComponent::local_linear_trend(0.3, 0.2).unwrap(),
            SeriesComponent::cycle(6.0, 0.8, 0.7).unwrap(),
            SeriesComponent::trigonometric(4.0, 2, 0.1).unwrap(),
            SeriesComponent::process(&Process::matern32(1.4).unwrap().scaled(0.6).unwrap()),
            SeriesComponent::constant_velocity(0.2).unwrap(),
            SeriesComponent::regression(&inputs, 0.05).unwrap(),
            SeriesComponent::local_level(0.4).unwrap().fixed(),
        ]
    };
    check(&Structural::new(anywhere(), 0.9).unwrap().at_times(&[0.0, 0.5, 1.7, 1.7, 4.0]).unwrap());
    let mut regular = anywhere();
    regular.push(SeriesComponent::seasonal(3, 0.2).unwrap());
    regular.push(SeriesComponent::arma(&[0.5, -0.3], &[0.4], 1.3).unwrap());
    regular.push(SeriesComponent::arma(&[], &[0.4, 0.2, -0.1], 0.8).unwrap());
    check(&Structural::new(regular, 0.9).unwrap().with_width(2).unwrap());
}

#[test]
fn parameters_have_names_and_can_be_fixed() {
    let model = Structural::new(
        vec![
            SeriesComponent::damped_trend(0.3, 0.2, 0.8).unwrap().named("damped"),
            SeriesComponent::smooth_trend(0.1).unwrap(),
            SeriesComponent::seasonal(4, 0.2).unwrap(),
            SeriesComponent::seasonal(7, 0.3).unwrap(),
            SeriesComponent::local_level(0.4).unwrap().fixed(),
            SeriesComponent::process(&Process::matern32(2.0).unwrap().scaled(0.5).unwrap()).named("memory"),
        ],
        0.0,
    )
    .unwrap();
    let names: Vec<String> = model.parameters().iter().map(|parameter| parameter.name().to_owned()).collect();
    assert_eq!(
        names,
        [
            "damped.level_variance",
            "damped.slope_variance",
            "damped.damping",
            "trend.slope_variance",
            "seasonal[1].variance",
            "seasonal[2].variance",
            "memory.variance",
            "memory.length_scale"
        ]
    );
    let moved = model.with_parameters(&[6.0, 7.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let values: Vec<f64> = moved.parameters().iter().map(Parameter::start).collect();
    assert_eq!(values, [6.0, 7.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert!(model.with_parameters(&[1.0]).is_err());
    assert!(model.with_parameters(&[6.0, 7.0, 0.5, 1.0, 2.0, -3.0, 4.0, 5.0]).is_err());
    // By name one may also set what is fixed or zero.
    let noisy =
        model.with_parameter("noise.variance", 0.7).unwrap().with_parameter("level.variance", 9.0).unwrap();
    assert_eq!((noisy.noise(), noisy.parameters().len()), (0.7, 9));
    assert_eq!(noisy.state_space().unwrap().transition().noise().matrix(0)[(13, 13)], 9.0);
    let error = model.with_parameter("trend.slope_varience", 1.0).unwrap_err();
    assert_eq!(error.suggestion(), Some("trend.slope_variance"));
    assert!(model.with_parameter("memory.length_scale", 0.0).is_err());
    // What `at` gives at the present values is the model.
    let free: Vec<f64> = model.parameters().iter().map(Parameter::start_free).collect();
    assert_eq!(model.at(&free).unwrap().states(), model.state_space().unwrap().states());
}

#[test]
fn a_noise_that_is_fixed_is_no_parameter() {
    let level = |variance| alone(SeriesComponent::local_level(variance).unwrap(), 0.7);
    let model = level(0.4).with_fixed_noise();
    let names: Vec<String> = model.parameters().iter().map(|parameter| parameter.name().to_owned()).collect();
    assert_eq!(names, ["level.variance"]);
    let moved = model.with_parameters(&[2.5]).unwrap();
    assert_eq!(moved.state_space().unwrap(), level(2.5).state_space().unwrap());
    assert!(model.with_parameters(&[2.5, 0.7]).is_err());
    assert_eq!(model.with_parameter("noise.variance", 0.1).unwrap().noise(), 0.1);
    check(&model);
}
