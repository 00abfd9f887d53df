//! Chains by the sampler that is asked for.

use std::thread::available_parallelism;

use posterior_dist::target::GradTarget;
use posterior_sampling::hamiltonian::{Hmc, MetricChoice, Nuts};
use posterior_sampling::metropolis::{AdaptiveLangevin, AdaptiveWalk};
use posterior_sampling::slice::AdaptiveSlice;
use posterior_sampling::{Draws, Run, Start};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use super::steps::{Steps, Watched};
use crate::arrays;
use crate::watched::{Listener, heard, invalid};

/// How to sample.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    sampler: String,
    chains: usize,
    warm_up: usize,
    draws: usize,
    thin: usize,
    seed: u64,
    /// A start of all chains, or one of each; none is at random.
    start: Vec<Vec<f64>>,
    /// Options of some samplers; none is the choice of the sampler.
    target_accept: Option<f64>,
    max_depth: Option<usize>,
    metric: Option<String>,
}

/// The samplers that there are.
enum Sampler {
    Nuts(Nuts),
    Hmc(Hmc),
    Langevin(AdaptiveLangevin),
    Walk(AdaptiveWalk),
    Slice(AdaptiveSlice),
}

impl Settings {
    /// Whether the sampler moves by gradients.
    pub(super) fn has_gradient(&self) -> bool {
        !matches!(self.sampler.as_str(), "walk" | "slice")
    }

    fn sampler(&self) -> PyResult<Sampler> {
        let metric = match self.metric.as_deref() {
            None | Some("diagonal") => MetricChoice::default(),
            Some("unit") => MetricChoice::Unit,
            Some("dense") => MetricChoice::Dense,
            Some("low_rank") => MetricChoice::LOW_RANK,
            Some(other) => {
                let expected = "diagonal, dense, low_rank or unit";
                return Err(PyValueError::new_err(format!("metric: expected {expected}, found {other:?}")));
            }
        };
        let sampler = match self.sampler.as_str() {
            "nuts" => {
                let default = Nuts::default();
                let target_accept = self.target_accept.unwrap_or(default.target_accept);
                let max_depth = self.max_depth.unwrap_or(default.max_depth);
                Sampler::Nuts(Nuts { metric, target_accept, max_depth, ..default })
            }
            "hmc" => {
                let default = Hmc::default();
                let target_accept = self.target_accept.unwrap_or(default.target_accept);
                Sampler::Hmc(Hmc { metric, target_accept, ..default })
            }
            "langevin" => {
                let default = AdaptiveLangevin::default();
                Sampler::Langevin(AdaptiveLangevin {
                    goal: self.target_accept.unwrap_or(default.goal),
                    ..default
                })
            }
            "walk" => Sampler::Walk(AdaptiveWalk { goal: self.target_accept, ..AdaptiveWalk::default() }),
            "slice" => Sampler::Slice(AdaptiveSlice::default()),
            other => {
                let expected = "nuts, hmc, langevin, walk or slice";
                return Err(PyValueError::new_err(format!("sampler: expected {expected}, found {other:?}")));
            }
        };
        self.check(&sampler)?;
        Ok(sampler)
    }

    /// No option without effect.
    fn check(&self, sampler: &Sampler) -> PyResult<()> {
        let without = match sampler {
            Sampler::Nuts(_) => None,
            Sampler::Hmc(_) => self.max_depth.map(|_| "max_depth"),
            Sampler::Slice(_) if self.target_accept.is_some() => Some("target_accept"),
            _ if self.metric.is_some() => Some("metric"),
            _ => self.max_depth.map(|_| "max_depth"),
        };
        match without {
            None => Ok(()),
            Some(option) => {
                let sampler = &self.sampler;
                Err(PyValueError::new_err(format!("{option}: the sampler {sampler} has none")))
            }
        }
    }

    fn start(&self) -> Start {
        match &self.start[..] {
            [] => Start::default(),
            [one] => Start::At(one.clone()),
            all => Start::Each(all.to_vec()),
        }
    }
}

/// Draws as arrays.
#[derive(IntoPyObject)]
pub(crate) struct Sampled<'py> {
    names: Vec<String>,
    /// Chains, draws, parameters.
    values: Bound<'py, PyAny>,
    statistic_names: Vec<String>,
    /// Chains, draws, statistics.
    statistics: Bound<'py, PyAny>,
}

impl<'py> Sampled<'py> {
    /// Draws as arrays.
    pub(crate) fn new(py: Python<'py>, draws: &Draws) -> PyResult<Self> {
        let (chains, len) = (draws.chains(), draws.len());
        let places = || (0..chains).flat_map(|chain| (0..len).map(move |draw| (chain, draw)));
        let values = places().flat_map(|(chain, draw)| draws.draw(chain, draw).to_vec()).collect();
        let names = draws.statistic_names();
        let columns: Vec<Vec<Vec<f64>>> = names.iter().filter_map(|name| draws.statistic(name)).collect();
        let statistics =
            places().flat_map(|(chain, draw)| columns.iter().map(move |own| own[chain][draw])).collect();
        Ok(Self {
            names: draws.names().to_vec(),
            values: arrays::shaped(py, values, &[chains, len, draws.names().len()])?,
            statistic_names: names.to_vec(),
            statistics: arrays::shaped(py, statistics, &[chains, len, names.len()])?,
        })
    }
}

/// Draws of a target, by at most so many threads, until there is a signal.
pub(crate) fn sampled(
    py: Python<'_>,
    target: &(dyn GradTarget + Sync),
    settings: &Settings,
    listener: &Listener,
    threads: Option<usize>,
) -> PyResult<Draws> {
    let (sampler, start) = (settings.sampler()?, settings.start());
    let run = Run {
        chains: settings.chains,
        warm_up: settings.warm_up,
        draws: settings.draws,
        thin: settings.thin,
        seed: settings.seed,
        ..Run::default()
    };
    let cores = || available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(cores).clamp(1, settings.chains.max(1));
    // A pool of this call: a fork of the process has none of another's threads.
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(invalid)?;
    let resumed = listener.resume.as_deref();
    let steps = Steps { run, start, settings: format!("{settings:?}"), resumed };
    heard(py, listener, |signals| {
        let target = Watched { target, signals };
        let chains = || match &sampler {
            Sampler::Nuts(own) => steps.draws(&target, own),
            Sampler::Hmc(own) => steps.draws(&target, own),
            Sampler::Langevin(own) => steps.draws(&target, own),
            Sampler::Walk(own) => steps.draws(&target, own),
            Sampler::Slice(own) => steps.draws(&target, own),
        };
        // A thread that Python knows takes the lock in less time than one that it meets anew at each call.
        pool.install(|| Python::attach(|py| py.detach(chains)))
    })
}
