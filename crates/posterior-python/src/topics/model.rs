//! A fitted topic model.

use std::sync::Arc;

use posterior_math::linalg::DMatrix;
use posterior_topics::bigram_topics::BigramTopics;
use posterior_topics::dirichlet_regression::DirichletRegression;
use posterior_topics::document_mixture::DocumentMixture;
use posterior_topics::dynamic_topics::DynamicTopics;
use posterior_topics::hdp::Hdp;
use posterior_topics::labelled_topics::LabelledTopics;
use posterior_topics::lda::Lda;
use posterior_topics::pitman_yor_topics::PitmanYorTopics;
use posterior_topics::plsa::Plsa;
use posterior_topics::structural_topics::StructuralTopics;
use posterior_topics::supervised_topics::SupervisedTopics;
use posterior_topics::topic_map::TopicMap;
use posterior_topics::unigram::Unigram;
use posterior_topics::{Error, TopicModel, Topics, top_words};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use super::kernel::KernelFit;
use super::known::Known;
use super::quality::{self, HeldOut};
use crate::arrays;
use crate::counts::Counts;
use crate::watched::{direct, invalid, left_behind, pool};

/// What `read` takes.
type Saved<'py> = (Bound<'py, PyBytes>,);

/// The models that there are.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Fit {
    Lda(Lda),
    Hdp(Hdp),
    PitmanYor(PitmanYorTopics),
    Plsa(Plsa),
    Mixture(DocumentMixture),
    Unigram(Unigram),
    Bigram(BigramTopics),
    Dynamic(Box<DynamicTopics>),
    Structural(Box<StructuralTopics>),
    Regression(DirichletRegression),
    Supervised(Box<SupervisedTopics>),
    Labelled(LabelledTopics),
    Kernel(Box<KernelFit>),
}

impl Fit {
    /// The model as one of counts: all but that of pairs of words.
    pub(super) fn by_counts(&self) -> Result<&dyn TopicModel, Error> {
        Ok(match self {
            Self::Lda(own) => own,
            Self::Hdp(own) => own,
            Self::PitmanYor(own) => own,
            Self::Plsa(own) => own,
            Self::Mixture(own) => own,
            Self::Unigram(own) => own,
            Self::Dynamic(own) => &**own,
            Self::Structural(own) => &**own,
            Self::Regression(own) => own,
            Self::Supervised(own) => &**own,
            Self::Labelled(own) => own,
            Self::Kernel(own) => &own.lda,
            Self::Bigram(_) => {
                let message =
                    "topics of pairs of words read texts with their words in order, and these are counts";
                return Err(Error::Corpus(message.to_owned()));
            }
        })
    }

    /// The topics of all documents.
    pub(super) fn all_topics(&self) -> &Topics {
        match self {
            Self::Lda(own) => own.topics(),
            Self::Hdp(own) => own.topics(),
            Self::PitmanYor(own) => own.topics(),
            Self::Plsa(own) => own.topics(),
            Self::Mixture(own) => own.topics(),
            Self::Unigram(own) => own.topics(),
            Self::Bigram(own) => own.topics(),
            Self::Dynamic(own) => own.topics(),
            Self::Structural(own) => own.topics(),
            Self::Regression(own) => own.topics(),
            Self::Supervised(own) => own.topics(),
            Self::Labelled(own) => own.topics(),
            Self::Kernel(own) => own.lda.topics(),
        }
    }

    /// The Dirichlet concentrations of proportions, of models that have some; of a regression their means
    /// over the documents.
    pub(super) fn alpha(&self) -> Option<&[f64]> {
        match self {
            Self::Lda(own) => Some(own.alpha()),
            Self::Hdp(own) => Some(own.lda().alpha()),
            Self::PitmanYor(own) => Some(own.alpha()),
            Self::Bigram(own) => Some(own.alpha()),
            Self::Dynamic(own) => Some(own.alpha()),
            Self::Regression(own) => Some(own.lda().alpha()),
            Self::Supervised(own) => Some(own.lda().alpha()),
            Self::Labelled(own) => Some(own.lda().alpha()),
            Self::Kernel(own) => Some(own.lda.alpha()),
            Self::Plsa(_) | Self::Mixture(_) | Self::Unigram(_) | Self::Structural(_) => None,
        }
    }

    /// The same, of models in which nothing else than the topics of its words is drawn for a document.
    pub(super) fn prior(&self) -> Option<&[f64]> {
        let is_one = matches!(
            self,
            Self::Lda(_) | Self::Hdp(_) | Self::PitmanYor(_) | Self::Regression(_) | Self::Kernel(_)
        );
        self.alpha().filter(|_| is_one)
    }

    /// Topics of all documents, or of those of a time or a level by its number.
    fn topics(&self, part: Option<usize>) -> PyResult<Topics> {
        let all = self.all_topics();
        match (self, part) {
            (_, None) => Ok(all.clone()),
            (Self::Dynamic(own), Some(time)) if time < own.times().len() => {
                let words = own.topic_word(time).clone();
                let (weights, proportions) = (all.weights().to_vec(), all.word_proportions().to_vec());
                Topics::new(all.vocabulary().to_vec(), words, weights, proportions).map_err(invalid)
            }
            (Self::Structural(own), Some(level)) if level < own.levels() => {
                own.topics_at(level).map_err(invalid)
            }
            (_, Some(part)) => Err(PyValueError::new_err(format!("there is no time or level {part}"))),
        }
    }
}

/// The mean and the ends of an interval, by topic.
type Effect<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Points, the proportions that the axes show, and the nearest other topic of each with its distance.
type Map = (Vec<[f64; 2]>, [f64; 2], Vec<Option<(usize, f64)>>);

/// Words of a topic: number, probability, and what they are ranked by.
type Ranked = Vec<(usize, f64, f64)>;

/// A fitted topic model.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct TopicFit {
    pub(super) fit: Arc<Fit>,
}

impl TopicFit {
    pub(super) fn new(fit: Fit) -> Self {
        Self { fit: Arc::new(fit) }
    }
}

#[pymethods]
impl TopicFit {
    /// The model that an estimator has.
    #[staticmethod]
    fn of_lda(model: &str) -> PyResult<Self> {
        Ok(Self::new(Fit::Lda(serde_json::from_str(model).map_err(invalid)?)))
    }

    #[staticmethod]
    fn read(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self::new(serde_json::from_slice(bytes).map_err(invalid)?))
    }

    /// The proportion of all words that each topic has.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        arrays::array(py, self.fit.all_topics().weights())
    }

    /// The probabilities of words, a row for each topic.
    fn topic_word<'py>(&self, py: Python<'py>, part: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        arrays::rows(py, self.fit.topics(part)?.topic_word())
    }

    /// The times of dynamic topics.
    #[getter]
    fn times(&self) -> Option<Vec<f64>> {
        match &*self.fit {
            Fit::Dynamic(own) => Some(own.times().to_vec()),
            _ => None,
        }
    }

    /// The leading words of each topic.
    fn words(&self, n: usize, by: &str, weight: f64, part: Option<usize>) -> PyResult<Vec<Ranked>> {
        let topics = self.fit.topics(part)?;
        let ranked = |k| match by {
            "probability" => Ok(top_words::by_probability(&topics, k, n)),
            "relevance" => Ok(top_words::by_relevance(&topics, k, n, weight)),
            "lift" => Ok(top_words::by_lift(&topics, k, n)),
            "frex" => Ok(top_words::by_frex(&topics, k, n, weight)),
            _ => {
                let expected = "probability, relevance, lift or frex";
                Err(PyValueError::new_err(format!("by: expected {expected}, found {by:?}")))
            }
        };
        let row = |k| Ok(ranked(k)?.iter().map(|own| (own.word, own.probability, own.score)).collect());
        (0..topics.len()).map(row).collect()
    }

    /// How well the leading words of each topic go together in documents.
    fn coherence(
        &self,
        py: Python<'_>,
        counts: Counts<'_>,
        measure: &str,
        n: usize,
        part: Option<usize>,
    ) -> PyResult<Vec<f64>> {
        let (corpus, topics, measure) =
            (counts.corpus()?, self.fit.topics(part)?, quality::measure(measure)?);
        left_behind(py, move |_| quality::coherence(&topics, &corpus, measure, n))
    }

    /// How much of the leading words of each topic no other topic has.
    fn exclusivity(&self, n: usize) -> Vec<f64> {
        posterior_topics::coherence::exclusivity(self.fit.all_topics(), n)
    }

    /// A plane with a point for each topic.
    fn map(&self, py: Python<'_>) -> PyResult<Map> {
        let found = direct(py, || TopicMap::new(self.fit.all_topics()))?;
        Ok((found.points, found.explained, found.nearest))
    }

    /// The proportions of topics in new documents.
    fn proportions<'py>(
        &self,
        py: Python<'py>,
        counts: Counts<'py>,
        known: Known<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (corpus, order) = (counts.corpus()?, counts.sequences());
        let (known, fit) = (known.of(corpus.documents())?, Arc::clone(&self.fit));
        let (documents, topics) = (corpus.documents(), fit.all_topics().len());
        let values = left_behind::<_, Error>(py, move |_| {
            Ok(quality::proportions(&fit, &corpus, order.as_deref(), &known)?.concat())
        })?;
        arrays::shaped(py, values, &[documents, topics])
    }

    /// ln p of documents that the model has not seen.
    fn held_out(
        &self,
        py: Python<'_>,
        counts: Counts<'_>,
        known: Known<'_>,
        estimator: (String, usize),
        seed: u64,
    ) -> PyResult<HeldOut> {
        let (corpus, order) = (counts.corpus()?, counts.sequences());
        let (known, fit, pool) = (known.of(corpus.documents())?, Arc::clone(&self.fit), pool()?);
        let (name, size) = estimator;
        left_behind(py, move |_| {
            pool.install(|| quality::held_out(&fit, (&corpus, order.as_deref()), &known, (&name, size), seed))
        })
    }

    /// Of structural topics by how much proportions differ between two settings of the features.
    fn effect<'py>(
        &self,
        py: Python<'py>,
        from: Vec<f64>,
        to: Vec<f64>,
        level: f64,
    ) -> PyResult<Effect<'py>> {
        let Fit::Structural(own) = &*self.fit else {
            return Err(PyValueError::new_err("effects are those of structural topics"));
        };
        let found = direct(py, || own.effect(&from, &to, level))?;
        let [mean, low, high] = [found.mean, found.low, found.high].map(|own| arrays::array(py, &own));
        Ok((mean, low, high))
    }

    /// Of structural topics which go together.
    fn correlations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Fit::Structural(own) = &*self.fit else {
            return Err(PyValueError::new_err("correlations are those of structural topics"));
        };
        let correlations: DMatrix<f64> = own.topic_correlations();
        arrays::rows(py, &correlations)
    }

    /// Of dynamic topics intervals of the probability of a word at each time.
    fn word_course(&self, topic: usize, word: usize, level: f64) -> PyResult<Vec<[f64; 2]>> {
        let Fit::Dynamic(own) = &*self.fit else {
            return Err(PyValueError::new_err("courses are those of dynamic topics"));
        };
        own.word_course(topic, word, level).map_err(invalid)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let bytes = serde_json::to_vec(&*self.fit).map_err(invalid)?;
        Ok((py.get_type::<Self>().getattr("read")?, (PyBytes::new(py, &bytes),)))
    }
}
