//! Options of a kernel topic model.

use posterior_math::{ParamError, check};

use super::scales::{Sharing, TimeKernel};

/// The step from the topics of documents to their concentrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ConcentrationUpdate {
    /// By regression on the Laplace bridge of each document, whose predictions go back over the bridge. The
    /// kernels' parameters are fitted anew in each round. An approximation: the bound may fall.
    LaplaceBridge,
    /// By climbing the bound plus the prior's density of `ln alpha` with its exact gradient: the penalised
    /// bound never falls. The kernels' parameters are fitted once, over the bridge. The default.
    #[default]
    Gradient,
}

/// Options of [`fit`](super::fit).
///
/// ```
/// use posterior_topics::kernel_topics::{KernelTopicsOptions, ConcentrationUpdate};
///
/// let options = KernelTopicsOptions { topics: 10, update: ConcentrationUpdate::LaplaceBridge, ..KernelTopicsOptions::default() };
/// assert_eq!(options.max_iterations, 20);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTopicsOptions {
    /// The number of topics, at least 2. 20 by default.
    pub topics: usize,
    /// The Dirichlet concentration of each word in a topic. 0.01 by default.
    pub beta: f64,
    /// Sweeps of collapsed Gibbs sampling from which the rounds start, at least 1. 100 by default.
    pub start_sweeps: usize,
    /// Rounds of topics, kernels and concentrations, at least 1. 20 by default.
    pub max_iterations: usize,
    /// The gain of the penalised bound per token at which the rounds end. 10^-5 by default; 0 for all rounds.
    pub tolerance: f64,
    /// The update of the concentrations.
    pub update: ConcentrationUpdate,
    /// The kernel of the curves: how smooth they are.
    pub kernel: TimeKernel,
    /// Whether topics have the parameters of their kernels in common.
    pub sharing: Sharing,
    /// With [`ConcentrationUpdate::Gradient`], the variance of `ln alpha` about the curves, between
    /// places of which
    /// different things are known. 0.01 by default: what documents differ by beyond the curves is the
    /// Dirichlet distribution's.
    pub place_variance: f64,
    /// The seed. 0 by default.
    pub seed: u64,
}

impl Default for KernelTopicsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            beta: 0.01,
            start_sweeps: 100,
            max_iterations: 20,
            tolerance: 1e-5,
            update: ConcentrationUpdate::default(),
            kernel: TimeKernel::default(),
            sharing: Sharing::default(),
            place_variance: 0.01,
            seed: 0,
        }
    }
}

impl KernelTopicsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        const TYPE: &str = "KernelTopics";
        let topics = self.topics as f64;
        check::require((2..=65535).contains(&self.topics), TYPE, "topics", topics, "from 2 to 65535")?;
        check::at_least_one(TYPE, "max_iterations", self.max_iterations)?;
        check::at_least_one(TYPE, "start_sweeps", self.start_sweeps)?;
        check::require((1e-30..=1e30).contains(&self.beta), TYPE, "beta", self.beta, "from 1e-30 to 1e30")?;
        check::non_negative(TYPE, "tolerance", self.tolerance)?;
        check::positive(TYPE, "place_variance", self.place_variance).map(|_| ())
    }
}
