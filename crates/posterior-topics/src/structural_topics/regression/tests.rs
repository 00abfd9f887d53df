//! The regression, and what documents know of it, against dense algebra.

use posterior_dist::stream::stream;
use posterior_testkit::accuracy::{assert_close, assert_within};
use rand::RngExt;

use super::*;

const DOCUMENTS: usize = 30;

fn options() -> StructuralTopicsOptions {
    StructuralTopicsOptions { topics: 3, document_variance: 0.7, ..StructuralTopicsOptions::default() }
}

fn uniform(seed: u64, rows: usize, columns: usize) -> DMatrix<f64> {
    let mut rng = stream(seed, &[]);
    DMatrix::from_fn(rows, columns, |_, _| 2.0 * rng.random::<f64>() - 1.0)
}

fn positive(seed: u64, size: usize) -> DMatrix<f64> {
    let root = uniform(seed, size, size);
    &root * root.transpose() + DMatrix::identity(size, size) * 0.3
}

/// No regression next to it is more probable.
#[test]
fn the_regression_is_the_most_probable_one() {
    let design = Design::new(&uniform(1, DOCUMENTS, 2), &options()).unwrap();
    let (eta, spread) = (uniform(2, DOCUMENTS, 2), positive(3, 2) * 4.0);
    let best = design.given(&eta, &spread).unwrap();
    let ln = |own: &Regression| {
        let scale = gram_of_columns(&(&eta - design.means(&own.gamma))) + &spread;
        design.ln_prior(own) - 0.5 * (DOCUMENTS as f64 * own.ln_determinant + own.precision.dot(&scale))
    };
    let highest = ln(&best);
    for seed in 0..50 {
        let gamma = &best.gamma + uniform(10 + seed, 3, 2) * 0.02;
        let change = uniform(100 + seed, 2, 2) * 0.01;
        let covariance = &best.covariance + &change + change.transpose();
        assert!(ln(&Regression::new(gamma, covariance).unwrap()) < highest);
    }
}

/// A document that counts twice is two documents, and one that counts nothing is none.
#[test]
fn weights_are_numbers_of_documents() {
    let design = Design::new(&uniform(7, DOCUMENTS, 2), &options()).unwrap();
    let weights: Vec<f64> = (0..DOCUMENTS).map(|d| (d % 3) as f64).collect();
    let rows: Vec<usize> = (0..DOCUMENTS).flat_map(|d| std::iter::repeat_n(d, d % 3)).collect();
    let x = design.x.select_rows(&rows);
    let ones = vec![1.0; rows.len()];
    let factor = factor(&x, &ones, &design.prior_precisions).unwrap();
    let expected = Design { x, weights: ones, factor, ..design.clone() };
    let eta = uniform(8, DOCUMENTS, 2);
    let spread = positive(9, 2);
    let found = design.weighted(weights).unwrap().given(&eta, &spread).unwrap();
    let expected = expected.given(&eta.select_rows(&rows), &spread).unwrap();
    for (found, expected) in found.gamma.iter().zip(&expected.gamma) {
        assert_close(*found, *expected, 1e-12);
    }
    for (found, expected) in found.covariance.iter().zip(&expected.covariance) {
        assert_close(*found, *expected, 1e-12);
    }
}

/// Log-ratios that were measured with Gaussian errors: the information of coefficients is that of the sum of
/// both covariances, and a document that says nothing adds nothing.
#[test]
fn information_is_that_of_what_was_measured() {
    let design = Design::new(&uniform(4, DOCUMENTS, 1), &options()).unwrap();
    let regression = Regression::new(uniform(5, 2, 2), positive(6, 2)).unwrap();
    let mut found = Information::none(&regression);
    let mut expected = DMatrix::zeros(4, 4);
    for d in 0..DOCUMENTS {
        let errors = positive(20 + d as u64, 2);
        let measured = Cholesky::new(&errors).unwrap().inverse();
        let curvature = Cholesky::decompose(measured + &regression.precision).unwrap();
        let row = design.row(d);
        found.add(&row, &curvature, &regression);
        let all = Cholesky::decompose(errors + &regression.covariance).unwrap().inverse();
        let row = DMatrix::from_row_slice(1, 2, &row);
        expected += all.kronecker(&(row.transpose() * row));
    }
    let before = found.documents;
    found.add(&design.row(0), &Cholesky::new(&regression.precision).unwrap(), &regression);
    assert_within(found.documents, before, 1e-12);
    let prior = design.prior_information(&regression);
    let prior_precisions = DMatrix::from_diagonal(&vec![0.1, 1.0].into());
    expected += regression.precision.kronecker(&prior_precisions);
    let (covariance, _) = found.known(prior).unwrap();
    let exact = Cholesky::decompose(expected).unwrap().inverse();
    assert!((covariance - exact).amax() < 1e-12);
}

/// Documents whose log-ratios are known determine the covariance fully; what all of them know less than
/// nothing of is as unknown as before.
#[test]
fn degrees_of_freedom_and_directions_without_information() {
    let design = Design::new(&uniform(7, DOCUMENTS, 1), &options()).unwrap();
    let regression = Regression::new(uniform(8, 2, 2), positive(9, 2)).unwrap();
    let mut found = Information::none(&regression);
    let known = Cholesky::decompose(DMatrix::identity(2, 2) * 1e12).unwrap();
    (0..DOCUMENTS).for_each(|d| found.add(&design.row(d), &known, &regression));
    let (_, degrees) = found.known(design.prior_information(&regression)).unwrap();
    assert_close(degrees, (DOCUMENTS + 4) as f64, 1e-9);
    let mut found = Information::none(&regression);
    let flat = Cholesky::decompose(&regression.precision * 0.5).unwrap();
    (0..DOCUMENTS).for_each(|d| found.add(&design.row(d), &flat, &regression));
    let (covariance, _) = found.known(design.prior_information(&regression)).unwrap();
    let prior = regression.covariance.kronecker(&DMatrix::from_diagonal(&vec![10.0, 1.0].into()));
    assert!((covariance - prior).amax() < 1e-9);
}

/// Coefficients of features in other units say the same.
#[test]
fn units_are_undone() {
    let features = uniform(11, DOCUMENTS, 2);
    let design = Design::new(&features, &options()).unwrap();
    let gamma = uniform(12, 3, 2);
    let raw = design.units.undone(&gamma);
    let means = design.means(&gamma);
    for d in 0..DOCUMENTS {
        for k in 0..2 {
            let own = raw[(0, k)] + features[(d, 0)] * raw[(1, k)] + features[(d, 1)] * raw[(2, k)];
            assert_within(own, means[(d, k)], 1e-12);
        }
    }
    // A feature that is the same everywhere is zero.
    let same = Design::new(&DMatrix::from_element(DOCUMENTS, 1, 7.0), &options()).unwrap();
    assert_eq!(same.row(3), [1.0, 0.0]);
}
