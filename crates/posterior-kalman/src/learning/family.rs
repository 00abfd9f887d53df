//! Parametric models from closures.

use std::fmt;

use super::{Parameter, ParametricModel};
use crate::{Error, StateSpace};

/// A parametric model from a closure of the parameters in natural units, differentiated by differences.
///
/// ```
/// use posterior_kalman::learning::{ModelFamily, Parameter, ParametricModel, ParameterScale};
/// use posterior_kalman::{Initial, ObservationEquation, StateSpace, TransitionEquation};
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let parameters = vec![
///     Parameter::new("level variance", ParameterScale::Positive, 1.0)?,
///     Parameter::new("noise variance", ParameterScale::Positive, 1.0)?,
/// ];
/// let local_level = ModelFamily::new(parameters, move |variances| {
///     StateSpace::new(
///         TransitionEquation::constant(&scalar(1.0), &scalar(variances[0]))?,
///         ObservationEquation::constant(&scalar(1.0), &scalar(variances[1]))?,
///         Initial::diffuse(1)?,
///     )
/// });
/// let model = local_level.at(&[0.25_f64.ln(), 0.0])?;
/// assert!((model.transition().noise().at(0)[0] - 0.25).abs() < 1e-15);
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
pub struct ModelFamily<F> {
    parameters: Vec<Parameter>,
    model: F,
}

impl<F: Fn(&[f64]) -> Result<StateSpace, Error>> ModelFamily<F> {
    /// The models that `model` gives for the natural values of these parameters.
    pub const fn new(parameters: Vec<Parameter>, model: F) -> Self {
        Self { parameters, model }
    }
}

impl<F> fmt::Debug for ModelFamily<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family").field("parameters", &self.parameters).finish_non_exhaustive()
    }
}

impl<F: Fn(&[f64]) -> Result<StateSpace, Error>> ParametricModel for ModelFamily<F> {
    fn parameters(&self) -> Vec<Parameter> {
        self.parameters.clone()
    }

    fn at(&self, free: &[f64]) -> Result<StateSpace, Error> {
        let natural: Vec<f64> = self
            .parameters
            .iter()
            .zip(free)
            .map(|(parameter, &free)| parameter.scale().natural(free))
            .collect();
        (self.model)(&natural)
    }
}
