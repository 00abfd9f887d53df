//! What later observations say of each state.

use posterior_gaussian::InformationGaussian;

use super::message::{blurred, pulled_back, seen};
use crate::{Error, Series, StateSpace};

/// For each time p(y(t), …, y(T-1) | x(t)) as a function of x(t), and the same of the later observations
/// only.
#[derive(Debug, Clone, PartialEq)]
pub struct BackwardInformation {
    /// The last time first.
    later: Vec<InformationGaussian>,
    /// The last time first.
    from_now: Vec<InformationGaussian>,
}

impl BackwardInformation {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.later.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.later.is_empty()
    }

    /// p(y(t+1), …, y(T-1) | x(t)).
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn later(&self, t: usize) -> &InformationGaussian {
        &self.later[self.later.len() - 1 - t]
    }

    /// p(y(t), …, y(T-1) | x(t)).
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn from_now(&self, t: usize) -> &InformationGaussian {
        &self.from_now[self.from_now.len() - 1 - t]
    }
}

/// Follows what the observations say of the state backwards in time.
///
/// It needs neither a start nor an inverse: transition matrices and their noise may be singular.
///
/// # Errors
/// If the series does not fit the model, or the noise of what is observed is singular.
pub fn filter_backwards(model: &StateSpace, series: &Series) -> Result<BackwardInformation, Error> {
    model.check(series)?;
    let transition = model.transition();
    let mut later = Vec::with_capacity(series.len());
    let mut from_now: Vec<InformationGaussian> = Vec::with_capacity(series.len());
    for t in (0..series.len()).rev() {
        let ahead = match from_now.last() {
            None => InformationGaussian::flat(model.states()),
            Some(next) => {
                let next = blurred(next, &transition.noise_root().matrix(t))?;
                pulled_back(&next, &transition.matrix().matrix(t), transition.offset().at(t))?
            }
        };
        from_now.push(ahead.product(&seen(model, series.at(t), t)?)?);
        later.push(ahead);
    }
    Ok(BackwardInformation { later, from_now })
}
