//! Randomised singular values against exact ones.

use posterior_dist::stream::stream;
use posterior_latent::principal_components::{
    CentredOperator, Centring, ComponentChoice, LinearOperator, PcaOptions, SparseObservations,
    TruncatedOptions, fit, truncated_svd,
};
use posterior_math::linalg::DMatrix;
use rand::RngExt;

use super::observations;

/// Words in documents: mostly nothing.
fn words(rows: usize, columns: usize) -> (SparseObservations, DMatrix<f64>) {
    let mut rng = stream(5, &[]);
    let mut dense = DMatrix::zeros(rows, columns);
    let mut entries = Vec::new();
    for _ in 0..rows * columns / 10 {
        let (i, j) = (rng.random_range(0..rows), rng.random_range(0..columns));
        // Documents have one of three subjects.
        let value = if i % 3 == j % 3 { f64::from(rng.random_range(1..9_u8)) } else { 1.0 };
        dense[(i, j)] += value;
        entries.push((i, j, value));
    }
    (SparseObservations::new(rows, columns, &entries).unwrap(), dense)
}

#[test]
fn sparse_products_are_dense_products() {
    let (sparse, dense) = words(31, 17);
    let x = DMatrix::from_fn(17, 3, |i, j| (i as f64 + 1.0) / (j as f64 + 2.0));
    let y = DMatrix::from_fn(31, 2, |i, j| (i as f64 - 3.0) / (j as f64 + 2.0));
    assert!((sparse.apply(&x) - &dense * &x).amax() < 1e-12);
    assert!((sparse.apply_transpose(&y) - dense.transpose() * &y).amax() < 1e-12);
    let centred = CentredOperator::new(&sparse);
    let mean = dense.row_mean();
    let explicit = DMatrix::from_fn(31, 17, |i, t| dense[(i, t)] - mean[t]);
    assert!((centred.apply(&x) - &explicit * &x).amax() < 1e-12);
    assert!((centred.apply_transpose(&y) - explicit.transpose() * &y).amax() < 1e-12);
    assert!(SparseObservations::new(2, 2, &[(2, 0, 1.0)]).is_err());
    assert!(SparseObservations::new(2, 2, &[(0, 2, 1.0)]).is_err());
    assert!(SparseObservations::new(2, 2, &[(0, 0, f64::NAN)]).is_err());
}

#[test]
fn leading_values_and_vectors_are_those_of_the_exact_analysis() {
    let (sparse, dense) = words(90, 60);
    for centring in [Centring::Zero, Centring::Mean] {
        let options = TruncatedOptions { power_iterations: 12, ..TruncatedOptions::default() };
        let mut rng = stream(3, &[]);
        let found = match centring {
            Centring::Zero => truncated_svd(&sparse, 3, &options, &mut rng),
            _ => truncated_svd(&CentredOperator::new(&sparse), 3, &options, &mut rng),
        }
        .unwrap();
        let exact = fit(
            &observations(&dense),
            &PcaOptions { centring, choice: ComponentChoice::Count(3), ..PcaOptions::default() },
        )
        .unwrap();
        let denominator = if centring == Centring::Zero { 90.0 } else { 89.0 };
        // Three subjects are three values in the first case, two about the mean: the third is one of the
        // crowd there.
        let leading = if centring == Centring::Zero { 3 } else { 2 };
        for j in 0..leading {
            let variance = found.values[j].powi(2) / denominator;
            assert!((variance / exact.variances()[j] - 1.0).abs() < 1e-9, "{centring:?} {j}");
            assert!((found.right.column(j) - exact.components().column(j)).amax() < 1e-5);
        }
        let scores = exact.scores(&observations(&dense)).unwrap();
        assert!((found.scores().columns(0, leading) - scores.columns(0, leading)).amax() < 1e-3);
        assert!((found.left.transpose() * &found.left - DMatrix::identity(3, 3)).amax() < 1e-12);
    }
}

#[test]
fn a_matrix_of_low_rank_is_found_whole_and_its_rank_reported() {
    let mut rng = stream(8, &[]);
    let mut draw = |rows, columns| DMatrix::from_fn(rows, columns, |_, _| rng.random::<f64>() - 0.5);
    for (rows, columns) in [(40, 25), (25, 40), (7, 50)] {
        let matrix = draw(rows, 4) * draw(4, columns);
        let found = truncated_svd(&matrix, 10, &TruncatedOptions::default(), &mut stream(1, &[])).unwrap();
        assert_eq!(found.values.len(), 4);
        let again = found.scores() * found.right.transpose();
        assert!((again - matrix).amax() < 1e-13);
    }
    let nothing =
        truncated_svd(&DMatrix::<f64>::zeros(5, 4), 2, &TruncatedOptions::default(), &mut stream(1, &[]));
    assert!(nothing.unwrap().values.is_empty());
    let none =
        truncated_svd(&DMatrix::<f64>::zeros(0, 4), 2, &TruncatedOptions::default(), &mut stream(1, &[]));
    assert!(none.unwrap().values.is_empty());
    let bad = DMatrix::from_element(3, 3, f64::NAN);
    assert!(truncated_svd(&bad, 2, &TruncatedOptions::default(), &mut stream(1, &[])).is_err());
}

#[test]
fn units_of_any_size() {
    let (_, dense) = words(30, 12);
    let of = |matrix: &DMatrix<f64>| {
        truncated_svd(matrix, 3, &TruncatedOptions::default(), &mut stream(1, &[])).unwrap()
    };
    let found = of(&dense);
    for exponent in [-1000, -600, -400, -10, 400, 600, 1000] {
        let unit = 2_f64.powi(exponent);
        let other = of(&(&dense * unit));
        assert_eq!(other.values.len(), 3);
        for (value, other) in found.values.iter().zip(&other.values) {
            assert!((value - other / unit).abs() < 1e-12 * found.values[0], "{exponent}");
        }
        assert!((&found.left - &other.left).amax() < 1e-11, "{exponent}");
        assert!((&found.right - &other.right).amax() < 1e-11, "{exponent}");
    }
}

/// Halko, Martinsson and Tropp's bound for the expected error without power iterations, theorem 10.6.
#[test]
fn the_error_is_within_the_bound_of_the_theory() {
    let mut rng = stream(21, &[]);
    let mut draw = |rows: usize, columns: usize| {
        DMatrix::from_fn(rows, columns, |_, _| rng.random::<f64>() - 0.5).qr().q()
    };
    let singular = |j: usize| 1.0 / (1.0 + j as f64);
    let spectrum = DMatrix::from_fn(30, 30, |i, j| if i == j { singular(j) } else { 0.0 });
    let matrix = draw(80, 30) * spectrum * draw(30, 30).transpose();
    let (k, p) = (5_usize, 5_usize);
    let tail: f64 = (k..30).map(|j| singular(j).powi(2)).sum();
    let bound = ((1.0 + k as f64 / (p as f64 - 1.0)) * tail).sqrt();
    let errors: Vec<f64> = (0..40)
        .map(|seed| {
            let options =
                TruncatedOptions { oversampling: p, power_iterations: 0, ..TruncatedOptions::default() };
            let found = truncated_svd(&matrix, k + p, &options, &mut stream(seed, &[])).unwrap();
            (&matrix - found.scores() * found.right.transpose()).norm()
        })
        .collect();
    let mean = errors.iter().sum::<f64>() / 40.0;
    let best: f64 = (k + p..30).map(|j| singular(j).powi(2)).sum::<f64>().sqrt();
    assert!(
        mean < bound && errors.iter().all(|&error| error >= best * (1.0 - 1e-12)),
        "{best} {mean} {bound}"
    );
}
