//! Rows, weights, missing values.

use posterior_latent::{Error, Observations};
use posterior_math::linalg::DMatrix;

#[test]
fn what_is_no_datum_is_refused_with_its_place() {
    let mut values = DMatrix::from_element(3, 2, 1.0);
    values[(2, 1)] = f64::INFINITY;
    for read in [Observations::new, Observations::with_missing] {
        let refused = read(&values);
        assert!(matches!(refused, Err(Error::NotFinite { row: 2, column: 1, .. })), "{refused:?}");
    }
    for (rows, columns) in [(0, 2), (2, 0)] {
        let refused = Observations::new(&DMatrix::zeros(rows, columns));
        assert!(matches!(refused, Err(Error::Dimension { .. })), "{refused:?}");
    }
}

#[test]
fn weights_must_be_as_many_and_none_below_zero() {
    let values = DMatrix::from_element(2, 1, 1.0);
    for weights in [&[1.0][..], &[1.0, -1.0], &[1.0, f64::NAN], &[0.0, 0.0], &[f64::INFINITY, 1.0]] {
        let refused = Observations::new(&values).and_then(|data| data.weighted(weights));
        assert!(refused.is_err(), "{weights:?}: {refused:?}");
    }
}
