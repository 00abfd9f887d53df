//! Adaptive Metropolis: the scale and the shape of a random walk, adapted in the warm-up.

use posterior_dist::target::Target;
use posterior_math::check;
use rand::Rng;

use super::{Proposed, RandomWalk, ScaleSearch, ShapeLearning, StepShape, Walker};
use crate::{Adapt, Error, Learner, Started, State, Transition};

/// What is fitted about the shape of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LearnedShape {
    /// The scale alone.
    Scale,
    /// The standard deviation of each coordinate.
    Diagonal,
    /// The covariance.
    #[default]
    Covariance,
}

impl LearnedShape {
    /// The shape of no knowledge.
    pub(super) fn shape(self, dim: usize) -> Result<StepShape, Error> {
        Ok(match self {
            Self::Scale => StepShape::identity(),
            Self::Diagonal => StepShape::diagonal(&vec![1.0; dim])?,
            Self::Covariance => StepShape::from_cholesky(posterior_math::linalg::Cholesky::identity(dim)),
        })
    }
}

/// A random walk whose scale and shape are adapted in the warm-up, with gains that vanish, and are then
/// frozen.
///
/// The covariance is that of the chain (Haario et al. 2001), the scale that at which the proportion `goal` of
/// the proposals is accepted. Learning costs d² operations a step.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AdaptiveWalk {
    /// The proportion of proposals to be accepted; by default 0.234 + 0.206/d, which is near the best for
    /// normal distributions of any d.
    pub goal: Option<f64>,
    /// What is fitted beside the scale: by default the covariance.
    pub learned: LearnedShape,
}

/// What the warm-up of a random walk has fitted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkProgress {
    pub(super) scale: ScaleSearch,
    pub(super) shape: ShapeLearning,
    pub(super) warm_up: usize,
}

impl WalkProgress {
    /// Learns scale and shape from a step to `position`.
    pub(super) fn learn(
        &mut self,
        (scale, shape): (&mut f64, &mut StepShape),
        position: &[f64],
        acceptance_rate: f64,
    ) {
        self.scale.learn(acceptance_rate);
        self.shape.learn(shape, position);
        *scale = if self.scale.steps() == self.warm_up { self.scale.answer() } else { self.scale.trial() };
    }
}

impl<T: Target + ?Sized> Adapt<T> for AdaptiveWalk {
    type Tuned = RandomWalk;
    type Progress = WalkProgress;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        _rng: &mut R,
    ) -> Result<Started<RandomWalk, Walker, WalkProgress>, Error> {
        let dim = target.dim();
        let goal = self.goal.unwrap_or(0.234 + 0.206 / dim.max(1) as f64);
        check::open_probability("AdaptiveWalk", "goal", goal)?;
        let tuned = RandomWalk::optimal(self.learned.shape(dim)?, dim);
        let state = tuned.init(target, position)?;
        let scale = ScaleSearch::new(tuned.scale(), goal)?;
        let progress = WalkProgress { scale, shape: ShapeLearning::new(position), warm_up };
        Ok(Started { tuned, state, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        _target: &T,
        chain: Learner<'_, RandomWalk, Walker, WalkProgress>,
        info: &Proposed,
        _rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        progress.learn(tuned.parts(), state.position(), info.acceptance_rate);
        Ok(())
    }
}
