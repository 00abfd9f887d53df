//! Several steps of a linear transition as one: the equation of Chapman and Kolmogorov for Gaussians.

use posterior_gaussian::LinearGaussian;
use posterior_math::check;
use posterior_math::linalg::DMatrix;

use crate::error::in_order;
use crate::{Error, TransitionEquation};

impl TransitionEquation {
    /// The distribution of the state at time `to` given the state at time `from`: all steps between them as
    /// one. The identity without noise if the times are the same.
    ///
    /// ```
    /// use posterior_kalman::TransitionEquation;
    /// use posterior_math::linalg::DMatrix;
    ///
    /// let scalar = |value| DMatrix::from_element(1, 1, value);
    /// let halving = TransitionEquation::constant(&scalar(0.5), &scalar(1.0))?;
    /// let twice = halving.over(0, 2)?;
    /// assert_eq!((twice.matrix()[0], twice.noise()[0]), (0.25, 1.25));
    /// # Ok::<(), posterior_kalman::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the equation does not reach so far, `to` is before `from`, or a number overflows.
    pub fn over(&self, from: usize, to: usize) -> Result<LinearGaussian, Error> {
        in_order(from, to)?;
        check::enough("steps of the transition", to, self.times().unwrap_or(usize::MAX))?;
        let states = self.states();
        let mut together = LinearGaussian::exact(&DMatrix::identity(states, states), &vec![0.0; states])?;
        for t in from..to {
            let (matrix, noise) = (self.matrix().matrix(t), self.noise().matrix(t));
            together = together.then(&LinearGaussian::new(&matrix, self.offset().at(t), &noise)?)?;
        }
        Ok(together)
    }
}
