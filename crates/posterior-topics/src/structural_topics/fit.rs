//! Variational EM: documents given words and regression, these given the documents.

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::iteration::{Observer, Progress, Silent, Stop};
use posterior_math::linalg::{DMatrix, multiply};
use rayon::prelude::*;

use super::content::WordModel;
use super::document::{LogRatios, Words, laplace, proportions};
use super::model::{Parts, StructuralTopics};
use super::options::{StructuralTopicsOptions, TYPE};
use super::regression::{Design, Regression};
use crate::checks::size;
use crate::lda::collapsed_variational::{self, LdaCollapsedVariationalOptions};
use crate::lda::thread_pool;
use crate::{Corpus, Error, FittedTopics, TopicModel as _, Topics};

/// Documents that are in work at a time.
const BLOCK: usize = 256;

/// The names of the random streams under the seed.
const COEFFICIENTS: u64 = 1;

/// What is known of the documents of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentCovariates {
    /// Documents x features, on which proportions depend; a constant is added. There may be no feature. They
    /// should be of size one: the prior holds all coefficients to the same variance.
    pub prevalence: DMatrix<f64>,
    /// The level of each document, from 0, on which the words of topics depend; `None` if they do not.
    pub content: Option<Vec<usize>>,
}

/// Fits the structural topic model from the topics of a collapsed variational fit of latent Dirichlet
/// allocation.
///
/// A step of the report is a round of EM. Its objective is ln p(words, parameters) with the log-ratios of
/// documents integrated out by Laplace's method: an approximation, which climbs as a rule, but nothing
/// promises it. The last topic, to which log-ratios are taken, is the smallest of the start.
///
/// Cost of a round: Newton steps of a document x pairs of documents and distinct words x topics², and
/// documents x topics³; with content covariates, 15 x levels x topics x words. Memory: documents x topics²,
/// and levels x topics x words.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_topics::Corpus;
/// use posterior_topics::structural_topics::{DocumentCovariates, StructuralTopicsOptions, fit};
///
/// // Every other document is about the harbour, and a feature tells.
/// let words = ["ship", "tide", "wheel", "grain"].map(str::to_owned).to_vec();
/// let rows = (0..40).map(|d| if d % 2 == 0 { vec![(0, 9), (1, 8), (2, 1)] } else { vec![(2, 8), (3, 9)] });
/// let names = (0..40).map(|d| format!("letter {d}")).collect();
/// let corpus = Corpus::from_rows(words, names, rows.collect())?;
/// let prevalence = DMatrix::from_fn(40, 1, |d, _| f64::from(d % 2 == 0));
///
/// let covariates = DocumentCovariates { prevalence, content: None };
/// let options = StructuralTopicsOptions { topics: 2, ..StructuralTopicsOptions::default() };
/// let model = fit(&corpus, &covariates, &options, &mut Silent)?.model;
/// let effect = model.effect(&[0.0], &[1.0], 0.9)?;
/// let harbour = usize::from(effect.mean[1] > 0.0);
/// assert!(effect.mean[harbour] > 0.5 && effect.low[harbour] > 0.0);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, another number of rows or levels than of documents, a feature that is not finite, a
/// level below the largest that no document has, or features so large that the regression overflows.
pub fn fit(
    corpus: &Corpus,
    covariates: &DocumentCovariates,
    options: &StructuralTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<StructuralTopics>, Error> {
    options.check()?;
    check_covariates(corpus, covariates)?;
    let pool = thread_pool(options.threads)?;
    let mut state = State::start(corpus, covariates, options)?;
    let mut objective = pool.install(|| state.read());
    let mut progress = Progress::new(objective, options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let next = pool.install(|| {
            state.improve()?;
            Ok::<f64, Error>(state.read())
        })?;
        let change = (next - std::mem::replace(&mut objective, next)).abs();
        if progress.stopped_after(next) {
            break Stop::Observer;
        }
        if change <= options.tolerance * next.abs() {
            break Stop::Converged;
        }
    };
    let (model, doc_topic) = state.finish(options)?;
    Ok(FittedTopics { model, doc_topic, report: progress.finish(stop) })
}

fn check_covariates(corpus: &Corpus, covariates: &DocumentCovariates) -> Result<(), Error> {
    size("features of documents", corpus.documents(), covariates.prevalence.nrows())?;
    for &feature in &covariates.prevalence {
        check::finite(TYPE, "features", feature)?;
    }
    let Some(content) = &covariates.content else { return Ok(()) };
    size("levels of documents", corpus.documents(), content.len())?;
    // Before anything is made of them: a level is at most the number of documents.
    let largest = content.iter().copied().max().unwrap_or(0);
    let mut found = vec![false; corpus.documents()];
    for &level in content {
        if let Some(found) = found.get_mut(level) {
            *found = true;
        }
    }
    let all = largest < found.len() && found[..=largest].iter().all(|&found| found);
    check::require(all, TYPE, "content", largest as f64, "a level, each from 0 on with a document")?;
    Ok(())
}

/// A fit under way.
struct State<'a> {
    corpus: &'a Corpus,
    topics: usize,
    /// By document.
    levels: Vec<usize>,
    design: Design,
    words: WordModel,
    /// (levels x topics) x words.
    phi: DMatrix<f64>,
    ln_prior: f64,
    regression: Regression,
    documents: Vec<LogRatios>,
    /// Expected tokens, of the shape of `phi`.
    counts: DMatrix<f64>,
}

impl<'a> State<'a> {
    fn start(
        corpus: &'a Corpus,
        covariates: &DocumentCovariates,
        options: &StructuralTopicsOptions,
    ) -> Result<Self, Error> {
        let start = LdaCollapsedVariationalOptions {
            topics: options.topics,
            beta: options.beta,
            seed: options.seed,
            threads: options.threads,
            ..LdaCollapsedVariationalOptions::default()
        };
        let lda = collapsed_variational::fit(corpus, &start, &mut Silent)?;
        let topics = options.topics;
        let levels = covariates.content.clone().unwrap_or_else(|| vec![0; corpus.documents()]);
        let count = 1 + levels.iter().copied().max().unwrap_or(0);
        let documents: Vec<LogRatios> = lda.doc_topic.row_iter().map(|row| log_ratios(&row)).collect();
        let design = Design::new(&covariates.prevalence, options)?;
        let regression = design.fit(&documents)?;
        let ln_proportions = ln_word_proportions(corpus);
        let own = lda.model.topics().topic_word();
        let phi = DMatrix::from_fn(count * topics, own.ncols(), |row, v| own[(row % topics, v)]);
        Ok(Self {
            corpus,
            topics,
            levels,
            design,
            words: WordModel::new(count, &ln_proportions, options),
            counts: DMatrix::zeros(phi.nrows(), phi.ncols()),
            phi,
            ln_prior: 0.0,
            regression,
            documents,
        })
    }

    /// Reads all documents: their Gaussians, expected counts, and the objective.
    fn read(&mut self) -> f64 {
        let means = multiply(&self.design.x, &self.regression.gamma);
        let mut objective = self.ln_prior + self.design.ln_prior(&self.regression);
        self.counts.fill(0.0);
        for first in (0..self.documents.len()).step_by(BLOCK) {
            let last = (first + BLOCK).min(self.documents.len());
            let read: Vec<LogRatios> = (first..last)
                .into_par_iter()
                .map(|d| {
                    let words = Words::new(self.corpus.document(d), &self.phi, self.levels[d], self.topics);
                    let mean: Vec<f64> = means.row(d).iter().copied().collect();
                    laplace(&words, &mean, &self.regression.spread, self.documents[d].mode.as_slice())
                })
                .collect();
            for (d, mut own) in (first..).zip(read) {
                objective += own.ln_evidence;
                self.add_counts(d, &std::mem::take(&mut own.counts));
                self.documents[d] = own;
            }
        }
        objective
    }

    fn add_counts(&mut self, d: usize, counts: &[f64]) {
        let (rows, first) = (self.counts.nrows(), self.levels[d] * self.topics);
        let words = self.corpus.document(d).words;
        for (&word, own) in words.iter().zip(counts.chunks_exact(self.topics)) {
            let column = &mut self.counts.as_mut_slice()[word as usize * rows + first..][..self.topics];
            column.iter_mut().zip(own).for_each(|(sum, n)| *sum += n);
        }
    }

    fn improve(&mut self) -> Result<(), Error> {
        (self.phi, self.ln_prior) = self.words.fit(&self.counts);
        self.regression = self.design.fit(&self.documents)?;
        Ok(())
    }

    /// The model, and the proportions of documents at the modes of their log-ratios.
    fn finish(self, options: &StructuralTopicsOptions) -> Result<(StructuralTopics, DMatrix<f64>), Error> {
        let mut rng = stream(options.seed, &[COEFFICIENTS]);
        let draws = self.design.draws(&self.regression, &self.documents, options.draws, &mut rng);
        let doc_topic: Vec<f64> =
            self.documents.iter().flat_map(|own| proportions(own.mode.as_slice())).collect();
        let doc_topic = DMatrix::from_row_slice(self.documents.len(), self.topics, &doc_topic);
        let features = &self.design.x.columns(1, self.design.x.ncols() - 1);
        let parts = Parts {
            topics: self.average_topics()?,
            phi: self.phi,
            mean_features: features.column_iter().map(|column| column.mean()).collect(),
            coefficients: self.regression.gamma,
            draws: stacked(&draws),
            covariance: self.regression.spread.covariance,
        };
        Ok((StructuralTopics::new(parts).map_err(Error::Corpus)?, doc_topic))
    }

    /// Topics over all levels, each with the weight of its tokens.
    fn average_topics(&self) -> Result<Topics, Error> {
        let tokens: Vec<f64> = self.counts.row_iter().map(|row| row.sum()).collect();
        let levels = self.phi.nrows() / self.topics;
        let of_topic = |k: usize| (0..levels).map(move |g| g * self.topics + k);
        let totals: Vec<f64> = (0..self.topics).map(|k| of_topic(k).map(|r| tokens[r]).sum()).collect();
        let all: f64 = totals.iter().sum();
        let topic_word = DMatrix::from_fn(self.topics, self.phi.ncols(), |k, v| {
            // A topic that no level has tokens of has all levels alike.
            let weight = |r: usize| if totals[k] > 0.0 { tokens[r] / totals[k] } else { 1.0 / levels as f64 };
            of_topic(k).map(|r| weight(r) * self.phi[(r, v)]).sum()
        });
        let weights = totals.iter().map(|total| total / all).collect();
        let proportions = ln_word_proportions(self.corpus).iter().map(|ln| ln.exp()).collect();
        Topics::new(self.corpus.vocabulary().to_vec(), topic_word, weights, proportions)
    }
}

/// Log-ratios of proportions to the last, and a spread of one: where a fit begins.
fn log_ratios<'a, V>(row: &'a V) -> LogRatios
where
    &'a V: IntoIterator<Item = &'a f64>,
{
    let ln: Vec<f64> = row.into_iter().map(|theta| theta.max(1e-6).ln()).collect();
    let (last, others) = ln.split_last().expect("invariant: there are two topics or more");
    LogRatios {
        mode: others.iter().map(|own| own - last).collect::<Vec<f64>>().into(),
        covariance: DMatrix::identity(others.len(), others.len()),
        ln_evidence: 0.0,
        counts: Vec::new(),
    }
}

/// The logarithms of the words' proportions; each word has a token.
fn ln_word_proportions(corpus: &Corpus) -> Vec<f64> {
    let totals = corpus.word_totals();
    // A word of the vocabulary without a token counts as a small part of one.
    let counts: Vec<f64> = totals.iter().map(|&n| (n as f64).max(1e-3)).collect();
    let all: f64 = counts.iter().sum();
    counts.iter().map(|n| (n / all).ln()).collect()
}

/// Matrices one below the other.
fn stacked(draws: &[DMatrix<f64>]) -> DMatrix<f64> {
    let (rows, columns) = draws[0].shape();
    DMatrix::from_fn(rows * draws.len(), columns, |r, k| draws[r / rows][(r % rows, k)])
}
