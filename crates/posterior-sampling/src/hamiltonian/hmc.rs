//! Hamiltonian Monte Carlo with paths of given length.

use posterior_dist::target::GradTarget;
use posterior_math::check::{self, ParamError};
use rand::{Rng, RngExt};

use super::leapfrog::{Leapfrog, NoEnd};
use super::metric::Metric;
use super::particle::{Particle, Scratch};
use super::step::{Acceptance, Travelled};
use super::warm_up::{MetricChoice, Tunable, Tuning};
use crate::{Adapt, DivergentTransition, Error, Learner, Started, Transition};

/// How long paths are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PathLength {
    /// So many leapfrog steps.
    Steps(usize),
    /// So long in time, in leapfrog steps of the tuned size.
    Length {
        /// The time; in a metric that fits, π/2 takes a normal distribution to an independent draw.
        time: f64,
        /// Each path is longer or shorter by up to this proportion, at random, so that no period of the
        /// target is met every time.
        jitter: f64,
        /// No path has more steps.
        max_steps: usize,
    },
}

impl Default for PathLength {
    /// A time of π/2 give or take 30 %, in at most 1,024 steps.
    fn default() -> Self {
        Self::Length { time: std::f64::consts::FRAC_PI_2, jitter: 0.3, max_steps: 1024 }
    }
}

impl PathLength {
    fn check(self) -> Result<Self, ParamError> {
        let steps = match self {
            Self::Steps(steps) => steps,
            Self::Length { time, jitter, max_steps } => {
                check::positive("Path", "time", time)?;
                check::require((0.0..1.0).contains(&jitter), "Path", "jitter", jitter, "in [0, 1)")?;
                max_steps
            }
        };
        check::require(steps > 0, "Path", "steps", steps as f64, "positive")?;
        Ok(self)
    }

    fn steps<R: Rng + ?Sized>(self, step_size: f64, rng: &mut R) -> usize {
        match self {
            Self::Steps(steps) => steps,
            Self::Length { time, jitter, max_steps } => {
                let factor = 1.0 + jitter * (2.0 * rng.random::<f64>() - 1.0);
                ((factor * time / step_size).round() as usize).clamp(1, max_steps)
            }
        }
    }
}

/// Hamiltonian Monte Carlo with a given step size and metric: what [`Hmc`] tunes. A path of leapfrog steps
/// from a fresh momentum, accepted with probability min(1, e^-ΔH).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FixedPath {
    step_size: f64,
    metric: Metric,
    path: PathLength,
    max_energy_error: f64,
}

impl FixedPath {
    /// With this step size, metric and path; divergences at an energy error of 1,000.
    ///
    /// # Errors
    /// A step size that is not positive and finite, a path without steps.
    pub fn new(step_size: f64, metric: Metric, path: PathLength) -> Result<Self, ParamError> {
        check::positive("FixedPath", "step_size", step_size)?;
        Ok(Self { step_size, metric, path: path.check()?, max_energy_error: 1000.0 })
    }

    /// The step size.
    pub const fn step_size(&self) -> f64 {
        self.step_size
    }

    /// The metric.
    pub const fn metric(&self) -> &Metric {
        &self.metric
    }

    /// Goes up to `steps` steps from the first end of the scratch memory; the last energy error, and the
    /// divergence.
    fn travel<T: GradTarget + ?Sized>(
        &self,
        target: &T,
        scratch: &mut Scratch,
        steps: usize,
        acceptance: &mut Acceptance,
    ) -> Result<(f64, Option<DivergentTransition>), Error> {
        let leapfrog = Leapfrog { metric: &self.metric, step_size: self.step_size };
        let Scratch { ends: [at, _], next, sum, .. } = scratch;
        let start_energy = at.energy();
        let mut last = 0.0;
        for _ in 0..steps {
            let (error, reason) = match leapfrog.step(target, at, next, sum) {
                Ok(()) => (next.energy() - start_energy, None),
                Err(NoEnd::Refused(why)) => (f64::INFINITY, Some(why)),
                Err(NoEnd::Fatal(why)) => return Err(why.into()),
            };
            if !(error < self.max_energy_error) {
                acceptance.add_divergence();
                let divergence = DivergentTransition {
                    iteration: 0,
                    from: at.position.clone(),
                    momentum: self.metric.momentum(&at.momentum),
                    to: next.position.clone(),
                    energy_error: if error.is_nan() { f64::INFINITY } else { error },
                    reason,
                };
                return Ok((f64::INFINITY, Some(divergence)));
            }
            acceptance.add(error, (-error).exp());
            std::mem::swap(at, next);
            last = error;
        }
        Ok((last, None))
    }
}

impl<T: GradTarget + ?Sized> Transition<T> for FixedPath {
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
        scratch.fit(place.position.len(), 1);
        let [at, _] = &mut scratch.ends;
        place.write_to(at);
        at.refresh(&self.metric, rng);
        let start_energy = at.energy();
        let steps = self.path.steps(self.step_size, rng);
        let mut acceptance = Acceptance::default();
        let (error, divergence) = self.travel(target, scratch, steps, &mut acceptance)?;
        let weight = (-error).exp();
        let accepted = rng.random::<f64>() < weight;
        if accepted {
            place.copy_from(&scratch.ends[0]);
        }
        let energy_error = if accepted { error } else { 0.0 };
        Ok(Travelled {
            acceptance_rate: weight.min(1.0),
            symmetric_acceptance_rate: 2.0 * weight.min(1.0) / (1.0 + weight),
            step_size: self.step_size,
            tree_depth: 0,
            n_steps: acceptance.steps,
            energy: start_energy + energy_error,
            energy_error,
            max_energy_error: acceptance.max_error,
            reached_max_depth: false,
            moved: if accepted { i64::try_from(steps).unwrap_or(i64::MAX) } else { 0 },
            diverging: divergence.is_some(),
            divergence,
        })
    }
}

/// Hamiltonian Monte Carlo, whose step size and metric are adapted in the warm-up.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hmc {
    /// The acceptance rate that the step size is tuned for.
    pub target_accept: f64,
    /// How long paths are.
    pub path: PathLength,
    /// The energy error that is a divergence. Such a path is refused though the path back is not, so that the
    /// distribution of the draws is off by e^-error: nothing at the default of 1,000, and something below
    /// about 40.
    pub max_energy_error: f64,
    /// How the metric is fitted.
    pub metric: MetricChoice,
}

impl Default for Hmc {
    /// 0.8, the default [`PathLength`], divergences at 1,000, and a diagonal metric from draws and gradients.
    fn default() -> Self {
        Self {
            target_accept: 0.8,
            path: PathLength::default(),
            max_energy_error: 1000.0,
            metric: MetricChoice::Diagonal,
        }
    }
}

impl Tunable for FixedPath {
    fn tuned(&mut self) -> (&mut f64, &mut Metric) {
        (&mut self.step_size, &mut self.metric)
    }
}

impl<T: GradTarget + ?Sized> Adapt<T> for Hmc {
    type Tuned = FixedPath;
    type Progress = Tuning;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        rng: &mut R,
    ) -> Result<Started<FixedPath, Particle, Tuning>, Error> {
        check::open_probability("Hmc", "target_accept", self.target_accept)?;
        let max_energy_error = check::positive("Hmc", "max_energy_error", self.max_energy_error)?;
        let path = self.path.check()?;
        let with = |step_size, metric| FixedPath { step_size, metric, path, max_energy_error };
        Tuning::begin((target, position), (self.target_accept, &self.metric), warm_up, with, rng)
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        target: &T,
        chain: Learner<'_, FixedPath, Particle, Tuning>,
        travelled: &Travelled,
        rng: &mut R,
    ) -> Result<(), Error> {
        Tuning::learn(target, chain, travelled, rng)
    }
}
