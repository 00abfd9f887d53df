//! The knowledge gradient, against what conditioning on every outcome gives.

use posterior_dist::stream::stream;
use posterior_gp::{GaussianProcess, Kernel, Noise};

use super::*;

/// ∫ (min mean before - min mean after outcome μ + s z) φ(z) dz by Simpson's rule, with a new posterior for
/// each of 2001 outcomes; a corner of the least costs at most the square of a step.
fn by_conditioning(round: &TrialState<'_>, points: &DMatrix<f64>, noise: &Noise) -> f64 {
    let at = points.rows(points.nrows() - 1, 1).into_owned();
    let outcome = round.posterior.latent(&at).unwrap();
    let sd = (outcome.variance[0] + noise.variances(1).unwrap()[0]).sqrt();
    let before = round.posterior.mean(points).unwrap().min();
    let (nodes, limit) = (2000, 8.0);
    let step = 2.0 * limit / f64::from(nodes);
    let term = |i: i32| {
        let z = step * f64::from(i) - limit;
        let after = round.posterior.condition(&at, &[outcome.mean[0] + sd * z], noise).unwrap();
        let gain = before - after.mean(points).unwrap().min();
        let weight = if i == 0 || i == nodes { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        weight * gain * (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt()
    };
    step / 3.0 * (0..=nodes).map(term).sum::<f64>()
}

#[test]
fn the_score_is_what_every_outcome_gives() {
    let x = DMatrix::from_row_slice(4, 2, &[0.1, 0.2, 0.4, 0.9, 0.8, 0.3, 0.5, 0.5]);
    let candidates = DMatrix::from_row_slice(5, 2, &[0.0, 0.9, 0.2, 0.6, 0.7, 0.7, 0.95, 0.05, 0.45, 0.55]);
    for variance in [0.05, 1e-10] {
        let noise = Noise::known(variance).unwrap();
        let process = GaussianProcess::new(1.5 * Kernel::matern52_ard(&[0.3, 0.6]).unwrap());
        let posterior = process.condition(&x, &[1.0, -0.5, 0.3, 0.8], &noise).unwrap();
        let round = TrialState {
            posterior: &posterior,
            best: -0.5,
            constraints: &[],
            trial: 5,
            candidates: &candidates,
        };
        let score = KnowledgeGradient::default().score(&round, &mut stream(0, &[])).unwrap();
        let (tried, places) = (x.row(1), [[0.3, 0.75], [0.0, 0.9], [0.9, 0.0], [0.4, 0.9]]);
        let found = score(&DMatrix::from_row_slice(4, 2, places.as_flattened())).unwrap();
        for (place, found) in places.iter().zip(found) {
            let all: Vec<f64> =
                [&x, &candidates].iter().flat_map(|rows| rows.transpose().as_slice().to_vec()).collect();
            let all = DMatrix::from_row_slice(10, 2, &[&all, place.as_slice()].concat());
            if variance < 1e-9 && place[0] == tried[0] {
                // Without noise nothing is learned where the outcome is known.
                assert!(found < -10.0, "{found}");
                continue;
            }
            let expected = by_conditioning(&round, &all, &noise);
            assert!(
                (found.exp() - expected).abs() < 2e-5 * expected.max(0.1),
                "{place:?} {} {expected}",
                found.exp()
            );
        }
    }
}

/// Fewer points are compared: those that may come down furthest, of tried points and candidates.
#[test]
fn the_points_that_are_compared_may_be_least() {
    let x = DMatrix::from_column_slice(3, 1, &[0.0, 0.5, 1.0]);
    let candidates = DMatrix::from_column_slice(3, 1, &[0.02, 0.25, 0.75]);
    let noise = Noise::known(1e-6).unwrap();
    let process = GaussianProcess::new(Kernel::rbf(0.2).unwrap());
    let posterior = process.condition(&x, &[3.0, -1.0, 0.0], &noise).unwrap();
    let round =
        TrialState { posterior: &posterior, best: -1.0, constraints: &[], trial: 4, candidates: &candidates };
    let (points, means) = KnowledgeGradient::new(3).unwrap().compared(&round).unwrap();
    let mut places = points.as_slice().to_vec();
    places.sort_by(f64::total_cmp);
    assert_eq!(places, [0.25, 0.5, 0.75]);
    assert!(means.iter().zip(points.as_slice()).all(|(mean, x)| {
        (mean - posterior.mean(&DMatrix::from_element(1, 1, *x)).unwrap()[0]).abs() < 1e-14
    }));
    for points in [0, 10_001] {
        KnowledgeGradient::new(points).unwrap_err();
    }
}

#[test]
fn noise_that_differs_from_trial_to_trial_is_refused() {
    let x = DMatrix::from_column_slice(2, 1, &[0.1, 0.7]);
    let noise = Noise::known_each(&[0.1, 0.2]).unwrap();
    let posterior =
        GaussianProcess::new(Kernel::rbf(0.2).unwrap()).condition(&x, &[1.0, 2.0], &noise).unwrap();
    let round = TrialState { posterior: &posterior, best: 1.0, constraints: &[], trial: 3, candidates: &x };
    let refused = KnowledgeGradient::default().score(&round, &mut stream(0, &[]));
    assert!(matches!(refused, Err(Error::Acquisition { .. })));
}
