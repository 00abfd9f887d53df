//! A state space is a Gaussian process: the posterior by smoothing is that of the dense matrices.

use posterior_kalman::continuous::{Merged, Process};
use posterior_kalman::{FilterOptions, Series, filter};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::all;

/// Means and variances at the questions, and ln p(y), from the matrices of the kernel.
fn dense(
    process: &Process,
    (times, values): (&[f64], &[f64]),
    noise: f64,
    questions: &[f64],
) -> (Vec<f64>, Vec<f64>, f64) {
    let gram = |s: &[f64], t: &[f64]| DMatrix::from_fn(s.len(), t.len(), |i, j| process.kernel(s[i], t[j]));
    let noisy = gram(times, times) + DMatrix::identity(times.len(), times.len()) * noise;
    let factor = Cholesky::new(&noisy).unwrap();
    let y = DVector::from_column_slice(values);
    let cross = gram(questions, times);
    let mean = &cross * factor.solve_vector(&y);
    let explained = &cross * factor.solve(&cross.transpose());
    let variance =
        questions.iter().enumerate().map(|(i, &t)| process.kernel(t, t) - explained[(i, i)]).collect();
    let ln_evidence = -0.5
        * (factor.quadratic_form(&y) + factor.ln_determinant() + y.len() as f64 * std::f64::consts::TAU.ln());
    (mean.iter().copied().collect(), variance, ln_evidence)
}

#[test]
fn smoothing_is_regression_for_every_process() {
    let times = [2.0, 0.5, 0.9, 2.0, 5.5, 3.1, 3.100001, 0.9];
    let values = [0.3, -0.4, 1.0, 0.5, -0.7, 0.1, 0.0, 1.2];
    let questions = [0.1, 1.4, 2.0, 9.0, 4.2];
    for (name, process) in all() {
        let merged = Merged::univariate(&times, &values, &questions).unwrap();
        let model = process.state_space(merged.times(), &[0.2]).unwrap();
        let filtered = filter(&model, merged.series(), &FilterOptions::default()).unwrap();
        let (means, variances, ln_evidence) = dense(&process, (&times, &values), 0.2, &questions);
        assert!((filtered.ln_likelihood() - ln_evidence).abs() < 1e-9, "{name}");
        let row = DVector::from_vec(process.observation());
        let smoothed = filtered.smooth(&model).unwrap();
        for (i, &place) in merged.questions().iter().enumerate() {
            let mean = row.dot(&DVector::from_column_slice(smoothed.mean(place)));
            let variance = row.dot(&(smoothed.covariance(place) * &row));
            assert!((mean - means[i]).abs() < 1e-8, "{name}: {mean} {}", means[i]);
            assert!((variance - variances[i]).abs() < 1e-8, "{name}: {variance} {}", variances[i]);
        }
    }
}

#[test]
fn golden_wiener_regression() {
    let process = Process::wiener();
    let model = process.state_space(&[1.0, 2.0, 4.0], &[0.25]).unwrap();
    let series = Series::univariate(&[0.5, 1.2, 0.3]).unwrap();
    let filtered = filter(&model, &series, &FilterOptions::default()).unwrap();
    let smoothed = filtered.smooth(&model).unwrap();
    assert!((filtered.ln_likelihood() - -3.9424958410509623).abs() < 1e-14);
    let means = [0.499649122807018, 0.997894736842105, 0.377543859649123];
    let variances = [0.171929824561404, 0.189473684210526, 0.224561403508772];
    for t in 0..3 {
        assert!((smoothed.mean(t)[0] - means[t]).abs() < 1e-14);
        assert!((smoothed.covariance(t)[(0, 0)] - variances[t]).abs() < 1e-14);
    }
}

#[test]
fn equal_steps_are_stored_once() {
    let process = Process::matern32(1.5).unwrap();
    let stored = |times: &[f64]| process.state_space(times, &[0.1]).unwrap().transition().matrix().distinct();
    // 0.1 has no end in binary: differences of the times differ in their last bits.
    let regular: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.1).collect();
    assert_eq!(stored(&regular), 1);
    let monthly: Vec<f64> = (0..468).map(|i| 1959.0 + f64::from(i / 12) + f64::from(i % 12) / 12.0).collect();
    assert_eq!(stored(&monthly), 1);
    let weekdays: Vec<f64> = (0..100).map(|i| f64::from(i + 2 * (i / 5))).collect();
    assert_eq!(stored(&weekdays), 2);
    let irregular: Vec<f64> = (0..50).map(|i| f64::from(i).powf(1.3)).collect();
    assert_eq!(stored(&irregular), 49);
    assert_eq!(stored(&[1.0]), 1);
    // Steps of a product with what is not stationary depend on when they are.
    let growing = Process::wiener().times(process.clone());
    assert_eq!(growing.state_space(&regular, &[0.1]).unwrap().transition().matrix().distinct(), 999);
    assert_eq!(process.state_space(&regular, &[0.1]).unwrap().times(), None);
}
