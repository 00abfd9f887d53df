//! The fit: expectation maximisation from a start by anchor words.

use posterior_dist::stream::stream;
use posterior_inference::em::Problem as _;
use posterior_math::check;
use posterior_math::iteration::{self, Observer, Stop};
use posterior_math::linalg::DMatrix;
use rand_distr::{Distribution as _, Exp1};

use super::anchors;
use super::climb::climb;
use super::document::proportions;
use super::expectation::{State, StructuralProblem};
use super::model::{Parts, StructuralTopics};
use super::options::{StructuralTopicsOptions, TYPE};
use super::regression::{Design, Regression};
use super::words::TopicWords;
use crate::checks::size;
use crate::lda::concentration::thread_pool;
use crate::{Corpus, Error, FittedTopics, Topics};

/// What is known of the documents of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentCovariates {
    /// Documents x features, on which proportions depend; a constant is added. There may be no feature. The
    /// fit does not depend on the units of features.
    pub prevalence: DMatrix<f64>,
    /// The level of each document, from 0, on which the words of topics depend; `None` if they do not.
    pub content: Option<Vec<usize>>,
}

impl DocumentCovariates {
    /// Those of documents by their numbers.
    ///
    /// # Panics
    /// When there is no such document.
    #[must_use]
    #[track_caller]
    pub fn select(&self, documents: &[usize]) -> Self {
        let content = self.content.as_ref().map(|own| documents.iter().map(|&d| own[d]).collect());
        Self { prevalence: self.prevalence.select_rows(documents), content }
    }

    /// Features and level of a document.
    ///
    /// # Panics
    /// When there is no such document.
    #[track_caller]
    pub fn of(&self, document: usize) -> (Vec<f64>, Option<usize>) {
        let features = self.prevalence.row(document).iter().copied().collect();
        (features, self.content.as_ref().map(|own| own[document]))
    }
}

/// Fits the structural topic model by expectation maximisation, from anchor words.
///
/// A step of the report is a step of expectation maximisation, or an extrapolation of two. The fit has
/// converged when a step is short, in words, coefficients and covariance. The objective, Laplace's
/// approximation of ln p(words of documents) with the logarithm of the priors up to a constant, climbs
/// steeply at first and is no measure of convergence: by a little, steps pass its top. Log-ratios are taken
/// to the last topic. The same documents have the same fit, whatever the number of threads. The observer sees
/// the steps of the fit, and then those of its [replicates](StructuralTopicsOptions::replicates), which begin
/// where it ends.
///
/// Cost of a step: Newton steps of a document x (distinct words x topics² + topics³); with content covariates
/// words x levels x topics too. Memory: levels x topics x words, [`start_memory`](super::start_memory),
/// documents x topics, and for the intervals (features x topics)².
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
/// let fitted = fit(&corpus, &covariates, &options, &mut Silent)?;
/// assert!(fitted.report.converged());
/// let effect = fitted.model.effect(&[0.0], &[1.0], 0.9)?;
/// let harbour = usize::from(effect.mean[1] > 0.0);
/// assert!(effect.mean[harbour] > 0.5 && effect.low[harbour] > 0.0);
/// # Ok::<(), posterior_topics::Error>(())
/// ```
///
/// # Errors
/// Options out of range, another number of rows or levels than of documents, a feature that is not finite, a
/// level below the largest that no document has, or a corpus whose words do not tell as many topics apart.
pub fn fit(
    corpus: &Corpus,
    covariates: &DocumentCovariates,
    options: &StructuralTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<StructuralTopics>, Error> {
    options.check()?;
    check_covariates(corpus, covariates)?;
    let pool = thread_pool(options.threads)?;
    let (problem, start) = start(corpus, covariates, options, &pool)?;
    let iteration::Fitted { model: state, report } = climb(&problem, start, options, observer)?;
    let mut report = report;
    let replicates = match report.stop {
        Stop::Observer => Some(Vec::new()),
        _ => replicates(&problem, &state, options, observer)?,
    };
    if replicates.is_none() {
        report.stop = Stop::Observer;
    }
    let (model, doc_topic) = finish(&problem, &state, replicates.unwrap_or_default())?;
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

/// Words of topics by anchor words, and log-ratios of which little is known.
fn start<'a>(
    corpus: &'a Corpus,
    covariates: &DocumentCovariates,
    options: &StructuralTopicsOptions,
    pool: &'a rayon::ThreadPool,
) -> Result<(StructuralProblem<'a>, State), Error> {
    let topics = options.topics;
    let levels = covariates.content.clone().unwrap_or_else(|| vec![0; corpus.documents()]);
    let phi = pool.install(|| anchors::topic_words(corpus, &levels, topics))?;
    let count = 1 + levels.iter().copied().max().unwrap_or(0);
    let words = TopicWords::new(&phi, count, corpus, options);
    let design = Design::new(&covariates.prevalence, options)?;
    let regression = design.wide()?;
    let eta = DMatrix::zeros(topics - 1, corpus.documents());
    let problem = StructuralProblem { corpus, design, levels, topics, pool };
    Ok((problem, State { words, regression, eta }))
}

/// Regressions of fits in which documents count as often as a draw says, from where this fit has ended: a
/// Bayesian bootstrap (Rubin 1981). `None` when the observer has stopped one of them.
fn replicates(
    problem: &StructuralProblem<'_>,
    state: &State,
    options: &StructuralTopicsOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Option<Vec<Regression>>, Error> {
    let documents = problem.corpus.documents();
    let mut all = Vec::with_capacity(options.replicates);
    for number in 0..options.replicates {
        let mut rng = stream(0, &[number as u64]);
        let drawn: Vec<f64> = (0..documents).map(|_| Exp1.sample(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / documents as f64;
        let weights = drawn.iter().map(|own| own / mean).collect();
        let design = problem.design.weighted(weights)?;
        let own = StructuralProblem { design, levels: problem.levels.clone(), ..*problem };
        let iteration::Fitted { model, report } = climb(&own, state.clone(), options, observer)?;
        if report.stop == Stop::Observer {
            return Ok(None);
        }
        all.push(model.regression);
    }
    Ok(Some(all))
}

/// The model, and the proportions of documents.
fn finish(
    problem: &StructuralProblem<'_>,
    state: &State,
    replicates: Vec<Regression>,
) -> Result<(StructuralTopics, DMatrix<f64>), Error> {
    let sums = problem.e_step(state)?.statistics;
    let rows: Vec<Vec<f64>> = sums.eta.column_iter().map(|eta| proportions(eta.as_slice())).collect();
    let doc_topic = DMatrix::from_fn(rows.len(), problem.topics, |d, k| rows[d][k]);
    let prior = problem.design.prior_information(&state.regression);
    let (coefficient_covariance, degrees_of_freedom) = problem.information(state).known(prior)?;
    let phi = &state.words.phi;
    let tokens: Vec<f64> = sums.counts.row_iter().map(|row| row.sum()).collect();
    let parts = Parts {
        topics: average_topics(problem.corpus, phi, &tokens, problem.topics)?,
        phi: phi.clone(),
        units: problem.design.units.clone(),
        regression: state.regression.clone(),
        coefficient_covariance,
        degrees_of_freedom,
        replicates,
    };
    Ok((StructuralTopics::new(parts).map_err(Error::Corpus)?, doc_topic))
}

/// Topics over all levels, each with the weight of its tokens.
fn average_topics(
    corpus: &Corpus,
    phi: &DMatrix<f64>,
    tokens: &[f64],
    topics: usize,
) -> Result<Topics, Error> {
    let of_topic = |k: usize| (k..tokens.len()).step_by(topics);
    let totals: Vec<f64> = (0..topics).map(|k| of_topic(k).map(|row| tokens[row]).sum()).collect();
    let all: f64 = totals.iter().sum();
    let topic_word = DMatrix::from_fn(topics, phi.ncols(), |k, v| {
        // A topic that no level has tokens of has all levels alike.
        let weight = |row: usize| match totals[k] {
            total if total > 0.0 => tokens[row] / total,
            _ => topics as f64 / tokens.len() as f64,
        };
        of_topic(k).map(|row| weight(row) * phi[(row, v)]).sum()
    });
    let weights = totals.iter().map(|total| total / all).collect();
    Topics::new(corpus.vocabulary().to_vec(), topic_word, weights, corpus.word_proportions())
}
