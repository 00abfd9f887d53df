//! Symmetric matrices that are not positive definite, and division from the right.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, Ldlt, MatrixError, SymmetricEigen, divide_right};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn indefinite_matrices_are_solved(
        n in 1_usize..30, entries in vec(-1.0..1.0, 900), zeros in any::<bool>()
    ) {
        let mut a = DMatrix::from_fn(n, n, |i, j| entries[i.max(j) * 30 + i.min(j)]);
        if zeros {
            a.fill_diagonal(0.0);
        }
        let x = DVector::from_fn(n, |i, _| 1.0 + i as f64);
        let eigen = SymmetricEigen::new(&a).unwrap();
        let least = eigen.values().iter().map(|value| value.abs()).fold(f64::INFINITY, f64::min);
        prop_assume!(least > 1e-6);
        let factor = Ldlt::new(&a).unwrap();
        let solved = factor.solve_vector(&(&a * &x));
        prop_assert!((solved - &x).amax() < 1e-12 * x.amax() * n as f64 * (1.0 + n as f64 / least));
        let (ln, sign) = factor.ln_determinant();
        let exact: f64 = eigen.values().iter().map(|value| value.abs().ln()).sum();
        prop_assert!((ln - exact).abs() < 1e-12 * n as f64 / least);
        let negative = eigen.values().iter().filter(|value| **value < 0.0).count();
        prop_assert_eq!(factor.negative_eigenvalues(), negative);
        prop_assert_eq!(sign, if negative % 2 == 0 { 1.0 } else { -1.0 });
        let identity = factor.solve(&a);
        let tolerance = 1e-12 * n as f64 * (1.0 + n as f64 / least);
        prop_assert!((identity - DMatrix::identity(n, n)).amax() < tolerance);
    }

    #[test]
    fn any_bits_give_an_error_or_finite_pivots(bits in vec(any::<u64>(), 16)) {
        let a = DMatrix::from_fn(4, 4, |i, j| f64::from_bits(bits[4 * i + j]));
        let _ = Ldlt::new(&a).map(|factor| factor.ln_determinant());
        let _ = divide_right(&a, &a);
    }

    #[test]
    fn division_from_the_right_undoes_a_product(entries in vec(-1.0..1.0, 25), rows in vec(-1.0..1.0, 15)) {
        let a = DMatrix::from_vec(5, 5, entries) + DMatrix::identity(5, 5) * 4.0;
        let x = DMatrix::from_vec(3, 5, rows);
        prop_assert!((divide_right(&(&x * &a), &a).unwrap() - &x).amax() < 1e-12);
        let b = &a * a.transpose();
        let factor = Cholesky::new(&b).unwrap();
        prop_assert!((factor.divide_right(&(&x * &b)) - &x).amax() < 1e-11);
    }
}

#[test]
fn what_has_no_factor_is_refused() {
    assert_eq!(Ldlt::new(&DMatrix::zeros(2, 2)).unwrap_err(), MatrixError::Singular);
    assert_eq!(Ldlt::new(&DMatrix::zeros(2, 3)).unwrap_err(), MatrixError::NotSquare { rows: 2, columns: 3 });
    assert_eq!(Ldlt::new(&DMatrix::from_element(1, 1, f64::NAN)).unwrap_err(), MatrixError::NotFinite);
    let one = DMatrix::identity(1, 1);
    assert_eq!(
        divide_right(&DMatrix::zeros(1, 2), &one).unwrap_err(),
        MatrixError::Mismatch { expected: 1, found: 2 }
    );
    assert_eq!(divide_right(&one, &DMatrix::zeros(1, 1)).unwrap_err(), MatrixError::Singular);
    let empty = Ldlt::new(&DMatrix::zeros(0, 0)).unwrap();
    assert_eq!(empty.ln_determinant(), (0.0, 1.0));
    assert_eq!(empty.solve(&DMatrix::zeros(0, 3)).shape(), (0, 3));
    // Scales from 1e-150 to 1e150: exchanges of coordinates in pairs.
    let a = DMatrix::from_row_slice(2, 2, &[1e-150, 1e150, 1e150, 0.0]);
    let x = Ldlt::new(&a).unwrap().solve_vector(&DVector::from_vec(vec![1e150, 2e150]));
    assert_eq!(x.as_slice(), [2.0, 1.0]);
}
