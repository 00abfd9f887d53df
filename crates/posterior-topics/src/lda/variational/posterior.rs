//! The approximate posterior of all, and the updates of its factors.

use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_multivariate_beta;

use super::LdaVariationalOptions;
use super::concentrations::{improve_alpha, improve_beta};
use super::document_step::Proportions;
use super::documents::{Documents, Limits};
use super::topic_posterior::{TopicFactor, TopicPosterior};
use super::word_index::WordIndex;
use crate::checks::size;
use crate::corpus::Document;
use crate::lanes::{Lane, width, with_padding, without_padding};
use crate::lda::collapsed_variational::start_counts;
use crate::lda::start::Setting;
use crate::lda::word_concentrations::WordConcentrations;
use crate::lda::{Lda, concentration, sorted};
use crate::{Corpus, Error};

/// q(theta) q(phi) q(z) of a corpus, whose updates never lower the bound on ln p(W).
///
/// [`fit`](super::fit) runs the updates in turn; here they are one by one.
///
/// ```
/// use posterior_topics::{Corpus, lda::variational::{LdaVariationalOptions, VariationalBayes}};
///
/// let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
/// let names = ["shore", "branch"].map(str::to_owned).to_vec();
/// let corpus = Corpus::from_rows(words, names, vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)]])?;
///
/// let mut posterior = VariationalBayes::new(&corpus, &LdaVariationalOptions { topics: 2, ..LdaVariationalOptions::default() })?;
/// let before = posterior.bound();
/// posterior.update_topics();
/// posterior.update_documents();
/// assert!(posterior.bound() >= before);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct VariationalBayes<'a> {
    corpus: &'a Corpus,
    texts: Vec<Document<'a>>,
    index: WordIndex,
    limits: Limits,
    prior: Proportions,
    concentrations: WordConcentrations,
    documents: Documents,
    topics: TopicPosterior,
    /// `sum n_kv E ln phi_kv` of the counts of the last q(phi) or q(z), whichever was updated last.
    link: f64,
    /// What another `alpha` has added to the bound since the documents were updated.
    alpha_gain: f64,
    /// What another `beta` has added to the bound since the topics were updated.
    beta_gain: f64,
}

impl<'a> VariationalBayes<'a> {
    /// The start that the options tell, with the documents' factors fitted to its topics.
    ///
    /// # Errors
    /// Options out of range, a model to start from that does not fit the corpus, or 2^32 pairs of documents
    /// and distinct words.
    pub fn new(corpus: &'a Corpus, options: &LdaVariationalOptions) -> Result<Self, Error> {
        options.check()?;
        let alpha = options.alpha.of_topics(options.topics)?;
        let concentrations = concentrations(corpus, options)?;
        let setting = Setting {
            alpha: &alpha,
            beta: options.beta,
            word_weights: &options.word_weights,
            seed: options.seed,
            threads: options.threads,
        };
        let counts = start_counts(&options.start, corpus, &setting)?;
        let topics = TopicPosterior::new(&concentrations, options.topic_factor, counts);
        let prior = Proportions::new(&alpha);
        let documents = Documents::new(&corpus.iter().collect::<Vec<_>>(), &prior);
        let mut posterior = Self::of_parts(corpus, options, prior, documents, topics)?;
        posterior.update_documents();
        Ok(posterior)
    }

    /// The posterior with these parameters: `gamma` (documents x topics) of q(theta), `lambda` (topics x
    /// words) of q(phi). The bound is NaN before the first update of the documents, as q(z) is not known. The
    /// start in the options is not used.
    ///
    /// # Errors
    /// Options out of range, another shape, or a parameter that is not from 1e-30 to 1e30.
    pub fn from_parameters(
        corpus: &'a Corpus,
        options: &LdaVariationalOptions,
        gamma: &DMatrix<f64>,
        lambda: &DMatrix<f64>,
    ) -> Result<Self, Error> {
        options.check()?;
        let (k, v) = (options.topics, corpus.vocabulary().len());
        size("documents of gamma", corpus.documents(), gamma.nrows())?;
        size("topics of gamma", k, gamma.ncols())?;
        size("topics of lambda", k, lambda.nrows())?;
        size("words of lambda", v, lambda.ncols())?;
        for &g in gamma {
            concentration::check("Lda", "gamma", g)?;
        }
        for &l in lambda {
            concentration::check("Lda", "lambda", l)?;
        }
        let prior = Proportions::new(&options.alpha.of_topics(k)?);
        let concentrations = concentrations(corpus, options)?;
        let smoothing = lambda.iter().copied().fold(concentrations.least(), f64::min);
        let counts: Vec<f64> = lambda.iter().map(|l| l - smoothing).collect();
        let equal = WordConcentrations::equal(k, v, smoothing);
        let topics = TopicPosterior::new(&equal, options.topic_factor, with_padding(&counts, k));
        let mut documents = Documents::new(&corpus.iter().collect::<Vec<_>>(), &prior);
        for (row, parameters) in documents.gamma.chunks_exact_mut(width(k)).zip(gamma.row_iter()) {
            for (g, parameter) in row.as_flattened_mut().iter_mut().zip(parameters.iter()) {
                *g = *parameter;
            }
        }
        documents.bound = f64::NAN;
        let beta_gain = prior_gain(&topics, smoothing, &concentrations);
        Ok(Self { beta_gain, ..Self::of_parts(corpus, options, prior, documents, topics)? })
    }

    fn of_parts(
        corpus: &'a Corpus,
        options: &LdaVariationalOptions,
        prior: Proportions,
        documents: Documents,
        topics: TopicPosterior,
    ) -> Result<Self, Error> {
        let texts: Vec<Document<'_>> = corpus.iter().collect();
        Ok(Self {
            corpus,
            index: WordIndex::new(&texts, topics.words())?,
            texts,
            limits: options.limits(),
            prior,
            concentrations: concentrations(corpus, options)?,
            documents,
            link: topics.sums().counts_by_ln,
            topics,
            alpha_gain: 0.0,
            beta_gain: 0.0,
        })
    }

    /// Updates q(z) and q(theta) of each document in turn, a few times.
    ///
    /// Cost: steps x pairs of documents and distinct words x topics.
    pub fn update_documents(&mut self) {
        self.documents.update(&self.texts, &self.prior, &self.topics, self.limits);
        self.link = self.topics.sums().counts_by_ln;
        self.alpha_gain = 0.0;
    }

    /// Updates q(phi).
    ///
    /// Cost: pairs of documents and distinct words x topics.
    pub fn update_topics(&mut self) {
        let counts = self.documents.word_counts(&self.index, &self.topics);
        self.link = self.expected_ln_of(&counts);
        self.topics.set(&self.concentrations, counts);
        self.beta_gain = 0.0;
    }

    /// Raises the bound by other concentrations: `alpha` of each topic, and `beta` if it is the same for all
    /// words and topics are no points.
    ///
    /// Cost: documents x topics.
    pub fn update_concentrations(&mut self) {
        let alpha = self.prior.alpha();
        if let Some((alpha, gain)) = improve_alpha(&self.documents.mean_ln_theta(alpha.len()), alpha) {
            self.prior = Proportions::new(&alpha);
            self.alpha_gain += gain * self.corpus.documents() as f64;
        }
        if !self.concentrations.is_equal() || self.topics.factor() == TopicFactor::Point {
            return;
        }
        let (k, v) = (self.topics.topics() as f64, self.topics.words());
        let mean_ln = self.topics.sums().ln / (k * v as f64);
        if let Some((beta, gain)) = improve_beta(v, mean_ln, self.beta()) {
            self.concentrations.set_equal(beta);
            self.beta_gain += gain * k;
        }
    }

    /// The lower bound on ln p(W) that the posterior gives:
    ///
    /// ```text
    /// E ln p(W, Z, theta, phi) + H(q)
    /// ```
    ///
    /// If topics are points it is on `ln p(W | phi) + ln p(phi)`, and without the entropy of q(phi).
    pub fn bound(&self) -> f64 {
        let gain = self.alpha_gain + self.beta_gain;
        (self.documents.bound - self.link) + (self.topics.sums().ln_evidence + gain)
    }

    /// Parameters of q(theta), documents x topics.
    pub fn gamma(&self) -> DMatrix<f64> {
        let topics = self.topics.topics();
        DMatrix::from_row_slice(
            self.corpus.documents(),
            topics,
            &without_padding(&self.documents.gamma, topics),
        )
    }

    /// Parameters of q(phi), topics x words; of points, what they are in proportion to.
    pub fn lambda(&self) -> DMatrix<f64> {
        let topics = self.topics.topics();
        DMatrix::from_iterator(topics, self.topics.words(), self.topics.parameters())
    }

    /// The concentration of each topic in a document.
    pub fn alpha(&self) -> &[f64] {
        self.prior.alpha()
    }

    /// The concentration of each word in a topic; the least, where they differ.
    pub fn beta(&self) -> f64 {
        self.concentrations.least()
    }

    /// The model of the expected counts, and the mean proportions of the documents. Topics come by weight,
    /// unless the prior tells them apart.
    pub fn estimates(&self) -> (Lda, DMatrix<f64>) {
        let counts = without_padding(self.topics.counts(), self.topics.topics());
        let prior = (self.alpha(), &self.concentrations);
        sorted::by_weight(self.corpus.vocabulary(), prior, &counts, &self.gamma())
    }

    fn expected_ln_of(&self, counts: &[Lane]) -> f64 {
        let width = width(self.topics.topics());
        let mut ln = vec![[0.0; 8]; width];
        let mut sum = 0.0;
        for (word, counts) in counts.chunks_exact(width).enumerate() {
            self.topics.expected_ln(word, &mut ln);
            let terms = counts.as_flattened().iter().zip(ln.as_flattened());
            sum += terms.filter(|(n, _)| **n > 0.0).map(|(n, ln)| n * ln).sum::<f64>();
        }
        sum
    }
}

/// The concentrations of the words of a corpus.
fn concentrations(corpus: &Corpus, options: &LdaVariationalOptions) -> Result<WordConcentrations, Error> {
    options.word_weights.concentrations(options.topics, corpus.vocabulary().len(), options.beta)
}

/// What the bound gains when a prior with one concentration for all words gives way to another.
fn prior_gain(topics: &TopicPosterior, before: f64, after: &WordConcentrations) -> f64 {
    let (k, v) = (topics.topics(), topics.words());
    // A point has the prior Dir(beta + 1).
    let added = f64::from(u8::from(topics.factor() == TopicFactor::Point));
    let ln_norm = |concentrations: &mut dyn Iterator<Item = f64>| {
        ln_multivariate_beta(&concentrations.map(|a| a + added).collect::<Vec<f64>>())
    };
    let mut gain = 0.0;
    for topic in 0..k {
        gain += ln_norm(&mut (0..v).map(|_| before));
        gain -= ln_norm(&mut (0..v).map(|word| after.of(word, topic)));
    }
    let mut ln = vec![[0.0; 8]; width(k)];
    for word in 0..v {
        topics.expected_ln(word, &mut ln);
        let terms = ln.as_flattened()[..k].iter().enumerate();
        gain += terms.map(|(topic, ln)| (after.of(word, topic) - before) * ln).sum::<f64>();
    }
    gain
}
