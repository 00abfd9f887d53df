//! Where a fit begins: expected counts of words in topics.

use posterior_dist::stream::stream;
use posterior_math::ParamError;
use posterior_math::iteration::Silent;
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};

use crate::lanes::{Lane, with_padding};
use crate::lda::{Lda, WordWeights, concentration, gibbs};
use crate::{Corpus, Error};

/// The shape of the noise of [`VariationalStart::Noise`]: a standard deviation of a tenth.
const NOISE_SHAPE: f64 = 100.0;

/// Documents that each topic begins with in [`VariationalStart::Documents`].
const DOCUMENTS_PER_TOPIC: usize = 8;

/// The start of a fit.
///
/// Coordinate ascent stays near its start: the bound has many maxima, and topics that are all alike are a
/// saddle point that it takes many passes to leave.
///
/// Perplexities of completed documents by variational Bayes after 1.5 s on one core, for addresses on the
/// State of the Union and articles of the Associated Press that were held out (means of two seeds, which
/// differ by 50 at most):
///
/// | start | address, 20 topics | address, 50 | article, 20 | article, 50 |
/// |---|---|---|---|---|
/// | `Collapsed(5)` | 2992 | 2974 | 3143 | 2882 |
/// | `Collapsed(5)`, documents restarted | 2990 | 2970 | 3095 | 2831 |
/// | `Documents` | 3017 | 2965 | 3317 | 3248 |
/// | `Documents`, documents restarted | 3006 | 2958 | 3285 | 3146 |
/// | `Noise` | 3004 | 3004 | 3281 | 3207 |
/// | `Noise`, documents restarted | 3010 | 3013 | 3183 | 3042 |
/// | `Sampled(50)` | 3097 | 3043 | 3353 | 3044 |
/// | `Sampled(5)` | 3245 | 3207 | 3983 | 3851 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VariationalStart {
    /// Each word has about one token in each topic, with a standard deviation of 0.1, as in other programs
    /// (Hoffman, Blei and Bach 2010).
    Noise,
    /// Each topic has the words of some documents, drawn at random, and a proportion of all others'. Long
    /// documents of many topics make a good start of it, short ones a worse one than noise.
    Documents,
    /// The state of a collapsed Gibbs sampler after so many sweeps, at least 1. The default of collapsed
    /// variational Bayes, with five. For variational Bayes five are far too few: it stays near what they
    /// leave.
    Sampled(usize),
    /// So many passes of collapsed variational Bayes of zeroth order from noise, at least 1: it leaves what
    /// is symmetric much sooner. The default of variational Bayes, with five.
    Collapsed(usize),
    /// A fitted model over the same vocabulary with as many topics: a warm start. Its concentrations are not
    /// used.
    Model(Box<Lda>),
}

/// What a start needs to know of a fit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) alpha: &'a [f64],
    pub(super) beta: f64,
    pub(super) word_weights: &'a WordWeights,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

impl VariationalStart {
    /// Expected counts of words (rows) in topics (padded); of [`Self::Collapsed`] those before its passes.
    pub(super) fn counts(&self, corpus: &Corpus, setting: &Setting<'_>) -> Result<Vec<Lane>, Error> {
        match self {
            Self::Noise | Self::Collapsed(_) => Ok(noise(corpus.vocabulary().len(), setting)),
            Self::Documents => Ok(documents(corpus, setting)),
            Self::Sampled(sweeps) => sampled(corpus, setting, *sweeps),
            Self::Model(model) => of_model(model, corpus.vocabulary(), setting.alpha.len()),
        }
    }
}

/// Noise for each word and topic.
pub(super) fn noise(words: usize, setting: &Setting<'_>) -> Vec<Lane> {
    let distribution =
        Gamma::new(NOISE_SHAPE, NOISE_SHAPE.recip()).expect("invariant: shape and scale are positive");
    let mut rng = stream(setting.seed, &[0]);
    let rows: Vec<f64> = (0..words * setting.alpha.len()).map(|_| distribution.sample(&mut rng)).collect();
    with_padding(&rows, setting.alpha.len())
}

fn documents(corpus: &Corpus, setting: &Setting<'_>) -> Vec<Lane> {
    let topics = setting.alpha.len();
    let mut rng = stream(setting.seed, &[0]);
    let mut proportions = vec![0.0; corpus.vocabulary().len()];
    for document in corpus.iter() {
        for (&word, &count) in document.words.iter().zip(document.counts) {
            proportions[word as usize] += f64::from(count) / topics as f64;
        }
    }
    let mut rows: Vec<f64> =
        proportions.iter().flat_map(|&proportion| std::iter::repeat_n(proportion, topics)).collect();
    let mean = corpus.tokens() as f64 / topics as f64;
    for k in 0..topics {
        let drawn: Vec<usize> = (0..DOCUMENTS_PER_TOPIC).map(|_| draw_document(corpus, &mut rng)).collect();
        let tokens: u64 = drawn.iter().map(|&d| corpus.document(d).tokens()).sum();
        // As much as its proportion of all others.
        let scale = mean / tokens as f64;
        for d in drawn {
            let document = corpus.document(d);
            for (&word, &count) in document.words.iter().zip(document.counts) {
                rows[word as usize * topics + k] += scale * f64::from(count);
            }
        }
    }
    with_padding(&rows, topics)
}

/// A document that is not empty. There is one, as a corpus has a token.
fn draw_document<R: Rng + ?Sized>(corpus: &Corpus, rng: &mut R) -> usize {
    loop {
        let d = rng.random_range(0..corpus.documents());
        if !corpus.document(d).words.is_empty() {
            return d;
        }
    }
}

fn sampled(corpus: &Corpus, setting: &Setting<'_>, sweeps: usize) -> Result<Vec<Lane>, Error> {
    if sweeps == 0 {
        return Err(ParamError::new("Lda", "sampled", 0.0, "at least 1").into());
    }
    let topics = setting.alpha.len();
    let mean = setting.alpha.iter().sum::<f64>() / topics as f64;
    let options = gibbs::LdaGibbsOptions {
        topics,
        iterations: sweeps,
        alpha: mean.into(),
        beta: setting.beta,
        word_weights: setting.word_weights.clone(),
        draws: 1,
        trace_every: sweeps,
        seed: setting.seed,
        threads: setting.threads,
        ..gibbs::LdaGibbsOptions::default()
    };
    let fitted = gibbs::fit(corpus, &options, &mut Silent)?;
    Ok(with_padding(fitted.model.expected_counts(), topics))
}

fn of_model(model: &Lda, vocabulary: &[String], topics: usize) -> Result<Vec<Lane>, Error> {
    let found = model.alpha().len();
    if found != topics {
        return Err(ParamError::new("Lda", "start", found as f64, "a model with as many topics").into());
    }
    concentration::check_vocabulary(model, vocabulary)?;
    Ok(with_padding(model.expected_counts(), topics))
}
