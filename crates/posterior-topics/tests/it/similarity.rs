//! Documents compared by their topics, by hand.

use posterior_math::linalg::DMatrix;
use posterior_topics::Error;
use posterior_topics::similarity::{largest_jumps, most_typical, nearest};

/// Documents x topics: roots of the proportions are 0.6 and 0.8, so that Hellinger distances are known.
fn proportions() -> DMatrix<f64> {
    DMatrix::from_row_slice(4, 2, &[0.36, 0.64, 1.0, 0.0, 0.64, 0.36, 0.36, 0.64])
}

/// The distances of the rows (0.36, 0.64) and (0.64, 0.36) from (1, 0).
const FAR: f64 = 0.632_455_532_033_675_9;
const NEAR: f64 = 0.447_213_595_499_957_9;

#[track_caller]
fn assert_pairs(found: &[(usize, f64)], expected: &[(usize, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-15, "{found:?} {expected:?}");
    }
}

#[test]
fn neighbours_and_examples_by_hand() {
    assert_pairs(&nearest(&proportions(), 0, 2).unwrap(), &[(3, 0.0), (2, 0.2)]);
    assert_pairs(&nearest(&proportions(), 1, 9).unwrap(), &[(2, NEAR), (0, FAR), (3, FAR)]);
    assert_pairs(&most_typical(&proportions(), 0, 2).unwrap(), &[(1, 1.0), (2, 0.64)]);
    assert_pairs(&most_typical(&proportions(), 1, 0).unwrap(), &[]);
}

#[test]
fn jumps_follow_the_times() {
    // In the order 3, 1, 0: document 2 has no time.
    let jumps = largest_jumps(&proportions(), &[1850.0, 1800.0, f64::NAN, 1790.0], 5).unwrap();
    let pairs: Vec<(usize, usize)> = jumps.iter().map(|jump| (jump.from, jump.to)).collect();
    assert_eq!(pairs, [(3, 1), (1, 0)]);
    assert!(jumps.iter().all(|jump| (jump.distance - FAR).abs() < 1e-15));
    assert_eq!(largest_jumps(&proportions(), &[1850.0, 1800.0, f64::NAN, 1790.0], 1).unwrap(), jumps[..1]);
}

#[test]
fn what_is_not_there_is_refused() {
    let refused = |result: Result<usize, Error>| {
        let error = result.unwrap_err();
        assert!(error.is_dimension());
        error.to_string()
    };
    assert_eq!(
        refused(nearest(&proportions(), 4, 1).map(|found| found.len())),
        "document 4 of 4, counted from 0"
    );
    assert_eq!(
        refused(most_typical(&proportions(), 2, 1).map(|found| found.len())),
        "topic 2 of 2, counted from 0"
    );
    for found in [3, 5] {
        let message = refused(largest_jumps(&proportions(), &vec![1.0; found], 1).map(|found| found.len()));
        assert_eq!(message, format!("times of documents: expected 4, found {found}"));
    }
}
