//! What a process that is not made of others knows.

use posterior_math::autodiff::Real;

use super::block::Block;

/// What a process that is not made of others knows: its matrices, as functions of its parameters.
///
/// What is written must be the whole block.
pub(super) trait Dynamics {
    /// The number n of states.
    fn states(&self) -> usize;

    /// The row h: the first state, where nothing else is said.
    fn observation(&self) -> Vec<f64> {
        let mut row = vec![0.0; self.states()];
        row[0] = 1.0;
        row
    }

    /// The first time at which there is such a process: -∞ or 0.
    fn origin(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Whether the distribution of the state is the same at all times.
    fn is_stationary(&self) -> bool {
        true
    }

    /// A and Q of a step of length `dt`.
    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) where
        Self: Sized;

    /// The covariance of the state at a time.
    fn covariance<R: Real>(&self, parameters: &[R], time: f64, covariance: &mut Block<'_, R>)
    where
        Self: Sized;

    /// The largest error of the covariance function, if it is an approximation.
    fn error(&self, _parameters: &[f64]) -> f64 {
        0.0
    }
}
