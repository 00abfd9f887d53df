//! Changes by one vector against new factors.

use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseCholesky, SparseMatrix, SparseSymmetric};
use proptest::prelude::*;

use super::{grid, orderings, positive_definite};

fn outer(n: usize, v: &[(usize, f64)]) -> SparseSymmetric {
    let row = v.iter().map(|&(i, value)| (0, i, value));
    SparseMatrix::from_triplets(1, n, row).unwrap().gram(&[1.0]).unwrap()
}

proptest! {
    #[test]
    fn an_update_and_a_downdate_are_new_factors(
        a in positive_definite(), at in any::<prop::sample::Index>()
    ) {
        let n = a.size();
        // A pair with an entry, or one coordinate.
        let (i, j, _) = a.triplets().nth(at.index(a.stored())).unwrap();
        let scale = |k: usize| 0.5 * a.entry(k, k).sqrt();
        let v = if i == j { vec![(i, scale(i))] } else { vec![(i, scale(i)), (j, -scale(j))] };
        let changed = a.plus(1.0, &outer(n, &v)).unwrap();
        for ordering in orderings(n) {
            let mut factor = SparseCholesky::new(&a, &ordering).unwrap();
            factor.rank_one_update(&v).unwrap();
            let fresh = SparseCholesky::new(&changed, &ordering).unwrap();
            let variances = fresh.selected_inverse().diagonal();
            for (own, fresh) in factor.selected_inverse().diagonal().iter().zip(&variances) {
                prop_assert!((own - fresh).abs() < 1e-12 * fresh);
            }
            prop_assert!((factor.ln_determinant() - fresh.ln_determinant()).abs() < 1e-11);
            factor.rank_one_downdate(&v).unwrap();
            let before = SparseCholesky::new(&a, &ordering).unwrap();
            let variances = before.selected_inverse().diagonal();
            for (own, before) in factor.selected_inverse().diagonal().iter().zip(&variances) {
                prop_assert!((own - before).abs() < 1e-11 * before);
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let (a, _) = grid(&[6, 6], 0.5);
    let mut factor = SparseCholesky::new(&a, &Ordering::MinimumDegree).unwrap();
    let before = factor.clone();
    assert_eq!(factor.rank_one_update(&[(36, 1.0)]), Err(MatrixError::OutOfRange { index: 36, size: 36 }));
    assert_eq!(factor.rank_one_update(&[(3, f64::INFINITY)]), Err(MatrixError::NotFinite));
    assert_eq!(factor.rank_one_update(&[]), Ok(()));
    match factor.rank_one_downdate(&[(3, 2.0)]) {
        Err(MatrixError::NotPositiveDefinite { value, .. }) => assert!(value < 0.0),
        other => unreachable!("{other:?}"),
    }
    assert_eq!(factor, before);
    let star = SparseSymmetric::from_triplets(50, (0..50).map(|i| (i, i, 1.0))).unwrap();
    let mut factor = SparseCholesky::new(&star, &Ordering::Natural).unwrap();
    assert_eq!(factor.rank_one_update(&[(3, 1.0), (40, 1.0)]), Err(MatrixError::OtherPattern));
}
