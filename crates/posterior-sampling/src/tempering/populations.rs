//! Populations of particles on their way from the prior to the posterior.

use posterior_dist::target::Target;
use posterior_math::check::ParamError;
use posterior_math::log_space::ln_sum_exp;

use super::island::Island;
use super::{SequentialMonteCarlo, StageReport, TemperatureSchedule, Tempered, TemperingStage};
use crate::estimate::{Estimate, LnEstimate, ln_mean_exp};
use crate::importance::{ImportanceWeights, NormalizedTarget, WeightedDraws};
use crate::{Error, Transition};

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
