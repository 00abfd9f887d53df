//! Topics that move with each batch.

use posterior_math::linalg::DMatrix;

use super::LdaOnlineOptions;
use crate::corpus::Document;
use crate::lanes::{Lane, with_padding, without_padding};
use crate::lda::start::{Setting, noise};
use crate::lda::variational::{
    Documents, Proportions, TopicFactor, TopicPosterior, WordIndex, improve_alpha, improve_beta,
};
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{Hyperparameters, Lda, concentration};
use crate::{Corpus, Error, TopicModel};

/// Topics of a stream of documents over one vocabulary.
///
/// ```
/// use posterior_topics::{Corpus, TopicModel, lda::online::{OnlineVariationalBayes, LdaOnlineOptions}};
///
/// let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
/// let mut stream = OnlineVariationalBayes::new(words.clone(), &LdaOnlineOptions {
///     topics: 2,
///     ..LdaOnlineOptions::default()
/// })?;
/// for _ in 0..20 {
///     let names = ["shore", "branch"].map(str::to_owned).to_vec();
///     let rows = vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)]];
///     let batch = stream.push(&Corpus::from_rows(words.clone(), names, rows)?)?;
///     assert!(batch.rate <= 0.2 && batch.bound < 0.0);
/// }
/// let topics = stream.model();
/// assert_eq!(topics.topics().len(), 2);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug)]
pub struct OnlineVariationalBayes {
    vocabulary: Vec<String>,
    options: LdaOnlineOptions,
    pool: rayon::ThreadPool,
    prior: Proportions,
    concentrations: WordConcentrations,
    topics: TopicPosterior,
    batches: u64,
    seen: usize,
}

/// The report on a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Batch {
    /// The proportion by which it moved the topics.
    pub rate: f64,
    /// The documents' terms of the bound, for the topics from before the batch: documents that these have not
    /// seen.
    pub bound: f64,
    /// An estimate of the bound of the whole stream, for the topics from before the batch.
    pub stream_bound: f64,
    /// Tokens of the batch.
    pub tokens: u64,
}

impl Batch {
    pub(crate) fn new(rate: f64, bound: f64, stream_bound: f64, documents: &[Document<'_>]) -> Self {
        Self { rate, bound, stream_bound, tokens: documents.iter().map(Document::tokens).sum() }
    }
}

impl OnlineVariationalBayes {
    /// A stream that begins with noise.
    ///
    /// # Errors
    /// Options out of range, or no word.
    pub fn new(vocabulary: Vec<String>, options: &LdaOnlineOptions) -> Result<Self, Error> {
        options.check()?;
        if vocabulary.is_empty() {
            return Err(Error::Corpus("the vocabulary is empty: no word is left".to_owned()));
        }
        let alpha = options.alpha.of_topics(options.topics)?;
        let setting = Setting {
            alpha: &alpha,
            beta: options.beta,
            word_weights: &options.word_weights,
            seed: options.seed,
            threads: options.threads,
        };
        let counts = noise(vocabulary.len(), &setting);
        Self::from_counts(vocabulary, options, counts)
    }

    /// A stream that goes on from a model, whose concentrations are not used.
    ///
    /// # Errors
    /// Options out of range, or another number of topics than the model's.
    pub fn from_model(model: &Lda, options: &LdaOnlineOptions) -> Result<Self, Error> {
        options.check()?;
        let topics = model.topics().len();
        if topics != options.topics {
            let error = posterior_math::ParamError::new("Lda", "topics", topics as f64, "those of the model");
            return Err(error.into());
        }
        let counts = with_padding(model.expected_counts(), topics);
        Self::from_counts(model.topics().vocabulary().to_vec(), options, counts)
    }

    pub(super) fn from_counts(
        vocabulary: Vec<String>,
        options: &LdaOnlineOptions,
        counts: Vec<Lane>,
    ) -> Result<Self, Error> {
        let pool = concentration::thread_pool(options.threads)?;
        let alpha = options.alpha.of_topics(options.topics)?;
        let concentrations =
            options.word_weights.concentrations(options.topics, vocabulary.len(), options.beta)?;
        let topics = pool.install(|| TopicPosterior::new(&concentrations, TopicFactor::Dirichlet, counts));
        Ok(Self {
            vocabulary,
            options: options.clone(),
            pool,
            prior: Proportions::new(&alpha),
            concentrations,
            topics,
            batches: 0,
            seen: 0,
        })
    }

    /// Moves the topics by a batch of documents.
    ///
    /// Cost: steps x distinct words of the documents x topics, and words x topics.
    ///
    /// # Errors
    /// Another vocabulary, or 2^32 pairs of documents and distinct words.
    pub fn push(&mut self, batch: &Corpus) -> Result<Batch, Error> {
        if batch.vocabulary() != self.vocabulary {
            return Err(Error::Corpus("the batch has another vocabulary than the stream".to_owned()));
        }
        self.push_documents(&batch.iter().collect::<Vec<_>>())
    }

    /// As [`push`](Self::push), of documents over the vocabulary of the stream; there must be one.
    pub(super) fn push_documents(&mut self, batch: &[Document<'_>]) -> Result<Batch, Error> {
        let index = WordIndex::new(batch, self.vocabulary.len())?;
        let rate = self.options.rate(self.batches);
        self.batches += 1;
        self.seen = self.seen.saturating_add(batch.len());
        let stream = self.options.documents.unwrap_or(self.seen) as f64;
        let scale = stream / batch.len() as f64;
        let mut documents = Documents::new(batch, &self.prior);
        let Self { pool, options, prior, topics, .. } = self;
        let counts = pool.install(|| {
            documents.update(batch, prior, topics, options.limits());
            documents.word_counts(&index, topics)
        });
        let sums = self.topics.sums();
        let stream_bound = scale * documents.bound + (sums.ln_evidence - sums.counts_by_ln);
        let report = Batch::new(rate, documents.bound, stream_bound, batch);
        self.move_topics(counts, rate, scale);
        if self.options.hyperparameters == Hyperparameters::Optimized {
            self.move_concentrations(&documents, rate);
        }
        Ok(report)
    }

    fn move_topics(&mut self, mut counts: Vec<Lane>, rate: f64, scale: f64) {
        for (count, before) in counts.iter_mut().zip(self.topics.counts()) {
            for (count, before) in count.iter_mut().zip(before) {
                *count = (1.0 - rate) * before + rate * (scale * *count);
            }
        }
        let Self { pool, topics, concentrations, .. } = self;
        pool.install(|| topics.set(concentrations, counts));
    }

    /// Moves each concentration by the rate, on a logarithmic scale, towards what the batch asks for.
    fn move_concentrations(&mut self, documents: &Documents, rate: f64) {
        let towards = |from: f64, to: f64| from.powf(1.0 - rate) * to.powf(rate);
        let alpha = self.prior.alpha();
        if let Some((better, _)) = improve_alpha(&documents.mean_ln_theta(alpha.len()), alpha) {
            let moved: Vec<f64> = alpha.iter().zip(better).map(|(&from, to)| towards(from, to)).collect();
            self.prior = Proportions::new(&moved);
        }
        // Words with concentrations of their own keep them.
        if !self.concentrations.is_equal() {
            return;
        }
        let (k, v, beta) = (self.topics.topics() as f64, self.topics.words(), self.beta());
        if let Some((better, _)) = improve_beta(v, self.topics.sums().ln / (k * v as f64), beta) {
            self.concentrations.set_equal(towards(beta, better));
        }
    }

    /// Batches so far.
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Documents so far.
    pub fn documents(&self) -> usize {
        self.seen
    }

    /// The concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        self.prior.alpha()
    }

    /// The concentration of each word in a topic; the least, where they differ.
    pub fn beta(&self) -> f64 {
        self.concentrations.least()
    }

    pub(super) fn concentrations(&self) -> &WordConcentrations {
        &self.concentrations
    }

    /// Parameters of q(phi), topics x words.
    pub fn lambda(&self) -> DMatrix<f64> {
        let topics = self.topics.topics();
        DMatrix::from_iterator(topics, self.topics.words(), self.topics.parameters())
    }

    /// The model of the topics as they are now, in the order that they have had from the start.
    pub fn model(&self) -> Lda {
        let mut counts = self.word_counts();
        self.concentrations.add_excess(&mut counts);
        Lda::from_counts(self.vocabulary.clone(), self.alpha().to_vec(), self.beta(), counts)
    }

    pub(super) fn word_counts(&self) -> Vec<f64> {
        without_padding(self.topics.counts(), self.topics.topics())
    }

    /// Parameters of q(theta) of documents given the topics as they are now, documents x topics.
    pub(super) fn read(&self, batch: &[Document<'_>]) -> DMatrix<f64> {
        let topics = self.topics.topics();
        let mut documents = Documents::new(batch, &self.prior);
        self.pool.install(|| documents.update(batch, &self.prior, &self.topics, self.options.limits()));
        DMatrix::from_row_slice(batch.len(), topics, &without_padding(&documents.gamma, topics))
    }
}
