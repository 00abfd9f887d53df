//! Proportions of topics over time, by hand.

use posterior_math::check::DimensionError;
use posterior_math::linalg::DMatrix;
use posterior_topics::{Error, Trend};

#[test]
fn documents_of_one_time_are_weighted_by_their_tokens() {
    let proportions = DMatrix::from_row_slice(5, 2, &[0.5, 0.5, 1.0, 0.0, 0.0, 1.0, 0.25, 0.75, 0.5, 0.5]);
    // The last two count for nothing: no token, no time.
    let times = [1900.0, 1900.0, 1800.0, 1850.0, f64::NAN];
    let trend = Trend::new(&proportions, &[30, 10, 7, 0, 9], &times).unwrap();
    assert_eq!((trend.times, trend.tokens), (vec![1800.0, 1900.0], vec![7.0, 40.0]));
    assert_eq!(trend.proportions, DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.625, 0.375]));
}

#[test]
fn other_numbers_of_documents_are_refused() {
    let proportions = DMatrix::from_element(3, 2, 0.5);
    for (lengths, times, found) in [(&[1, 1][..], &[1.0; 3][..], 2), (&[1; 3], &[1.0; 4], 4)] {
        let error = Trend::new(&proportions, lengths, times).unwrap_err();
        let named = matches!(error, Error::Dimension(DimensionError { expected: 3, found: other, .. }) if other == found);
        assert!(named && error.to_string().contains("of documents: expected 3"), "{error}");
    }
}
