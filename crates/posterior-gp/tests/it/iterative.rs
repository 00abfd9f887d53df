//! Conjugate gradients and Lanczos against dense factors.

use posterior_dist::stream::stream;
use posterior_gp::iterative::{IterativeOptions, IterativePosterior};
use posterior_gp::{GaussianProcess, Kernel, Mean, Noise};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::optimize::LinearOptions;
use rand::RngExt;

fn kernel() -> Kernel {
    1.5 * Kernel::rbf_ard(&[0.4, 0.9]).unwrap() + 0.2 * Kernel::rbf(3.0).unwrap()
}

fn data(n: usize) -> (DMatrix<f64>, DVector<f64>, DVector<f64>) {
    let mut rng = stream(7, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 2, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let outputs =
        DVector::from_fn(n, |i, _| (2.0 * inputs[(i, 0)]).sin() + inputs[(i, 1)] + 0.3 * rng.random::<f64>());
    let noise = DVector::from_fn(n, |_, _| 0.02 + 0.1 * rng.random::<f64>());
    (inputs, outputs, noise)
}

/// The posterior of a process with mean zero, with these noise variances.
fn posterior(
    (inputs, outputs, noise): &(DMatrix<f64>, DVector<f64>, DVector<f64>),
    options: &IterativeOptions,
) -> IterativePosterior {
    let noise = Noise::known_each(noise.as_slice()).unwrap();
    let prior = GaussianProcess::new(kernel());
    IterativePosterior::new(&prior, (inputs, outputs.as_slice()), &noise, options).unwrap()
}

fn exact_options() -> IterativeOptions {
    IterativeOptions {
        linear: LinearOptions { relative: 1e-12, ..LinearOptions::default() },
        ..IterativeOptions::default()
    }
}

#[test]
fn mean_and_variance_are_those_of_the_dense_factor() {
    // More than a band of rows, and no multiple of a tile.
    let data = data(530);
    let (inputs, outputs, noise) = &data;
    let places = self::data(37).0;
    let cross = kernel().cross(inputs, &places);
    let factor = Cholesky::new(&(kernel().gram(inputs) + DMatrix::from_diagonal(noise))).unwrap();
    let mean = cross.tr_mul(&factor.solve_vector(outputs));
    let explained = factor.half_solve(&cross);
    for rank in [30, 100] {
        let options = IterativeOptions { rank, probes: 0, ..exact_options() };
        let found = posterior(&data, &options);
        assert!(found.report().converged, "{:?}", found.report());
        let prediction = found.latent(&places).unwrap();
        assert!((&prediction.mean - &mean).amax() < 1e-9);
        for (i, variance) in prediction.variance.iter().enumerate() {
            let expected = 1.7 - explained.column(i).norm_squared();
            assert!((variance - expected).abs() < 1e-9, "{variance} {expected}");
        }
    }
}

#[test]
fn without_preconditioner_it_only_takes_longer() {
    let data = data(90);
    let (inputs, outputs, noise) = &data;
    let options = IterativeOptions { rank: 0, probes: 0, ..exact_options() };
    let found = posterior(&data, &options);
    let factor = Cholesky::new(&(kernel().gram(inputs) + DMatrix::from_diagonal(noise))).unwrap();
    let mean = kernel().gram(inputs) * factor.solve_vector(outputs);
    assert!(found.report().converged && found.report().rank == 0);
    assert!((found.mean(inputs).unwrap() - mean).amax() < 1e-9);
    assert!(found.ln_evidence().value.is_nan());
}

#[test]
fn a_preconditioner_of_higher_rank_needs_fewer_steps() {
    let data = data(500);
    let steps = |rank: usize| {
        let options = IterativeOptions { rank, probes: 0, ..IterativeOptions::default() };
        let found = posterior(&data, &options);
        found.report().iterations
    };
    let (none, some, many) = (steps(0), steps(30), steps(100));
    assert!(2 * some < none && 2 * many < some, "{none} {some} {many}");
}

#[test]
fn the_evidence_is_within_its_error() {
    let data = data(300);
    let (inputs, outputs, noise) = &data;
    let factor = Cholesky::new(&(kernel().gram(inputs) + DMatrix::from_diagonal(noise))).unwrap();
    let exact = -0.5
        * (factor.quadratic_form(outputs) + factor.ln_determinant() + 300.0 * std::f64::consts::TAU.ln());
    // A poor preconditioner, so that there is something to estimate; five standard errors of ten runs.
    let mut mean = 0.0;
    let mut squares = 0.0;
    for seed in 0..10 {
        let options = IterativeOptions { rank: 15, seed, probes: 20, ..exact_options() };
        let found = posterior(&data, &options);
        let evidence = found.ln_evidence();
        assert!((evidence.value - exact).abs() < 5.0 * evidence.standard_error, "{evidence:?} {exact}");
        assert!(evidence.standard_error > 0.05);
        mean += evidence.value / 10.0;
        squares += evidence.standard_error.powi(2) / 100.0;
    }
    assert!((mean - exact).abs() < 4.0 * squares.sqrt(), "{mean} {exact} {}", squares.sqrt());
    // A good one leaves nearly nothing.
    let found = posterior(&data, &exact_options());
    let evidence = found.ln_evidence();
    assert!(evidence.standard_error < 0.05 && (evidence.value - exact).abs() < 0.2, "{evidence:?} {exact}");
}

#[test]
fn with_all_directions_in_the_preconditioner_nothing_is_random() {
    let data = data(60);
    let (inputs, outputs, noise) = &data;
    let factor = Cholesky::new(&(kernel().gram(inputs) + DMatrix::from_diagonal(noise))).unwrap();
    let exact =
        -0.5 * (factor.quadratic_form(outputs) + factor.ln_determinant() + 60.0 * std::f64::consts::TAU.ln());
    let options = IterativeOptions { rank: 60, probes: 3, ..exact_options() };
    let found = posterior(&data, &options);
    assert!((found.ln_evidence().value - exact).abs() < 1e-3);
}

#[test]
fn gradients_are_right_in_the_mean() {
    let (inputs, outputs, noise) = data(150);
    let mean = Mean::linear(0.2, &[0.3, 0.1]).unwrap();
    let prior = GaussianProcess::new(kernel()).with_mean(mean);
    let noise = Noise::known_each(noise.as_slice()).unwrap().plus_variance(0.05).unwrap();
    let exact = prior.condition(&inputs, outputs.as_slice(), &noise).unwrap().gradient();
    let options = IterativeOptions { rank: 20, probes: 2000, ..exact_options() };
    let found = IterativePosterior::new(&prior, (&inputs, outputs.as_slice()), &noise, &options).unwrap();
    let gradient = found.gradient();
    assert_eq!((gradient.len(), found.parameters().len()), (exact.len(), exact.len()));
    for (estimate, exact) in gradient.iter().zip(&exact) {
        assert!((estimate - exact).abs() < 0.02 * (10.0 + exact.abs()), "{estimate} {exact}");
    }
}

#[test]
fn the_seed_decides_and_nothing_else() {
    let data = data(600);
    let run = |seed: u64| {
        let options = IterativeOptions { rank: 20, seed, ..IterativeOptions::default() };
        let found = posterior(&data, &options);
        (found.ln_evidence(), found.gradient())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).0, run(2).0);
}

#[test]
fn edges() {
    let (inputs, outputs, noise) = data(4);
    let rows = |n: usize| {
        let rows = |all: &DVector<f64>| all.rows(0, n).into_owned();
        let data = (inputs.rows(0, n).into_owned(), rows(&outputs), rows(&noise));
        posterior(&data, &exact_options()).latent(&inputs).unwrap()
    };
    let prior = rows(0);
    let nothing = (DMatrix::zeros(0, 2), DVector::zeros(0), DVector::zeros(0));
    let evidence = posterior(&nothing, &exact_options()).ln_evidence();
    assert_eq!((evidence.value, evidence.standard_error), (0.0, 0.0));
    assert!(prior.mean.amax() == 0.0);
    assert!(prior.variance.iter().all(|variance| (variance - 1.7).abs() < 1e-15));
    assert!((rows(1).mean[0] - outputs[0] * 1.7 / (1.7 + noise[0])).abs() < 1e-12);
    // A limit of steps is no error, and is reported.
    let data = data(200);
    let options = IterativeOptions {
        rank: 0,
        linear: LinearOptions { max_iterations: 3, ..LinearOptions::default() },
        ..IterativeOptions::default()
    };
    let found = posterior(&data, &options);
    assert!(!found.report().converged && found.report().residual > 1e-4);
    assert!(found.latent(&DMatrix::zeros(1, 3)).is_err());
}
