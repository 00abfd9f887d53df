//! The model, and a walk drawn from it.

use posterior::dist::stream::stream;
use posterior::kalman::{Initial, ObservationEquation, Series, StateSpace, TransitionEquation};
use posterior::math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{INTENSITY, NOISE_SD, SECONDS, SEED, START_VARIANCE, UNSEEN};
use crate::Outcome;

/// What is to be known and what was seen.
pub(super) struct Walk {
    pub(super) model: StateSpace,
    /// A row for each second: position and velocity along x, then along y.
    pub(super) truth: DMatrix<f64>,
    pub(super) series: Series,
}

/// Twice the same 2 x 2 block: along x, and along y.
fn twice(block: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::identity(2, 2).kronecker(block)
}

/// Velocities wander, positions add them up; positions are seen.
pub(super) fn model(intensity: f64, noise_sd: f64) -> Outcome<StateSpace> {
    let moves = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
    let wanders = DMatrix::from_row_slice(2, 2, &[1.0 / 3.0, 0.5, 0.5, 1.0]) * intensity;
    let sees = DMatrix::from_row_slice(1, 2, &[1.0, 0.0]);
    Ok(StateSpace::new(
        TransitionEquation::constant(&twice(&moves), &twice(&wanders))?,
        ObservationEquation::constant(
            &twice(&sees),
            &DMatrix::from_diagonal_element(2, 2, noise_sd * noise_sd),
        )?,
        Initial::known(&[0.0; 4], &DMatrix::from_diagonal_element(4, 4, START_VARIANCE))?,
    )?)
}

pub(super) fn draw<R: Rng>(root: &DMatrix<f64>, rng: &mut R) -> DVector<f64> {
    root * DVector::from_fn(root.ncols(), |_, _| StandardNormal.sample(rng))
}

pub(super) fn drawn() -> Outcome<Walk> {
    let (model, mut rng) = (model(INTENSITY, NOISE_SD)?, stream(SEED, &[]));
    let (transition, observation) = (model.transition(), model.observation());
    let mut truth = DMatrix::zeros(SECONDS, 4);
    let mut seen = DMatrix::zeros(SECONDS, 2);
    let mut state = DVector::from_column_slice(&[-20.0, 1.5, 10.0, -0.5]);
    for t in 0..SECONDS {
        truth.set_row(t, &state.transpose());
        let position =
            observation.matrix().matrix(t) * &state + draw(&observation.noise_root().matrix(t), &mut rng);
        seen.set_row(t, &position.transpose());
        if UNSEEN.contains(&t) {
            seen.row_mut(t).fill(f64::NAN);
        }
        state = transition.matrix().matrix(t) * state + draw(&transition.noise_root().matrix(t), &mut rng);
    }
    Ok(Walk { series: Series::with_missing(&seen)?, model, truth })
}
