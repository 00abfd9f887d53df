//! What the steps of a sampler say about it, beside the draws.

use super::{Undefined, e_bfmi, mean};
use crate::Draws;

/// The statistics of a run, a number for each chain; `None` where the draws have no such statistic.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct SamplerReport {
    /// Draws whose trajectory diverged (`diverging`).
    pub divergences: Option<Vec<usize>>,
    /// Draws whose trajectory was as long as allowed (`reached_max_treedepth`).
    pub longest_paths: Option<Vec<usize>>,
    /// [`e_bfmi`] of the `energy`.
    pub e_bfmi: Option<Vec<Result<f64, Undefined>>>,
    /// The mean `acceptance_rate`.
    pub acceptance_rate: Option<Vec<Result<f64, Undefined>>>,
    /// The mean number of steps of a trajectory (`n_steps`).
    pub steps: Option<Vec<Result<f64, Undefined>>>,
}

impl Draws {
    /// What the steps of the sampler say about it.
    pub fn sampler_report(&self) -> SamplerReport {
        let counts = |name: &str| {
            let count = |chain: &Vec<f64>| chain.iter().filter(|&&flag| flag != 0.0).count();
            Some(self.statistic(name)?.iter().map(count).collect())
        };
        let means = |name: &str| {
            Some(self.statistic(name)?.iter().map(|chain| mean(std::slice::from_ref(chain))).collect())
        };
        SamplerReport {
            divergences: counts("diverging"),
            longest_paths: counts("reached_max_treedepth"),
            e_bfmi: self
                .statistic("energy")
                .map(|energies| energies.iter().map(|chain| e_bfmi(chain)).collect()),
            acceptance_rate: means("acceptance_rate"),
            steps: means("n_steps"),
        }
    }
}
