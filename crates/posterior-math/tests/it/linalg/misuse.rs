//! Any bits at all: an error or a value, and never a panic or an endless loop.

use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, LowRank, PivotedCholesky, SymmetricEigen, Toeplitz, Woodbury, block_inverse,
    discretize, eigenvalues, exponential, lyapunov, solve_lower_in_place, solve_upper_in_place,
    triangularize,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers of ordinary size, and one in four of any bits.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![3 => -2.0..2.0, 1 => any::<u64>().prop_map(f64::from_bits)]
}

/// Square, small and around the size where the Schur form begins.
fn matrix() -> impl Strategy<Value = DMatrix<f64>> {
    (1_usize..7)
        .prop_flat_map(|n| vec(number(), n * n).prop_map(move |entries| DMatrix::from_vec(n, n, entries)))
}

fn finite(matrix: &DMatrix<f64>) -> bool {
    matrix.iter().all(|entry| entry.is_finite())
}

proptest! {
    #[test]
    fn what_is_returned_is_finite(a in matrix(), dt in number()) {
        let n = a.nrows();
        let column = DVector::from_column_slice(&a.as_slice()[..n]);
        if let Ok(p) = lyapunov(&a, &(&a + a.transpose())) {
            prop_assert!(finite(&p));
        }
        if let Ok(step) = discretize(&a, &(&a + a.transpose()), dt) {
            prop_assert!(finite(&step.transition) && finite(&step.noise));
        }
        if let Ok(factor) = PivotedCholesky::new(&a) {
            prop_assert!(finite(factor.factor()));
        }
        if let Ok(values) = eigenvalues(&a) {
            prop_assert!(values.iter().all(|value| value.re.is_finite() && value.im.is_finite()));
        }
        if let Ok(eigen) = SymmetricEigen::new(&a) {
            prop_assert!(eigen.values().as_slice().is_sorted());
        }
        if let Ok(toeplitz) = Toeplitz::new(&column) {
            prop_assert!(toeplitz.ln_determinant().is_finite());
        }
        if let Ok(low_rank) = LowRank::with_core(&column.map(f64::abs), &a, &DMatrix::identity(n, n)) {
            prop_assert!(low_rank.ln_determinant().is_finite());
        }
    }

    #[test]
    fn nothing_panics(a in matrix()) {
        let n = a.nrows();
        let _ = exponential(&a);
        let _ = triangularize(a.clone());
        let _ = Woodbury::new(Cholesky::identity(n), a.clone(), &a, &a);
        let _ = block_inverse(&a, &a, &a, &a);
        for mut b in [DMatrix::identity(n, n), a.columns(0, 1).into_owned()] {
            solve_lower_in_place(&a, &mut b);
            solve_upper_in_place(&a, &mut b);
        }
        let mut factor = Cholesky::identity(n);
        let v = DVector::from_column_slice(&a.as_slice()[..n]);
        let _ = factor.rank_one_update(&v);
        let _ = factor.rank_one_downdate(&v);
        let _ = factor.append(&v, 1.0);
        prop_assert!(finite(factor.factor()) && factor.ln_determinant().is_finite());
    }
}
