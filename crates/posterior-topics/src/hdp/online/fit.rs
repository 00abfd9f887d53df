//! Batches of a corpus.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Observer, Stop};
use rand::seq::SliceRandom;

use super::{HdpOnlineOptions, OnlineHdp};
use crate::corpus::Document;
use crate::hdp::Hdp;
use crate::lda::online::Shown;
use crate::{Corpus, Error, FittedTopics};

/// Fits a hierarchical Dirichlet process by stochastic variational Bayes: batches of documents in an order
/// that is drawn for each pass.
///
/// A step of the report is a batch, its objective the estimate of the bound that the batch gives for the
/// topics from before it. It is noisy, and the fit ends after its passes. Topics come by weight, those with
/// an expected token at least; documents' proportions are expectations. From a random start some topics may
/// be alike, so that their number is at least what the corpus asks for: the samplers say how many there are.
/// Empty documents are left out of batches, and have the proportions of the corpus.
///
/// Cost of a pass: steps of a document x pairs of documents and distinct words x sticks x topics, and batches
/// x words x topics.
///
/// # Errors
/// Options out of range, or a corpus without a word.
pub fn fit(
    corpus: &Corpus,
    options: &HdpOnlineOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Hdp>, Error> {
    let texts: Vec<Document<'_>> = corpus.iter().collect();
    let mut order: Vec<usize> = (0..texts.len()).filter(|&d| !texts[d].words.is_empty()).collect();
    let options =
        HdpOnlineOptions { documents: Some(options.documents.unwrap_or(order.len())), ..options.clone() };
    let mut topics = OnlineHdp::new(corpus.vocabulary().to_vec(), &options)?;
    let mut shown = Shown::new(observer);
    let mut stop = Stop::MaxIterations;
    'passes: for pass in 0..options.passes {
        order.shuffle(&mut stream(options.seed, &[1, pass as u64]));
        for batch in order.chunks(options.batch) {
            let batch: Vec<Document<'_>> = batch.iter().map(|&d| texts[d]).collect();
            let objective = topics.push_documents(&batch).stream_bound;
            if shown.stopped_after(objective) {
                stop = Stop::Observer;
                break 'passes;
            }
        }
    }
    let doc_topic = topics.proportions(&texts);
    Ok(FittedTopics { model: topics.model(), doc_topic, report: shown.finish(stop) })
}
