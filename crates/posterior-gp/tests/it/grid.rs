//! Grids against dense matrices.

use posterior_dist::stream::stream;
use posterior_gp::Kernel;
use posterior_gp::grid::{EqualStepsPosterior, GridPosterior};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use rand::RngExt;

fn numbers(n: usize, seed: u64) -> DVector<f64> {
    let mut rng = stream(seed, &[n as u64]);
    DVector::from_fn(n, |_, _| 4.0 * rng.random::<f64>() - 2.0)
}

/// ln p(y) and G⁻¹ y by a dense factor.
fn dense(gram: &DMatrix<f64>, outputs: &DVector<f64>, noise: f64) -> (f64, Cholesky) {
    let n = outputs.len();
    let factor = Cholesky::new(&(gram + DMatrix::identity(n, n) * noise)).unwrap();
    let ln_likelihood = -0.5
        * (factor.quadratic_form(outputs) + factor.ln_determinant() + n as f64 * std::f64::consts::TAU.ln());
    (ln_likelihood, factor)
}

/// Three axes, one of them with two coordinates.
fn axes() -> [DMatrix<f64>; 3] {
    let plane = DMatrix::from_column_slice(4, 2, numbers(8, 1).as_slice());
    let line = |n: usize, seed: u64| DMatrix::from_column_slice(n, 1, numbers(n, seed).as_slice());
    [line(5, 2), plane, line(3, 3)]
}

fn kernels() -> [Kernel; 3] {
    let sum = Kernel::rbf(0.8).unwrap() + 0.4 * Kernel::rbf(3.0).unwrap();
    [1.3 * Kernel::rbf(0.9).unwrap(), Kernel::rbf_ard(&[0.7, 1.1]).unwrap(), sum]
}

/// The product of the kernels, by itself.
fn value(x: &[f64], y: &[f64]) -> f64 {
    let [first, second, third] = kernels();
    first.value(&x[..1], &y[..1]) * second.value(&x[1..3], &y[1..3]) * third.value(&x[3..], &y[3..])
}

fn points() -> Vec<Vec<f64>> {
    let [a, b, c] = axes();
    let mut points = Vec::new();
    for i in 0..5 {
        for j in 0..4 {
            for k in 0..3 {
                points.push(vec![a[i], b[(j, 0)], b[(j, 1)], c[k]]);
            }
        }
    }
    points
}

#[test]
fn a_grid_is_the_dense_problem_of_its_points() {
    let points = points();
    let outputs = numbers(60, 4);
    let gram = DMatrix::from_fn(60, 60, |i, j| value(&points[i], &points[j]));
    let (exact, factor) = dense(&gram, &outputs, 0.1);
    let grid = GridPosterior::new(&kernels(), &axes(), &outputs, 0.1).unwrap();
    assert!((grid.ln_evidence() - exact).abs() < 1e-11 * exact.abs());
    let places = DMatrix::from_column_slice(6, 4, numbers(24, 5).as_slice());
    let prediction = grid.latent(&places).unwrap();
    let (mean, variance) = (prediction.mean, prediction.variance);
    for i in 0..6 {
        let place: Vec<f64> = places.row(i).iter().copied().collect();
        let cross = DVector::from_fn(60, |j, _| value(&place, &points[j]));
        assert!((mean[i] - cross.dot(&factor.solve_vector(&outputs))).abs() < 1e-11);
        let expected = value(&place, &place) - factor.quadratic_form(&cross);
        assert!((variance[i] - expected).abs() < 1e-11);
    }
}

#[test]
fn gradients_of_a_grid_are_those_of_differences() {
    let outputs = numbers(60, 4);
    let evidence = |kernels: &[Kernel], noise: f64| {
        GridPosterior::new(kernels, &axes(), &outputs, noise).unwrap().ln_evidence()
    };
    let gradient = GridPosterior::new(&kernels(), &axes(), &outputs, 0.1).unwrap().gradient();
    for (which, kernel) in kernels().iter().enumerate() {
        let start = kernel.free_parameters();
        assert_eq!(gradient.kernels[which].len(), start.len());
        for (i, &analytic) in gradient.kernels[which].iter().enumerate() {
            let at = |step: f64| {
                let mut free = start.clone();
                free[i] += step;
                let mut changed = kernels();
                changed[which] = kernel.with_free_parameters(&free).unwrap();
                evidence(&changed, 0.1)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((analytic - difference).abs() < 1e-6 * (1.0 + analytic.abs()));
        }
    }
    let difference = (evidence(&kernels(), 0.1 + 1e-6) - evidence(&kernels(), 0.1 - 1e-6)) / 2e-6;
    assert!((gradient.noise - difference).abs() < 1e-6 * difference.abs());
}

#[test]
fn grids_of_bad_sizes_and_numbers_are_refused() {
    let indefinite = Kernel::custom("indefinite", |x, y| if x == y { 1.0 } else { 2.0 });
    let line = DMatrix::from_column_slice(3, 1, &[0.0, 1.0, 2.0]);
    let refused = GridPosterior::new(&[indefinite], &[line], &numbers(3, 1), 0.1).unwrap_err();
    assert!(refused.to_string().contains("positive"), "{refused}");
    let refusal = |outputs: &DVector<f64>, noise: f64| {
        GridPosterior::new(&kernels(), &axes(), outputs, noise).unwrap_err().to_string()
    };
    assert_eq!(refusal(&numbers(59, 1), 0.1), "outputs: expected 60, found 59");
    assert!(refusal(&numbers(60, 1), 0.0).contains("noise"));
    let mut bad = numbers(60, 1);
    bad[7] = f64::NAN;
    assert_eq!(refusal(&bad, 0.1), "output of row 7 is NaN: it must be finite");
    assert!(GridPosterior::new(&kernels(), &axes()[..2], &numbers(20, 1), 0.1).is_err());
    // One axis is an ordinary problem; an empty one leaves the prior.
    let [kernel, ..] = kernels();
    let empty =
        GridPosterior::new(std::slice::from_ref(&kernel), &[DMatrix::zeros(0, 1)], &DVector::zeros(0), 0.1)
            .unwrap();
    let place = DMatrix::from_element(1, 1, 0.3);
    let prediction = empty.latent(&place).unwrap();
    assert_eq!((prediction.mean[0], prediction.variance[0]), (0.0, 1.3));
    assert!(empty.latent(&DMatrix::zeros(1, 2)).is_err());
    assert_eq!(empty.ln_evidence(), 0.0);
}

fn stationary() -> Kernel {
    1.2 * Kernel::rbf(0.6).unwrap() + 0.3 * Kernel::rbf(4.0).unwrap()
}

#[test]
fn equal_steps_are_the_dense_problem_of_their_points() {
    let outputs = numbers(70, 6);
    let inputs = DMatrix::from_fn(70, 1, |i, _| -3.0 + 0.25 * i as f64);
    let (exact, factor) = dense(&stationary().gram(&inputs), &outputs, 0.2);
    let steps = EqualStepsPosterior::new(&stationary(), -3.0, 0.25, &outputs, 0.2).unwrap();
    assert!((steps.ln_evidence() - exact).abs() < 1e-11 * exact.abs());
    let places = DMatrix::from_column_slice(5, 1, &[-7.0, -3.0, 0.11, 9.9, 20.0]);
    let cross = stationary().cross(&inputs, &places);
    let prediction = steps.latent(&places).unwrap();
    assert!((prediction.mean - cross.tr_mul(&factor.solve_vector(&outputs))).amax() < 1e-11);
    let explained = factor.half_solve(&cross);
    for (i, variance) in prediction.variance.iter().enumerate() {
        assert!((variance - (1.5 - explained.column(i).norm_squared())).abs() < 1e-11);
    }
    // The gradient, from dense weights.
    let alpha = factor.solve_vector(&outputs);
    let weights = (&alpha * alpha.transpose() - factor.inverse()) * 0.5;
    let gradient = steps.gradient();
    for (analytic, expected) in gradient.kernel.iter().zip(stationary().gram_gradient(&inputs, &weights)) {
        assert!((analytic - expected).abs() < 1e-10 * (1.0 + expected.abs()), "{analytic} {expected}");
    }
    assert!((gradient.noise - weights.trace()).abs() < 1e-10 * weights.trace().abs());
}

#[test]
fn equal_steps_refuse_bad_numbers() {
    let outputs = numbers(5, 6);
    let refused = |start: f64, step: f64, noise: f64| {
        EqualStepsPosterior::new(&stationary(), start, step, &outputs, noise).is_err()
    };
    assert!(refused(f64::NAN, 1.0, 0.1) && refused(0.0, 0.0, 0.1) && refused(0.0, 1.0, -0.1));
    let refusal =
        |kernel: &Kernel| EqualStepsPosterior::new(kernel, 1.0, 1.0, &outputs, 0.1).unwrap_err().to_string();
    assert!(refusal(&(stationary() + Kernel::linear())).contains("stationary"));
    assert!(refusal(&Kernel::wiener()).contains("stationary"));
    let bump = Kernel::rbf(0.5).unwrap() * (0.5 * Kernel::periodic(1.0, 4.0).unwrap());
    assert!(EqualStepsPosterior::new(&bump, 1.0, 1.0, &outputs, 0.1).is_ok());
    let empty = EqualStepsPosterior::new(&stationary(), 0.0, 1.0, &DVector::zeros(0), 0.1).unwrap();
    assert_eq!(empty.latent(&DMatrix::from_element(1, 1, 2.0)).unwrap().variance[0], 1.5);
    assert_eq!(empty.gradient().noise, 0.0);
}
