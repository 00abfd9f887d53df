//! Derivatives of the matrices against differences of them.

use posterior_kalman::continuous::Process;
use posterior_math::linalg::DMatrix;

use super::all;

/// Central differences in ln θ, extrapolated once; over so short a way that what turns `dt` times is
/// followed.
fn difference(
    process: &Process,
    index: usize,
    dt: f64,
    matrix: impl Fn(&Process) -> DMatrix<f64>,
) -> DMatrix<f64> {
    let values: Vec<f64> = process.parameters().iter().map(|parameter| parameter.value).collect();
    let at = |step: f64| {
        let mut moved = values.clone();
        moved[index] *= step.exp();
        matrix(&process.with_parameters(&moved).unwrap())
    };
    let slope = |h: f64| (at(h) - at(-h)) / (2.0 * h);
    let h = 1e-3 / dt.max(1.0);
    (slope(0.5 * h) * 4.0 - slope(h)) / 3.0
}

#[test]
fn derivatives_are_those_of_the_matrices() {
    for (name, process) in all() {
        for dt in [0.01, 0.3, 2.5, 40.0] {
            for (index, step) in process.step_derivatives(0.7, dt).iter().enumerate() {
                let transition = difference(&process, index, dt, |process| process.step(0.7, dt).transition);
                let noise = difference(&process, index, dt, |process| process.step(0.7, dt).noise);
                let scale = |a: &DMatrix<f64>| a.amax().max(1e-3);
                let bound = 2e-7 * dt.max(1.0);
                assert!((&step.transition - &transition).amax() < bound * scale(&transition), "{name} {dt}");
                assert!((&step.noise - &noise).amax() < bound * scale(&noise), "{name} {dt}");
            }
        }
        for (index, distribution) in process.covariance_derivatives(0.7).iter().enumerate() {
            let difference = difference(&process, index, 0.0, |process| process.covariance(0.7));
            assert!((distribution - &difference).amax() < 1e-8 * difference.amax().max(1e-3), "{name}");
        }
    }
}

#[test]
fn pulling_back_is_the_sum_of_the_derivatives() {
    for (name, process) in all() {
        let n = process.states();
        let weights =
            |seed: f64| DMatrix::from_fn(n, n, |i, j| (seed + 3.0 * i as f64 - 1.7 * j as f64).sin());
        let (u, v, w) = (weights(0.1), weights(1.1), weights(2.3));
        let mut pulled = vec![0.25; process.parameters().len()];
        let mut gradient = process.gradient();
        gradient.pull_back_step((0.7, 0.3), u.as_slice(), v.as_slice(), &mut pulled);
        gradient.pull_back_covariance(0.7, w.as_slice(), &mut pulled);
        let steps = process.step_derivatives(0.7, 0.3);
        let distributions = process.covariance_derivatives(0.7);
        for ((step, distribution), pulled) in steps.iter().zip(&distributions).zip(pulled) {
            let sum = 0.25 + step.transition.dot(&u) + step.noise.dot(&v) + distribution.dot(&w);
            assert!((sum - pulled).abs() < 1e-12 * sum.abs().max(1.0), "{name}");
        }
    }
}

#[test]
fn parameters_are_named_and_can_be_fixed() {
    let process = Process::periodic(1.2, 1.0, 2)
        .unwrap()
        .times(Process::matern32(3.0).unwrap())
        .scaled(2.0)
        .unwrap()
        .plus(Process::wiener().scaled(0.5).unwrap())
        .plus(Process::matern12(1.0).unwrap().fixed());
    let names: Vec<String> = process.parameters().into_iter().map(|parameter| parameter.name).collect();
    let expected = [
        "1.variance",
        "1.1.periodic.length_scale",
        "1.1.periodic.period",
        "1.2.matern32.length_scale",
        "2.variance",
    ];
    assert_eq!(names, expected);
    let moved = process.with_parameters(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let values: Vec<f64> = moved.parameters().into_iter().map(|parameter| parameter.value).collect();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(moved.terms()[1].covariance(3.0)[(0, 0)], 15.0);
}
