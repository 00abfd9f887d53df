//! Options of stochastic variational Bayes.

use posterior_math::{ParamError, check};

use crate::lda::concentration;

/// The name of the model in errors.
const NAME: &str = "Hdp";

/// Options of [`fit`](super::fit) and of [`OnlineHdp`](super::OnlineHdp). All but `threads` shape the result.
#[derive(Debug, Clone, PartialEq)]
pub struct HdpOnlineOptions {
    /// Topics at most, at least 2. Default 100.
    pub topics: usize,
    /// Sticks of a document at most, at least 2. Default 15.
    pub sticks: usize,
    /// α₀, the concentration of documents' processes around the corpus'. Default 1.
    pub alpha: f64,
    /// γ, the concentration of the corpus' process. Default 1.
    pub gamma: f64,
    /// The Dirichlet concentration of each word in a topic. Default 0.01.
    pub beta: f64,
    /// Batches by which the rates are delayed, at least 1: the larger, the less the first batches weigh.
    /// Default 1.
    pub delay: f64,
    /// The speed with which rates fall, from 0 to 1. Above one half, the topics converge. Default 0.7.
    pub decay: f64,
    /// Documents in a batch of [`fit`](super::fit), at least 1. Default 256.
    pub batch: usize,
    /// Passes of [`fit`](super::fit) over the corpus, at least 1. Default 5.
    pub passes: usize,
    /// Documents of the whole stream. Default: as many as [`fit`](super::fit) has, or as were seen.
    pub documents: Option<usize>,
    /// Steps of a document's fixed point, at least 1. Default 20.
    pub document_steps: usize,
    /// The mean change of a document's expected tokens by topic at which its fixed point ends. Default 1e-3.
    pub document_tolerance: f64,
    /// The seed. Default 0.
    pub seed: u64,
    /// Threads to use; 0 for all cores. They never change the result. Default 0.
    pub threads: usize,
}

impl Default for HdpOnlineOptions {
    fn default() -> Self {
        Self {
            topics: 100,
            sticks: 15,
            alpha: 1.0,
            gamma: 1.0,
            beta: 0.01,
            delay: 1.0,
            decay: 0.7,
            batch: 256,
            passes: 5,
            documents: None,
            document_steps: 20,
            document_tolerance: 1e-3,
            seed: 0,
            threads: 0,
        }
    }
}

impl HdpOnlineOptions {
    /// The rate of batch `t`, from 0: `(delay + t)^-decay`.
    pub fn rate(&self, t: u64) -> f64 {
        (self.delay + t as f64).powf(-self.decay)
    }

    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, value) in [("alpha", self.alpha), ("gamma", self.gamma), ("beta", self.beta)] {
            concentration::check(NAME, name, value)?;
        }
        for (name, count) in [("topics", self.topics), ("sticks", self.sticks)] {
            let fits = (2..=usize::from(u16::MAX)).contains(&count);
            check::require(fits, NAME, name, count as f64, "from 2 to 65535")?;
        }
        for (name, count) in [
            ("batch", self.batch),
            ("passes", self.passes),
            ("documents", self.documents.unwrap_or(1)),
            ("document_steps", self.document_steps),
        ] {
            check::at_least_one(NAME, name, count)?;
        }
        let delay = (1.0..f64::INFINITY).contains(&self.delay);
        check::require(delay, NAME, "delay", self.delay, "finite and at least 1")?;
        check::probability(NAME, "decay", self.decay)?;
        check::non_negative(NAME, "document_tolerance", self.document_tolerance)?;
        Ok(())
    }
}
