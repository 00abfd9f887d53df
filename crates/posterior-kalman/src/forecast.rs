//! What will be seen after the last observation.

use posterior_dist::MomentGaussian;

use crate::{Error, Filtered, StateSpace};

/// The laws of states and observations after the last time.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Forecast {
    /// Of the states, the next time first.
    pub states: Vec<MomentGaussian>,
    /// Of the observations, with their noise.
    pub observations: Vec<MomentGaussian>,
}

/// The laws at the next `horizon` times.
///
/// # Errors
/// If the model does not reach so far, or is of another size.
pub fn forecast(model: &StateSpace, filtered: &Filtered, horizon: usize) -> Result<Forecast, Error> {
    let (transition, observation) = (model.transition(), model.observation());
    let mut law = match filtered.len() {
        0 => model.initial().law().clone(),
        length => MomentGaussian::new(filtered.mean(length - 1), &filtered.covariance(length - 1))?,
    };
    let mut forecast = Forecast { states: Vec::new(), observations: Vec::new() };
    for t in filtered.len()..filtered.len() + horizon {
        if t > 0 {
            let noise = MomentGaussian::new(&vec![0.0; model.states()], &transition.noise().matrix(t - 1))?;
            law = law
                .affine(&transition.matrix().matrix(t - 1), transition.offset().at(t - 1))?
                .plus_independent(&noise)?;
        }
        let noise = MomentGaussian::new(&vec![0.0; model.width()], &observation.noise().matrix(t))?;
        let seen = law
            .affine(&observation.matrix().matrix(t), observation.offset().at(t))?
            .plus_independent(&noise)?;
        forecast.states.push(law.clone());
        forecast.observations.push(seen);
    }
    Ok(forecast)
}
