//! Hard EM: what is hidden is set to its most probable value.

use super::problem::{Expected, Problem};

/// A problem that knows the most probable completion of its data.
pub trait Classify: Problem {
    /// The statistics of the data completed by the most probable hidden values z*, and ln p(x, z* | θ).
    ///
    /// Ties must be broken in the same way each time.
    ///
    /// # Errors
    /// As for [`e_step`](Problem::e_step).
    fn classify(&self, model: &Self::Model) -> Result<Expected<Self::Statistics>, Self::Error>;
}

/// The same problem with hard assignments: k-means for mixtures, Viterbi training for hidden Markov models
/// (classification EM, Celeux and Govaert 1992).
///
/// Its objective is ln p(x, z* | θ) + ln p(θ), which neither step lowers. There are finitely many z*, so that
/// it ends at a fixed point. It is biased towards models that separate well; as a start for EM it is cheap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hard<P>(pub P);

impl<P: Classify> Problem for Hard<P> {
    type Model = P::Model;
    type Statistics = P::Statistics;
    type Error = P::Error;

    fn e_step(&self, model: &P::Model) -> Result<Expected<P::Statistics>, P::Error> {
        self.0.classify(model)
    }

    fn m_step(&self, statistics: &P::Statistics, previous: &P::Model) -> Result<P::Model, P::Error> {
        self.0.m_step(statistics, previous)
    }

    fn ln_prior(&self, model: &P::Model) -> f64 {
        self.0.ln_prior(model)
    }
}
