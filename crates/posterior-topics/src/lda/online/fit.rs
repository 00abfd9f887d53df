//! Batches of a corpus.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Observer, Progress, Report, Stop};
use rand::seq::SliceRandom;

use super::{LdaOnlineOptions, OnlineVariationalBayes};
use crate::corpus::Document;
use crate::lda::collapsed_variational::start_counts;
use crate::lda::start::Setting;
use crate::lda::{Lda, concentration, sorted};
use crate::{Corpus, Error, FittedTopics};

/// Fits latent Dirichlet allocation by stochastic variational Bayes: batches of documents in an order that is
/// drawn for each pass.
///
/// A step of the report is a batch, its objective the estimate of the bound that the batch gives for the
/// topics from before it; the first is also the start's. It is noisy, and the fit ends after its passes.
/// Topics come by weight, unless the prior tells them apart. Empty documents are left out of batches.
///
/// Cost of a pass: steps of a document x pairs of documents and distinct words x topics, and batches x words
/// x topics.
///
/// # Errors
/// Options out of range, or a model to start from that does not fit the corpus.
pub fn fit(
    corpus: &Corpus,
    options: &LdaOnlineOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Lda>, Error> {
    options.check()?;
    let texts: Vec<Document<'_>> = corpus.iter().collect();
    let mut order: Vec<usize> = (0..texts.len()).filter(|&d| !texts[d].words.is_empty()).collect();
    let alpha = options.alpha.of_topics(options.topics)?;
    let setting = Setting {
        alpha: &alpha,
        beta: options.beta,
        word_weights: &options.word_weights,
        seed: options.seed,
        threads: options.threads,
    };
    let pool = concentration::thread_pool(options.threads)?;
    let counts = pool.install(|| start_counts(&options.start, corpus, &setting))?;
    let options =
        LdaOnlineOptions { documents: Some(options.documents.unwrap_or(order.len())), ..options.clone() };
    let mut topics = OnlineVariationalBayes::from_counts(corpus.vocabulary().to_vec(), &options, counts)?;
    let mut shown = Shown::new(observer);
    let mut stop = Stop::MaxIterations;
    'passes: for pass in 0..options.passes {
        order.shuffle(&mut stream(options.seed, &[1, pass as u64]));
        for batch in order.chunks(options.batch) {
            let batch: Vec<Document<'_>> = batch.iter().map(|&d| texts[d]).collect();
            let objective = topics.push_documents(&batch)?.stream_bound;
            if shown.stopped_after(objective) {
                stop = Stop::Observer;
                break 'passes;
            }
        }
    }
    let (model, doc_topic) = sorted::by_weight(
        corpus.vocabulary(),
        (topics.alpha(), topics.concentrations()),
        &topics.word_counts(),
        &topics.read(&texts),
    );
    Ok(FittedTopics { model, doc_topic, report: shown.finish(stop) })
}

/// Batches as an observer sees them: progress begins with the first.
pub(crate) struct Shown<'a, O: Observer + ?Sized> {
    observer: Option<&'a mut O>,
    progress: Option<Progress<'a, O>>,
}

impl<'a, O: Observer + ?Sized> Shown<'a, O> {
    pub(crate) const fn new(observer: &'a mut O) -> Self {
        Self { observer: Some(observer), progress: None }
    }

    /// Shows a batch: whether the observer has had enough.
    pub(crate) fn stopped_after(&mut self, objective: f64) -> bool {
        if let Some(observer) = self.observer.take() {
            self.progress = Some(Progress::new(objective, usize::MAX, observer));
        }
        self.progress.as_mut().is_some_and(|progress| progress.stopped_after(objective))
    }

    pub(crate) fn finish(self, stop: Stop) -> Report {
        self.progress.map_or_else(|| Report::new(Vec::new(), stop), |progress| progress.finish(stop))
    }
}
