//! Latent Dirichlet allocation of counts.

use posterior_dist::Dirichlet;
use posterior_math::linalg::DMatrix;
use posterior_text::corpus::Corpus;
use posterior_topics::lda::blocked_gibbs::{self, LdaBlockedGibbsOptions};
use posterior_topics::lda::collapsed_variational::{self, LdaCollapsedVariationalOptions};
use posterior_topics::lda::gibbs::{self, LdaGibbsCheckpoint, LdaGibbsOptions};
use posterior_topics::lda::online::{self, LdaOnlineOptions};
use posterior_topics::lda::variational::{self, LdaVariationalOptions};
use posterior_topics::lda::{Concentration, Lda};
use posterior_topics::{Error, TopicModel};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays;
use crate::counts::Counts;
use crate::watched::{Listener, Signals, heard, invalid};

/// Fitted topics.
#[derive(IntoPyObject)]
pub(crate) struct Topics<'py> {
    /// Words in rows, as probabilities.
    components: Bound<'py, PyAny>,
    documents: Bound<'py, PyAny>,
    trace: Vec<f64>,
    /// The model, as it is saved.
    model: String,
}

/// What Python's estimator has as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    topics: usize,
    alpha: Option<f64>,
    beta: f64,
    engine: String,
    iterations: usize,
    seed: u64,
}

/// A model, the proportions of topics in the documents that it was learned from, and what climbed.
type Learned = (Lda, DMatrix<f64>, Vec<f64>);

impl Settings {
    fn gibbs(&self) -> LdaGibbsOptions {
        let &Self { topics, beta, iterations, seed, .. } = self;
        let alpha = self.alpha.map_or(Concentration::Default, Concentration::Symmetric);
        LdaGibbsOptions { topics, alpha, beta, iterations, seed, ..LdaGibbsOptions::default() }
    }

    /// What was written down of a fit with these settings.
    fn begun(&self, state: Option<&[u8]>) -> PyResult<Option<LdaGibbsCheckpoint>> {
        let Some(state) = state else { return Ok(None) };
        let refused = |message: &str| PyValueError::new_err(format!("resume: {message}"));
        if self.engine != "gibbs" {
            return Err(refused("only the engine gibbs goes on from a checkpoint"));
        }
        let begun = LdaGibbsCheckpoint::read_from(state)
            .map_err(|error| refused(&format!("no checkpoint of topics: {error}")))?;
        if *begun.options() != self.gibbs() {
            return Err(refused("the checkpoint was made with other settings"));
        }
        Ok(Some(begun))
    }

    /// Topics, by the engine that is asked for.
    fn learn(
        &self,
        corpus: &Corpus,
        begun: Option<&LdaGibbsCheckpoint>,
        signals: &mut Signals,
    ) -> Result<Option<Learned>, Error> {
        let &Self { topics, beta, iterations, seed, .. } = self;
        let alpha = self.alpha.map_or(Concentration::Default, Concentration::Symmetric);
        let learned = match self.engine.as_str() {
            "gibbs" => {
                let found = match begun {
                    Some(begun) => gibbs::resume(corpus, begun, signals)?,
                    None => gibbs::fit(corpus, &self.gibbs(), signals)?,
                };
                let trace = found.report.trace.iter().map(|point| point.ln_joint).collect();
                (found.model, found.doc_topic, trace)
            }
            "blocked_gibbs" => {
                let default = LdaBlockedGibbsOptions::default();
                let options = LdaBlockedGibbsOptions { topics, alpha, beta, iterations, seed, ..default };
                let found = blocked_gibbs::fit(corpus, &options, signals)?;
                let trace = found.report.trace.iter().map(|point| point.ln_joint).collect();
                (found.model, found.doc_topic, trace)
            }
            "variational" => {
                let (max_iterations, default) = (iterations, LdaVariationalOptions::default());
                let options = LdaVariationalOptions { topics, alpha, beta, max_iterations, seed, ..default };
                let found = variational::fit(corpus, &options, signals)?;
                (found.model, found.doc_topic, found.report.trace)
            }
            "online" => {
                let (passes, default) = (iterations, LdaOnlineOptions::default());
                let options = LdaOnlineOptions { topics, alpha, beta, passes, seed, ..default };
                let found = online::fit(corpus, &options, signals)?;
                (found.model, found.doc_topic, found.report.trace)
            }
            "collapsed_variational" => {
                let (max_iterations, default) = (iterations, LdaCollapsedVariationalOptions::default());
                let options =
                    LdaCollapsedVariationalOptions { topics, alpha, beta, max_iterations, seed, ..default };
                let found = collapsed_variational::fit(corpus, &options, signals)?;
                (found.model, found.doc_topic, found.report.trace)
            }
            _ => return Ok(None),
        };
        Ok(Some(learned))
    }
}

/// Topics by Gibbs sampling, or by variational Bayes.
#[pyfunction]
pub(crate) fn lda_fit<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    settings: Settings,
    listener: Listener,
) -> PyResult<Topics<'py>> {
    let (corpus, begun) = (counts.corpus()?, settings.begun(listener.resume.as_deref())?);
    let learned = heard(py, &listener, |signals| settings.learn(&corpus, begun.as_ref(), signals))?;
    let Some((model, documents, trace)) = learned else {
        let engines = "gibbs, blocked_gibbs, variational, online or collapsed_variational";
        let found = settings.engine;
        return Err(PyValueError::new_err(format!("engine: expected {engines}, found {found:?}")));
    };
    let words = model.topics().topic_word().clone();
    Ok(Topics {
        components: arrays::rows(py, &words)?,
        documents: arrays::rows(py, &documents)?,
        trace,
        model: serde_json::to_string(&model).map_err(invalid)?,
    })
}

/// The proportions of topics in new documents, and ln p of all their words.
#[pyfunction]
pub(crate) fn lda_proportions<'py>(
    py: Python<'py>,
    counts: Counts<'py>,
    model: &str,
) -> PyResult<(Bound<'py, PyAny>, f64)> {
    let corpus = counts.corpus()?;
    let model: Lda = serde_json::from_str(model).map_err(invalid)?;
    let (values, bound) = py.detach(|| {
        let fold = variational::FoldIn::new(&model);
        let readings: Vec<_> = corpus.iter().map(|document| fold.read(document)).collect();
        let proportions: Vec<f64> = readings.iter().flat_map(|own| mean(&own.proportions)).collect();
        (proportions, readings.iter().map(|own| own.bound).sum())
    });
    Ok((arrays::shaped(py, values, &[corpus.documents(), model.topics().len()])?, bound))
}

/// The mean of proportions.
fn mean(proportions: &Dirichlet) -> Vec<f64> {
    let total: f64 = proportions.concentration().iter().sum();
    proportions.concentration().iter().map(|own| own / total).collect()
}
