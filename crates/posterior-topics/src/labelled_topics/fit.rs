//! The fit: a chain whose documents keep to the topics of their labels.

use posterior_dist::stream::stream;
use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_rising_factorial;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::labels::DocumentLabels;
use super::model::LabelledTopics;
use super::options::{LabelledTopicsOptions, NAME};
use crate::chain::{Chain, Run, SweepReport};
use crate::checks::{sampleable, size};
use crate::lda::gibbs::PooledCounts;
use crate::lda::{Lda, concentration};
use crate::token_topics::TokenTopics;
use crate::{Corpus, Error, FittedTopics};

/// Fits labelled topics by collapsed Gibbs sampling.
///
/// Topics are the labels in their order, then the background. The topic of a label that no document has keeps
/// its prior: all words alike. Proportions of the documents are zero for topics that they may not have.
///
/// The observer sees the latest joint log-likelihood after each sweep; when it stops the fit, estimates are
/// of what was pooled so far or, if nothing was, of the last state.
///
/// Cost: sweeps x tokens x topics that the document may have, on one thread.
///
/// # Errors
/// Options out of range; labels of another number of documents; more than 65535 topics; a document without a
/// label where there is no background; a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    labels: &DocumentLabels,
    options: &LabelledTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<LabelledTopics, SweepReport>, Error> {
    let chain = LabelledChain::new(corpus, labels, options)?;
    let mut run = Run::new(chain, options.schedule());
    run.note();
    let (mut chain, report) = run.finish(None, observer)?;
    if chain.pooled.states() == 0 {
        chain.pool();
    }
    let (topics, counts) = (chain.topics, chain.pooled.mean_document_topic());
    let doc_topic = DMatrix::from_fn(corpus.documents(), topics, |d, k| {
        let (allowed, counts) = (&chain.allowed[d], &counts[d * topics..][..topics]);
        let sum = options.alpha * allowed.len() as f64 + counts.iter().sum::<f64>();
        if allowed.binary_search(&k).is_ok() { (options.alpha + counts[k]) / sum } else { 0.0 }
    });
    let words = chain.pooled.mean_word_topic();
    let lda =
        Lda::from_counts(corpus.vocabulary().to_vec(), vec![options.alpha; topics], options.beta, words);
    Ok(FittedTopics { model: LabelledTopics::new(lda, labels.names().to_vec()), doc_topic, report })
}

/// The chain, and the sums of its states.
struct LabelledChain<'a> {
    corpus: &'a Corpus,
    topics: usize,
    alpha: f64,
    /// The topics that each document may have, in rising order.
    allowed: Vec<Vec<usize>>,
    rng: Pcg64,
    gibbs: TokenTopics,
    pooled: PooledCounts,
}

impl<'a> LabelledChain<'a> {
    fn new(
        corpus: &'a Corpus,
        labels: &DocumentLabels,
        options: &LabelledTopicsOptions,
    ) -> Result<Self, Error> {
        options.check()?;
        sampleable(corpus)?;
        size("labels of documents", corpus.documents(), labels.documents().len())?;
        let topics = labels.names().len() + options.background;
        concentration::check_topics(NAME, topics)?;
        let background = labels.names().len()..topics;
        let allowed: Vec<Vec<usize>> = labels
            .documents()
            .iter()
            .map(|own| own.iter().copied().chain(background.clone()).collect())
            .collect();
        if let Some(d) = allowed.iter().position(Vec::is_empty) {
            let name = &corpus.names()[d];
            return Err(Error::Corpus(format!(
                "document {name:?} has no label: leave it out, or ask for a topic of the background"
            )));
        }
        let mut rng = stream(options.seed, &[]);
        let first = |d: usize| allowed[d][rng.random_range(0..allowed[d].len())];
        let gibbs = TokenTopics::new(corpus, topics, options.beta, first);
        let pooled = PooledCounts::new(corpus, topics);
        Ok(Self { corpus, topics, alpha: options.alpha, allowed, rng, gibbs, pooled })
    }
}

impl Chain for LabelledChain<'_> {
    type State = ();

    fn corpus(&self) -> &Corpus {
        self.corpus
    }

    fn sweep(&mut self, _: usize) {
        let alpha = vec![self.alpha; self.topics];
        for (d, allowed) in self.allowed.iter().enumerate() {
            self.gibbs.sweep_document(d, &allowed.iter().copied(), &alpha, &mut (), &mut self.rng);
        }
    }

    fn ln_joint(&self) -> f64 {
        let document = |(d, allowed): (usize, &Vec<usize>)| {
            let rises = allowed
                .iter()
                .map(|&k| ln_rising_factorial(self.alpha, u64::from(self.gibbs.document_counts(d)[k])));
            let sum = self.alpha * allowed.len() as f64;
            rises.sum::<f64>() - ln_rising_factorial(sum, self.gibbs.length(d) as u64)
        };
        self.gibbs.ln_words() + self.allowed.iter().enumerate().map(document).sum::<f64>()
    }

    fn state(&self) {}

    fn pool(&mut self) {
        self.pooled.add_tables(&self.gibbs.document_topic, &self.gibbs.word_topic);
    }
}

#[cfg(test)]
mod tests;
