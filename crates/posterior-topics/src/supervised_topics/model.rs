//! The fitted model: topics, coefficients, and states of the chain to predict with.

use posterior_dist::stream::stream;
use posterior_dist::{Mixture, Normal};
use posterior_math::special::normal_cdf;
use posterior_sampling::Draws;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::chain::ChainState;
use super::options::ResponseFamily;
use super::prediction::ResponsePrediction;
use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::lda::Lda;
use crate::token_topics::TokenTopics;
use crate::topics::require_word;
use crate::{Error, TopicModel, Topics};

const FORMAT: &str = "posterior-supervised-topics-1";

/// Sweeps over a new document before its topics are used, draws of them for each state of the chain, and
/// sweeps between two.
const WARM_UP: usize = 20;
const DRAWS: usize = 5;
const APART: usize = 2;

/// Fitted supervised topics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct SupervisedTopics {
    lda: Lda,
    family: ResponseFamily,
    coefficient_draws: Draws,
    states: Vec<ChainState>,
    /// Tokens of each topic, for each state.
    totals: Vec<Vec<u64>>,
}

impl SupervisedTopics {
    pub(super) fn new(
        lda: Lda,
        family: ResponseFamily,
        coefficient_draws: Draws,
        states: Vec<ChainState>,
    ) -> Self {
        let topics = lda.topics().len();
        let totals = |state: &ChainState| {
            let mut totals = vec![0; topics];
            for &(k, n) in state.words.iter().flatten() {
                totals[usize::from(k)] += u64::from(n);
            }
            totals
        };
        let totals = states.iter().map(totals).collect();
        Self { lda, family, coefficient_draws, states, totals }
    }

    /// What a response is.
    pub fn family(&self) -> ResponseFamily {
        self.family
    }

    /// The topics as a latent Dirichlet allocation.
    pub fn lda(&self) -> &Lda {
        &self.lda
    }

    /// Draws of the coefficients from their posterior distribution, a chain of neighbours that depend on each
    /// other: `eta_0`, `eta_1`, .. of the topics and, where the response is a number, `sigma` of the noise.
    ///
    /// Their [`summary_of_level`](Draws::summary_of_level) has means, intervals and effective numbers of
    /// draws. The chain holds on to one numbering of the topics, as long as it does not exchange two of
    /// them: an interval of `eta_k` is that of a topic whose words stay as they are. A difference of two
    /// coefficients is how much the response changes from a document of one topic to one of the other.
    pub fn coefficient_draws(&self) -> &Draws {
        &self.coefficient_draws
    }

    /// The response of a new document: for each state of the chain that was kept its topics are drawn by
    /// Gibbs sampling, given the tokens of the corpus, with 5 draws after 20 sweeps. The same seed gives the
    /// same prediction. The document teaches nothing about the topics of the others.
    ///
    /// Cost: states x 30 x tokens x topics.
    ///
    /// # Errors
    /// A document without words: nothing is known of its response.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    pub fn predict(&self, document: Document<'_>, seed: u64) -> Result<ResponsePrediction, Error> {
        let length = document.tokens() as f64;
        if length == 0.0 {
            return Err(Error::TooFew { what: "a prediction", needed: "a word that the model knows" });
        }
        let vocabulary = self.topics().vocabulary().len();
        for &word in document.words {
            require_word(word, vocabulary);
        }
        let (mut components, mut probability) = (Vec::new(), 0.0);
        for (s, (state, totals)) in self.states.iter().zip(&self.totals).enumerate() {
            for proportions in self.draw_proportions(document, (state, totals), (seed, s as u64)) {
                let mean: f64 = proportions.iter().zip(&state.coefficients).map(|(z, eta)| z * eta).sum();
                match self.family {
                    ResponseFamily::Gaussian => components.push(Normal::mean_sd(mean, state.noise_sd)?),
                    ResponseFamily::Binary => probability += normal_cdf(mean),
                }
            }
        }
        Ok(match self.family {
            ResponseFamily::Gaussian => {
                ResponsePrediction::Number(Mixture::from_weights(&vec![1.0; components.len()], components)?)
            }
            ResponseFamily::Binary => {
                ResponsePrediction::Probability(probability / (DRAWS * self.states.len()) as f64)
            }
        })
    }

    /// Draws of the proportions of topics among the tokens of a document, given a state of the chain.
    fn draw_proportions(
        &self,
        document: Document<'_>,
        (state, totals): (&ChainState, &[u64]),
        (seed, stream_of): (u64, u64),
    ) -> Vec<Vec<f64>> {
        let topics = totals.len();
        let mut rng = stream(seed, &[stream_of]);
        let mut counts = vec![0; document.words.len() * topics];
        for (row, &word) in counts.chunks_exact_mut(topics).zip(document.words) {
            for &(k, n) in &state.words[word as usize] {
                row[usize::from(k)] = n;
            }
        }
        let corpus = (totals, self.topics().vocabulary().len());
        let mut tokens =
            TokenTopics::beyond(document, counts, corpus, self.lda.beta(), || rng.random_range(0..topics));
        let mut draws = Vec::with_capacity(DRAWS);
        for sweep in 1..=WARM_UP + DRAWS * APART {
            tokens.sweep_document(0, &(0..topics), self.lda.alpha(), &mut (), &mut rng);
            if sweep > WARM_UP && (sweep - WARM_UP).is_multiple_of(APART) {
                let length = tokens.length(0) as f64;
                draws.push(tokens.document_counts(0).iter().map(|&n| f64::from(n) / length).collect());
            }
        }
        draws
    }
}

impl TopicModel for SupervisedTopics {
    fn topics(&self) -> &Topics {
        self.lda.topics()
    }

    fn proportions(&self, document: Document<'_>) -> Vec<f64> {
        self.lda.proportions(document)
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    family: ResponseFamily,
    lda: Lda,
    coefficient_draws: Draws,
    states: Vec<ChainState>,
}

impl From<SupervisedTopics> for File {
    fn from(model: SupervisedTopics) -> Self {
        let SupervisedTopics { lda, family, coefficient_draws, states, .. } = model;
        Self { format: FORMAT.to_owned(), family, lda, coefficient_draws, states }
    }
}

impl TryFrom<File> for SupervisedTopics {
    type Error = String;

    fn try_from(File { format, family, lda, coefficient_draws, states }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        let (topics, words) = (lda.topics().len(), lda.topics().vocabulary().len());
        let mut names: Vec<String> = (0..topics).map(|k| format!("eta_{k}")).collect();
        names.extend((family == ResponseFamily::Gaussian).then(|| "sigma".to_owned()));
        if coefficient_draws.names() != names {
            return Err(
                "expected draws of a coefficient for each topic, and of the noise of a number".to_owned()
            );
        }
        let sound = |state: &ChainState| {
            let numbers = state.coefficients.iter().all(|eta| eta.is_finite());
            let noise = state.noise_sd > 0.0 && state.noise_sd.is_finite();
            let known = state.words.iter().flatten().all(|&(k, _)| usize::from(k) < topics);
            let sizes = state.coefficients.len() == topics && state.words.len() == words;
            numbers && noise && known && sizes
        };
        if states.is_empty() || !states.iter().all(sound) {
            return Err("states of the chain contradict the topics, or there are none".to_owned());
        }
        Ok(Self::new(lda, family, coefficient_draws, states))
    }
}
