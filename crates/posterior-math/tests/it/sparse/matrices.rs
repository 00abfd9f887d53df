//! The matrices themselves.

use posterior_math::linalg::{DMatrix, MatrixError};
use posterior_math::sparse::{SparseMatrix, SparseSymmetric};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn products_are_those_of_dense_matrices(
        entries in vec((0_usize..6, 0_usize..9, -2.0..2.0), 0..40),
        x in vec(-1.0..1.0, 9),
        y in vec(-1.0..1.0, 6),
    ) {
        let mut dense = DMatrix::<f64>::zeros(6, 9);
        for &(i, j, value) in &entries {
            dense[(i, j)] += value;
        }
        let sparse = SparseMatrix::from_triplets(6, 9, entries).unwrap();
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        prop_assert!(close(sparse.to_dense().as_slice(), dense.as_slice()));
        let product = &dense * DMatrix::from_column_slice(9, 1, &x);
        prop_assert!(close(&sparse.multiply_slice(&x), product.as_slice()));
        let transposed = dense.transpose() * DMatrix::from_column_slice(6, 1, &y);
        prop_assert!(close(&sparse.transpose_multiply_slice(&y), transposed.as_slice()));
        prop_assert!(close(&sparse.transpose().multiply_slice(&y), transposed.as_slice()));
        let weights: Vec<f64> = y.iter().map(|y| y.abs()).collect();
        let gram = sparse.gram(&weights).unwrap();
        let exact = dense.transpose() * DMatrix::from_diagonal(&weights.into()) * &dense;
        prop_assert!(close(gram.to_dense().as_slice(), exact.as_slice()));
        let vector = DMatrix::from_column_slice(9, 1, &x);
        prop_assert!(close(&gram.multiply_slice(&x), (&exact * &vector).as_slice()));
        prop_assert!((gram.quadratic_form(&x) - (vector.transpose() * &exact * &vector)[0]).abs() < 1e-12);
        let part = gram.principal(&[7, 2, 4]).to_dense();
        prop_assert!((part[(0, 2)] - exact[(7, 4)]).abs() < 1e-13);
        let sum = gram.plus(-2.0, &gram).unwrap().scaled(-1.0).unwrap();
        prop_assert!(close(sum.to_dense().as_slice(), exact.as_slice()));
    }
}

#[test]
fn entries_of_one_place_are_added_and_mirrored() {
    let a = SparseSymmetric::from_triplets(3, [(2, 0, 1.0), (0, 2, 0.5), (1, 1, 2.0)]).unwrap();
    assert_eq!((a.entry(0, 2), a.entry(2, 0), a.entry(1, 0)), (1.5, 1.5, 0.0));
    assert_eq!(a.diagonal(), [0.0, 2.0, 0.0]);
    assert_eq!(a.stored(), 4);
    assert_eq!(a.neighbours(), [vec![2], vec![], vec![0]]);
    let dense = a.to_dense();
    assert_eq!(SparseSymmetric::from_lower_triangle(&dense).unwrap(), a);
    assert_eq!(a.multiply(&DMatrix::identity(3, 3)), dense);
}

#[test]
fn wrong_entries_are_refused() {
    let refused = |entry| SparseSymmetric::from_triplets(2, [entry]).unwrap_err();
    assert_eq!(refused((2, 0, 1.0)), MatrixError::OutOfRange { index: 2, size: 2 });
    assert_eq!(refused((0, 3, 1.0)), MatrixError::OutOfRange { index: 3, size: 2 });
    assert_eq!(refused((0, 1, f64::NAN)), MatrixError::NotFinite);
    let too_large = SparseSymmetric::from_triplets(1, [(0, 0, f64::MAX), (0, 0, f64::MAX)]);
    assert_eq!(too_large.unwrap_err(), MatrixError::NotFinite);
    assert!(SparseSymmetric::from_triplets(usize::MAX, []).is_err());
    assert!(SparseMatrix::from_triplets(usize::MAX, 1, []).is_err());
    let a = SparseMatrix::from_triplets(2, 3, [(1, 2, 1.0)]).unwrap();
    assert_eq!(a.gram(&[1.0]).unwrap_err(), MatrixError::Mismatch { expected: 2, found: 1 });
    let wide = DMatrix::zeros(2, 3);
    assert_eq!(
        SparseSymmetric::from_lower_triangle(&wide).unwrap_err(),
        MatrixError::NotSquare { rows: 2, columns: 3 }
    );
}
