//! What has no factor says where, and any bits give an error or a value.

use posterior_math::linalg::MatrixError;
use posterior_math::sparse::{Ordering, SparseCholesky, SparseLdlt, SparseSymbolic, SparseSymmetric};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{grid, orderings};

#[test]
fn the_column_of_a_bad_pivot_is_named() {
    let (a, points) = grid(&[9, 8], 0.5);
    for bad in [0, 17, 71] {
        let spoilt = a.plus(1.0, &SparseSymmetric::from_triplets(72, [(bad, bad, -9.0)]).unwrap()).unwrap();
        for ordering in [Ordering::MinimumDegree, Ordering::Dissection(points.clone()), Ordering::Natural] {
            match SparseCholesky::new(&spoilt, &ordering) {
                Err(MatrixError::NotPositiveDefinite { pivot, value }) => {
                    assert!(value < 0.0);
                    assert_eq!(pivot, bad);
                }
                other => unreachable!("{other:?}"),
            }
        }
    }
    // Singular: the Laplacian itself, whose last pivot is nothing but rounding, and a missing diagonal.
    let zero = SparseSymmetric::from_triplets(3, [(0, 0, 1.0), (2, 2, 1.0)]).unwrap();
    let refused = SparseCholesky::new(&zero, &Ordering::MinimumDegree).unwrap_err();
    assert_eq!(refused, MatrixError::NotPositiveDefinite { pivot: 1, value: 0.0 });
    assert_eq!(refused.to_string(), "not positive definite: pivot 1 is 0");
    let refused = SparseLdlt::new(&zero, &Ordering::MinimumDegree).unwrap_err();
    assert_eq!(refused, MatrixError::ZeroPivot { pivot: 1, value: 0.0 });
}

#[test]
fn orders_that_do_not_fit_are_refused() {
    let (a, _) = grid(&[2, 2], 1.0);
    let refused = |ordering: Ordering| SparseSymbolic::new(&a, &ordering).unwrap_err();
    assert_eq!(refused(Ordering::Given(vec![0, 1])), MatrixError::Mismatch { expected: 4, found: 2 });
    assert_eq!(refused(Ordering::Given(vec![0, 1, 1, 2])), MatrixError::OutOfRange { index: 1, size: 4 });
    assert_eq!(refused(Ordering::Dissection(vec![])), MatrixError::Mismatch { expected: 4, found: 0 });
    let ragged = vec![vec![0.0], vec![1.0], vec![1.0, 2.0], vec![3.0]];
    assert_eq!(refused(Ordering::Dissection(ragged)), MatrixError::Mismatch { expected: 1, found: 2 });
    assert_eq!(refused(Ordering::Dissection(vec![vec![f64::NAN]; 4])), MatrixError::NotFinite);
}

proptest! {
    #[test]
    fn any_bits_give_an_error_or_positive_pivots(
        entries in vec((0_usize..12, 0_usize..12, any::<u64>().prop_map(f64::from_bits)), 0..60)
    ) {
        let Ok(a) = SparseSymmetric::from_triplets(12, entries) else { return Ok(()) };
        for ordering in orderings(12) {
            if let Ok(factor) = SparseCholesky::new(&a, &ordering) {
                prop_assert!(factor.ln_determinant().is_finite());
                let _ = factor.selected_inverse();
            }
            let _ = SparseLdlt::new(&a, &ordering).map(|factor| factor.selected_inverse());
        }
    }

    #[test]
    fn every_pattern_is_ordered(entries in vec((0_usize..90, 0_usize..90), 0..400)) {
        let entries = entries.into_iter().map(|(i, j)| (i, j, 1.0));
        let a = SparseSymmetric::from_triplets(90, entries).unwrap();
        for ordering in orderings(90) {
            let symbolic = SparseSymbolic::new(&a, &ordering).unwrap();
            let mut order: Vec<usize> = symbolic.order().collect();
            order.sort_unstable();
            prop_assert_eq!(order, (0..90).collect::<Vec<_>>());
        }
    }
}
