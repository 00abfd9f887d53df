//! The options of the No-U-Turn sampler.

use posterior_dist::target::GradTarget;
use posterior_math::check;
use rand::Rng;

use super::metric::Metric;
use super::no_u_turn::{NoUTurn, check_depth};
use super::particle::Particle;
use super::step::Travelled;
use super::warm_up::{MetricChoice, Tunable, Tuning};
use crate::{Adapt, Error, Learner, Started};

/// The No-U-Turn sampler, whose step size and metric are adapted in the warm-up.
///
/// For strongly correlated coordinates, as in most regressions, ask for [`MetricChoice::LOW_RANK`]: it needs
/// a tenth or a hundredth of the gradients.
///
/// ```
/// use posterior_dist::target::FromGradFn;
/// use posterior_sampling::hamiltonian::Nuts;
/// use posterior_sampling::{Run, Start};
///
/// // A normal distribution with standard deviations 1 and 100.
/// let target = FromGradFn::new(2, |x, gradient| {
///     gradient.copy_from_slice(&[-x[0], -x[1] / 1e4]);
///     -0.5 * (x[0] * x[0] + x[1] * x[1] / 1e4)
/// });
/// let sampled = Run { seed: 7, ..Run::default() }.sample(&target, &Nuts::default(), &Start::default())?;
/// let wide = sampled.draws.parameter(1).concat();
/// let variance = wide.iter().map(|x| x * x).sum::<f64>() / wide.len() as f64;
/// assert!((variance.sqrt() - 100.0).abs() < 5.0);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nuts {
    /// The acceptance rate that the step size is tuned for.
    pub target_accept: f64,
    /// The most doublings of a trajectory.
    pub max_depth: usize,
    /// The energy error that is a divergence. Such a path is refused though the path back is not, so that the
    /// distribution of the draws is off by e^-error: nothing at the default of 1,000, and something below
    /// about 40.
    pub max_energy_error: f64,
    /// How the metric is fitted.
    pub metric: MetricChoice,
}

impl Default for Nuts {
    /// 0.8, 10 doublings, divergences at 1,000, and a diagonal metric from draws and gradients.
    fn default() -> Self {
        Self { target_accept: 0.8, max_depth: 10, max_energy_error: 1000.0, metric: MetricChoice::Diagonal }
    }
}

impl Tunable for NoUTurn {
    fn tuned(&mut self) -> (&mut f64, &mut Metric) {
        (&mut self.step_size, &mut self.metric)
    }
}

impl<T: GradTarget + ?Sized> Adapt<T> for Nuts {
    type Tuned = NoUTurn;
    type Progress = Tuning;

    fn begin<R: Rng + ?Sized>(
        &self,
        target: &T,
        position: &[f64],
        warm_up: usize,
        rng: &mut R,
    ) -> Result<Started<NoUTurn, Particle, Tuning>, Error> {
        let max_depth = check_depth("Nuts", self.max_depth)?;
        check::open_probability("Nuts", "target_accept", self.target_accept)?;
        let max_energy_error = check::positive("Nuts", "max_energy_error", self.max_energy_error)?;
        let with = |step_size, metric| NoUTurn { step_size, metric, max_depth, max_energy_error };
        Tuning::begin((target, position), (self.target_accept, &self.metric), warm_up, with, rng)
    }

    fn learn<R: Rng + ?Sized>(
        &self,
        target: &T,
        chain: Learner<'_, NoUTurn, Particle, Tuning>,
        travelled: &Travelled,
        rng: &mut R,
    ) -> Result<(), Error> {
        Tuning::learn(target, chain, travelled, rng)
    }
}
