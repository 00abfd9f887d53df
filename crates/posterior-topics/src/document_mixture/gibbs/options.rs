//! Options of Gibbs sampling.

use posterior_math::ParamError;
use posterior_math::check;

/// The type's name in errors.
const NAME: &str = "document_mixture::gibbs";

/// The smallest and the largest concentration of words: products of eight numbers between them, counts
/// included, are within range.
const WORD_BOUNDS: (f64, f64) = (1e-30, 1e30);

/// The sampler of a fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentSampler {
    /// A document at a time, the parameters integrated out.
    #[default]
    Collapsed,
    /// All documents given the parameters, which are drawn too.
    Blocked,
}

/// Options of [`fit`](super::fit). All of them shape the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentMixtureGibbsOptions {
    /// The number of topics, at least 1. Default 20.
    pub topics: usize,
    /// The sampler. Default: collapsed.
    pub sampler: DocumentSampler,
    /// gamma, the Dirichlet concentration of each topic's weight. Default 1.
    pub weight_concentration: f64,
    /// beta, the Dirichlet concentration of each word in a topic, from 1e-30 to 1e30. Default 0.1.
    pub word_concentration: f64,
    /// Sweeps over all documents, at least 1. Default 200.
    pub iterations: usize,
    /// The last states of the chain, at least 1 and one after the other, that estimates are made of.
    /// Default 50.
    pub draws: usize,
    /// The seed. Default 0.
    pub seed: u64,
}

impl Default for DocumentMixtureGibbsOptions {
    fn default() -> Self {
        Self {
            topics: 20,
            sampler: DocumentSampler::Collapsed,
            weight_concentration: 1.0,
            word_concentration: 0.1,
            iterations: 200,
            draws: 50,
            seed: 0,
        }
    }
}

impl DocumentMixtureGibbsOptions {
    /// Checks every option.
    ///
    /// # Errors
    /// Names the first option out of its range.
    pub fn check(&self) -> Result<(), ParamError> {
        for (name, value) in [("topics", self.topics), ("iterations", self.iterations), ("draws", self.draws)]
        {
            check::at_least_one(NAME, name, value)?;
        }
        check::require(
            u32::try_from(self.topics).is_ok(),
            NAME,
            "topics",
            self.topics as f64,
            "at most 4294967295",
        )?;
        check::positive(NAME, "weight_concentration", self.weight_concentration)?;
        let (least, most) = WORD_BOUNDS;
        let fits = self.word_concentration >= least && self.word_concentration <= most;
        check::require(fits, NAME, "word_concentration", self.word_concentration, "from 1e-30 to 1e30")?;
        Ok(())
    }
}
