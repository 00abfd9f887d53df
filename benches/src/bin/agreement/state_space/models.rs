//! Random models and series, and the distribution of everything in them.

use posterior::dist::stream::stream;
use posterior::gaussian::MomentGaussian;
use posterior::kalman::{
    Filtered, Initial, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation,
};
use posterior::math::linalg::DMatrix;
use rand::{Rng, RngExt};

use super::Outcome;
use crate::row::Comparison;

fn matrix<R: Rng>(rng: &mut R, rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0))
}

fn covariance<R: Rng>(rng: &mut R, size: usize, rank: usize) -> DMatrix<f64> {
    let root = matrix(rng, size, rank);
    let squared = &root * root.transpose();
    (&squared + squared.transpose()) * 0.5
}

/// A model and a series; an awkward one has singular noise, matrices that vary and a third of its numbers
/// missing.
pub(super) fn random(seed: u64, length: usize, awkward: bool) -> Outcome<(StateSpace, Series)> {
    let mut rng = stream(seed, &[]);
    let (states, width) = (rng.random_range(1..6), rng.random_range(1..4));
    let regular = if awkward { 0.0 } else { 0.1 };
    let rank = if awkward { rng.random_range(0..states) } else { states };
    let times = if awkward { length } else { 1 };
    let each = |one: &mut dyn FnMut() -> DMatrix<f64>| {
        let all: Vec<DMatrix<f64>> = (0..times).map(|_| one()).collect();
        if awkward { Matrices::each(&all) } else { Ok(Matrices::constant(&all[0])) }
    };
    let transition = TransitionEquation::varying(
        each(&mut || matrix(&mut rng, states, states) * 0.6)?,
        each(&mut || covariance(&mut rng, states, rank) + DMatrix::identity(states, states) * regular)?,
    )?;
    let observation = ObservationEquation::varying(
        each(&mut || matrix(&mut rng, width, states))?,
        each(&mut || covariance(&mut rng, width, width) + DMatrix::identity(width, width) * 0.1)?,
    )?;
    let known = covariance(&mut rng, states, states) + DMatrix::identity(states, states) * regular;
    let mean = matrix(&mut rng, states, 1);
    let model = StateSpace::new(transition, observation, Initial::known(mean.as_slice(), &known)?)?;
    let missing = if awkward { 0.33 } else { 0.0 };
    let values = DMatrix::from_fn(length, width, |_, _| {
        if rng.random_bool(missing) { f64::NAN } else { rng.random_range(-3.0..3.0) }
    });
    Ok((model, Series::with_missing(&values)?))
}

/// Smoother and likelihood against the distribution of all states and observations, conditioned on what was
/// seen.
pub(super) fn dense(
    seen: &mut Comparison,
    model: &StateSpace,
    series: &Series,
    filtered: &Filtered,
) -> Outcome<()> {
    let (n, m, length) = (model.states(), model.width(), series.len());
    let mut distribution = model.initial().distribution().clone();
    for t in 0..length - 1 {
        let (equation, size) = (model.transition(), distribution.dimension());
        let noise = MomentGaussian::new(&vec![0.0; n], &equation.noise().matrix(t))?;
        let mut map = DMatrix::identity(size + n, size + n);
        map.view_mut((size, size - n), (n, n)).copy_from(&equation.matrix().matrix(t));
        distribution = distribution.stack(&noise).affine(&map, &vec![0.0; size + n])?;
    }
    let states = distribution.dimension();
    for t in 0..length {
        let (equation, size) = (model.observation(), distribution.dimension());
        let noise = MomentGaussian::new(&vec![0.0; m], &equation.noise().matrix(t))?;
        let mut map = DMatrix::identity(size + m, size + m);
        map.view_mut((size, n * t), (m, n)).copy_from(&equation.matrix().matrix(t));
        distribution = distribution.stack(&noise).affine(&map, &vec![0.0; size + m])?;
    }
    let numbers: Vec<(usize, f64)> = (0..length)
        .flat_map(|t| series.at(t).iter().copied().enumerate().map(move |(i, y)| (states + m * t + i, y)))
        .filter(|(_, y)| !y.is_nan())
        .collect();
    let (places, values): (Vec<usize>, Vec<f64>) = numbers.into_iter().unzip();
    let ln_p = if places.is_empty() { 0.0 } else { distribution.marginal(&places)?.ln_pdf(&values)? };
    seen.see(filtered.ln_likelihood(), ln_p);
    let posterior = distribution.condition(&places, &values)?;
    let smoothed = filtered.smooth(model)?;
    for t in 0..length {
        seen.see_all(smoothed.mean(t), &posterior.mean().as_slice()[n * t..n * (t + 1)]);
        let block = posterior.covariance().view((n * t, n * t), (n, n)).into_owned();
        seen.see_all(smoothed.covariance(t).as_slice(), block.as_slice());
    }
    Ok(())
}
