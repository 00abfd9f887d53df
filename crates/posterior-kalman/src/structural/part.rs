//! What every component of a series can do.

use posterior_math::autodiff::Real;
use posterior_math::check::ParamError;

use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// Whether time goes in steps of one, or in steps of any length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    Regular,
    Irregular,
}

impl Timing {
    /// Refuses steps of any length, for the `requirement`.
    pub(super) const fn only_regular(
        self,
        parameter: &'static str,
        value: usize,
        requirement: &'static str,
    ) -> Result<(), ParamError> {
        match self {
            Self::Regular => Ok(()),
            Self::Irregular => Err(ParamError::new("Structural", parameter, value as f64, requirement)),
        }
    }
}

/// A component as a function of the values of its parameters.
pub(super) trait Part {
    /// What it is called where nothing else is said.
    fn name(&self) -> &'static str;

    /// Names and scales of its parameters.
    fn parameters(&self) -> Vec<(String, ParameterScale)>;

    /// How many numbers it keeps.
    fn states(&self, timing: Timing) -> usize;

    /// Writes what is seen of them at the observation number `t`: the first, where nothing else is said.
    fn write_row(&self, _t: usize, row: &mut [f64]) {
        row[0] = 1.0;
    }

    /// Whether the row depends on the time, and then for how many there is one.
    fn times(&self) -> Option<usize> {
        None
    }

    /// Names and rows of what is worth looking at.
    fn signals(&self, _states: usize) -> Vec<(String, Option<usize>)> {
        vec![(self.name().to_owned(), None)]
    }

    /// Whether it makes sense with steps of any length.
    fn check(&self, _timing: Timing) -> Result<(), ParamError> {
        Ok(())
    }

    /// The first time at which there is such a component.
    fn origin(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Whether steps of one length are alike.
    fn has_even_steps(&self) -> bool {
        true
    }

    /// Writes A and Q of a step that starts at a time, with a length; the blocks are zero before.
    fn step<R: Real>(&self, values: &[R], timing: Timing, step: (f64, f64), to: Blocks<'_, R>)
    where
        Self: Sized;

    /// Writes the covariance at a time, and says whether there is none: the start is then diffuse, and the
    /// block stays zero.
    fn start<R: Real>(&self, _values: &[R], _time: f64, _covariance: Block<'_, R>) -> Start
    where
        Self: Sized,
    {
        Start::Diffuse
    }
}

/// Where A and Q of a step are written.
#[derive(Debug)]
pub(super) struct Blocks<'a, R> {
    pub(super) transition: Block<'a, R>,
    pub(super) noise: Block<'a, R>,
}

/// What is known of a component at the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Its covariance.
    Known,
    /// Nothing.
    Diffuse,
    /// The covariance of the states before this one, and nothing of the others.
    DiffuseFrom(usize),
}
