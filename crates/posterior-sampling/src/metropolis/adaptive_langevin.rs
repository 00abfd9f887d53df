//! The step size and the shape of Langevin's steps, adapted in the warm-up.

use posterior_dist::target::GradTarget;
use posterior_math::check;
use rand::Rng;

use super::adaptive_walk::WalkProgress;
use super::{Drifter, Langevin, LearnedShape, Proposed, ScaleSearch, ShapeLearning};
use crate::{Adapt, Error, Learner, Started, State, Transition};

/// [`Langevin`] whose step size and shape are adapted in the warm-up, with gains that vanish, and are then
/// frozen.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AdaptiveLangevin {
    /// The proportion of proposals to be accepted: by default 0.574.
    pub goal: f64,
    /// What is fitted beside the step size: by default the covariance.
    pub learned: LearnedShape,
}

/// What the warm-up of Langevin's steps has fitted.
pub type LangevinProgress = WalkProgress;

impl Default for AdaptiveLangevin {
    fn default() -> Self {
        Self { goal: 0.574, learned: LearnedShape::Covariance }
    }
}

impl<T: GradTarget + ?Sized> Adapt<T> for AdaptiveLangevin {
    type Tuned = Langevin;
    type Progress = LangevinProgress;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        _rng: &mut R,
    ) -> Result<Started<Langevin, Drifter, LangevinProgress>, Error> {
        check::open_probability("AdaptiveLangevin", "goal", self.goal)?;
        let dim = target.dim();
        let step = 1.65 * (dim.max(1) as f64).powf(-1.0 / 6.0);
        let tuned = Langevin::new(step)?.with_shape(self.learned.shape(dim)?);
        let state = tuned.init(target, position)?;
        let scale = ScaleSearch::new(step, self.goal)?;
        let progress = WalkProgress { scale, shape: ShapeLearning::new(position), warm_up };
        Ok(Started { tuned, state, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        _target: &T,
        chain: Learner<'_, Langevin, Drifter, LangevinProgress>,
        info: &Proposed,
        _rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        progress.learn(tuned.parts(), state.position(), info.acceptance_rate);
        Ok(())
    }
}
