//! Sequential Monte Carlo from the prior to the posterior.

use posterior_math::check::{self, ParamError};

use super::TemperatureSchedule;
use crate::importance::Resampling;

/// How β rises.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// As far as the conditional effective sample size allows: this proportion of the particles remains
    /// effective in each step.
    ConditionalEss {
        /// The proportion.
        proportion: f64,
        /// The most temperatures before the run is given up.
        most: usize,
    },
    /// As it is written.
    Given(TemperatureSchedule),
}

/// Sequential Monte Carlo: populations of particles that are weighted, resampled and moved from the prior to
/// the posterior.
///
/// For posteriors with several modes, and for the evidence. At each temperature the particles are weighted by
/// likelihood^(β' - β), copied in proportion to their weights when those have become uneven, and moved by a
/// kernel that leaves p_β' alone, which may be tuned to where the particles are. Several populations run
/// without knowing of each other: their spread is the standard error. What they have in common it does not
/// see: kernels that hardly move ([`StageReport::renewal`](super::StageReport::renewal)), a prior that is
/// narrower than the posterior. Hamiltonian paths should have random lengths, for one length may bring all
/// particles back to where they were.
///
/// ```
/// use posterior_dist::target::{FromFn, OnTheLine};
/// use posterior_dist::{Density, Normal};
/// use posterior_sampling::metropolis::RandomWalk;
/// use posterior_sampling::tempering::SequentialMonteCarlo;
///
/// // A likelihood with modes at ±3: a single chain would stay at one.
/// let prior = OnTheLine::new(Normal::mean_sd(0.0, 3.0)?)?;
/// let noise = Normal::mean_sd(0.0, 0.1)?;
/// let likelihood = FromFn::new(1, |x: &[f64]| noise.ln_pdf(&(9.0_f64.sqrt() - x[0].abs())));
/// let populations = SequentialMonteCarlo { particles: 200, ..SequentialMonteCarlo::default() }
///     .run(&prior, &likelihood, |stage| Ok(RandomWalk::new(stage.step_size())?))?;
/// let right = populations.expectation(|x| if x[0] > 0.0 { 1.0 } else { 0.0 })?;
/// assert!((right.value - 0.5).abs() < 5.0 * right.standard_error && right.standard_error < 0.1);
/// let exact = 2_f64.ln() + Normal::mean_variance(0.0, 9.01)?.ln_pdf(&3.0);
/// assert!((populations.ln_evidence().ln_value - exact).abs() < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// P. Del Moral, A. Doucet, A. Jasra, Sequential Monte Carlo samplers, JRSS B 68, 2006; Y. Zhou, A. Johansen,
/// J. Aston, Toward automatic model comparison: an adaptive sequential Monte Carlo approach, JCGS 25, 2016.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialMonteCarlo {
    /// Particles of each population: 500 by default.
    pub particles: usize,
    /// Populations: 8 by default. From one alone there is no standard error.
    pub islands: usize,
    /// How β rises: by default so that 90 % remain effective.
    pub steps: Steps,
    /// Resample when the effective sample size is below this proportion of the particles: ½ by default; 0
    /// never, above 1 always.
    pub resample_below: f64,
    /// How: systematic by default.
    pub resampling: Resampling,
    /// Steps of the kernel at each temperature: 5 by default.
    pub moves: usize,
    /// The acceptance rate that [`TemperingStage::scale`](super::TemperingStage::scale) aims at: 0.3 by
    /// default.
    pub target_accept: f64,
    /// The seed: each particle has a stream of its own at each temperature.
    pub seed: u64,
}

impl Default for SequentialMonteCarlo {
    fn default() -> Self {
        Self {
            particles: 500,
            islands: 8,
            steps: Steps::ConditionalEss { proportion: 0.9, most: 1000 },
            resample_below: 0.5,
            resampling: Resampling::Systematic,
            moves: 5,
            target_accept: 0.3,
            seed: 0,
        }
    }
}

impl SequentialMonteCarlo {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        const NAME: &str = "SequentialMonteCarlo";
        for (name, value) in [("particles", self.particles), ("islands", self.islands), ("moves", self.moves)]
        {
            check::require(value > 0, NAME, name, value as f64, "positive")?;
        }
        check::non_negative(NAME, "resample_below", self.resample_below)?;
        check::open_probability(NAME, "target_accept", self.target_accept)?;
        if let &Steps::ConditionalEss { proportion, most } = &self.steps {
            check::open_probability(NAME, "proportion", proportion)?;
            check::require(most > 0, NAME, "most", most as f64, "positive")?;
        }
        Ok(())
    }
}
