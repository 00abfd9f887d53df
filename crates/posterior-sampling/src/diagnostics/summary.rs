//! All figures of all parameters.

use posterior_math::check::{self, ParamError};
use posterior_math::streaming::quantile_of_sorted;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use super::figures::{highest_density_of_sorted, mean_of, sd_of};
use super::sample::Sample;
use super::warning::{FEWEST_EFFECTIVE, LARGEST_RHAT, SMALLEST_E_BFMI};
use super::{SamplerReport, Undefined, Warning};
use super::{ess_bulk, ess_tail, mcse_mean, mcse_sd, rhat, rhat_limit};
use crate::Draws;

/// The figures of one parameter; each is defined, or says why not.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ParameterSummary {
    /// Its name.
    pub name: String,
    /// The mean of all draws.
    pub mean: Result<f64, Undefined>,
    /// Their standard deviation.
    pub sd: Result<f64, Undefined>,
    /// The standard error of the mean.
    pub mcse: Result<f64, Undefined>,
    /// The standard error of the standard deviation.
    pub mcse_sd: Result<f64, Undefined>,
    /// The lower end of the interval of the summary's level, with as much below it as above the other.
    pub low: Result<f64, Undefined>,
    /// The median.
    pub q50: Result<f64, Undefined>,
    /// The upper end of that interval.
    pub high: Result<f64, Undefined>,
    /// The shortest interval of the level.
    pub highest_density: Result<[f64; 2], Undefined>,
    /// Effective draws for the middle.
    pub ess_bulk: Result<f64, Undefined>,
    /// Effective draws for the tails.
    pub ess_tail: Result<f64, Undefined>,
    /// R̂ of the ranks, split: the larger of bulk and folded.
    pub rhat: Result<f64, Undefined>,
    /// The largest R̂ of chains that have met: 1.01, and where R̂ is above that, what chance explains
    /// ([`rhat_limit`]).
    pub rhat_limit: f64,
}

/// The figures of all parameters, what the sampler says, and warnings; as text, a table with the warnings
/// below.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChainSummary {
    /// How many chains.
    pub chains: usize,
    /// How many draws of each.
    pub draws: usize,
    /// The probability of intervals.
    pub level: f64,
    /// The parameters, in the order of the draws.
    pub parameters: Vec<ParameterSummary>,
    /// What the steps of the sampler say.
    pub sampler: SamplerReport,
    /// What to look at before the figures are used; empty if nothing was found.
    pub warnings: Vec<Warning>,
}

impl Draws {
    /// The figures of all parameters with intervals of 95 %, and warnings.
    ///
    /// O(S log S) for each parameter with S draws; with the feature `rayon` on the threads of the pool.
    ///
    /// ```
    /// use posterior_sampling::Draws;
    ///
    /// let chain = |c: i32| (0..200).map(|i| f64::from((37 * i + 11 * c) % 101)).collect();
    /// let draws = Draws::new(vec!["mu".to_owned()], (0..4).map(chain).collect())?;
    /// let summary = draws.summary();
    /// assert!(summary.warnings.is_empty());
    /// assert!(summary.parameters[0].rhat.is_ok_and(|rhat| rhat < 1.01));
    /// println!("{summary}");
    /// # Ok::<(), posterior_sampling::Error>(())
    /// ```
    pub fn summary(&self) -> ChainSummary {
        self.with_intervals(0.95)
    }

    /// The same with intervals of another probability.
    ///
    /// # Errors
    /// If the level is not between 0 and 1.
    pub fn summary_of_level(&self, level: f64) -> Result<ChainSummary, ParamError> {
        let fits = level > 0.0 && level < 1.0;
        check::require(fits, "summary of draws", "level", level, "between 0 and 1")?;
        Ok(self.with_intervals(level))
    }

    fn with_intervals(&self, level: f64) -> ChainSummary {
        // Of 0.95, exactly 0.025.
        let tail = ((1.0 - level) * 5e14).round() / 1e15;
        let ends = [tail, 1.0 - tail];
        let summary_of = |(column, name): (usize, &String)| {
            ParameterSummary::new(name, &self.parameter(column), level, ends)
        };
        #[cfg(feature = "rayon")]
        let parameters: Vec<_> = self.names().par_iter().enumerate().map(summary_of).collect();
        #[cfg(not(feature = "rayon"))]
        let parameters: Vec<_> = self.names().iter().enumerate().map(summary_of).collect();
        let sampler = self.sampler_report();
        let warnings = warnings((self.chains(), self.len()), &parameters, &sampler);
        ChainSummary { chains: self.chains(), draws: self.len(), level, parameters, sampler, warnings }
    }
}

impl ParameterSummary {
    fn new(name: &str, chains: &[Vec<f64>], level: f64, [low, high]: [f64; 2]) -> Self {
        let sample = Sample::new(chains, 1);
        let sorted = sample.as_ref().map(Sample::sorted).map_err(|&why| why);
        let quantile = |p| sorted.as_ref().map(|sorted| quantile_of_sorted(sorted, p)).map_err(|&why| why);
        let sample = sample.as_ref().map_err(|&why| why);
        let rhat = rhat(chains);
        let is_large = rhat.is_ok_and(|rhat| rhat > LARGEST_RHAT);
        Self {
            name: name.to_owned(),
            mean: sample.and_then(mean_of),
            sd: sample.and_then(sd_of),
            mcse: mcse_mean(chains),
            mcse_sd: mcse_sd(chains),
            low: quantile(low),
            q50: quantile(0.5),
            high: quantile(high),
            highest_density: sorted
                .as_ref()
                .map(|sorted| highest_density_of_sorted(sorted, level))
                .map_err(|&why| why),
            ess_bulk: ess_bulk(chains),
            ess_tail: ess_tail(chains),
            rhat,
            rhat_limit: if is_large { rhat_limit(chains) } else { LARGEST_RHAT },
        }
    }
}

/// The warnings of a run, the gravest first.
fn warnings(
    (chains, draws): (usize, usize),
    parameters: &[ParameterSummary],
    sampler: &SamplerReport,
) -> Vec<Warning> {
    let needed = FEWEST_EFFECTIVE.max(100.0 * chains as f64);
    let found = |figure: fn(&ParameterSummary) -> Result<f64, Undefined>,
                 is_bad: &dyn Fn(&ParameterSummary, f64) -> bool| {
        let bad =
            |own: &ParameterSummary| Some((own.name.clone(), figure(own).ok().filter(|&x| is_bad(own, x))?));
        parameters.iter().filter_map(bad).collect::<Vec<_>>()
    };
    let mut large = found(|own| own.rhat, &|own, rhat| rhat > own.rhat_limit);
    large.sort_by(|a, b| b.1.total_cmp(&a.1));
    let few = |figure| {
        let mut few = found(figure, &|_, ess| ess < needed);
        few.sort_by(|a, b| a.1.total_cmp(&b.1));
        few
    };
    let undefined = |own: &ParameterSummary| {
        let why = [own.rhat, own.ess_bulk, own.ess_tail, own.mcse].into_iter().find_map(Result::err)?;
        Some((own.name.clone(), why))
    };
    let total = |counts: &Option<Vec<usize>>| counts.as_ref().map_or(0, |counts| counts.iter().sum());
    let energies = sampler.e_bfmi.iter().flatten().enumerate();
    let low =
        energies.filter_map(|(chain, &own)| Some((chain, own.ok().filter(|&own| own < SMALLEST_E_BFMI)?)));
    let all_draws = chains * draws;
    let candidates = [
        some(large, Warning::Rhat),
        some(parameters.iter().filter_map(undefined).collect(), Warning::Undefined),
        count(total(&sampler.divergences), |count| Warning::Divergences { count, draws: all_draws }),
        some(few(|own| own.ess_bulk), |few| Warning::EssBulk { needed, few }),
        some(few(|own| own.ess_tail), |few| Warning::EssTail { needed, few }),
        some(low.collect(), Warning::Energy),
        count(total(&sampler.longest_paths), |count| Warning::LongestPaths { count, draws: all_draws }),
        (chains == 1).then_some(Warning::OneChain),
    ];
    candidates.into_iter().flatten().collect()
}

fn some<V>(found: Vec<V>, warning: impl FnOnce(Vec<V>) -> Warning) -> Option<Warning> {
    (!found.is_empty()).then(|| warning(found))
}

fn count(found: usize, warning: impl FnOnce(usize) -> Warning) -> Option<Warning> {
    (found > 0).then(|| warning(found))
}
