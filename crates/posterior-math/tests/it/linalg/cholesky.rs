//! The Cholesky factor: exact cases, laws, and what is refused.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};

use super::matrices::{Numbers, assert_near, assert_near_vector};

/// Around every place where another kernel begins.
const SIZES: [usize; 14] = [0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 64, 100, 150];

#[test]
fn the_example_of_the_book_is_exact() {
    let a = DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0]);
    let factor = Cholesky::new(&a).unwrap();
    let l = DMatrix::from_row_slice(3, 3, &[2.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.3, 0.35, 2.7875_f64.sqrt()]);
    assert_near(factor.factor(), &l, 1e-16);
    assert!((factor.ln_determinant() - 3.797733859026018).abs() < 1e-15);
    let x = factor.solve_vector(&DVector::from_vec(vec![1.0, 2.0, 3.0]));
    assert_near_vector(&x, &DVector::from_vec(vec![1.0 / 223.0, 237.0 / 1115.0, 207.0 / 223.0]), 3e-16);
}

#[test]
fn a_factor_multiplies_back_and_solves() {
    let mut numbers = Numbers::new(1);
    for n in SIZES {
        let a = numbers.positive_definite(n);
        let factor = Cholesky::new(&a).unwrap();
        assert_near(&factor.reconstruct(), &a, 1e-14);
        assert_near(&(factor.factor() * factor.factor().transpose()), &a, 1e-14);
        for columns in [0, 1, 3, 4, 5, 40] {
            let b = numbers.matrix(n, columns);
            assert_near(&(&a * factor.solve(&b)), &b, 1e-12);
            assert_near(&(factor.factor() * factor.half_solve(&b)), &b, 1e-13);
            assert_near(&(factor.factor().transpose() * factor.half_solve_transpose(&b)), &b, 1e-13);
        }
        assert_near(&(factor.inverse() * &a), &DMatrix::identity(n, n), 1e-12);
    }
}

#[test]
fn infinite_and_missing_numbers_are_refused_wherever_they_are() {
    for n in [1, 3, 15, 16, 40] {
        let a = Numbers::new(2).positive_definite(n);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for i in 0..n {
                for j in 0..=i {
                    let mut broken = a.clone();
                    broken[(i, j)] = bad;
                    let refused = Cholesky::new(&broken);
                    assert!(
                        matches!(refused, Err(MatrixError::NotPositiveDefinite { .. })),
                        "{bad} at {i}, {j} of {n}"
                    );
                }
            }
        }
    }
    assert_eq!(Cholesky::new(&DMatrix::zeros(2, 3)), Err(MatrixError::NotSquare { rows: 2, columns: 3 }));
}
