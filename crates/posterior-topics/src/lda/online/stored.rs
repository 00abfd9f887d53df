//! Batches of a corpus that is read block by block.

use posterior_dist::stream::stream;
use posterior_math::ParamError;
use posterior_math::iteration::{Fitted, Observer, Stop};
use posterior_math::linalg::DMatrix;
use rand::seq::SliceRandom;

use super::fit::Shown;
use super::{LdaOnlineOptions, OnlineVariationalBayes};
use crate::Error;
use crate::corpus::{Document, StoredCorpus};
use crate::lda::start::VariationalStart;
use crate::lda::{Lda, sorted};

/// Fits latent Dirichlet allocation to a stored corpus by stochastic variational Bayes, a block of documents
/// in memory at a time: blocks in an order that is drawn for each pass, and so the documents of a block, in
/// batches of about the size that the options say.
///
/// As of [`fit`](super::fit), a step of the report is a batch. Topics come by weight; the proportions of
/// documents are those that the model says, block by block
/// ([`TopicModel::proportions`](crate::TopicModel::proportions)). Empty documents are left out of batches,
/// and count as documents of the stream.
///
/// Memory: the topics, and a block.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_topics::corpus::Writer;
/// use posterior_topics::lda::online::{LdaOnlineOptions, fit_stored};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.corpus");
///
/// let mut writer = Writer::create(&path, ["river", "bank", "money"].map(str::to_owned).to_vec())?;
/// for d in 0..40 {
///     let row = if d % 2 == 0 { vec![(0, 5), (1, 2)] } else { vec![(1, 2), (2, 5)] };
///     writer.push(&d.to_string(), row)?;
/// }
/// let stored = writer.finish()?;
/// let options = LdaOnlineOptions { topics: 2, batch: 10, passes: 20, ..LdaOnlineOptions::default() };
/// let fitted = fit_stored(&stored, &options, &mut Silent)?;
/// assert_eq!(fitted.report.iterations(), 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Options out of range, a start that needs the whole corpus, a model to start from that does not fit the
/// corpus, or a block that cannot be read.
pub fn fit_stored(
    corpus: &StoredCorpus,
    options: &LdaOnlineOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<Lda>, Error> {
    let options = LdaOnlineOptions {
        documents: Some(options.documents.unwrap_or_else(|| corpus.documents())),
        ..options.clone()
    };
    let mut topics = begin(corpus, &options)?;
    let mut shown = Shown::new(observer);
    let mut stop = Stop::MaxIterations;
    let mut order: Vec<usize> = (0..corpus.len()).collect();
    'passes: for pass in 0..options.passes as u64 {
        order.shuffle(&mut stream(options.seed, &[1, pass]));
        for &number in &order {
            let block = corpus.block(number)?;
            let mut documents: Vec<Document<'_>> = block.iter().filter(|own| !own.words.is_empty()).collect();
            documents.shuffle(&mut stream(options.seed, &[2, pass, number as u64]));
            let batches = documents.len().div_ceil(options.batch).max(1);
            // Batches of about the same size: a small one at the end would weigh as much as the others.
            for batch in 0..batches {
                let range = batch * documents.len() / batches..(batch + 1) * documents.len() / batches;
                if range.is_empty() {
                    continue;
                }
                let objective = topics.push_documents(&documents[range])?.stream_bound;
                if shown.stopped_after(objective) {
                    stop = Stop::Observer;
                    break 'passes;
                }
            }
        }
    }
    let none = DMatrix::zeros(0, options.topics);
    let (model, _) = sorted::by_weight(
        corpus.vocabulary(),
        (topics.alpha(), topics.concentrations()),
        &topics.word_counts(),
        &none,
    );
    Ok(Fitted { model, report: shown.finish(stop) })
}

fn begin(corpus: &StoredCorpus, options: &LdaOnlineOptions) -> Result<OnlineVariationalBayes, Error> {
    match &options.start {
        VariationalStart::Noise => OnlineVariationalBayes::new(corpus.vocabulary().to_vec(), options),
        VariationalStart::Model(model) => {
            crate::lda::concentration::check_vocabulary(model, corpus.vocabulary())?;
            OnlineVariationalBayes::from_model(model, options)
        }
        _ => {
            options.check()?;
            Err(ParamError::new("Lda", "start", f64::NAN, "noise or a model, for a stored corpus").into())
        }
    }
}
