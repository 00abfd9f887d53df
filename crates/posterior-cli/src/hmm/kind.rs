//! Models of each kind of observation, in memory and in files.

use std::path::Path;

use posterior::dist::{Moments, Poisson};
use posterior::gaussian::Gaussian;
use posterior::sequence::Error;
use posterior::sequence::emission::{CategoricalEmissions, Distributions, Emissions, Sequences};
use posterior::sequence::hmm::{Decoding, HiddenMarkovModel, Inference};
use serde::{Deserialize, Serialize};

use super::observations::{Observations, Values, sequences};
use crate::args::{DecodingKind, EmissionKind};
use crate::failure::Failure;
use crate::model_file;

pub(super) const AREA: &str = "hmm";

/// A model of one of the kinds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnyModel {
    Categorical(HiddenMarkovModel<CategoricalEmissions>),
    Gaussian(HiddenMarkovModel<Distributions<Gaussian>>),
    Poisson(HiddenMarkovModel<Distributions<Poisson>>),
}

/// A model as a file holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    /// What observations are called.
    pub(super) columns: Vec<String>,
    /// What symbols are called; empty where observations are numbers.
    pub(super) symbols: Vec<String>,
    pub(super) model: AnyModel,
}

/// What a model says of sequences.
#[derive(Debug)]
pub(super) struct Said {
    /// ln p of each sequence.
    pub(super) ln_likelihoods: Vec<f64>,
    /// The state of each row of each sequence.
    pub(super) states: Vec<Vec<usize>>,
    /// The probability of each state at each row, S numbers a row.
    pub(super) probabilities: Vec<Vec<f64>>,
}

/// What one state shows.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Shows {
    Symbols { probabilities: Vec<f64> },
    Vector { mean: Vec<f64>, covariance: Vec<Vec<f64>> },
    Count { rate: f64 },
}

impl Stored {
    /// Reads what `hmm fit` wrote.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let (source, stored): (_, Self) = model_file::read(path, AREA)?;
        let fits = match &stored.model {
            AnyModel::Categorical(model) => {
                model.emissions().symbols() == stored.symbols.len() && stored.columns.len() == 1
            }
            AnyModel::Gaussian(model) => model
                .emissions()
                .as_slice()
                .iter()
                .all(|distribution| distribution.dimension() == stored.columns.len()),
            AnyModel::Poisson(_) => stored.columns.len() == 1,
        };
        let why = "its columns or symbols are not as many as the model has";
        if fits { Ok(stored) } else { Err(model_file::no_model(&source, AREA, why)) }
    }
}

impl AnyModel {
    pub(super) const fn kind(&self) -> EmissionKind {
        match self {
            Self::Categorical(_) => EmissionKind::Categorical,
            Self::Gaussian(_) => EmissionKind::Gaussian,
            Self::Poisson(_) => EmissionKind::Poisson,
        }
    }

    pub(super) fn initial(&self) -> &[f64] {
        match self {
            Self::Categorical(model) => model.initial(),
            Self::Gaussian(model) => model.initial(),
            Self::Poisson(model) => model.initial(),
        }
    }

    pub(super) fn transition(&self) -> Vec<Vec<f64>> {
        let matrix = match self {
            Self::Categorical(model) => model.transition(),
            Self::Gaussian(model) => model.transition(),
            Self::Poisson(model) => model.transition(),
        };
        matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
    }

    /// What each state shows.
    pub(super) fn emission(&self) -> Vec<Shows> {
        match self {
            Self::Categorical(model) => {
                let distributions = model.emissions().distributions().iter();
                distributions
                    .map(|distribution| Shows::Symbols {
                        probabilities: distribution.probabilities().to_vec(),
                    })
                    .collect()
            }
            Self::Gaussian(model) => {
                let shows = |distribution: &Gaussian| Shows::Vector {
                    mean: distribution.mean().as_slice().to_vec(),
                    covariance: distribution
                        .variance()
                        .map(|all| all.row_iter().map(|row| row.iter().copied().collect()).collect())
                        .unwrap_or_default(),
                };
                model.emissions().as_slice().iter().map(shows).collect()
            }
            Self::Poisson(model) => model
                .emissions()
                .as_slice()
                .iter()
                .map(|distribution| Shows::Count { rate: distribution.rate() })
                .collect(),
        }
    }

    /// What the model says of observations of its kind.
    pub(super) fn says(&self, data: &Observations, decoding: DecodingKind) -> Result<Said, Failure> {
        let missing = &data.missing;
        let said = match (self, &data.values) {
            (Self::Categorical(model), Values::Symbols(values)) => {
                says(model, &sequences(values, missing), decoding)
            }
            (Self::Gaussian(model), Values::Vectors(values)) => {
                says(model, &sequences(values, missing), decoding)
            }
            (Self::Poisson(model), Values::Counts(values)) => {
                says(model, &sequences(values, missing), decoding)
            }
            _ => return Err(Failure::data("observations are of another kind than the model")),
        };
        said.map_err(|error| refused(data, &error))
    }
}

fn says<E: Emissions>(
    model: &HiddenMarkovModel<E>,
    sequences: &Sequences<'_, E::Data>,
    decoding: DecodingKind,
) -> Result<Said, Error> {
    let decoding = match decoding {
        DecodingKind::Viterbi => Decoding::Viterbi,
        DecodingKind::Posterior => Decoding::Posterior,
    };
    let paths = model.decode(sequences, decoding)?;
    let mut inference = Inference::new(model);
    let (mut ln_likelihoods, mut probabilities) = (Vec::new(), Vec::new());
    for sequence in sequences.as_slice() {
        let smoothed = inference.smooth(sequence)?;
        ln_likelihoods.push(smoothed.score().ln_z);
        probabilities.push(smoothed.marginals().to_vec());
    }
    Ok(Said { ln_likelihoods, states: paths.into_iter().map(|path| path.states).collect(), probabilities })
}

/// What the library refused, in the words of the file: line and not position.
pub(super) fn refused(data: &Observations, error: &Error) -> Failure {
    let place = |sequence: usize, position: usize| {
        let row = data.rows.get(sequence).and_then(|rows| rows.get(position)).copied().unwrap_or(position);
        let line = data.lines.of(row);
        match data.names.get(sequence) {
            Some(name) => format!("{}: line {line} (sequence {name})", data.source),
            None => format!("{}: line {line}", data.source),
        }
    };
    match error {
        Error::Observation { sequence, position, message } => {
            Failure::data(format!("{}: {message}", place(*sequence, *position)))
        }
        Error::Impossible { sequence, position } => {
            let place = place(*sequence, *position);
            Failure::data(format!("{place}: impossible under the model, given the rows before it"))
                .with_hint("a model fitted with --pseudocount 1 rules out nothing that can be seen")
        }
        other => Failure::data(format!("{}: {other}", data.source)),
    }
}
