//! The fit: a chain, and estimates from its states.

use posterior_dist::PitmanYor;
use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;

use super::chain::PitmanYorGibbs;
use super::model::PitmanYorTopics;
use super::options::PitmanYorTopicsOptions;
use crate::chain::{Chain, Run, SweepReport};
use crate::distributions::heaviest_first;
use crate::{Corpus, Error, FittedTopics, Topics};

/// Fits Pitman-Yor topics by collapsed Gibbs sampling. The trace has discount and concentration of the
/// topics.
///
/// The observer sees the latest value of ln p(W, Z, tables | parameters) after each sweep, NaN before the
/// first one is taken; when it stops the fit, estimates are of what was pooled so far or, if nothing was, of
/// the last state. The result depends on the seed alone; one thread does all.
///
/// Cost: `iterations` x tokens x topics.
///
/// # Errors
/// Options out of range, or a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    options: &PitmanYorTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<PitmanYorTopics, SweepReport<PitmanYor>>, Error> {
    let gibbs = PitmanYorGibbs::new(corpus, options)?;
    let chain = PitmanYorChain { pooled: Pooled::new(&gibbs), gibbs };
    let (PitmanYorChain { gibbs, mut pooled }, report) =
        Run::new(chain, options.schedule()).finish(None, observer)?;
    if pooled.states == 0.0 {
        pooled.add(&gibbs);
    }
    let (model, doc_topic) = pooled.estimates(&gibbs)?;
    Ok(FittedTopics { model, doc_topic, report })
}

/// The chain, and the sums of its states.
struct PitmanYorChain<'a> {
    gibbs: PitmanYorGibbs<'a>,
    pooled: Pooled,
}

impl Chain for PitmanYorChain<'_> {
    type State = PitmanYor;

    fn corpus(&self) -> &Corpus {
        self.gibbs.corpus()
    }

    fn sweep(&mut self, _: usize) {
        self.gibbs.sweep();
    }

    fn optimize(&mut self) {
        self.gibbs.optimize_hyperparameters();
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_joint()
    }

    fn state(&self) -> PitmanYor {
        self.gibbs.level()
    }

    fn pool(&mut self) {
        self.pooled.add(&self.gibbs);
    }
}

/// Sums over the pooled states.
struct Pooled {
    states: f64,
    /// Topics x words: probabilities.
    topic_word: DMatrix<f64>,
    /// Documents x topics: tokens.
    document_topic: DMatrix<f64>,
}

impl Pooled {
    fn new(chain: &PitmanYorGibbs<'_>) -> Self {
        let (corpus, topics) = (chain.corpus(), chain.alpha().len());
        Self {
            states: 0.0,
            topic_word: DMatrix::zeros(topics, corpus.vocabulary().len()),
            document_topic: DMatrix::zeros(corpus.documents(), topics),
        }
    }

    fn add(&mut self, chain: &PitmanYorGibbs<'_>) {
        self.states += 1.0;
        for (word, mut column) in self.topic_word.column_iter_mut().enumerate() {
            for (sum, p) in column.iter_mut().zip(chain.word_probabilities(word)) {
                *sum += p;
            }
        }
        for (d, mut row) in self.document_topic.row_iter_mut().enumerate() {
            for (sum, &count) in row.iter_mut().zip(chain.document_counts(d)) {
                *sum += f64::from(count);
            }
        }
    }

    /// The model and the proportions of the documents, topics numbered by their tokens, most first.
    fn estimates(&self, chain: &PitmanYorGibbs<'_>) -> Result<(PitmanYorTopics, DMatrix<f64>), Error> {
        let corpus = chain.corpus();
        let totals: Vec<f64> = self.document_topic.column_iter().map(|column| column.sum()).collect();
        let order = heaviest_first(&totals);
        let alpha: Vec<f64> = order.iter().map(|&k| chain.alpha()[k]).collect();
        let prior: f64 = alpha.iter().sum();
        let lengths: Vec<f64> = corpus.iter().map(|document| document.tokens() as f64).collect();
        let doc_topic = DMatrix::from_fn(corpus.documents(), order.len(), |d, k| {
            (alpha[k] + self.document_topic[(d, order[k])] / self.states) / (prior + lengths[d])
        });
        let all: f64 = totals.iter().sum();
        let weights = order.iter().map(|&k| totals[k] / all).collect();
        let shape = (order.len(), corpus.vocabulary().len());
        let mut topic_word =
            DMatrix::from_fn(shape.0, shape.1, |k, word| self.topic_word[(order[k], word)] / self.states);
        for mut row in topic_word.row_iter_mut() {
            // One but for rounding.
            let sum = row.sum();
            row /= sum;
        }
        let topics =
            Topics::new(corpus.vocabulary().to_vec(), topic_word, weights, corpus.word_proportions())?;
        Ok((PitmanYorTopics::new(topics, alpha, chain.level(), chain.base_level()), doc_topic))
    }
}
