//! The fitted model: the topics that the corpus asked for.

use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::lda::Lda;
use crate::{TopicModel, Topics};

const FORMAT: &str = "posterior-hdp-1";

/// A fitted hierarchical Dirichlet process: its topics, with their weights as the prior of proportions.
///
/// Given the topics that the tokens of the corpus have, new documents are those of a latent Dirichlet
/// allocation with `alpha_k = α₀ b_k`. What is left of the weight, [`unused_weight`](Self::unused_weight),
/// belongs to topics that nothing is known of; proportions leave it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Hdp {
    lda: Lda,
    concentrations: Concentrations,
    unused_weight: f64,
}

impl Hdp {
    pub(super) fn new(lda: Lda, concentrations: Concentrations, unused_weight: f64) -> Self {
        Self { lda, concentrations, unused_weight }
    }

    /// The same topics as a latent Dirichlet allocation with `alpha_k = α₀ b_k`.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// The concentrations of the process at the end of the fit.
    pub fn concentrations(&self) -> Concentrations {
        self.concentrations
    }

    /// The mean weight in the corpus of topics that none of its tokens has.
    pub fn unused_weight(&self) -> f64 {
        self.unused_weight
    }
}

impl TopicModel for Hdp {
    fn topics(&self) -> &Topics {
        self.lda.topics()
    }

    /// As [`Lda::proportions`](TopicModel::proportions), with `alpha_k = α₀ b_k`.
    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.lda.proportions(document)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    concentrations: Concentrations,
    unused_weight: f64,
    lda: Lda,
}

impl From<Hdp> for File {
    fn from(Hdp { lda, concentrations, unused_weight }: Hdp) -> Self {
        Self { format: FORMAT.to_owned(), concentrations, unused_weight, lda }
    }
}

impl TryFrom<File> for Hdp {
    type Error = String;

    fn try_from(File { format, concentrations, unused_weight, lda }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(concentrations.alpha) || !positive(concentrations.gamma) {
            return Err("concentrations must be positive and finite".to_owned());
        }
        if !(0.0..=1.0).contains(&unused_weight) {
            return Err("the unused weight must be a probability".to_owned());
        }
        Ok(Self { lda, concentrations, unused_weight })
    }
}
