//! The fit: the chain from a start by latent Dirichlet allocation, with the sums of its kept states.

use posterior_dist::stream::stream;
use posterior_math::check;
use posterior_math::iteration::{Observer, Silent};
use posterior_math::linalg::DMatrix;

use super::chain::StructuralGibbs;
use super::kept::Kept;
use super::model::{Parts, StructuralTopics};
use super::options::{StructuralTopicsOptions, TYPE};
use super::regression::Design;
use super::words::TopicWords;
use crate::chain::{Chain, Run, SweepReport};
use crate::checks::{sampleable, size};
use crate::lda::Hyperparameters;
use crate::lda::concentration::thread_pool;
use crate::lda::gibbs::{self, LdaGibbsOptions};
use crate::{Corpus, Error, FittedTopics, TopicModel as _, Topics};

/// Sweeps of latent Dirichlet allocation that the chain starts from.
const START: usize = 200;

/// The name of the random stream of the first regression.
const FIRST: u64 = 3;

/// What is known of the documents of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentCovariates {
    /// Documents x features, on which proportions depend; a constant is added. There may be no feature. They
    /// should be of size one: the prior holds all coefficients to the same variance.
    pub prevalence: DMatrix<f64>,
    /// The level of each document, from 0, on which the words of topics depend; `None` if they do not.
    pub content: Option<Vec<usize>>,
}

/// Fits the structural topic model by Gibbs sampling, from the topics of 200 sweeps of latent Dirichlet
/// allocation.
///
/// The chain draws from the exact posterior of words, proportions and regression together, so that intervals
/// hold what none of them knows of the others. Estimates are means over the kept states. Topics come by their
/// tokens at the start, most first; log-ratios are taken to the last one.
///
/// The observer sees the latest value of ln p(words, topics of tokens, log-ratios | words of topics,
/// regression) after each sweep; when it stops the fit, estimates are of what was kept so far or, if nothing
/// was, of the last state. The result depends on the seed and not on the number of threads.
///
/// Cost of a sweep: pairs of documents and distinct words x topics, and Newton steps of a document x topics³;
/// with content covariates words x topics x Newton steps of levels³ too. Memory: levels x topics x words, and
/// documents x topics.
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
/// let options = StructuralTopicsOptions { topics: 2, iterations: 400, draws: 50, ..StructuralTopicsOptions::default() };
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
) -> Result<FittedTopics<StructuralTopics, SweepReport>, Error> {
    options.check()?;
    sampleable(corpus)?;
    check_covariates(corpus, covariates)?;
    let pool = thread_pool(options.threads)?;
    let gibbs = start(corpus, covariates, options)?;
    let kept = Kept::new(&gibbs);
    let run = Run::new(StructuralChain { gibbs, kept }, options.schedule());
    let (mut chain, report) = run.finish(Some(&pool), observer)?;
    if chain.kept.states() == 0 {
        chain.pool();
    }
    let (model, doc_topic) = chain.finish()?;
    Ok(FittedTopics { model, doc_topic, report })
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

/// The first state: log-ratios and words of latent Dirichlet allocation, and a regression drawn given these.
fn start<'a>(
    corpus: &'a Corpus,
    covariates: &DocumentCovariates,
    options: &StructuralTopicsOptions,
) -> Result<StructuralGibbs<'a>, Error> {
    let topics = options.topics;
    let lda = gibbs::fit(
        corpus,
        &LdaGibbsOptions {
            topics,
            beta: options.beta,
            hyperparameters: Hyperparameters::Optimized,
            iterations: START,
            seed: options.seed,
            threads: options.threads,
            ..LdaGibbsOptions::default()
        },
        &mut Silent,
    )?;
    let levels = covariates.content.clone().unwrap_or_else(|| vec![0; corpus.documents()]);
    let count = 1 + levels.iter().copied().max().unwrap_or(0);
    let words = TopicWords::new(lda.model.topics().topic_word(), count, ln_word_proportions(corpus), options);
    let eta = DMatrix::from_fn(corpus.documents(), topics - 1, |d, k| {
        (lda.doc_topic[(d, k)] / lda.doc_topic[(d, topics - 1)]).ln()
    });
    let design = Design::new(&covariates.prevalence, options)?;
    let regression = design.draw(&eta, &mut stream(options.seed, &[FIRST]))?;
    Ok(StructuralGibbs {
        corpus,
        topics,
        seed: options.seed,
        sweeps: 0,
        levels,
        design,
        first_constants: regression.gamma.row(0).iter().copied().collect(),
        regression,
        eta: eta.transpose().as_slice().to_vec(),
        document_topic: vec![0; corpus.documents() * topics],
        word_topic: vec![0; corpus.vocabulary().len() * words.rows],
        words,
    })
}

/// The chain with what is kept of it.
struct StructuralChain<'a> {
    gibbs: StructuralGibbs<'a>,
    kept: Kept,
}

impl Chain for StructuralChain<'_> {
    type State = ();

    fn corpus(&self) -> &Corpus {
        self.gibbs.corpus
    }

    fn sweep(&mut self, _: usize) {
        self.gibbs.draw_documents_and_words();
    }

    fn fit_parameters(&mut self, _: usize) -> Result<(), Error> {
        Ok(self.gibbs.draw_regression()?)
    }

    fn ln_joint(&self) -> f64 {
        self.gibbs.ln_joint()
    }

    fn state(&self) {}

    fn pool(&mut self) {
        self.kept.add(&self.gibbs);
    }
}

impl StructuralChain<'_> {
    /// The model, and the mean proportions of documents.
    fn finish(self) -> Result<(StructuralTopics, DMatrix<f64>), Error> {
        let Self { gibbs, kept } = self;
        let (documents, states) = (gibbs.corpus.documents(), kept.states() as f64);
        let doc_topic = DMatrix::from_row_slice(documents, gibbs.topics, &kept.proportions) / states;
        let phi = DMatrix::from_column_slice(
            gibbs.words.rows,
            gibbs.word_topic.len() / gibbs.words.rows,
            &kept.topic_words,
        ) / states;
        let features = gibbs.design.x.columns(1, gibbs.design.x.ncols() - 1);
        let parts = Parts {
            topics: average_topics(gibbs.corpus, &phi, &kept.tokens, gibbs.topics)?,
            phi,
            mean_features: features.column_iter().map(|column| column.mean()).collect(),
            coefficient_draws: stacked(&kept.coefficients),
            covariance_draws: stacked(&kept.covariances),
        };
        Ok((StructuralTopics::new(parts).map_err(Error::Corpus)?, doc_topic))
    }
}

/// Topics over all levels, each with the weight of its tokens.
fn average_topics(
    corpus: &Corpus,
    phi: &DMatrix<f64>,
    tokens: &[u64],
    topics: usize,
) -> Result<Topics, Error> {
    let of_topic = |k: usize| (k..tokens.len()).step_by(topics);
    let totals: Vec<u64> = (0..topics).map(|k| of_topic(k).map(|row| tokens[row]).sum()).collect();
    let all: u64 = totals.iter().sum();
    let topic_word = DMatrix::from_fn(topics, phi.ncols(), |k, v| {
        // A topic that no level has tokens of has all levels alike.
        let weight = |row: usize| match totals[k] {
            0 => topics as f64 / tokens.len() as f64,
            total => tokens[row] as f64 / total as f64,
        };
        of_topic(k).map(|row| weight(row) * phi[(row, v)]).sum()
    });
    let weights = totals.iter().map(|&total| total as f64 / all as f64).collect();
    Topics::new(corpus.vocabulary().to_vec(), topic_word, weights, corpus.word_proportions())
}

/// The logarithms of the words' proportions.
fn ln_word_proportions(corpus: &Corpus) -> Vec<f64> {
    // A word of the vocabulary without a token counts as a small part of one.
    let counts: Vec<f64> = corpus.word_totals().iter().map(|&n| (n as f64).max(1e-3)).collect();
    let all: f64 = counts.iter().sum();
    counts.iter().map(|n| (n / all).ln()).collect()
}

/// Matrices one below the other.
fn stacked(draws: &[DMatrix<f64>]) -> DMatrix<f64> {
    let (rows, columns) = draws[0].shape();
    DMatrix::from_fn(rows * draws.len(), columns, |r, k| draws[r / rows][(r % rows, k)])
}
