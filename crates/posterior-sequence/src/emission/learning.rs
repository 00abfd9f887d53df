//! How distributions are learned from observations and the probabilities of states.

use std::fmt::Debug;
use std::ops::Range;

use posterior_latent::mixture::Happened;

use super::Emissions;
use crate::error::Error;

/// The M step of emissions: what is kept of observations, and the distributions that fit it best.
///
/// A component of the incidents is a state.
///
/// # Distributions
/// Statistics of parts of the data merge to those of all of them; [`estimate`](Self::estimate) returns
/// distributions under which the statistics (with the prior) are no less probable than under `previous`.
pub trait LearnEmissions<E: Emissions> {
    /// What is kept of observations.
    type Statistics: Clone + Debug;

    /// The statistics of no observation. `emissions` are those that proportions come from.
    fn nothing(&self, emissions: &E) -> Self::Statistics;

    /// Adds the observations of `range`: that of its position i counts `proportions[i K + k]` times in state
    /// k. Where nothing was seen all proportions are 0.
    ///
    /// # Errors
    /// If an observation is none of the distributions'; its position is reported, and the number of the
    /// sequence is 0.
    fn add(
        &self,
        statistics: &mut Self::Statistics,
        emissions: &E,
        data: &E::Data,
        range: Range<usize>,
        proportions: &[f64],
    ) -> Result<(), Error>;

    /// Adds the statistics of other data.
    ///
    /// # Errors
    /// If they are of another kind.
    fn merge(&self, statistics: &mut Self::Statistics, other: &Self::Statistics) -> Result<(), Error>;

    /// The distributions that fit best, and what happened to states. `previous` are the emissions that the
    /// statistics were made under; a state that can't be estimated keeps its distribution.
    ///
    /// # Errors
    /// If there are none.
    fn estimate(&self, statistics: &Self::Statistics, previous: &E) -> Result<(E, Happened), Error>;

    /// ln p of the distributions, up to a constant; 0 without a prior.
    fn ln_prior(&self, _emissions: &E) -> f64 {
        0.0
    }
}

/// Emissions that are not fitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FixedEmissions;

impl<E: Emissions + Clone> LearnEmissions<E> for FixedEmissions {
    type Statistics = ();

    fn nothing(&self, _: &E) {}

    fn add(&self, (): &mut (), _: &E, _: &E::Data, _: Range<usize>, _: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    fn merge(&self, (): &mut (), (): &()) -> Result<(), Error> {
        Ok(())
    }

    fn estimate(&self, (): &(), previous: &E) -> Result<(E, Happened), Error> {
        Ok((previous.clone(), Happened::new()))
    }
}
