//! The warm-up: a step size and a metric, fitted while the chain moves.

mod approach;
mod estimate;
mod fisher;
mod search;
mod spread;

use posterior_dist::target::GradTarget;
use posterior_math::check;
use rand::Rng;

use self::approach::approached;
use self::estimate::Estimate;
use self::search::first_step_size;
use super::dual_averaging::DualAveraging;
use super::metric::Metric;
use super::particle::Particle;
use super::step::Travelled;
use crate::Error;

/// The proportion of the warm-up in which the windows are short, for the chain is still far from where it
/// belongs.
const EARLY: f64 = 0.3;
/// The proportion at the end in which only the step size is tuned.
const FINAL: f64 = 0.15;
/// Draws of the first window after the early ones; later ones are longer by half, one after another.
const FIRST_WINDOW: usize = 80;
const GROWTH: f64 = 1.5;

/// How the metric is fitted.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MetricChoice {
    /// The unit metric.
    Unit,
    /// This metric.
    Given(Metric),
    /// A variance for each coordinate, from the draws and the gradients: sd(x) / sd(∂ ln p). This is the
    /// diagonal metric of least Fisher divergence between the scaled target and a standard normal
    /// distribution.
    #[default]
    Diagonal,
    /// A variance for each coordinate, from the draws alone.
    DiagonalDraws,
    /// A covariance, from the draws and the gradients: the geometric mean of the covariance of the draws and
    /// the inverse covariance of the gradients, which is the covariance of a normal target as soon as there
    /// are more draws than coordinates.
    Dense,
    /// As [`Diagonal`](Self::Diagonal), and as [`Dense`](Self::Dense) in the few directions where that makes
    /// a difference.
    LowRank {
        /// The directions whose variance differs by more than this factor are kept.
        cutoff: f64,
    },
}

impl MetricChoice {
    /// Low rank, for directions whose variance differs by more than a factor of two.
    pub const LOW_RANK: Self = Self::LowRank { cutoff: 2.0 };

    fn check(&self, dim: usize) -> Result<(), Error> {
        match self {
            Self::LowRank { cutoff } => {
                let can_be = *cutoff >= 1.0 && cutoff.is_finite();
                check::require(can_be, "MetricChoice", "cutoff", *cutoff, "at least 1, and finite")?;
                Ok(())
            }
            Self::Given(metric) => metric.check_dim(dim),
            _ => Ok(()),
        }
    }
}

/// What is tuned.
pub(super) trait Tunable {
    fn tuned(&mut self) -> (&mut f64, &mut Metric);
}

/// What a warm-up has fitted, and has still to do.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tuning {
    averaging: DualAveraging,
    estimate: Estimate,
    target_accept: f64,
    steps: usize,
    warm_up: usize,
    window: usize,
    searched: bool,
}

impl Tuning {
    /// A first metric and a first step size, for the transition that `with` makes of them.
    pub(super) fn begin<T, K, R>(
        (target, position): (&T, &[f64]),
        (target_accept, choice): (f64, &MetricChoice),
        warm_up: usize,
        with: impl FnOnce(f64, Metric) -> K,
        rng: &mut R,
    ) -> Result<crate::Started<K, Particle, Self>, Error>
    where
        T: GradTarget + ?Sized,
        R: Rng + ?Sized,
    {
        choice.check(target.dim())?;
        let mut particle = approached(target, Particle::new(target, position)?)?;
        let (estimate, metric) = Estimate::begin(choice, &particle.place);
        let step_size = first_step_size(target, &metric, &mut particle, target_accept, rng)?;
        let progress = Self {
            averaging: DualAveraging::new(step_size, target_accept)?,
            estimate,
            target_accept,
            steps: 0,
            warm_up,
            window: FIRST_WINDOW,
            searched: false,
        };
        Ok(crate::Started { tuned: with(step_size, metric), state: particle, progress })
    }

    /// Learns from a step.
    pub(super) fn learn<T, K, R>(
        target: &T,
        chain: crate::Learner<'_, K, Particle, Self>,
        travelled: &Travelled,
        rng: &mut R,
    ) -> Result<(), Error>
    where
        T: GradTarget + ?Sized,
        K: Tunable,
        R: Rng + ?Sized,
    {
        let crate::Learner { tuned, state, progress } = chain;
        let (step_size, metric) = tuned.tuned();
        let draw = progress.steps;
        progress.steps += 1;
        let final_steps = (FINAL * progress.warm_up as f64) as usize;
        let settles = draw + final_steps >= progress.warm_up;
        let (changed, late) = if settles {
            (false, true)
        } else {
            if is_telling(travelled) {
                progress.estimate.push(&state.place);
            }
            progress.tune_metric(draw, progress.warm_up - final_steps, metric)
        };
        let rate = if late { travelled.symmetric_acceptance_rate } else { travelled.acceptance_rate };
        progress.averaging.learn(rate);
        if changed && !progress.searched {
            progress.searched = true;
            match first_step_size(target, metric, state, progress.target_accept, rng) {
                Ok(found) => progress.averaging = DualAveraging::new(found, progress.target_accept)?,
                // From here no step size is good: the one so far goes on being tuned.
                Err(why) if why.is_start() => {}
                Err(why) => return Err(why),
            }
        }
        let done = progress.steps >= progress.warm_up;
        *step_size = if done { progress.averaging.averaged() } else { progress.averaging.step_size() };
        Ok(())
    }

    /// Moves the window and writes the metric: whether it changed, and whether this is the last window.
    fn tune_metric(&mut self, draw: usize, end: usize, metric: &mut Metric) -> (bool, bool) {
        let early_end = (EARLY * self.warm_up as f64) as usize;
        let early = draw < early_end;
        if draw == early_end {
            self.window = self.window.max(self.estimate.waiting());
        }
        let (length, next) = if early {
            (self.estimate.early_window(), self.estimate.early_window())
        } else {
            (self.window, (self.window + 1).max((self.window as f64 * GROWTH).round() as usize))
        };
        let late = next + draw > end;
        let switches = !late && self.estimate.waiting() >= length;
        if switches {
            self.estimate.switch();
            if !early {
                self.window = next;
            }
        }
        let due = switches || draw + 1 == end || self.estimate.is_due();
        (due && self.estimate.write(metric), late)
    }
}

/// Whether the draw of a step tells of the target: not if the chain stayed, nor if it is near to a
/// divergence.
fn is_telling(travelled: &Travelled) -> bool {
    if travelled.diverging { travelled.moved.abs() > 4 } else { travelled.moved != 0 }
}
