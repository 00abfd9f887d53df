//! A series that a model might make.

use std::ops::Range;

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
    pub(super) observations: DMatrix<f64>,
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
        let first = DVector::from_vec(start.sample(rng));
        Self::follow(model, 0..length, first, standard(rng))
    }

    /// Without noise, from the mean of the start.
    pub(super) fn expected(model: &StateSpace, length: usize) -> Self {
        let first = model.initial().distribution().mean().clone();
        Self::follow(model, 0..length, first, DVector::zeros)
    }

    /// At these times, from a state at the time before them; at time 0 if they begin there.
    pub(super) fn follow(
        model: &StateSpace,
        times: Range<usize>,
        mut state: DVector<f64>,
        mut noise: impl FnMut(usize) -> DVector<f64>,
    ) -> Self {
        let (transition, observation) = (model.transition(), model.observation());
        let [moves, looks] = [
            [transition.matrix(), transition.offset(), transition.noise_root()],
            [observation.matrix(), observation.offset(), observation.noise_root()],
        ];
        let mut states = DMatrix::zeros(model.states(), times.len());
        let mut observations = DMatrix::zeros(model.width(), times.len());
        for (column, t) in times.enumerate() {
            if t > 0 {
                state = step(moves, t - 1, &state, &mut noise);
            }
            states.set_column(column, &state);
            observations.set_column(column, &step(looks, t, &state, &mut noise));
        }
        Self { states, observations }
    }
}

/// Independent standard normal numbers.
pub(super) fn standard<R: Rng + ?Sized>(rng: &mut R) -> impl FnMut(usize) -> DVector<f64> {
    |count| DVector::from_fn(count, |_, _| StandardNormal.sample(rng))
}

/// M x + offset + F e.
fn step(
    [matrix, offset, root]: [&Matrices; 3],
    t: usize,
    state: &DVector<f64>,
    noise: &mut impl FnMut(usize) -> DVector<f64>,
) -> DVector<f64> {
    let noise = noise(root.columns());
    matrix.matrix(t) * state + DVector::from_column_slice(offset.at(t)) + root.matrix(t) * noise
}
