//! The No-U-Turn sampler with a given step size and metric.

mod tree;

use posterior_dist::target::GradTarget;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use self::tree::{Growth, Tree};
use super::leapfrog::Leapfrog;
use super::metric::Metric;
use super::particle::Particle;
use super::step::Travelled;
use crate::{Error, Transition};

/// The most doublings that can be asked for: 2⁶⁰ steps never end.
const DEEPEST: usize = 60;

/// The No-U-Turn sampler with a given step size and metric: what [`Nuts`](super::Nuts) tunes.
///
/// A trajectory is doubled, forward or back in time by the toss of a coin, until it turns back; the draw is
/// one of its points, each with a weight of e^-H, and the half that was grown last is preferred.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NoUTurn {
    pub(super) step_size: f64,
    pub(super) metric: Metric,
    pub(super) max_depth: usize,
    pub(super) max_energy_error: f64,
}

impl NoUTurn {
    /// With this step size and metric, up to 10 doublings, and divergences at an energy error of 1,000.
    ///
    /// # Errors
    /// If the step size is not positive and finite.
    pub fn new(step_size: f64, metric: Metric) -> Result<Self, ParamError> {
        check::positive("NoUTurn", "step_size", step_size)?;
        Ok(Self { step_size, metric, max_depth: 10, max_energy_error: 1000.0 })
    }

    /// Up to so many doublings, 2^depth - 1 steps.
    ///
    /// # Errors
    /// None, or more than 60.
    pub fn with_max_depth(self, depth: usize) -> Result<Self, ParamError> {
        let max_depth = check_depth("NoUTurn", depth)?;
        Ok(Self { max_depth, ..self })
    }

    /// Divergences at an energy error of so much, which puts the distribution of the draws off by e^-error.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn with_max_energy_error(self, error: f64) -> Result<Self, ParamError> {
        Ok(Self { max_energy_error: check::positive("NoUTurn", "max_energy_error", error)?, ..self })
    }

    /// The step size.
    pub const fn step_size(&self) -> f64 {
        self.step_size
    }

    /// The metric.
    pub const fn metric(&self) -> &Metric {
        &self.metric
    }
}

/// A depth that can be.
pub(super) fn check_depth(type_name: &'static str, depth: usize) -> Result<usize, ParamError> {
    let can_be = (1..=DEEPEST).contains(&depth);
    check::require(can_be, type_name, "max_depth", depth as f64, "from 1 to 60")?;
    Ok(depth)
}

impl<T: GradTarget + ?Sized> Transition<T> for NoUTurn {
    type State = Particle;
    type Info = Travelled;

    fn init(&self, target: &T, position: &[f64]) -> Result<Particle, Error> {
        self.metric.check_dim(target.dim())?;
        Particle::new(target, position)
    }

    fn step<R: Rng + ?Sized>(
        &self,
        target: &T,
        particle: &mut Particle,
        rng: &mut R,
    ) -> Result<Travelled, Error> {
        let Particle { place, scratch } = particle;
        self.metric.check_dim(place.position.len())?;
        scratch.fit(place.position.len(), self.max_depth);
        let leapfrog = Leapfrog { metric: &self.metric, step_size: self.step_size };
        let mut tree = Tree::plant(target, leapfrog, self.max_energy_error, place, scratch, rng);
        let (mut depth, mut divergence, mut turned) = (0, None, false);
        while depth < self.max_depth && !turned {
            let growth = tree.grow(depth, usize::from(rng.random::<bool>()), rng)?;
            depth += 1;
            turned = growth != Growth::Open;
            if growth == Growth::Diverging {
                divergence = tree.divergence.take();
            }
        }
        let mut travelled = tree.finish();
        travelled.tree_depth = depth;
        travelled.reached_max_depth = !turned;
        travelled.diverging = divergence.is_some();
        travelled.divergence = divergence;
        if travelled.moved != 0 {
            std::mem::swap(place, &mut scratch.chosen);
        }
        Ok(travelled)
    }
}
