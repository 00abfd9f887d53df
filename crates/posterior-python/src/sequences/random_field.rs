//! Conditional random fields of sequences with attributes.

use posterior_math::iteration::{Fitted, Observer};
use posterior_sequence::Error;
use posterior_sequence::crf::{
    AttributeSequence, ConditionalRandomField, Dataset, Feature, FeatureOptions, Features, PerceptronOptions,
    SequenceBuilder, SgdOptions, TrainingOptions, WeightChoice, averaged_perceptron, fit, sgd,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays;
use crate::watched::{direct, invalid, watched};

/// The attributes of each position of a sequence, with their values.
type Positions = Vec<Vec<(String, f64)>>;

/// What Python's estimator has as attributes.
#[derive(Debug, FromPyObject)]
pub(crate) struct Settings {
    algorithm: String,
    min_freq: f64,
    all_states: bool,
    all_transitions: bool,
    c1: f64,
    c2: f64,
    max_iterations: Option<usize>,
    memory: usize,
    epsilon: f64,
    delta: f64,
    seed: u64,
}

impl Settings {
    fn features(&self) -> FeatureOptions {
        let choice = |all| if all { WeightChoice::All } else { WeightChoice::Observed };
        FeatureOptions {
            states: choice(self.all_states),
            transitions: choice(self.all_transitions),
            min_frequency: self.min_freq,
            ..FeatureOptions::default()
        }
    }

    fn fit(
        &self,
        data: &Dataset,
        observer: &mut impl Observer,
    ) -> Result<Fitted<ConditionalRandomField>, Error> {
        let features = Features::select(data, &self.features())?;
        let steps = |default| self.max_iterations.unwrap_or(default);
        match self.algorithm.as_str() {
            "l2sgd" => {
                let (l2, epochs, tolerance) = (self.c2, steps(1000), self.delta);
                let options = SgdOptions { l2, epochs, tolerance, seed: self.seed, ..SgdOptions::default() };
                sgd(data, features, &options, observer)
            }
            "ap" => {
                let options = PerceptronOptions { epochs: steps(100), seed: self.seed };
                averaged_perceptron(data, features, &options, observer)
            }
            _ => {
                let options = TrainingOptions {
                    l1: self.c1,
                    l2: self.c2,
                    memory: self.memory,
                    gradient_tolerance: self.epsilon,
                    value_tolerance: self.delta,
                    max_iterations: steps(usize::MAX),
                };
                fit(data, features, &options, observer)
            }
        }
    }
}

/// A fitted field.
#[pyclass(frozen, module = "posterior_rs._core")]
#[derive(Debug)]
pub(crate) struct RandomField {
    model: ConditionalRandomField,
    trace: Vec<f64>,
    converged: bool,
}

/// Weights: of attributes and labels, and of two labels in a row.
type Weights = (Vec<(String, String, f64)>, Vec<(String, String, f64)>);

/// What `read` takes.
type Saved<'py> = (Bound<'py, PyBytes>, Vec<f64>, bool);

fn positions(mut builder: SequenceBuilder<'_>, positions: Positions) -> Result<AttributeSequence, Error> {
    for attributes in positions {
        builder.token(attributes)?;
    }
    Ok(builder.finish())
}

#[pymethods]
impl RandomField {
    /// Learns the weights of sequences with labels.
    #[staticmethod]
    fn learn(
        py: Python<'_>,
        sequences: Vec<Positions>,
        labels: Vec<Vec<String>>,
        settings: Settings,
    ) -> PyResult<Self> {
        if !["lbfgs", "l2sgd", "ap"].contains(&settings.algorithm.as_str()) {
            return Err(PyValueError::new_err(format!(
                "algorithm: expected lbfgs, l2sgd or ap, found {:?}",
                settings.algorithm
            )));
        }
        let Fitted { model, report } = watched(py, |signals| {
            let mut data = Dataset::new();
            for (own, labels) in sequences.into_iter().zip(labels) {
                let sequence = positions(data.sequence(), own)?;
                data.push(sequence, labels)?;
            }
            settings.fit(&data, signals)
        })?;
        Ok(Self { model, converged: report.converged(), trace: report.trace })
    }

    /// As it is saved.
    #[staticmethod]
    fn read(bytes: &[u8], trace: Vec<f64>, converged: bool) -> PyResult<Self> {
        let model = ConditionalRandomField::from_json(bytes).map_err(invalid)?;
        Ok(Self { model, trace, converged })
    }

    #[getter]
    fn labels(&self) -> Vec<&str> {
        self.model.vocabulary().labels().iter().collect()
    }

    #[getter]
    fn attributes(&self) -> Vec<&str> {
        self.model.vocabulary().attributes().iter().collect()
    }

    /// The objective after each step.
    #[getter]
    fn trace(&self) -> Vec<f64> {
        self.trace.clone()
    }

    #[getter]
    const fn converged(&self) -> bool {
        self.converged
    }

    /// Weights that are not zero: of attributes and labels, and of two labels in a row.
    fn weights(&self) -> Weights {
        let vocabulary = self.model.vocabulary();
        let label = |own| vocabulary.labels().name(own).unwrap_or_default().to_owned();
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        for (feature, &weight) in self.model.features().iter().zip(self.model.weights()) {
            match feature {
                _ if weight == 0.0 => {}
                Feature::State { attribute, label: own } => {
                    let name = vocabulary.attributes().name(attribute).unwrap_or_default();
                    states.push((name.to_owned(), label(own), weight));
                }
                Feature::Transition { from, to } => steps.push((label(from), label(to), weight)),
                _ => {}
            }
        }
        (states, steps)
    }

    /// The labels of most probability of each sequence.
    fn tag(&self, py: Python<'_>, sequences: Vec<Positions>) -> PyResult<Vec<Vec<usize>>> {
        direct::<_, Error>(py, || {
            let tag = |own| Ok(self.model.tag(&positions(self.model.sequence(), own)?).states);
            sequences.into_iter().map(tag).collect()
        })
    }

    /// The probabilities of labels at each position of each sequence.
    fn marginals<'py>(&self, py: Python<'py>, sequences: Vec<Positions>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = direct::<_, Error>(py, || {
            let one = |own| Ok(self.model.marginals(&positions(self.model.sequence(), own)?).nodes);
            sequences.into_iter().map(one).collect::<Result<Vec<_>, _>>()
        })?;
        let labels = self.model.features().labels();
        found
            .into_iter()
            .map(|nodes| {
                let rows = nodes.len() / labels.max(1);
                arrays::shaped(py, nodes, &[rows, labels])
            })
            .collect()
    }

    /// ln p of the labels of each sequence.
    fn ln_probabilities(
        &self,
        py: Python<'_>,
        sequences: Vec<Positions>,
        labels: Vec<Vec<String>>,
    ) -> PyResult<Vec<f64>> {
        direct::<_, Error>(py, || {
            let one = |(own, labels): (Positions, Vec<String>)| {
                let labels = self.model.vocabulary().labels().encode(labels)?;
                self.model.ln_probability(&positions(self.model.sequence(), own)?, &labels)
            };
            sequences.into_iter().zip(labels).map(one).collect()
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Saved<'py>)> {
        let mut bytes = Vec::new();
        self.model.to_json(&mut bytes).map_err(invalid)?;
        let read = py.get_type::<Self>().getattr("read")?;
        Ok((read, (PyBytes::new(py, &bytes), self.trace.clone(), self.converged)))
    }
}
