//! The leapfrog: half a kick, a drift, half a kick.

use posterior_dist::target::{EvalError, GradTarget};
use posterior_math::check;
use posterior_math::linalg::dot;
use rand::Rng;

use super::loops;
use super::metric::{Factor, Metric};
use crate::Error;
use crate::evaluation::at_start_grad;

/// A point of phase space: a place and a momentum, with what the density is there.
///
/// The momentum is kept as w = Aᵀ p, where A Aᵀ is the [`Metric`] (for the unit metric it is p).
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Phase {
    /// x.
    pub(super) position: Vec<f64>,
    /// ∇ ln p(x).
    pub(super) gradient: Vec<f64>,
    /// Aᵀ ∇ ln p(x).
    pub(super) force: Vec<f64>,
    /// w.
    pub(super) momentum: Vec<f64>,
    pub(super) ln_density: f64,
    /// ½ wᵀ w.
    pub(super) kinetic: f64,
}

impl Phase {
    /// The point x with the momentum w.
    ///
    /// # Errors
    /// Other numbers of coordinates than the target and the metric have; a place where the density is zero or
    /// has no value.
    pub fn new<T: GradTarget + ?Sized>(
        target: &T,
        metric: &Metric,
        position: &[f64],
        momentum: &[f64],
    ) -> Result<Self, Error> {
        let dim = target.dim();
        let sizes =
            [("coordinates of a position", position.len()), ("coordinates of a momentum", momentum.len())];
        for (what, found) in sizes {
            check::dimension(what, dim, found)?;
        }
        metric.check_dim(dim)?;
        let mut phase = Self { position: position.to_vec(), ..Self::zeros(dim) };
        phase.ln_density = at_start_grad(target, position, &mut phase.gradient)?;
        phase.aim(metric, |w| w.copy_from_slice(momentum));
        Ok(phase)
    }

    pub(super) fn zeros(dim: usize) -> Self {
        let zeros = || vec![0.0; dim];
        Self {
            position: zeros(),
            gradient: zeros(),
            force: zeros(),
            momentum: zeros(),
            ln_density: 0.0,
            kinetic: 0.0,
        }
    }

    /// The position x.
    pub fn position(&self) -> &[f64] {
        &self.position
    }

    /// The momentum w.
    pub fn momentum(&self) -> &[f64] {
        &self.momentum
    }

    /// ln p(x).
    pub const fn ln_density(&self) -> f64 {
        self.ln_density
    }

    /// H = ½ wᵀ w - ln p(x).
    pub fn energy(&self) -> f64 {
        self.kinetic - self.ln_density
    }

    /// The momentum the other way.
    pub fn flip(&mut self) {
        self.momentum.iter_mut().for_each(|w| *w = -*w);
    }

    /// A new momentum, in this metric.
    pub(super) fn aim(&mut self, metric: &Metric, momentum: impl FnOnce(&mut [f64])) {
        momentum(&mut self.momentum);
        self.kinetic = 0.5 * dot(&self.momentum, &self.momentum);
        metric.pull(&self.gradient, &mut self.force);
    }

    /// A standard normal w.
    pub(super) fn refresh<R: Rng + ?Sized>(&mut self, metric: &Metric, rng: &mut R) {
        self.aim(metric, |w| Metric::draw(w, rng));
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.position.copy_from_slice(&other.position);
        self.gradient.copy_from_slice(&other.gradient);
        self.force.copy_from_slice(&other.force);
        self.momentum.copy_from_slice(&other.momentum);
        self.ln_density = other.ln_density;
        self.kinetic = other.kinetic;
    }
}

/// Why a step has no end.
#[derive(Debug)]
pub(super) enum NoEnd {
    /// The density has no value there.
    Refused(String),
    /// The target ends the run.
    Fatal(EvalError),
}

/// Leapfrog steps of one size in one metric. Reversible, and of Jacobian determinant 1; stable below the step
/// size 2/ω, for the largest frequency ω of the scaled target.
#[derive(Debug, Clone, Copy)]
pub struct Leapfrog<'a> {
    /// The metric.
    pub metric: &'a Metric,
    /// The step size ε; negative for back in time.
    pub step_size: f64,
}

impl Leapfrog<'_> {
    /// The phase after `steps` steps.
    ///
    /// # Errors
    /// A point where the density has no value, or that ends the run; a target or a metric of another
    /// dimension.
    pub fn flow<T: GradTarget + ?Sized>(
        &self,
        target: &T,
        start: &Phase,
        steps: usize,
    ) -> Result<Phase, EvalError> {
        let dim = start.position.len();
        self.metric.check_dim(dim).map_err(EvalError::fatal)?;
        check::dimension("coordinates of a phase", target.dim(), dim).map_err(EvalError::fatal)?;
        let (mut at, mut next) = (start.clone(), start.clone());
        let mut sum = vec![0.0; at.position.len()];
        for _ in 0..steps {
            self.step(target, &at, &mut next, &mut sum).map_err(|end| match end {
                NoEnd::Refused(why) => EvalError::reject(why),
                NoEnd::Fatal(why) => why,
            })?;
            std::mem::swap(&mut at, &mut next);
        }
        Ok(at)
    }

    /// One step; the new momentum is added to `sum`.
    pub(super) fn step<T: GradTarget + ?Sized>(
        &self,
        target: &T,
        from: &Phase,
        to: &mut Phase,
        sum: &mut [f64],
    ) -> Result<(), NoEnd> {
        let Self { metric, step_size } = self;
        let half = 0.5 * step_size;
        if let Factor::Diagonal(scales) = &metric.0 {
            let given = [&from.momentum[..], &from.force, &from.position];
            loops::kick_and_drift([half, *step_size], scales, given, [&mut to.momentum, &mut to.position]);
        } else {
            loops::add_multiple(&from.momentum, half, &from.force, &mut to.momentum);
            // The force of the new point is not known yet: its memory holds the velocity.
            metric.push(&to.momentum, &mut to.force);
            loops::add_multiple(&from.position, *step_size, &to.force, &mut to.position);
        }
        to.ln_density = match target.ln_density_grad(&to.position, &mut to.gradient) {
            Ok(ln_density) if ln_density < f64::INFINITY => ln_density,
            Ok(ln_density) => return Err(NoEnd::Refused(format!("ln p(x) is {ln_density}"))),
            Err(why) if why.is_fatal() => return Err(NoEnd::Fatal(why)),
            Err(why) => return Err(NoEnd::Refused(why.to_string())),
        };
        let squares = if let Factor::Diagonal(scales) = &metric.0 {
            let changed = [&mut to.force[..], &mut to.momentum, sum];
            loops::pull_kick_and_sum(half, [scales, &to.gradient], changed)
        } else {
            metric.pull(&to.gradient, &mut to.force);
            loops::kick_and_sum(half, &to.force, &mut to.momentum, sum)
        };
        to.kinetic = 0.5 * squares;
        Ok(())
    }
}
