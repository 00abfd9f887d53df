//! Sequential Monte Carlo from the prior to the posterior.

use posterior_dist::target::Target;
use posterior_math::check::{self, ParamError};
use posterior_math::log_space::ln_sum_exp;

use super::island::Island;
use super::{StageReport, TemperatureSchedule, Tempered, TemperingStage};
use crate::estimate::{Estimate, LnEstimate, ln_mean_exp};
use crate::importance::{ImportanceWeights, NormalizedTarget, Resampling, WeightedDraws};
use crate::{Error, Transition};

/// How β rises.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// As far as the conditional effective sample size allows: this share of the particles remains effective
    /// in each step.
    ConditionalEss {
        /// The share.
        share: f64,
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
/// see: kernels that hardly move ([`StageReport::renewal`]), a prior that is narrower than the posterior.
/// Hamiltonian paths should have random lengths, for one length may bring all particles back to where they
/// were.
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
    /// Resample when the effective sample size is below this share of the particles: ½ by default; 0 never,
    /// above 1 always.
    pub resample_below: f64,
    /// How: systematic by default.
    pub resampling: Resampling,
    /// Steps of the kernel at each temperature: 5 by default.
    pub moves: usize,
    /// The acceptance rate that [`TemperingStage::scale`] aims at: 0.3 by default.
    pub target_accept: f64,
    /// The seed: each particle has a stream of its own at each temperature.
    pub seed: u64,
}

impl Default for SequentialMonteCarlo {
    fn default() -> Self {
        Self {
            particles: 500,
            islands: 8,
            steps: Steps::ConditionalEss { share: 0.9, most: 1000 },
            resample_below: 0.5,
            resampling: Resampling::Systematic,
            moves: 5,
            target_accept: 0.3,
            seed: 0,
        }
    }
}

impl SequentialMonteCarlo {
    /// Runs all populations, with a kernel for each temperature that may be tuned to its particles.
    ///
    /// With the feature `rayon` the particles move on the threads of the pool; they are the same on any
    /// number of threads.
    ///
    /// # Errors
    /// Options that can't be; different dimensions; what `kernel` returns; a kernel that can't start at a
    /// particle; [`Error::NoWeight`] if all particles of a population are where the likelihood is zero;
    /// [`Error::Tempering`] if β does not get to 1; a target that ends the run.
    pub fn run<'a, P, L, K>(
        &self,
        prior: &'a P,
        likelihood: &'a L,
        kernel: impl Fn(&TemperingStage) -> Result<K, Error>,
    ) -> Result<Populations, Error>
    where
        P: NormalizedTarget + Sync,
        L: Target + Sync,
        K: Transition<Tempered<&'a P, &'a L>> + Sync,
    {
        self.check()?;
        Tempered::new(prior, likelihood, 1.0)?;
        let islands = (0..self.islands as u64).map(|number| {
            let mut island = Island::begin(self, number, prior, likelihood)?;
            while !island.is_done() {
                island.advance(self, number, (prior, likelihood), &kernel)?;
            }
            Ok(island)
        });
        Populations::new(prior.dim(), islands.collect::<Result<_, Error>>()?)
    }

    fn check(&self) -> Result<(), ParamError> {
        const NAME: &str = "SequentialMonteCarlo";
        for (name, value) in [("particles", self.particles), ("islands", self.islands), ("moves", self.moves)]
        {
            check::require(value > 0, NAME, name, value as f64, "positive")?;
        }
        check::non_negative(NAME, "resample_below", self.resample_below)?;
        check::open_probability(NAME, "target_accept", self.target_accept)?;
        if let &Steps::ConditionalEss { share, most } = &self.steps {
            check::open_probability(NAME, "share", share)?;
            check::require(most > 0, NAME, "most", most as f64, "positive")?;
        }
        Ok(())
    }
}

/// Populations that have come to the posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct Populations {
    draws: WeightedDraws,
    of_evidence: ImportanceWeights,
    reports: Vec<IslandReport>,
}

/// What became of one population.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct IslandReport {
    /// Its ln Z.
    pub ln_evidence: f64,
    /// Its temperatures.
    pub stages: Vec<StageReport>,
    /// How many draws of the prior have descendants at the end; few say that most of the memory of the prior
    /// is lost.
    pub ancestors: usize,
}

impl Populations {
    fn new(dim: usize, islands: Vec<Island>) -> Result<Self, Error> {
        let rejected = islands.iter().map(|island| island.rejected).sum();
        let (mut points, mut ln_weights, mut reports) = (Vec::new(), Vec::new(), Vec::new());
        for island in islands {
            let mut ancestors: Vec<usize> = island.particles.iter().map(|p| p.ancestor).collect();
            ancestors.sort_unstable();
            ancestors.dedup();
            points.extend(island.particles.iter().flat_map(|particle| &particle.position));
            ln_weights.extend(island.ln_weights.iter().map(|ln| ln + island.ln_evidence));
            let (ln_evidence, stages) = (island.ln_evidence, island.stages);
            reports.push(IslandReport { ln_evidence, stages, ancestors: ancestors.len() });
        }
        let of_evidence =
            ImportanceWeights::from_ln(reports.iter().map(|island| island.ln_evidence).collect())?;
        let draws = WeightedDraws::new(dim, points, ImportanceWeights::from_ln(ln_weights)?, rejected);
        Ok(Self { draws, of_evidence, reports })
    }

    /// All particles, one population after the other; those of a population with a larger evidence weigh
    /// more. They are not independent: take standard errors from [`expectation`](Self::expectation).
    pub const fn draws(&self) -> &WeightedDraws {
        &self.draws
    }

    /// The populations.
    pub fn islands(&self) -> &[IslandReport] {
        &self.reports
    }

    /// ln Z: ln of the mean over the populations, with their spread for its error; NaN of one population.
    ///
    /// Unbiased before the logarithm if the temperatures are given and the kernel does not depend on the
    /// particles; else the bias is of the order of one over the number of particles.
    pub fn ln_evidence(&self) -> LnEstimate {
        let ln = self.of_evidence.ln();
        let single = LnEstimate { ln_value: ln[0], standard_error: f64::NAN, draws: 1 };
        let mean = ln_mean_exp(ln).unwrap_or(single);
        LnEstimate { draws: self.draws.weights().len(), ..mean }
    }

    /// The expectation of a function under the posterior; its error is from the spread of the populations,
    /// NaN of one.
    ///
    /// # Errors
    /// A value that is not finite.
    pub fn expectation(&self, mut function: impl FnMut(&[f64]) -> f64) -> Result<Estimate, Error> {
        let values: Vec<f64> = self.draws.points().map(&mut function).collect();
        self.draws.weights().mean(&values)?;
        let islands = self.reports.len();
        let size = values.len() / islands;
        let ln_weights = self.draws.weights().ln().chunks_exact(size);
        let means: Vec<f64> = ln_weights
            .zip(values.chunks_exact(size))
            .map(|(ln_weights, values)| {
                let ln_sum = ln_sum_exp(ln_weights);
                let terms = ln_weights.iter().zip(values).filter(|(ln, _)| **ln > f64::NEG_INFINITY);
                terms.map(|(ln, value)| (ln - ln_sum).exp() * value).sum()
            })
            .collect();
        let over_islands = self.of_evidence.mean(&means)?;
        let small_sample = (islands as f64 / (islands as f64 - 1.0)).sqrt();
        let standard_error = if islands == 1 { f64::NAN } else { over_islands.standard_error * small_sample };
        Ok(Estimate { standard_error, draws: values.len(), ..over_islands })
    }

    /// The temperatures of the first population: for [`AnnealedImportance`](super::AnnealedImportance), or
    /// for a run whose estimate of the evidence has no bias.
    ///
    /// # Errors
    /// None: they are a schedule.
    pub fn schedule(&self) -> Result<TemperatureSchedule, ParamError> {
        let betas = self.reports[0].stages.iter().map(|stage| stage.beta);
        TemperatureSchedule::new(std::iter::once(0.0).chain(betas).collect())
    }
}
