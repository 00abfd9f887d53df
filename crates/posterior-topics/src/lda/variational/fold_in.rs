//! The approximate posterior of documents that a model was not fitted to.

use posterior_dist::Dirichlet;

use super::document_step::{DocumentPosterior, Proportions, Workspace};
use super::topic_posterior::{TopicFactor, TopicPosterior};
use crate::TopicModel;
use crate::corpus::Document;
use crate::lanes::{ZERO, width, with_padding};
use crate::lda::Lda;
use crate::lda::word_concentrations::WordConcentrations;

/// Steps of the fixed point at most, and the mean change of the expected topic counts at which it ends.
const MOST_STEPS: usize = 1000;
const TOLERANCE: f64 = 1e-8;

/// Reads documents by variational Bayes, the topics' posterior of a model held fixed.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_topics::{Corpus, lda::variational};
///
/// let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
/// let names = ["shore", "branch"].map(str::to_owned).to_vec();
/// let corpus = Corpus::from_rows(words, names, vec![vec![(0, 50), (1, 20)], vec![(1, 20), (2, 50)]])?;
/// let options = variational::LdaVariationalOptions {
///     topics: 2,
///     alpha: 0.1.into(),
///     ..variational::LdaVariationalOptions::default()
/// };
/// let model = variational::fit(&corpus, &options, &mut Silent)?.model;
///
/// let read = variational::FoldIn::new(&model).read(corpus.document(0));
/// assert!((read.proportions.total() - 70.2).abs() < 1e-9);
/// assert!(read.bound < 0.0);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct FoldIn {
    prior: Proportions,
    topics: TopicPosterior,
}

/// The posterior of one document by variational Bayes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// q(theta).
    pub proportions: Dirichlet,
    /// The document's terms of the bound: `E ln p(w, z, theta | phi) + H(q(z)) + H(q(theta))`, at most
    /// `E ln p(w | phi)` over the topics' posterior.
    pub bound: f64,
}

impl FoldIn {
    /// Prepares a model: words x topics logarithms and exponentials.
    pub fn new(model: &Lda) -> Self {
        let topics = model.topics().len();
        let counts = with_padding(model.expected_counts(), topics);
        let prior = WordConcentrations::equal(topics, model.topics().vocabulary().len(), model.beta());
        Self {
            prior: Proportions::new(model.alpha()),
            topics: TopicPosterior::new(&prior, TopicFactor::Dirichlet, counts),
        }
    }

    /// The posterior of a document's proportions, and its bound.
    ///
    /// Cost: steps x distinct words x topics.
    ///
    /// # Panics
    /// When a word id is outside the vocabulary.
    #[track_caller]
    pub fn read(&self, document: Document<'_>) -> Reading {
        let topics = self.topics.topics();
        let mut work = Workspace::new(topics);
        let mut gamma = vec![ZERO; width(topics)];
        let mut theta = gamma.clone();
        let mut ratios = vec![0.0; document.words.len()];
        self.prior.start(document.tokens() as f64, &mut gamma);
        let mut posterior = DocumentPosterior { gamma: &mut gamma, theta: &mut theta, ratios: &mut ratios };
        for _ in 0..MOST_STEPS {
            if work.step(document, &self.prior, &self.topics, &mut posterior) <= TOLERANCE {
                break;
            }
        }
        let bound = work.bound(document, &self.prior, &self.topics, &posterior);
        let proportions = Dirichlet::new(&gamma.as_flattened()[..topics])
            .expect("invariant: concentrations and counts are positive and finite");
        Reading { proportions, bound }
    }
}

/// q(theta) of one document. For many, prepare a [`FoldIn`].
///
/// # Panics
/// When a word id is outside the vocabulary.
#[track_caller]
pub fn document_posterior(model: &Lda, document: Document<'_>) -> Dirichlet {
    FoldIn::new(model).read(document).proportions
}
