//! How a process is computed, apart from its data.

use posterior::gp::Kernel;
use posterior::gp::hyperparameters::ParameterPosterior;
use serde::{Deserialize, Serialize};

use super::kernel_path::KernelPath;
use crate::args::{Approximation, GpEngine, Likelihood, MeanShape};
use crate::level::Level;

/// How a process is computed, apart from its data.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    pub(super) likelihood: Likelihood,
    /// The parameters of the likelihood where a search begins, in its order.
    #[serde(default)]
    pub(super) likelihood_parameters: Vec<f64>,
    pub(super) engine: GpEngine,
    pub(super) approximation: Option<Approximation>,
    pub(super) mean: Option<MeanShape>,
    /// With the parameters where a search begins.
    pub(super) kernel: Kernel,
    /// The variance of the noise where a search begins.
    pub(super) noise: Option<f64>,
    pub(super) parameters: Parameters,
    pub(super) seed: u64,
    /// How the kernel was found, if it was searched for.
    #[serde(skip)]
    pub(super) kernel_path: Option<KernelPath>,
    /// Whether the engine was chosen for the number of rows.
    #[serde(skip)]
    pub(super) for_many: bool,
    /// Whether each term of the kernel is wanted by itself.
    #[serde(skip)]
    pub(super) components: bool,
    /// Whether draws of the function are wanted.
    #[serde(skip)]
    pub(super) paths: bool,
    /// The probability of intervals.
    #[serde(skip)]
    pub(super) level: Level,
}

/// The parameters of kernel, mean and noise.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Parameters {
    /// As they stand in the settings.
    Given,
    /// Those of most evidence, from so many random starts besides; with all others that the data allow, or
    /// taken as known.
    Search { restarts: usize, integrated: bool },
    /// On their free scales.
    Known(Vec<f64>),
    /// Those of most evidence, and all that the data allow, on their free scales.
    Integrated { best: Vec<f64>, posterior: ParameterPosterior },
}

impl Settings {
    /// The same with the parameters that were found.
    pub(super) fn with_parameters(&self, best: Vec<f64>, posterior: Option<ParameterPosterior>) -> Self {
        let parameters = match posterior {
            Some(posterior) => Parameters::Integrated { best, posterior },
            None => Parameters::Known(best),
        };
        Self { parameters, ..self.clone() }
    }
}
