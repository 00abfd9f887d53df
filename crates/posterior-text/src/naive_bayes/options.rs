//! What kind of naive Bayes model of texts.

use posterior_math::ParamError;
use posterior_math::check;
use serde::{Deserialize, Serialize};

use super::class_counts::Counted;
use super::class_prior::ClassPrior;
use super::class_weights::ClassWeights;

/// The distribution of a text given its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EventModel {
    /// For each word of the vocabulary a coin says whether it is in the text: words that are absent count
    /// too.
    Bernoulli,
    /// Each token is drawn from the words of the class, p(x | y) = Π θ^n, of the tokens in their order.
    Multinomial,
    /// The same with θ integrated out under its posterior, so that a word makes its next occurrence more
    /// probable: the predictive distribution of a text (Pólya's urn). For a text of one word it is
    /// [`Multinomial`](Self::Multinomial).
    Polya,
    /// Each class by the words of all others (Rennie et al. 2003), which is steadier where classes have few
    /// documents: the score of a class is -Σ n ln θ of the others. A score, not a probability model: it has
    /// no prior of classes, and its probabilities are softmax of scores.
    Complement,
    /// The same with the weights of each class divided by their sum, against classes with many dependent
    /// words.
    NormalizedComplement,
}

impl EventModel {
    /// Whether scores are ln p(x, y) of a model of texts.
    pub(super) const fn is_generative(self) -> bool {
        !matches!(self, Self::Complement | Self::NormalizedComplement)
    }
}

/// Whether the length of a text says something about its class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DocumentLength {
    /// It does not.
    Ignored,
    /// The number of known tokens is Poisson with a mean for each class: that of its documents and of so many
    /// more of the mean length of all. A class without a document has the mean of all.
    Poisson {
        /// Documents of the common mean length, at least 0.
        documents: f64,
    },
}

/// Options of a model of texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NaiveBayesOptions {
    /// The distribution of a text given its class (default: multinomial).
    pub model: EventModel,
    /// The number that is added to every count (default: 1): the concentration of a symmetric Dirichlet
    /// (Bernoulli: Beta) prior, the parameters being its posterior mean. 0 is maximum likelihood, under
    /// which a text may be impossible in every class.
    pub smoothing: f64,
    /// The probabilities of the classes (default: fitted, with one document added to each).
    pub prior: ClassPrior,
    /// Of the multinomial models, whether the length counts (default: ignored).
    pub length: DocumentLength,
    /// The count of a word (default: each occurrence). The Bernoulli model counts presence, whatever stands
    /// here.
    pub counted: Counted,
    /// How many documents each of a class counts as (default: one).
    #[serde(default)]
    pub weights: ClassWeights,
}

impl Default for NaiveBayesOptions {
    fn default() -> Self {
        Self {
            model: EventModel::Multinomial,
            smoothing: 1.0,
            prior: ClassPrior::Learned { add: 1.0 },
            length: DocumentLength::Ignored,
            counted: Counted::Occurrences,
            weights: ClassWeights::Equal,
        }
    }
}

impl NaiveBayesOptions {
    /// The counts that the model takes of a word.
    pub fn counts(&self) -> Counted {
        match self.model {
            EventModel::Bernoulli => Counted::Presence,
            _ => self.counted,
        }
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        const TYPE: &str = "NaiveBayesOptions";
        let smoothing = check::non_negative(TYPE, "smoothing", self.smoothing)?;
        let needs_prior = !matches!(self.model, EventModel::Bernoulli | EventModel::Multinomial);
        check::require(smoothing > 0.0 || !needs_prior, TYPE, "smoothing", smoothing, "above 0")?;
        if let DocumentLength::Poisson { documents } = self.length {
            check::non_negative(TYPE, "length.documents", documents)?;
            let multinomial = matches!(self.model, EventModel::Multinomial | EventModel::Polya);
            check::require(multinomial, TYPE, "length", documents, "ignored but by multinomial and Polya")?;
        }
        Ok(())
    }
}
