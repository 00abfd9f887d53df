//! Models of each kind of observation, in memory and in files.

use std::path::Path;

use posterior::dist::{Moments, Poisson};
use posterior::gaussian::Gaussian;
use posterior::math::linalg::DMatrix;
use posterior::sequence::Error;
use posterior::sequence::emission::{
    CategoricalEmissions, Distributions, Emissions as _, GaussianMixtureEmissions,
};
use serde::{Deserialize, Serialize};

use super::chain::{Chain, Lasts};
use super::observations::{Observations, Values, sequences, tables};
use super::said::{Asked, Said};
use crate::args::EmissionKind;
use crate::failure::Failure;
use crate::model_file;

pub(super) const AREA: &str = "hmm";

/// A model of one of the kinds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnyModel {
    Categorical(Chain<CategoricalEmissions>),
    Gaussian(Chain<Distributions<Gaussian>>),
    Mixture(Chain<GaussianMixtureEmissions>),
    Poisson(Chain<Distributions<Poisson>>),
}

/// A model as a file holds it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Stored {
    /// What observations are called.
    pub(super) columns: Vec<String>,
    /// What symbols are called; empty where observations are numbers.
    pub(super) symbols: Vec<String>,
    /// What states are called; empty where they are numbers.
    #[serde(default)]
    pub(super) labels: Vec<String>,
    pub(super) model: AnyModel,
}

/// What one state shows.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Shows {
    Symbols { probabilities: Vec<f64> },
    Vector { mean: Vec<f64>, covariance: Vec<Vec<f64>> },
    Mixture { weights: Vec<f64>, means: Vec<Vec<f64>>, covariances: Vec<Vec<Vec<f64>>> },
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
            AnyModel::Mixture(model) => model.emissions().dimension() == stored.columns.len(),
            AnyModel::Poisson(_) => stored.columns.len() == 1,
        };
        let fits = fits && (stored.labels.is_empty() || stored.labels.len() == stored.model.initial().len());
        let why = "its columns, symbols or labels are not as many as the model has";
        if fits { Ok(stored) } else { Err(model_file::no_model(&source, AREA, why)) }
    }
}

impl AnyModel {
    pub(super) const fn kind(&self) -> EmissionKind {
        match self {
            Self::Categorical(_) => EmissionKind::Categorical,
            Self::Gaussian(_) => EmissionKind::Gaussian,
            Self::Mixture(_) => EmissionKind::Mixture,
            Self::Poisson(_) => EmissionKind::Poisson,
        }
    }

    pub(super) fn initial(&self) -> Vec<f64> {
        match self {
            Self::Categorical(model) => model.initial(),
            Self::Gaussian(model) => model.initial(),
            Self::Mixture(model) => model.initial(),
            Self::Poisson(model) => model.initial(),
        }
    }

    pub(super) fn transition(&self) -> Vec<Vec<f64>> {
        let matrix = match self {
            Self::Categorical(model) => model.transition(),
            Self::Gaussian(model) => model.transition(),
            Self::Mixture(model) => model.transition(),
            Self::Poisson(model) => model.transition(),
        };
        rows(&matrix)
    }

    /// How long each state lasts, in a model of segments.
    pub(super) fn lasts(&self) -> Option<Vec<Lasts>> {
        match self {
            Self::Categorical(model) => model.lasts(),
            Self::Gaussian(model) => model.lasts(),
            Self::Mixture(model) => model.lasts(),
            Self::Poisson(model) => model.lasts(),
        }
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
                    covariance: distribution.variance().map(|all| rows(&all)).unwrap_or_default(),
                };
                model.emissions().as_slice().iter().map(shows).collect()
            }
            Self::Mixture(model) => {
                (0..model.emissions().states()).map(|state| of_mixture(model.emissions(), state)).collect()
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
    pub(super) fn says(&self, data: &Observations, asked: Asked) -> Result<Said, Failure> {
        let missing = &data.missing;
        let said = match (self, &data.values) {
            (Self::Categorical(model), Values::Symbols(values)) => {
                model.says(&sequences(values, missing), asked)
            }
            (Self::Gaussian(model), Values::Vectors(values)) => {
                model.says(&sequences(values, missing), asked)
            }
            (Self::Mixture(model), Values::Vectors(values)) => {
                model.says(&tables(values, missing).iter().collect(), asked)
            }
            (Self::Poisson(model), Values::Counts(values)) => model.says(&sequences(values, missing), asked),
            _ => return Err(Failure::data("observations are of another kind than the model")),
        };
        said.map_err(|error| refused(data, &error))
    }
}

/// What a state shows by several Gaussians.
fn of_mixture(emissions: &GaussianMixtureEmissions, state: usize) -> Shows {
    let count = emissions.components_of_a_state();
    let mean = |own: usize| emissions.means().row(state * count + own).iter().copied().collect();
    Shows::Mixture {
        weights: emissions.weights(state).to_vec(),
        means: (0..count).map(mean).collect(),
        covariances: (0..count).map(|own| rows(&emissions.covariance(state, own))).collect(),
    }
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
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
