//! Widths of slices, adapted in the warm-up.

use posterior_dist::target::Target;
use posterior_math::check;
use rand::Rng;

use super::{Boxed, Expansion, Hyperrectangle, Slice, Sliced, Slicer};
use crate::metropolis::{ShapeLearning, StepShape};
use crate::{Adapt, Error, Learner, Started, State, Transition};

/// A box is as wide as so many standard deviations.
const BOX: f64 = 4.0;

/// [`Slice`] whose widths are adapted in the warm-up: there are as many expansions as contractions at the
/// right one.
///
/// The rule of M. M. Tibbits et al., Automated factor slice sampling, J. Comput. Graph. Stat. 23 (2014), with
/// gains that vanish.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AdaptiveSlice {
    /// The width before anything is learned: by default 1.
    pub width: f64,
    /// How intervals are expanded: by default by stepping out.
    pub expansion: Expansion,
}

impl Default for AdaptiveSlice {
    fn default() -> Self {
        Self { width: 1.0, expansion: Expansion::default() }
    }
}

impl<T: Target + ?Sized> Adapt<T> for AdaptiveSlice {
    type Tuned = Slice;
    type Progress = WidthProgress;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        _rng: &mut R,
    ) -> Result<Started<Slice, Slicer, WidthProgress>, Error> {
        check::positive("AdaptiveSlice", "width", self.width)?;
        let tuned = Slice::new(&vec![self.width; target.dim()])?.with_expansion(self.expansion)?;
        let state = tuned.init(target, position)?;
        let progress = WidthProgress { warm_up, steps: 0, means: vec![0.0; target.dim()] };
        Ok(Started { tuned, state, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        _target: &T,
        chain: Learner<'_, Slice, Slicer, WidthProgress>,
        _info: &Sliced,
        _rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        progress.learn(tuned.widths_mut(), &state.work);
        Ok(())
    }
}

/// What the warm-up of slices has fitted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WidthProgress {
    warm_up: usize,
    steps: usize,
    /// The mean ln widths, in which late steps weigh more.
    means: Vec<f64>,
}

impl WidthProgress {
    fn learn(&mut self, widths: &mut [f64], work: &[(u32, u32)]) {
        let n = self.steps as f64;
        let gain = 4.0 * (n + 4.0).powf(-0.6);
        for ((width, mean), &(expansions, contractions)) in widths.iter_mut().zip(&mut self.means).zip(work) {
            let total = f64::from(expansions) + f64::from(contractions);
            if total > 0.0 {
                let learned = *width * (gain * (f64::from(expansions) / total - 0.5)).exp();
                *width = if learned.is_normal() { learned } else { *width };
            }
            *mean += 2.0 / (n + 2.0) * (width.ln() - *mean);
        }
        self.steps += 1;
        if self.steps == self.warm_up {
            widths.iter_mut().zip(&self.means).for_each(|(width, mean)| *width = mean.exp());
        }
    }
}

/// [`Hyperrectangle`] whose widths are adapted in the warm-up: four standard deviations of each coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AdaptiveHyperrectangle;

/// What the warm-up of a box has fitted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxProgress {
    shape: StepShape,
    learning: ShapeLearning,
}

impl<T: Target + ?Sized> Adapt<T> for AdaptiveHyperrectangle {
    type Tuned = Hyperrectangle;
    type Progress = BoxProgress;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        _warm_up: usize,
        _rng: &mut R,
    ) -> Result<Started<Hyperrectangle, Boxed, BoxProgress>, Error> {
        let dim = target.dim();
        let tuned = Hyperrectangle::new(&vec![BOX; dim])?;
        let state = tuned.init(target, position)?;
        let progress = BoxProgress {
            shape: StepShape::diagonal(&vec![1.0; dim])?,
            learning: ShapeLearning::new(position),
        };
        Ok(Started { tuned, state, progress })
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        _target: &T,
        chain: Learner<'_, Hyperrectangle, Boxed, BoxProgress>,
        _info: &Sliced,
        _rng: &mut R,
    ) -> Result<(), Error> {
        let Learner { tuned, state, progress } = chain;
        progress.learning.learn(&mut progress.shape, state.position());
        let widths = tuned.widths_mut();
        widths.fill(BOX);
        progress.shape.apply(widths);
        Ok(())
    }
}
