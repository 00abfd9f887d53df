//! What will be seen after the last observation.

use posterior_gaussian::MomentGaussian;
use posterior_math::check;

use crate::{Error, Filtered, StateSpace};

/// The distributions of states and observations after the last time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// Of the states, the next time first.
    pub states: Vec<MomentGaussian>,
    /// Of the observations, with their noise.
    pub observations: Vec<MomentGaussian>,
}

/// The distributions at the next `horizon` times.
///
/// The distributions k steps ahead of each time within a series are those of a filter that has not seen the
/// last k observations: forecast from a shorter series, or let the observations be missing.
///
/// # Errors
/// If the model does not reach so far, or is of another size; if the observations leave something diffuse.
///
/// ```
/// use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, filter, forecast};
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let model = StateSpace::new(
///     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
///     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
///     Initial::diffuse(1)?,
/// )?;
/// let filtered = filter(&model, &Series::univariate(&[2.0])?, &FilterOptions::default())?;
/// let ahead = forecast(&model, &filtered, 2)?;
/// assert_eq!(ahead.observations[1].mean()[0], 2.0);
/// assert!((ahead.observations[1].covariance()[(0, 0)] - (0.25 + 1.0 + 1.0 + 0.25)).abs() < 1e-15);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
pub fn forecast(model: &StateSpace, filtered: &Filtered, horizon: usize) -> Result<Forecast, Error> {
    let mut distribution = last_state(model, filtered, horizon)?;
    let (length, end) = (filtered.len(), filtered.len() + horizon);
    let (transition, observation) = (model.transition(), model.observation());
    let (unmoved, unseen) = (vec![0.0; model.states()], vec![0.0; model.width()]);
    let mut forecast = Forecast { states: Vec::new(), observations: Vec::new() };
    for t in length..end {
        if t > 0 {
            let noise = MomentGaussian::new(&unmoved, &transition.noise().matrix(t - 1))?;
            distribution = distribution
                .affine(&transition.matrix().matrix(t - 1), transition.offset().at(t - 1))?
                .plus_independent(&noise)?;
        }
        let noise = MomentGaussian::new(&unseen, &observation.noise().matrix(t))?;
        let seen = distribution
            .affine(&observation.matrix().matrix(t), observation.offset().at(t))?
            .plus_independent(&noise)?;
        forecast.states.push(distribution.clone());
        forecast.observations.push(seen);
    }
    Ok(forecast)
}

/// The distribution of the state at the last time, of which `horizon` more are wanted; of the first where
/// there is none.
pub(crate) fn last_state(
    model: &StateSpace,
    filtered: &Filtered,
    horizon: usize,
) -> Result<MomentGaussian, Error> {
    filtered.check(model)?;
    let (length, end) = (filtered.len(), filtered.len().saturating_add(horizon));
    check::enough("times of the model", end, model.times().unwrap_or(usize::MAX))?;
    let diffuse = match length {
        0 => model.initial().is_diffuse(),
        _ => filtered.diffuse_directions(length - 1).ncols() > 0,
    };
    if diffuse {
        return Err(Error::Undetermined);
    }
    Ok(match length {
        0 => model.initial().distribution().clone(),
        _ => MomentGaussian::new(filtered.mean(length - 1), &filtered.covariance(length - 1))?,
    })
}
