//! Maxima that are known: inside, at a wall, and among whole numbers.

use super::*;
use crate::optimization::Axis;

/// -(u - 0.3)² in one coordinate, growth to the wall in another, and whole numbers best at 7 of 0 to 9, from
/// one poor start.
#[test]
fn a_maximum_is_climbed() {
    let real = Axis::Real { lower: 0.0, upper: 1.0 };
    let space = Space::new(&[real, real, Axis::Integer { lower: 0, upper: 9 }]).unwrap();
    let score: AcquisitionScore<'_> = Box::new(|rows| {
        let of = |i: usize| -(rows[(i, 0)] - 0.3).powi(2) + rows[(i, 1)] - (rows[(i, 2)] - 0.75).powi(2);
        Ok((0..rows.nrows()).map(of).collect())
    });
    let found = maximize(&space, &score, &[vec![0.9, 0.4, 1.0]], 1, |_| true).unwrap().unwrap();
    assert!((found[0] - 0.3).abs() < 1e-5 && found[1] > 1.0 - 1e-6 && found[2] == 7.0, "{found:?}");
    // What is not new is not taken, and without candidates there is nothing.
    let start = vec![0.9, 0.4, 1.0];
    let kept = maximize(&space, &score, std::slice::from_ref(&start), 1, |point| point == start).unwrap();
    assert_eq!(kept, Some(start.clone()));
    assert_eq!(maximize(&space, &score, &[start], 1, |_| false).unwrap(), None);
}
