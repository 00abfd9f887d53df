//! Fits: sweeps, and estimates from the last states.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Observer, Progress, Stop};
use posterior_math::linalg::DMatrix;

use super::chain::DocumentGibbs;
use super::counts::Counts;
use super::options::DocumentMixtureGibbsOptions;
use crate::distributions::heaviest_first;
use crate::document_mixture::DocumentMixture;
use crate::factor_rows::FactorRows;
use crate::{Corpus, Error, FittedTopics, Topics};

/// Fits a mixture of unigrams by Gibbs sampling, and returns the mean of the last states: expected
/// parameters, and how often each document had which topic.
///
/// The trace is ln p(W, z). When the observer stops the run before the states of the estimates, the last
/// state stands for them. A chain does not converge to a point; its usual end is [`Stop::MaxIterations`].
/// Topics are numbered by their proportion of the tokens.
///
/// # Errors
/// Options out of their range.
pub fn fit(
    corpus: &Corpus,
    options: &DocumentMixtureGibbsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<DocumentMixture>, Error> {
    let mut rng = stream(options.seed, &[0]);
    let mut chain = DocumentGibbs::new(corpus, options, &mut rng)?;
    let mut pooled = Pooled::new(corpus, options);
    let mut progress = Progress::new(chain.ln_joint(), options.iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        chain.sweep(&mut rng);
        if progress.iterations() + options.draws >= options.iterations {
            pooled.add(&chain.counts);
        }
        if progress.stopped_after(chain.ln_joint()) {
            break Stop::Observer;
        }
    };
    if pooled.states == 0.0 {
        pooled.add(&chain.counts);
    }
    let (model, doc_topic) = pooled.model(corpus, options);
    Ok(FittedTopics { model, doc_topic, report: progress.finish(stop) })
}

/// Sums over states.
struct Pooled {
    states: f64,
    documents: Vec<f64>,
    tokens: Vec<f64>,
    word_topic: FactorRows,
    doc_topic: FactorRows,
}

impl Pooled {
    fn new(corpus: &Corpus, options: &DocumentMixtureGibbsOptions) -> Self {
        Self {
            states: 0.0,
            documents: vec![0.0; options.topics],
            tokens: vec![0.0; options.topics],
            word_topic: FactorRows::zeros(corpus.vocabulary().len(), options.topics),
            doc_topic: FactorRows::zeros(corpus.documents(), options.topics),
        }
    }

    fn add(&mut self, counts: &Counts) {
        self.states += 1.0;
        for (sum, &n) in self.documents.iter_mut().zip(&counts.documents) {
            *sum += n as f64;
        }
        for (sum, &n) in self.tokens.iter_mut().zip(&counts.tokens) {
            *sum += n as f64;
        }
        self.word_topic.for_each_row(|w, row| {
            row.iter_mut().zip(counts.word_topic.numbers(w)).for_each(|(sum, n)| *sum += n);
        });
        for (d, &label) in counts.labels.iter().enumerate() {
            self.doc_topic.numbers_mut(d)[label as usize] += 1.0;
        }
    }

    fn model(
        &self,
        corpus: &Corpus,
        options: &DocumentMixtureGibbsOptions,
    ) -> (DocumentMixture, DMatrix<f64>) {
        let order = heaviest_first(&self.tokens);
        let words = corpus.vocabulary().len();
        let beta = options.word_concentration;
        let topic_word = DMatrix::from_fn(order.len(), words, |k, w| {
            let k = order[k];
            (self.word_topic.numbers(w)[k] / self.states + beta)
                / (self.tokens[k] / self.states + words as f64 * beta)
        });
        let gamma = options.weight_concentration;
        let all = corpus.documents() as f64;
        // A proportion of the sum, which may be beyond the range.
        let scale = gamma.max(all);
        let weights = order.iter().map(|&k| {
            (self.documents[k] / self.states / scale + gamma / scale)
                / (all / scale + options.topics as f64 * (gamma / scale))
        });
        let weights = weights.collect();
        let tokens = corpus.tokens() as f64;
        let proportions = order.iter().map(|&k| self.tokens[k] / self.states / tokens).collect();
        let topics =
            Topics::new(corpus.vocabulary().to_vec(), topic_word, proportions, corpus.word_proportions())
                .expect("invariant: counts make distributions");
        let model = DocumentMixture::new(topics, weights).expect("invariant: counts make a distribution");
        let mut doc_topic = self.doc_topic.select_columns(&order);
        doc_topic.for_each_row(|_, row| row.iter_mut().for_each(|n| *n /= self.states));
        (model, doc_topic.to_matrix())
    }
}
