//! What later observations say of each state.

use posterior_gaussian::InformationGaussian;
use posterior_math::linalg::DVector;

use super::message::{Root, seen};
use crate::{Error, Series, StateSpace};

/// For each time p(y(t), …, y(T-1) | x(t)) as a function of x(t), and the same of the later observations
/// only.
#[derive(Debug, Clone, PartialEq)]
pub struct BackwardInformation {
    /// The last time first.
    later: Vec<InformationGaussian>,
    /// The last time first.
    from_now: Vec<InformationGaussian>,
    /// Roots of what is said later, the last time first.
    roots: Vec<Root>,
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

    pub(super) fn root(&self, t: usize) -> &Root {
        &self.roots[self.roots.len() - 1 - t]
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
    let (mut later, mut from_now) = (Vec::with_capacity(series.len()), Vec::with_capacity(series.len()));
    let mut roots: Vec<Root> = Vec::with_capacity(series.len());
    let mut next: Option<Root> = None;
    for t in (0..series.len()).rev() {
        let ahead = match &next {
            None => Root::flat(model.states()),
            Some(next) => next.pulled_back(
                &transition.matrix().matrix(t),
                &transition.noise_root().matrix(t),
                &DVector::from_column_slice(transition.offset().at(t)),
            ),
        };
        let whole = ahead.product(&seen(model, series.at(t), t)?);
        from_now.push(whole.information()?);
        later.push(ahead.information()?);
        roots.push(ahead);
        next = Some(whole);
    }
    Ok(BackwardInformation { later, from_now, roots })
}
