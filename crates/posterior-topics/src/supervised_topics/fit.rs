//! The fit: sweeps, and what is kept of them.

use posterior_math::iteration::Observer;
use posterior_math::linalg::DMatrix;
use posterior_sampling::Draws;

use super::chain::{ChainState, SupervisedChain};
use super::model::SupervisedTopics;
use super::options::SupervisedTopicsOptions;
use crate::chain::{Chain, Run, SweepReport};
use crate::distributions::{column_sums, heaviest_first};
use crate::lda::Lda;
use crate::{Corpus, Error, FittedTopics};

/// Fits supervised topics by Gibbs sampling of topics, coefficients and noise. `responses` has a number for
/// each document, of [`ResponseFamily::Binary`](super::ResponseFamily::Binary) 0 or 1; NaN where it is not known. The
/// response of a document without words is not used.
///
/// Topics come by weight. The coefficients of the second half of the sweeps are kept:
/// [`SupervisedTopics::coefficient_draws`]. The trace has ln p(W, Z, y | eta, sigma).
///
/// The observer sees the latest of it after each sweep; when it stops the fit, estimates are of what was kept
/// so far or, if nothing was, of the last state.
///
/// Cost: sweeps x (tokens x topics + documents x topics^2), on one thread.
///
/// # Errors
/// Options out of range; another number of responses than of documents, or one that is infinite or, of a
/// binary response, neither 0 nor 1; no document with words and a response; responses that are all the same
/// without a scale of the prior; a corpus of 2^31 tokens or more.
pub fn fit(
    corpus: &Corpus,
    responses: &[f64],
    options: &SupervisedTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<SupervisedTopics, SweepReport>, Error> {
    let chain = SupervisedChain::new(corpus, responses, options)?;
    let mut run = Run::new(chain, options.schedule());
    run.note();
    let (mut chain, report) = run.finish(None, observer)?;
    if chain.states.is_empty() {
        chain.pool();
    }
    if chain.kept.is_empty() {
        chain.keep();
    }
    let topics = options.topics;
    let (words, documents) = (chain.pooled.mean_word_topic(), chain.pooled.mean_document_topic());
    let order = heaviest_first(&column_sums(&words, topics));
    let alpha: Vec<f64> = order.iter().map(|&k| chain.alpha[k]).collect();
    let all: f64 = alpha.iter().sum();
    let doc_topic = DMatrix::from_fn(corpus.documents(), topics, |d, k| {
        let counts = &documents[d * topics..][..topics];
        (alpha[k] + counts[order[k]]) / (all + counts.iter().sum::<f64>())
    });
    let words = words.chunks_exact(topics).flat_map(|row| order.iter().map(|&k| row[k])).collect();
    let lda = Lda::from_counts(corpus.vocabulary().to_vec(), alpha, options.beta, words);
    let draws = draws(&chain.kept, &order);
    let states = chain.states.into_iter().map(|state| state.in_order(&order)).collect();
    let model = SupervisedTopics::new(lda, options.family, draws, states);
    Ok(FittedTopics { model, doc_topic, report })
}

/// Coefficients of topics in this order, and the noise where there is one.
fn draws(kept: &[Vec<f64>], order: &[usize]) -> Draws {
    let names = (0..order.len()).map(|k| format!("eta_{k}"));
    let noise = kept.iter().any(|row| row.len() > order.len()).then(|| "sigma".to_owned());
    let row = |row: &Vec<f64>| -> Vec<f64> {
        order.iter().map(|&k| row[k]).chain(row[order.len()..].iter().copied()).collect()
    };
    Draws::new(names.chain(noise).collect(), vec![kept.iter().flat_map(row).collect()])
        .expect("invariant: names differ, and each row has a number for each")
}

impl ChainState {
    /// The same with topics in this order.
    fn in_order(self, order: &[usize]) -> Self {
        let mut places = vec![0; order.len()];
        for (place, &k) in (0..).zip(order) {
            places[k] = place;
        }
        let row = |row: Vec<(u16, u32)>| {
            let mut row: Vec<(u16, u32)> =
                row.into_iter().map(|(k, n)| (places[usize::from(k)], n)).collect();
            row.sort_unstable();
            row
        };
        Self {
            coefficients: order.iter().map(|&k| self.coefficients[k]).collect(),
            words: self.words.into_iter().map(row).collect(),
            ..self
        }
    }
}
