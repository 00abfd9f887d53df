//! Fits: sweeps, learning of the concentrations, pooling.

use posterior_dist::stream::stream;
use posterior_math::iteration::{Observer, Progress, Stop};
use posterior_math::linalg::DMatrix;

use super::collapsed_gibbs::BigramGibbs;
use super::model::BigramTopics;
use super::options::BigramTopicsOptions;
use crate::corpus::WordSequences;
use crate::lda::Hyperparameters;
use crate::{Error, FittedTopics};

/// Sweeps from one step of the concentrations to the next.
const OPTIMIZE_EVERY: usize = 10;

/// Fits the bigram topic model by collapsed Gibbs sampling.
///
/// The trace is ln p(W, Z). Concentrations are fitted until the first state that is pooled. When the observer
/// stops the run before it, the last state is all there is. A chain does not converge to a point; its usual
/// end is [`Stop::MaxIterations`].
///
/// # Errors
/// Options out of their range, no token, or more than 2^32.
pub fn fit(
    sequences: &WordSequences,
    options: &BigramTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<BigramTopics>, Error> {
    let mut rng = stream(options.seed, &[0]);
    let mut chain = BigramGibbs::new(sequences, options, &mut rng)?;
    let mut pooled = Pooled::new(&chain);
    let mut progress = Progress::new(chain.ln_joint(), options.iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        chain.sweep(&mut rng);
        let sweep = progress.iterations() + 1;
        if sweep + options.draws > options.iterations {
            pooled.add(&chain);
        } else if options.hyperparameters == Hyperparameters::Optimized
            && sweep.is_multiple_of(OPTIMIZE_EVERY)
        {
            chain.optimize_hyperparameters();
        }
        if progress.stopped_after(chain.ln_joint()) {
            break Stop::Observer;
        }
    };
    if pooled.states == 0.0 {
        pooled.add(&chain);
    }
    let doc_topic = pooled.doc_topic(&chain);
    let model = BigramTopics::of(&chain, &pooled.pair_topic, pooled.states);
    Ok(FittedTopics { model, doc_topic, report: progress.finish(stop) })
}

/// Sums over states.
struct Pooled {
    states: f64,
    document_topic: Vec<u64>,
    pair_topic: Vec<u64>,
}

impl Pooled {
    fn new(chain: &BigramGibbs<'_>) -> Self {
        let zeros = |like: &[u32]| vec![0; like.len()];
        Self {
            states: 0.0,
            document_topic: zeros(&chain.document_topic),
            pair_topic: zeros(&chain.pair_topic),
        }
    }

    fn add(&mut self, chain: &BigramGibbs<'_>) {
        self.states += 1.0;
        for (sums, counts) in
            [(&mut self.document_topic, &chain.document_topic), (&mut self.pair_topic, &chain.pair_topic)]
        {
            sums.iter_mut().zip(counts).for_each(|(sum, &n)| *sum += u64::from(n));
        }
    }

    fn doc_topic(&self, chain: &BigramGibbs<'_>) -> DMatrix<f64> {
        let topics = chain.alpha.len();
        let alpha: f64 = chain.alpha.iter().sum();
        DMatrix::from_fn(chain.sequences().documents().len(), topics, |d, k| {
            let tokens = chain.sequences().documents()[d].len() as f64;
            let mean = self.document_topic[d * topics + k] as f64 / self.states;
            (mean + chain.alpha[k]) / (tokens + alpha)
        })
    }
}
