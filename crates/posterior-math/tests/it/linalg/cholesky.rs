//! The Cholesky factor: exact cases, identities, and what is refused.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError};
use proptest::collection::vec;
use proptest::prelude::*;

use super::matrices::{Numbers, assert_near, assert_near_vector};

/// Around every place where another kernel begins.
const SIZES: [usize; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 33, 79, 80, 127, 128, 150];

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

#[test]
fn the_upper_triangle_is_not_read() {
    for n in [2, 9, 40] {
        let a = Numbers::new(3).positive_definite(n);
        let mut broken = a.clone();
        for j in 0..n {
            for i in 0..j {
                broken[(i, j)] = f64::NAN;
            }
        }
        let factor = Cholesky::new(&broken).unwrap();
        assert_eq!(factor, Cholesky::new(&a).unwrap());
        assert_eq!(Cholesky::from_factor(factor.factor().clone()).unwrap(), factor);
    }
}

#[test]
fn a_refusal_names_the_pivot_and_its_value() {
    for n in [5, 15, 16, 70, 200] {
        for pivot in [0, 1, n / 2, n - 1] {
            let a = Numbers::new(4).positive_definite(n);
            let factor = Cholesky::new(&a).unwrap();
            let mut broken = a.clone();
            // What elimination leaves at `pivot` becomes -3.
            broken[(pivot, pivot)] -= factor.factor()[(pivot, pivot)].powi(2) + 3.0;
            let Err(MatrixError::NotPositiveDefinite { pivot: found, value }) = Cholesky::new(&broken) else {
                panic!("pivot {pivot} of {n} was taken");
            };
            assert_eq!(found, pivot);
            assert!((value + 3.0).abs() < 1e-12, "{value}");
        }
    }
    let error = Cholesky::new(&DMatrix::from_element(1, 1, -1.0)).unwrap_err();
    assert_eq!(error.to_string(), "not positive definite: pivot 0 is -1");
    let error = error.of_parameter("Normal", "covariance");
    assert_eq!(
        error.to_string(),
        "Normal: covariance = -1 must be positive definite (the value is that of a pivot)"
    );
}

#[test]
fn a_multiple_of_the_matrix_multiplies_the_determinant() {
    for n in SIZES {
        let a = Numbers::new(5).positive_definite(n);
        let ln_determinant = Cholesky::new(&a).unwrap().ln_determinant();
        for c in [1e-200, 0.3, 7.0, 1e250] {
            let scaled = Cholesky::new(&(&a * c)).unwrap().ln_determinant();
            let expected = ln_determinant + n as f64 * f64::ln(c);
            assert!((scaled - expected).abs() <= 1e-14 * expected.abs().max(n as f64), "{n} {c}");
        }
    }
}

#[test]
fn the_empty_matrix_has_determinant_one() {
    let mut empty = Cholesky::new(&DMatrix::zeros(0, 0)).unwrap();
    assert_eq!(empty.ln_determinant(), 0.0);
    assert_eq!(empty.condition_estimate(), 1.0);
    assert_eq!(empty.solve_vector(&DVector::zeros(0)), DVector::zeros(0));
    assert_eq!(empty.quadratic_form(&DVector::zeros(0)), 0.0);
    assert_eq!(empty.inverse(), DMatrix::zeros(0, 0));
    assert_eq!(empty.inverse_diagonal(), DVector::zeros(0));
    empty.rank_one_update(&DVector::zeros(0)).unwrap();
    empty.rank_one_downdate(&DVector::zeros(0)).unwrap();
    empty.append(&DVector::zeros(0), 4.0).unwrap();
    assert_eq!(empty.factor().as_slice(), [2.0]);
    empty.remove(0);
    assert_eq!(empty.size(), 0);
}

#[test]
fn an_update_is_the_factor_of_the_sum_and_a_downdate_undoes_it() {
    let mut numbers = Numbers::new(6);
    for n in SIZES {
        let a = numbers.positive_definite(n);
        let factor = Cholesky::new(&a).unwrap();
        let v = numbers.vector(n) * 3.0;
        let mut changed = factor.clone();
        changed.rank_one_update(&v).unwrap();
        assert_near(changed.factor(), Cholesky::new(&(&a + &v * v.transpose())).unwrap().factor(), 1e-14);
        changed.rank_one_downdate(&v).unwrap();
        assert_near(changed.factor(), factor.factor(), 1e-13);
    }
}

#[test]
fn a_downdate_that_leaves_the_cone_is_refused_and_changes_nothing() {
    let mut numbers = Numbers::new(7);
    for n in [1, 2, 5, 20] {
        let mut factor = Cholesky::new(&numbers.positive_definite(n)).unwrap();
        let before = factor.clone();
        let v = numbers.vector(n);
        let boundary = factor.quadratic_form(&v).sqrt();
        let refused = factor.rank_one_downdate(&(&v * (1.001 / boundary)));
        assert!(matches!(refused, Err(MatrixError::NotPositiveDefinite { value, .. }) if value < 0.0));
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            let broken = DVector::from_element(n, bad);
            assert_eq!(factor.rank_one_downdate(&broken), Err(MatrixError::NotFinite));
            assert_eq!(factor.rank_one_update(&broken), Err(MatrixError::NotFinite));
            assert_eq!(factor.append(&broken, 1.0), Err(MatrixError::NotFinite));
        }
        assert!(matches!(factor.append(&v, 0.0), Err(MatrixError::NotPositiveDefinite { .. })));
        assert!(factor.append(&v, f64::NAN).is_err() && factor.append(&v, f64::INFINITY).is_err());
        let mismatch = Err(MatrixError::Mismatch { expected: n, found: n + 1 });
        assert_eq!(factor.rank_one_update(&DVector::zeros(n + 1)), mismatch);
        assert_eq!(factor, before);
        factor.rank_one_downdate(&(&v * (0.999 / boundary))).unwrap();
    }
}

#[test]
fn rows_come_and_go() {
    let mut numbers = Numbers::new(8);
    let n = 20;
    let a = numbers.positive_definite(n);
    let mut grown = Cholesky::identity(0);
    for k in 0..n {
        let row = DVector::from_fn(k, |j, _| a[(k, j)]);
        grown.append(&row, a[(k, k)]).unwrap();
    }
    assert_near(grown.factor(), Cholesky::new(&a).unwrap().factor(), 1e-14);
    for index in 0..n {
        let mut shrunk = grown.clone();
        shrunk.remove(index);
        let smaller = a.clone().remove_row(index).remove_column(index);
        assert_near(shrunk.factor(), Cholesky::new(&smaller).unwrap().factor(), 1e-14);
    }
}

#[test]
fn jitter_is_the_least_power_of_ten_that_suffices_and_is_returned() {
    let a = Numbers::new(9).positive_definite(5);
    assert_eq!(Cholesky::with_jitter(&a, 1.0).unwrap(), (Cholesky::new(&a).unwrap(), 0.0));

    let mut indefinite = DMatrix::identity(4, 4);
    indefinite[(3, 3)] = -1e-9;
    let mean = (3.0 - 1e-9) / 4.0;
    let (factor, added) = Cholesky::with_jitter(&indefinite, 1e-6).unwrap();
    assert!(added > 1e-9 && added < 1e-8 && (added / mean / f64::EPSILON).log10().fract().abs() < 1e-9);
    assert_near(&factor.reconstruct(), &(indefinite.clone() + DMatrix::identity(4, 4) * added), 1e-15);

    let refused = Cholesky::with_jitter(&indefinite, 1e-10);
    assert!(matches!(refused, Err(MatrixError::NotPositiveDefinite { pivot: 3, .. })));
    for hopeless in
        [-DMatrix::<f64>::identity(3, 3), DMatrix::from_element(2, 2, f64::NAN), DMatrix::zeros(2, 2)]
    {
        assert!(Cholesky::with_jitter(&hopeless, f64::INFINITY).is_err());
    }
}

#[test]
fn the_estimated_condition_is_near_the_true_one() {
    let mut numbers = Numbers::new(10);
    for n in [1, 2, 5, 30] {
        let scale = DVector::from_fn(n, |i, _| 0.1_f64.powf((i % 5) as f64));
        let a = numbers.positive_definite(n).component_mul(&(&scale * scale.transpose()));
        let factor = Cholesky::new(&a).unwrap();
        let norm = |m: &DMatrix<f64>| m.column_iter().map(|c| c.lp_norm(1)).fold(0.0, f64::max);
        let condition = norm(&a) * norm(&factor.inverse());
        let ratio = factor.condition_estimate() / condition;
        assert!(ratio > 0.3 && ratio < 1.0 + 1e-9, "{n}: {ratio}");
    }
}

proptest! {
    #[test]
    fn badly_scaled_matrices_are_factored_as_well_as_good_ones(
        n in 1_usize..40,
        seed in any::<u64>(),
        spread in 0_i32..100,
    ) {
        let mut numbers = Numbers::new(seed);
        let good = numbers.positive_definite(n);
        let scale = DVector::from_fn(n, |_, _| (numbers.next() * f64::from(spread)).exp2());
        let bad = good.component_mul(&(&scale * scale.transpose()));
        let factor = Cholesky::new(&bad).unwrap();
        for i in 0..n {
            for j in 0..=i {
                let error = (factor.reconstruct()[(i, j)] - bad[(i, j)]).abs();
                prop_assert!(error <= 1e-14 * (bad[(i, i)] * bad[(j, j)]).sqrt());
            }
        }
        // The solution of D A D x = D b is D⁻¹ A⁻¹ b.
        let b = numbers.vector(n);
        let x = factor.solve_vector(&b.component_mul(&scale)).component_mul(&scale);
        let expected = Cholesky::new(&good).unwrap().solve_vector(&b);
        prop_assert!((x - &expected).norm() <= 1e-13 * expected.norm());
    }

    #[test]
    fn no_matrix_makes_the_factorisation_panic(bits in vec(any::<u64>(), 9)) {
        let a = DMatrix::from_iterator(3, 3, bits.into_iter().map(f64::from_bits));
        if let Ok(factor) = Cholesky::new(&a) {
            prop_assert!(factor.factor().iter().all(|entry| entry.is_finite()));
            prop_assert!(factor.ln_determinant().is_finite());
        }
        let _ = Cholesky::with_jitter(&a, f64::INFINITY);
    }
}
