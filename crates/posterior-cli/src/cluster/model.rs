//! Fitted groups: what `model.json` holds, and to which of them new rows belong.

use posterior::dist::Density as _;
use posterior::gaussian::MultivariateT;
use posterior::latent::gaussian_mixture::GaussianMixture;
use posterior::latent::k_means::KMeans;
use posterior::latent::{Error, Observations};
use posterior::math::linalg::DMatrix;
use posterior::math::log_space::softmax_in_place;
use serde::{Deserialize, Serialize};

use super::answer::rows_of;
use crate::rows_input::ModelColumns;
use crate::scores;

pub(super) const AREA: &str = "cluster";

/// What `cluster fit` leaves for `cluster assign`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) method: String,
    pub(super) columns: ModelColumns,
    pub(super) groups: Groups,
}

/// The distribution of the rows of each group, in the units of the fit.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Groups {
    Centres(KMeans),
    Mixture(GaussianMixture),
    /// Weights, and distributions of a new row that leave nothing of the parameters out.
    Predictive(Vec<f64>, Vec<MultivariateT>),
}

/// The groups of rows.
#[derive(Debug, Default)]
pub(super) struct Assigned {
    pub(super) groups: Vec<usize>,
    /// Of each row the probability of each group; none of centres.
    pub(super) probabilities: Option<DMatrix<f64>>,
    /// Of each row ln of its density, in the units of the fit; none of centres.
    pub(super) ln_densities: Vec<f64>,
    /// Of each row the distance to its centre; of centres only.
    pub(super) distances: Vec<f64>,
}

impl Groups {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Centres(model) => model.clusters(),
            Self::Mixture(model) => model.components(),
            Self::Predictive(weights, _) => weights.len(),
        }
    }

    /// The number of columns that all groups have; none where they do not fit together.
    pub(super) fn columns(&self) -> Option<usize> {
        match self {
            Self::Centres(model) => Some(model.dimension()),
            Self::Mixture(model) => Some(model.dimension()),
            Self::Predictive(weights, components) => {
                let first = components.first()?.dimension();
                let alike = components.iter().all(|own| own.dimension() == first);
                (alike && weights.len() == components.len()).then_some(first)
            }
        }
    }

    /// The groups of rows, of which mixtures take those with missing values.
    pub(super) fn assign(&self, rows: &Observations) -> Result<Assigned, Error> {
        match self {
            Self::Centres(model) => {
                let all = model.distances(rows)?;
                let nearest = |row: usize| {
                    (0..all.ncols()).map(|k| (k, all[(row, k)])).min_by(|a, b| a.1.total_cmp(&b.1))
                };
                let (groups, distances) = (0..all.nrows()).filter_map(nearest).unzip();
                Ok(Assigned { groups, distances, ..Assigned::default() })
            }
            Self::Mixture(model) => Ok(Assigned::of(model.responsibilities(rows)?, model.ln_pdf_rows(rows)?)),
            Self::Predictive(weights, components) => by_predictive(weights, components, rows),
        }
    }
}

impl Assigned {
    fn of(probabilities: DMatrix<f64>, ln_densities: Vec<f64>) -> Self {
        let (groups, _) = most_probable(&probabilities);
        Self { groups, probabilities: Some(probabilities), ln_densities, distances: Vec::new() }
    }
}

/// By the marginal distributions of what a row has.
fn by_predictive(
    weights: &[f64],
    components: &[MultivariateT],
    rows: &Observations,
) -> Result<Assigned, Error> {
    let mut probabilities = DMatrix::zeros(rows.len(), weights.len());
    let mut ln_densities = Vec::with_capacity(rows.len());
    for (row, values) in rows.values().row_iter().enumerate() {
        let there: Vec<usize> = (0..values.len()).filter(|&column| !values[column].is_nan()).collect();
        let point: Vec<f64> = there.iter().map(|&column| values[column]).collect();
        let mut scores = Vec::with_capacity(weights.len());
        for (weight, component) in weights.iter().zip(components) {
            let ln_density = match there.len() {
                0 => 0.0,
                all if all == values.len() => component.ln_pdf(&point),
                _ => component.marginal(&there)?.ln_pdf(&point),
            };
            scores.push(weight.ln() + ln_density);
        }
        ln_densities.push(softmax_in_place(&mut scores));
        probabilities.row_mut(row).copy_from_slice(&scores);
    }
    Ok(Assigned::of(probabilities, ln_densities))
}

/// The most probable group of each row, and its probability.
pub(super) fn most_probable(responsibilities: &DMatrix<f64>) -> (Vec<usize>, Vec<f64>) {
    let largest = |row: Vec<f64>| {
        let group = scores::most_probable(&row);
        (group, row[group])
    };
    rows_of(responsibilities).into_iter().map(largest).unzip()
}
