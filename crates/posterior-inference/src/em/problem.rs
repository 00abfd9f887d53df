//! The two steps that a model gives to EM.

/// Data with hidden parts, and all that stays the same while a model is fitted to them: prior, structure,
/// settings.
///
/// # Distributions
/// `e_step` returns the statistics of the exact posterior of what is hidden, and `m_step` a model under which
/// they are no less probable (with the prior) than under the previous one: then the objective never falls. A
/// driver reports it where it does.
pub trait Problem {
    /// What is fitted.
    type Model;

    /// What the M step needs to know of the completed data: expected counts and sums, in general the expected
    /// sufficient statistics.
    type Statistics;

    /// Why a step may fail: data that are impossible under the model, a component without data.
    type Error;

    /// The E step: the expected statistics under the posterior of what is hidden, and ln p(x | θ).
    ///
    /// # Errors
    /// If the model cannot have made the data, or the posterior cannot be computed.
    fn e_step(&self, model: &Self::Model) -> Result<Expected<Self::Statistics>, Self::Error>;

    /// The M step: the most probable model given these statistics, or (generalised EM) one that is more
    /// probable than `previous`.
    ///
    /// # Errors
    /// If no model fits.
    fn m_step(
        &self,
        statistics: &Self::Statistics,
        previous: &Self::Model,
    ) -> Result<Self::Model, Self::Error>;

    /// ln p(θ), up to a constant: 0 for maximum likelihood, which is the default.
    fn ln_prior(&self, _model: &Self::Model) -> f64 {
        0.0
    }
}

/// What an E step found.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected<S> {
    /// The expected statistics of the completed data.
    pub statistics: S,
    /// ln p(x | θ) of the model that they were expected under.
    pub ln_likelihood: f64,
}

impl<S> Expected<S> {
    /// These statistics, under a model that gives the data this log-likelihood.
    pub const fn new(statistics: S, ln_likelihood: f64) -> Self {
        Self { statistics, ln_likelihood }
    }
}
