//! Matrices and Gaussians of any bits and shapes: factors, conditions, products, Bayes' rule.
#![no_main]

use libfuzzer_sys::fuzz_target;
use posterior_dist::{Density, stream::stream};
use posterior_gaussian::{Gaussian, InformationGaussian, LinearGaussian, MomentGaussian, Wishart};
use posterior_fuzz::Input;
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, PivotedCholesky, SymmetricEigen, Toeplitz, exponential, lyapunov,
    triangularize,
};
use rand::distr::Distribution as _;

/// A matrix of any bits, or L Lᵀ, or the same with a diagonal.
fn square(input: &mut Input<'_>, size: usize) -> DMatrix<f64> {
    let kind = input.byte();
    let entries = DMatrix::from_vec(size, size, input.numbers(size * size));
    match kind {
        0..80 => entries,
        80..160 => DMatrix::from_fn(size, size, |i, j| entries[(i.min(j), i.max(j))]),
        _ => {
            let root = entries.map(|x| if x.is_finite() { x } else { 1.0 });
            let product = &root * root.transpose();
            (&product + product.transpose()) * 0.5
        }
    }
}

fn factors(matrix: &DMatrix<f64>, column: &[f64]) {
    let vector = DVector::from_column_slice(column);
    if let Ok(cholesky) = Cholesky::new(matrix) {
        assert!(!cholesky.ln_determinant().is_nan());
        let _ = (cholesky.solve_vector(&vector), cholesky.inverse(), cholesky.quadratic_form(&vector));
        let _ = cholesky.inverse_diagonal();
    }
    if let Ok(pivoted) = PivotedCholesky::new(matrix) {
        assert_eq!(pivoted.reconstruct().shape(), matrix.shape());
    }
    if let Ok(eigen) = SymmetricEigen::new(matrix) {
        let _ = (eigen.square_root(), eigen.function_of_matrix(f64::abs));
    }
    let _ = exponential(matrix);
    let _ = lyapunov(matrix, matrix);
    if let Ok(toeplitz) = Toeplitz::new(&vector) {
        let _ = (toeplitz.ln_determinant(), toeplitz.solve_vector(&vector));
    }
    if matrix.iter().all(|x| x.is_finite()) {
        let _ = triangularize(matrix.clone());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let size = input.size(1, 4);
    let (matrix, other) = (square(&mut input, size), square(&mut input, size));
    let wrong = input.byte() < 8;
    let mean = input.numbers(if wrong { size + 1 } else { size });
    let x = input.numbers(size);
    factors(&matrix, &x);
    let keep: Vec<usize> = (0..size).filter(|_| input.byte() < 128).collect();
    let rest: Vec<usize> = (0..size).filter(|k| !keep.contains(k)).collect();
    let values = &x[..keep.len()];
    let linear = LinearGaussian::new(&other, &x, &matrix);
    if let Ok(distribution) = Gaussian::new(&mean, &matrix) {
        assert!(!distribution.ln_pdf(&x).is_nan() || x.iter().any(|x| !x.is_finite()), "{distribution:?} at {x:?}");
        let _ =
            (distribution.precision(), distribution.correlations(), distribution.partial_correlations(), distribution.mahalanobis_squared(&x));
        let _ = (
            distribution.marginal(&keep),
            distribution.condition(&keep, values),
            distribution.affine(&other, &x),
            distribution.sample(&mut stream(1, &[])),
        );
        let _ = distribution.condition(&rest, &x);
        let second = Gaussian::new(&x, &other);
        if let Ok(second) = &second {
            let _ = (distribution.product(second), distribution.jeffreys_divergence(second), distribution.wasserstein_distance(second));
        }
        if let Ok(linear) = &linear {
            let _ = distribution.bayes(linear, &x);
        }
    }
    if let Ok(distribution) = MomentGaussian::new(&mean, &matrix) {
        let _ = (
            distribution.root(),
            distribution.sampler(),
            distribution.affine(&other, &x),
            distribution.plus_independent(&distribution),
            distribution.stack(&distribution).dimension(),
        );
        let _ = (distribution.marginal(&keep), distribution.condition(&keep, values), distribution.ln_pdf(&x));
        if let Ok(linear) = &linear {
            let _ = (linear.predictive(&distribution), linear.joint(&distribution), linear.reversed(&distribution), linear.then(linear));
            let _ = (linear.likelihood(&x), distribution.bayes(linear, &x));
        }
        let _ = distribution.distribution();
    }
    if let Ok(factor) = InformationGaussian::new(&mean, &matrix, input.number()) {
        let _ =
            (factor.ln_value(&x), factor.product(&factor), factor.quotient(&factor), factor.ln_integral());
        let _ =
            (factor.marginal(&keep), factor.condition(&keep, values), factor.distribution(), factor.sampler().is_ok());
    }
    if let Ok(distribution) = Wishart::new(input.number(), &matrix) {
        let _ = distribution.ln_pdf(&other);
        let _ = distribution.sample(&mut stream(2, &[]));
    }
});
