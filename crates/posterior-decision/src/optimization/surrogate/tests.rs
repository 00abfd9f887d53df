//! What is believed, in units of the function.

use super::*;
use crate::optimization::Axis;

fn space() -> Space {
    Space::new(&[Axis::Real { lower: 2.0, upper: 6.0 }, Axis::Category { count: 2 }]).unwrap()
}

fn surrogate(points: &[&[f64]], values: &[f64]) -> Surrogate {
    let options = OptimizerOptions::default();
    Surrogate::new(&space(), points, values, None, OutcomeNoise::None, &options).unwrap()
}

/// Exact outcomes are met, in any units; further away less is known.
#[test]
fn outcomes_are_met() {
    let points = [vec![2.5, 0.0], vec![4.0, 1.0], vec![5.5, 0.0], vec![3.0, 1.0]];
    let rows: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    for scale in [1.0, 1e150, 1e-150] {
        let values = [3.0 * scale, -scale, 7.0 * scale, 2.0 * scale];
        let surrogate = surrogate(&rows, &values);
        let prediction = surrogate.predict(&points).unwrap();
        for (mean, value) in prediction.mean.iter().zip(values) {
            assert!((mean - value).abs() < 1e-5 * scale, "{mean} {value}");
        }
        assert!(surrogate.predict(&[vec![7.0, 0.0]]).is_err());
    }
}

/// A believer keeps its mind, and is as sure as after a trial.
#[test]
fn pending_points_change_no_mean() {
    let points = [vec![2.5, 0.0], vec![4.0, 1.0], vec![5.5, 0.0]];
    let rows: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let surrogate = surrogate(&rows, &[1.0, 3.0, -2.0]);
    let places = [vec![3.2, 0.0], vec![3.3, 0.0], vec![5.0, 1.0]];
    let before = surrogate.predict(&places).unwrap();
    let after = surrogate.believing(&[&places[0]]).unwrap().predict(&places).unwrap();
    assert!((&before.mean - &after.mean).amax() < 1e-6);
    assert!(after.variance[0] < 1e-6 && before.variance[0] > 1e-2);
    assert!((0..3).all(|i| after.variance[i] <= before.variance[i] + 1e-12));
}
