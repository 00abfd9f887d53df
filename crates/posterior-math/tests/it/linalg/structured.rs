//! Matrices with a structure against the same matrix without it.

use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, Kronecker, LowRank, MatrixError, PivotedCholesky, Toeplitz, Woodbury,
    block_inverse, schur_complement,
};
use posterior_testkit::accuracy::Worst;
use posterior_testkit::reference::{list, load, number, numbers, rows};

use super::matrices::{Numbers, assert_near, assert_near_vector, from_rows};

#[test]
fn low_rank_solutions_meet_their_table() {
    let table = load("linalg_lowrank");
    let mut worst = Worst::of("low rank, in units of ε κ");
    for case in list(&table["woodbury"]) {
        let diagonal = DVector::from_vec(numbers(&case["diagonal"]));
        let u = from_rows(&rows(&case["u"]));
        let a = LowRank::with_core(&diagonal, &u, &from_rows(&rows(&case["c"]))).unwrap();
        let scale = diagonal.map(|d| 1.0 / d.sqrt());
        let scaled = a.reconstruct().component_mul(&(&scale * scale.transpose()));
        let unit = f64::EPSILON * scaled.symmetric_eigenvalues().max();
        let mut see = |actual: f64, expected: f64, size: f64| {
            worst.see(1.0 + (actual - expected) / size / unit, 1.0, &case["n"]);
        };
        let b = DVector::from_vec(numbers(&case["b"]));
        let expected = DVector::from_vec(numbers(&case["solve"]));
        let size = expected.component_div(&scale).norm();
        for i in 0..b.len() {
            see(a.solve_vector(&b)[i] / scale[i], expected[i] / scale[i], size);
            see(
                a.inverse_diagonal()[i],
                number(&case["inverse_diagonal"][i]),
                number(&case["inverse_diagonal"][i]),
            );
        }
        see(a.ln_determinant(), number(&case["logdet"]), number(&case["logdet"]).abs().max(1.0));
        see(a.quadratic_form(&b), number(&case["quadratic_form"]), number(&case["quadratic_form"]));
    }
    worst.assert_at_most(2.0);
}

#[test]
fn a_low_rank_matrix_is_its_dense_twin() {
    let mut numbers = Numbers::new(20);
    for (n, k) in [(0, 0), (1, 0), (1, 1), (3, 5), (6, 2), (40, 3), (60, 30)] {
        let diagonal = numbers.vector(n).map(|x| 1.5 + x);
        let u = numbers.matrix(n, k);
        let a = LowRank::new(&diagonal, &u).unwrap();
        let dense = Cholesky::new(&a.reconstruct()).unwrap();
        assert_near(&a.reconstruct(), &(DMatrix::from_diagonal(&diagonal) + &u * u.transpose()), 1e-15);
        let b = numbers.matrix(n, 3);
        assert_near(&a.solve(&b), &dense.solve(&b), 1e-13);
        let b = numbers.vector(n);
        assert_near_vector(&a.solve_vector(&b), &dense.solve_vector(&b), 1e-13);
        assert_near_vector(&a.inverse_diagonal(), &dense.inverse_diagonal(), 1e-13);
        assert!((a.ln_determinant() - dense.ln_determinant()).abs() < 1e-12);
        assert!((a.quadratic_form(&b) - dense.quadratic_form(&b)).abs() <= 1e-13 * dense.quadratic_form(&b));
    }
    let one = DVector::from_element(2, 1.0);
    let u = DMatrix::from_element(2, 2, 1.0);
    let singular_core = DMatrix::from_element(2, 2, 0.5); // rank one: U C Uᵀ = 2 1 1ᵀ
    let a = LowRank::with_core(&one, &u, &singular_core).unwrap();
    assert_near(&a.reconstruct(), &DMatrix::from_row_slice(2, 2, &[3.0, 2.0, 2.0, 3.0]), 1e-15);
    assert!(LowRank::new(&DVector::from_vec(vec![1.0, 0.0]), &u).is_err());
    assert!(LowRank::new(&one, &(u.clone() * f64::NAN)).is_err());
    assert!(LowRank::new(&one, &(u.clone() * 1e200)).is_err());
    assert!(LowRank::new(&DVector::zeros(3), &u).is_err());
    assert!(LowRank::with_core(&one, &u, &-DMatrix::<f64>::identity(2, 2)).is_err());
}

#[test]
fn the_inversion_lemma_is_the_dense_inverse() {
    let mut numbers = Numbers::new(21);
    for (n, k) in [(0, 0), (1, 1), (4, 1), (5, 2), (30, 4)] {
        let z = numbers.positive_definite(n);
        let (u, v) = (numbers.matrix(n, k), numbers.matrix(n, k));
        let mut w = numbers.matrix(k, k);
        if k > 1 {
            w.fill_row(0, 0.0); // singular
        }
        let dense = &z + &u * &w * v.transpose();
        let a = Woodbury::new(Cholesky::new(&z).unwrap(), u, &w, &v).unwrap();
        let b = numbers.matrix(n, 2);
        assert_near(&(&dense * a.solve(&b)), &b, 1e-12);
        let b = numbers.vector(n);
        assert_near_vector(&(&dense * a.solve_vector(&b)), &b, 1e-12);
        let (ln_determinant, sign) = a.ln_determinant();
        let expected = dense.determinant();
        assert!((sign * ln_determinant.exp() - expected).abs() <= 1e-12 * expected.abs());
    }
    // I - e₁ e₁ᵀ is singular.
    let e = DMatrix::from_column_slice(2, 1, &[1.0, 0.0]);
    let refused = Woodbury::new(Cholesky::identity(2), e.clone(), &DMatrix::from_element(1, 1, -1.0), &e);
    assert!(matches!(refused, Err(MatrixError::Singular)));
    let refused = Woodbury::new(Cholesky::identity(3), e.clone(), &DMatrix::identity(1, 1), &e);
    assert!(matches!(refused, Err(MatrixError::Mismatch { expected: 3, found: 2 })));
}

#[test]
fn inverses_by_blocks_are_the_dense_inverse() {
    let mut numbers = Numbers::new(22);
    for (n, m) in [(1, 1), (2, 3), (10, 4), (3, 0)] {
        let a = numbers.positive_definite(n + m) + numbers.matrix(n + m, n + m) * 0.1;
        let block = |i: usize, j: usize, r: usize, c: usize| a.view((i, j), (r, c)).into_owned();
        let inverse =
            block_inverse(&block(0, 0, n, n), &block(0, n, n, m), &block(n, 0, m, n), &block(n, n, m, m))
                .unwrap();
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(&inverse.top_left);
        whole.view_mut((0, n), (n, m)).copy_from(&inverse.top_right);
        whole.view_mut((n, 0), (m, n)).copy_from(&inverse.bottom_left);
        whole.view_mut((n, n), (m, m)).copy_from(&inverse.bottom_right);
        assert_near(&(whole * &a), &DMatrix::identity(n + m, n + m), 1e-13);

        // Conditioning: the complement is the inverse of a block of the inverse.
        let s = numbers.positive_definite(n + m);
        let p = Cholesky::new(&s.view((0, 0), (n, n)).into_owned()).unwrap();
        let complement =
            schur_complement(&p, &s.view((0, n), (n, m)).into_owned(), &s.view((n, n), (m, m)).into_owned());
        let precision = Cholesky::new(&s).unwrap().inverse().view((n, n), (m, m)).into_owned();
        assert_near(&(complement * precision), &DMatrix::identity(m, m), 1e-12);
    }
    let zero = DMatrix::zeros(1, 1);
    assert_eq!(block_inverse(&zero, &zero, &zero, &zero), Err(MatrixError::Singular));
}

#[test]
fn a_kronecker_product_is_its_dense_twin() {
    let mut numbers = Numbers::new(23);
    for sizes in [vec![], vec![4], vec![2, 3], vec![3, 1, 4], vec![5, 4, 3]] {
        let matrices: Vec<_> = sizes.iter().map(|&n| numbers.positive_definite(n)).collect();
        let product = Kronecker::new(matrices.iter().map(|a| Cholesky::new(a).unwrap()).collect());
        let dense = matrices.iter().fold(DMatrix::identity(1, 1), |whole, a| whole.kronecker(a));
        let factor = Cholesky::new(&dense).unwrap();
        assert_eq!(product.size(), dense.nrows());
        let b = numbers.vector(product.size());
        assert_near_vector(&product.solve_vector(&b), &factor.solve_vector(&b), 1e-13);
        assert_near_vector(&product.half_solve_vector(&b), &factor.half_solve_vector(&b), 1e-13);
        assert!((product.ln_determinant() - factor.ln_determinant()).abs() < 1e-12);
        assert!((product.quadratic_form(&b) / factor.quadratic_form(&b) - 1.0).abs() < 1e-13);
    }
    let empty = Kronecker::new(vec![Cholesky::identity(0), Cholesky::identity(3)]);
    assert_eq!(empty.solve_vector(&DVector::zeros(0)).len(), 0);
    assert_eq!(empty.ln_determinant(), 0.0);
}

#[test]
fn a_toeplitz_matrix_is_its_dense_twin() {
    let mut numbers = Numbers::new(24);
    for n in [0_usize, 1, 2, 3, 8, 9, 40, 100] {
        // The autocovariances of white noise and a moving average.
        let weights = numbers.vector(7);
        let column = DVector::from_fn(n, |k, _| {
            let white = if k == 0 { 0.5 } else { 0.0 };
            white + (k..7).map(|i| weights[i] * weights[i - k]).sum::<f64>()
        });
        let dense = DMatrix::from_fn(n, n, |i, j| column[i.abs_diff(j)]);
        let factor = Cholesky::new(&dense).unwrap();
        let toeplitz = Toeplitz::new(&column).unwrap();
        let b = numbers.vector(n);
        assert_near_vector(&toeplitz.solve_vector(&b), &factor.solve_vector(&b), 1e-13);
        assert!((toeplitz.ln_determinant() - factor.ln_determinant()).abs() <= 1e-13 * n as f64);
        assert!((toeplitz.quadratic_form(&b) - factor.quadratic_form(&b)).abs() <= 1e-12);
        for (k, pivot) in toeplitz.pivots().iter().enumerate() {
            assert!((pivot / factor.factor()[(k, k)].powi(2) - 1.0).abs() < 1e-13);
        }
    }
    for column in [
        vec![0.0],
        vec![-1.0],
        vec![f64::NAN],
        vec![1.0, f64::NAN],
        vec![1.0, f64::INFINITY],
        vec![f64::INFINITY],
    ] {
        assert!(Toeplitz::new(&DVector::from_vec(column)).is_err());
    }
    let refused = Toeplitz::new(&DVector::from_vec(vec![1.0, 2.0]));
    assert_eq!(refused, Err(MatrixError::NotPositiveDefinite { pivot: 1, value: -3.0 }));
}

#[test]
fn a_pivoted_factor_finds_the_rank() {
    let mut numbers = Numbers::new(25);
    for (n, rank) in [(0, 0), (1, 0), (1, 1), (5, 2), (10, 10), (40, 7)] {
        let b = numbers.matrix(n, rank);
        let a = &b * b.transpose();
        let factor = PivotedCholesky::new(&a).unwrap();
        assert_eq!(factor.rank(), rank);
        assert_eq!(factor.pivots().len(), rank);
        assert_near(&factor.reconstruct(), &a, 1e-14);
        assert!(factor.remainder() <= 1e-13 * (n * n) as f64);
        let coarse = PivotedCholesky::with_tolerance(&a, 0.5).unwrap();
        assert!(coarse.rank() <= rank);
        if n > 0 {
            assert!((coarse.reconstruct() - &a).amax() <= 0.5);
        }
    }
    let indefinite = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    assert!(matches!(PivotedCholesky::new(&indefinite), Err(MatrixError::NotPositiveDefinite { .. })));
    let negative = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, -1.0]));
    let refused = PivotedCholesky::new(&negative);
    assert_eq!(refused, Err(MatrixError::NotPositiveDefinite { pivot: 1, value: -1.0 }));
    assert_eq!(PivotedCholesky::new(&(negative * f64::NAN)), Err(MatrixError::NotFinite));
    assert!(PivotedCholesky::new(&DMatrix::zeros(2, 1)).is_err());
}
