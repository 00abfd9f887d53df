//! One topic for all documents: the unigram model, the baseline of all others.
//!
//! The tokens are independent draws from one distribution over words, for which a Dirichlet prior stands. Its
//! posterior mean is add-k smoothing, `(n_w + k) / (N + V k)`; k = 0 is maximum likelihood, under which an
//! unseen word is impossible.
//!
//! ```
//! use posterior_topics::{Corpus, TopicModel, unigram::Unigram};
//!
//! let words = ["graphical", "models", "are", "fun", "hard"].map(str::to_owned).to_vec();
//! let row = vec![(0, 1), (1, 1), (2, 1), (3, 1)];
//! let corpus = Corpus::from_rows(words, vec!["slogan".to_owned()], vec![row])?;
//! let fitted = Unigram::fit(&corpus, 1.0)?;
//! // (2/9)³ (1/9)
//! let hard = [(0, 1), (1, 1), (2, 1), (4, 1)].map(|(w, n)| (w as usize, f64::from(n)));
//! let phi = fitted.model.topics().topic_word();
//! let p: f64 = hard.iter().map(|&(w, n)| phi[(0, w)].powf(n)).product();
//! assert!((p - 8.0 / 6561.0).abs() < 1e-15);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

use posterior_math::check;
use posterior_math::iteration::{Report, Stop};
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_rising_factorial;
use serde::{Deserialize, Serialize};

use crate::checkpoint::check_format;
use crate::corpus::Document;
use crate::{Corpus, Error, FittedTopics, TopicModel, Topics};

const FORMAT: &str = "posterior-unigram-1";

/// The unigram model of a corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "File", into = "File")]
pub struct Unigram {
    topics: Topics,
    counts: Vec<f64>,
    added: f64,
}

impl Unigram {
    /// Adds `added` to the count of each word of the vocabulary: the posterior mean under a Dirichlet prior
    /// with this concentration.
    ///
    /// # Errors
    /// A number that is negative or not finite.
    pub fn fit(corpus: &Corpus, added: f64) -> Result<FittedTopics<Self>, Error> {
        check::non_negative("Unigram", "added", added)?;
        let counts: Vec<f64> = corpus.word_totals().into_iter().map(|n| n as f64).collect();
        let (tokens, words) = (corpus.tokens() as f64, counts.len() as f64);
        // Both parts on their own: V k may overflow where a proportion of it does not.
        let scale = tokens.max(words * added).min(f64::MAX);
        let whole = tokens / scale + words * (added / scale);
        let probability = |n: &f64| (n / scale + added / scale) / whole;
        let topic_word = DMatrix::from_iterator(1, counts.len(), counts.iter().map(probability));
        let topics =
            Topics::new(corpus.vocabulary().to_vec(), topic_word, vec![1.0], corpus.word_proportions())?;
        let model = Self { topics, counts, added };
        let ln_likelihood = corpus.iter().map(|document| model.topics.ln_likelihood(document, &[1.0])).sum();
        let report = Report::new(vec![ln_likelihood], Stop::Converged);
        Ok(FittedTopics { model, doc_topic: DMatrix::from_element(corpus.documents(), 1, 1.0), report })
    }

    /// The number that was added to each count.
    pub const fn added(&self) -> f64 {
        self.added
    }

    /// ln p of the corpus, the distribution over words integrated out: ln of B(n + k) / B(k), of the tokens
    /// in their order. It is that of latent Dirichlet allocation with one topic. `None` without a prior.
    pub fn ln_evidence(&self) -> Option<f64> {
        if self.added == 0.0 {
            return None;
        }
        let tokens: f64 = self.counts.iter().sum();
        let words: f64 = self.counts.iter().map(|&n| ln_rising_factorial(self.added, n as u64)).sum();
        Some(words - ln_rising_factorial(self.counts.len() as f64 * self.added, tokens as u64))
    }
}

impl TopicModel for Unigram {
    fn topics(&self) -> &Topics {
        &self.topics
    }

    /// All is of the one topic.
    fn proportions(&self, _: Document<'_>) -> Vec<f64> {
        vec![1.0]
    }
}

/// The file form of the model.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    added: f64,
    counts: Vec<f64>,
    topics: Topics,
}

impl From<Unigram> for File {
    fn from(Unigram { topics, counts, added }: Unigram) -> Self {
        Self { format: FORMAT.to_owned(), added, counts, topics }
    }
}

impl TryFrom<File> for Unigram {
    type Error = String;

    fn try_from(File { format, added, counts, topics }: File) -> Result<Self, String> {
        check_format(&format, FORMAT)?;
        check::non_negative("Unigram", "added", added).map_err(|error| error.to_string())?;
        if topics.len() != 1 || counts.len() != topics.vocabulary().len() {
            return Err("expected one topic, and a count for each word".to_owned());
        }
        if counts.iter().any(|&n| !(n >= 0.0 && n.is_finite())) {
            return Err("counts must be finite, and none below zero".to_owned());
        }
        Ok(Self { topics, counts, added })
    }
}
