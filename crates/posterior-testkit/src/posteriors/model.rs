//! What the posteriors have in common.

use std::fmt::Debug;

use posterior_dist::target::{EvalError, GradTarget, JointModel, JointTarget};

/// Free coordinates, and the parameters by which the reference calls them.
pub trait Parameters {
    /// Writes the parameters, in the order of the reference.
    fn constrain(&self, free: &[f64], parameters: &mut [f64]);

    /// The free coordinates of these parameters.
    fn unconstrain(&self, parameters: &[f64]) -> Vec<f64>;
}

/// A posterior density on free coordinates with two independent gradients.
pub trait Model: GradTarget + Parameters + Debug + Send + Sync {
    /// The density and its gradient once more, by automatic differentiation of the model as it is written.
    ///
    /// # Errors
    /// Of the target.
    fn differentiated(&self, free: &[f64], slope: &mut [f64]) -> Result<f64, EvalError>;
}

impl<M: JointModel + GradTarget + Parameters + Debug + Send + Sync> Model for M {
    fn differentiated(&self, free: &[f64], slope: &mut [f64]) -> Result<f64, EvalError> {
        JointTarget::new(self).map_err(EvalError::fatal)?.ln_density_grad(free, slope)
    }
}

/// `value` unless it is NaN or +∞, which no log-density is.
pub(super) fn checked(value: f64) -> Result<f64, EvalError> {
    if value < f64::INFINITY { Ok(value) } else { Err(EvalError::reject(format!("ln p(x) is {value}"))) }
}
