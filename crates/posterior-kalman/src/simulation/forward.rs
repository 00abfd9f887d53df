//! A series that a model might make.

use posterior_gaussian::GaussianSampler;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;
use rand::distr::Distribution;
use rand_distr::StandardNormal;

use crate::{Error, Matrices, Series, StateSpace};

/// A series that a model made.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Simulated {
    /// The states: a row for each time.
    pub states: DMatrix<f64>,
    /// What was seen of them.
    pub observations: Series,
}

/// States and observations at `length` times.
///
/// # Errors
/// If the model does not reach so far, its start is diffuse (which is no distribution to draw from: give it
/// another by [`StateSpace::with_initial`]), or the states overflow.
pub fn simulate<R: Rng + ?Sized>(model: &StateSpace, length: usize, rng: &mut R) -> Result<Simulated, Error> {
    let diffuse = model.initial().diffuse_directions().ncols();
    check::require(diffuse == 0, "simulate", "diffuse directions of the start", diffuse as f64, "none")?;
    check::enough("times of the model", length, model.times().unwrap_or(usize::MAX))?;
    let path = Path::draw(model, &model.initial().distribution().sampler()?, length, rng);
    for t in 0..length {
        let here = path.states.column(t);
        if !here.iter().chain(path.observation(t)).all(|number| number.is_finite()) {
            return Err(Error::Overflow { time: t });
        }
    }
    let observations = Series::new(&path.observations.transpose())?;
    Ok(Simulated { states: path.states.transpose(), observations })
}

/// States and observations, a column for each time.
pub(super) struct Path {
    pub(super) states: DMatrix<f64>,
    observations: DMatrix<f64>,
}

impl Path {
    /// The observation at time `t`.
    pub(super) fn observation(&self, t: usize) -> &[f64] {
        let m = self.observations.nrows();
        &self.observations.as_slice()[t * m..(t + 1) * m]
    }

    /// From a distribution of the first state.
    pub(super) fn draw<R: Rng + ?Sized>(
        model: &StateSpace,
        start: &GaussianSampler,
        length: usize,
        rng: &mut R,
    ) -> Self {
        let (transition, observation) = (model.transition(), model.observation());
        let [moves, looks] = [
            [transition.matrix(), transition.offset(), transition.noise_root()],
            [observation.matrix(), observation.offset(), observation.noise_root()],
        ];
        let mut states = DMatrix::zeros(model.states(), length);
        let mut observations = DMatrix::zeros(model.width(), length);
        let mut state = DVector::from_vec(start.sample(rng));
        for t in 0..length {
            if t > 0 {
                state = step(moves, t - 1, &state, rng);
            }
            states.set_column(t, &state);
            observations.set_column(t, &step(looks, t, &state, rng));
        }
        Self { states, observations }
    }
}

/// M x + offset + F e.
fn step<R: Rng + ?Sized>(
    [matrix, offset, root]: [&Matrices; 3],
    t: usize,
    state: &DVector<f64>,
    rng: &mut R,
) -> DVector<f64> {
    let noise = DVector::from_fn(root.columns(), |_, _| StandardNormal.sample(rng));
    matrix.matrix(t) * state + DVector::from_column_slice(offset.at(t)) + root.matrix(t) * noise
}
