//! Inducing points: bounds, and the exact case.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_gp::Kernel;
use posterior_gp::sparse::{
    Approximation, GreedyFactor, SparsePosterior, inducing_by_distance, inducing_by_variance,
};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, PivotedCholesky};
use rand::RngExt;

/// The dense posterior, by its formulas.
struct Dense {
    ln_marginal_likelihood: f64,
    factor: Cholesky,
    alpha: DVector<f64>,
}

impl Dense {
    fn new(gram: &DMatrix<f64>, outputs: &DVector<f64>, noise: &DVector<f64>) -> Self {
        let factor = Cholesky::new(&(gram + DMatrix::from_diagonal(noise))).unwrap();
        let alpha = factor.solve_vector(outputs);
        let n = outputs.len() as f64;
        let ln_marginal_likelihood =
            -0.5 * (outputs.dot(&alpha) + factor.ln_determinant() + n * std::f64::consts::TAU.ln());
        Self { ln_marginal_likelihood, factor, alpha }
    }
}

fn kernel() -> Kernel {
    1.5 * Kernel::rbf_ard(&[0.8, 1.4]).unwrap() + 0.2 * Kernel::rbf(3.0).unwrap()
}

/// Inputs, outputs and noise variances, different for each observation.
fn data(n: usize) -> (DMatrix<f64>, DVector<f64>, DVector<f64>) {
    let mut rng = stream(6, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 2, |_, _| 4.0 * rng.random::<f64>() - 2.0);
    let outputs =
        DVector::from_fn(n, |i, _| (2.0 * inputs[(i, 0)]).sin() + inputs[(i, 1)] + 0.3 * rng.random::<f64>());
    let noise = DVector::from_fn(n, |_, _| 0.05 + 0.1 * rng.random::<f64>());
    (inputs, outputs, noise)
}

const BOTH: [Approximation; 2] = [Approximation::Variational, Approximation::Fitc];

#[test]
fn all_inputs_as_inducing_inputs_are_exact() {
    let (inputs, outputs, noise) = data(40);
    let kernel = kernel();
    let dense = Dense::new(&kernel.gram(&inputs), &outputs, &noise);
    let places = data(7).0;
    let cross = kernel.cross(&inputs, &places);
    let mean = cross.tr_mul(&dense.alpha);
    let covariance = kernel.gram(&places) - cross.tr_mul(&dense.factor.solve(&cross));
    for approximation in BOTH {
        let sparse =
            SparsePosterior::new(&kernel, &inputs, &outputs, &noise, &inputs, approximation).unwrap();
        assert_eq!(sparse.jitter(), 0.0);
        assert!((sparse.ln_marginal_likelihood() - dense.ln_marginal_likelihood).abs() < 1e-9);
        assert!((sparse.mean(&places) - &mean).amax() < 1e-9);
        assert!((sparse.variance(&places) - covariance.diagonal()).amax() < 1e-9);
        assert!((sparse.covariance(&places) - &covariance).amax() < 1e-9);
        assert!(sparse.slack() < 1e-9);
    }
}

#[test]
fn the_evidence_is_that_of_the_approximate_covariance() {
    let (inputs, outputs, noise) = data(50);
    let kernel = kernel();
    let inducing = data(9).0;
    let cross = kernel.cross(&inducing, &inputs);
    let explained = cross.tr_mul(&Cholesky::new(&kernel.gram(&inducing)).unwrap().solve(&cross));
    let unexplained = kernel.diagonal(&inputs) - explained.diagonal();
    for approximation in BOTH {
        let (totals, price) = match approximation {
            Approximation::Variational => (noise.clone(), 0.5 * unexplained.component_div(&noise).sum()),
            _ => (&noise + &unexplained, 0.0),
        };
        let dense = Dense::new(&explained, &outputs, &totals);
        let sparse =
            SparsePosterior::new(&kernel, &inputs, &outputs, &noise, &inducing, approximation).unwrap();
        let expected = dense.ln_marginal_likelihood - price;
        assert!((sparse.ln_marginal_likelihood() - expected).abs() < 1e-10 * expected.abs());
        // The mean of the function at new places: q(x, X) (Q + Λ)⁻¹ y; the law of the inducing values agrees with it.
        let (mean, covariance) = sparse.inducing_law();
        assert!((cross.clone() * &dense.alpha - &mean).amax() < 1e-9);
        assert!((sparse.mean(&inducing) - &mean).amax() < 1e-9);
        assert!((sparse.covariance(&inducing) - &covariance).amax() < 1e-9);
    }
}

#[test]
fn the_bound_is_below_the_evidence_and_rises_with_nested_inducing_inputs() {
    let (inputs, outputs, noise) = data(60);
    let kernel = kernel();
    let exact = Dense::new(&kernel.gram(&inputs), &outputs, &noise).ln_marginal_likelihood;
    let mut last = f64::NEG_INFINITY;
    for count in [0, 1, 2, 5, 10, 20, 40, 60] {
        let inducing = inducing_by_variance(&kernel, &inputs, count);
        let sparse =
            SparsePosterior::new(&kernel, &inputs, &outputs, &noise, &inducing, Approximation::Variational)
                .unwrap();
        let bound = sparse.ln_marginal_likelihood();
        assert!(bound >= last - 1e-9, "{count}: {bound} after {last}");
        assert!(bound <= exact + 1e-9 && bound + sparse.slack() >= exact - 1e-9, "{count}");
        last = bound;
    }
    assert!((last - exact).abs() < 1e-8);
}

#[test]
fn gradients_are_those_of_differences() {
    let (inputs, outputs, noise) = data(45);
    let inducing = data(8).0;
    let kernel = kernel();
    let start = kernel.free_parameters();
    for approximation in BOTH {
        let evidence = |free: &[f64], outputs: &DVector<f64>, noise: &DVector<f64>| {
            let kernel = kernel.with_free_parameters(free).unwrap();
            SparsePosterior::new(&kernel, &inputs, outputs, noise, &inducing, approximation).unwrap()
        };
        let gradient = evidence(&start, &outputs, &noise).gradient();
        let close = |analytic: f64, difference: f64| {
            assert!((analytic - difference).abs() < 1e-6 * (1.0 + analytic.abs()), "{analytic} {difference}");
        };
        let step = 1e-5;
        for (i, &analytic) in gradient.kernel.iter().enumerate() {
            let at = |step: f64| {
                let mut free = start.clone();
                free[i] += step;
                evidence(&free, &outputs, &noise).ln_marginal_likelihood()
            };
            close(analytic, (at(step) - at(-step)) / (2.0 * step));
        }
        for i in [0, 17, 44] {
            let noisy = |step: f64| {
                let mut noise = noise.clone();
                noise[i] += step;
                evidence(&start, &outputs, &noise).ln_marginal_likelihood()
            };
            close(gradient.noise[i], (noisy(step) - noisy(-step)) / (2.0 * step));
            let shifted = |step: f64| {
                let mut outputs = outputs.clone();
                outputs[i] += step;
                evidence(&start, &outputs, &noise).ln_marginal_likelihood()
            };
            close(gradient.outputs[i], (shifted(step) - shifted(-step)) / (2.0 * step));
        }
    }
}

#[test]
fn repeated_inducing_inputs_are_jittered_and_keep_the_bound() {
    let (inputs, outputs, noise) = data(30);
    let kernel = kernel();
    let once = inducing_by_variance(&kernel, &inputs, 6);
    let twice = DMatrix::from_fn(12, 2, |i, j| once[(i % 6, j)]);
    let bound = |inducing: &DMatrix<f64>| {
        SparsePosterior::new(&kernel, &inputs, &outputs, &noise, inducing, Approximation::Variational)
            .unwrap()
    };
    let (single, double) = (bound(&once), bound(&twice));
    assert!(double.jitter() > 0.0 && double.jitter() < 1e-10);
    assert!((single.ln_marginal_likelihood() - double.ln_marginal_likelihood()).abs() < 1e-6);
}

#[test]
fn bad_data_are_refused_by_name() {
    let (inputs, outputs, noise) = data(5);
    let refusal = |inputs: &DMatrix<f64>, outputs: &DVector<f64>, noise: &DVector<f64>| {
        let inducing = data(3).0;
        SparsePosterior::new(&kernel(), inputs, outputs, noise, &inducing, Approximation::Fitc)
            .unwrap_err()
            .to_string()
    };
    let mut bad = outputs.clone();
    bad[3] = f64::NAN;
    assert_eq!(refusal(&inputs, &bad, &noise), "output of row 3 is NaN: it must be finite");
    let mut bad = inputs.clone();
    bad[(2, 1)] = f64::INFINITY;
    assert_eq!(refusal(&bad, &outputs, &noise), "input of row 2 is inf: it must be finite");
    assert!(refusal(&inputs, &outputs, &DVector::zeros(5)).contains("variance"));
    assert_eq!(refusal(&inputs, &outputs, &DVector::zeros(4)), "noise variances: expected 5, found 4");
}

#[test]
fn greedy_factor_is_the_pivoted_factor() {
    let inputs = data(30).0;
    let kernel = kernel();
    let greedy = GreedyFactor::new(&kernel, &inputs, 30, 1e-3);
    let dense = PivotedCholesky::with_tolerance(&kernel.gram(&inputs), 1e-3 * 1.7).unwrap();
    assert_eq!(greedy.pivots(), dense.pivots());
    assert!((greedy.factor() - dense.factor()).amax() < 1e-10);
    assert!((greedy.remainder() - dense.remainder()).abs() < 1e-10);
}

#[test]
fn greedy_choices_end_where_nothing_is_left() {
    let inputs = DMatrix::from_element(9, 2, 0.3);
    assert_eq!(inducing_by_variance(&kernel(), &inputs, 5).nrows(), 1);
    assert_eq!(inducing_by_distance(&inputs, 5, &mut stream(1, &[])).nrows(), 1);
    let inputs = data(50).0;
    let chosen = inducing_by_distance(&inputs, 50, &mut stream(1, &[]));
    assert_eq!(chosen.nrows(), 50);
    assert_eq!(inducing_by_distance(&inputs.rows(0, 0).into_owned(), 3, &mut stream(1, &[])).nrows(), 0);
}
