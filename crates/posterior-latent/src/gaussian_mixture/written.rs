//! Mixtures of Gaussians, their components and covariances, as they stand in files: matrices by their rows.

use posterior_dist::Categorical;
use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::{GaussianComponents, GaussianMixture, model};
use crate::error::Error;

type Rows = Vec<Vec<f64>>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mixture {
    weights: Categorical,
    means: Rows,
    covariances: model::Covariances,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Components {
    means: Rows,
    covariances: model::Covariances,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Covariances {
    Full(Vec<Rows>),
    Tied(Rows),
    Diagonal(Rows),
    Spherical(Vec<f64>),
}

fn rows(matrix: &DMatrix<f64>) -> Rows {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn matrix(rows: &Rows) -> Result<DMatrix<f64>, Error> {
    let expected = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().find(|row| row.len() != expected) {
        return Err(Error::Dimension { what: "numbers in a row", expected, found: row.len() });
    }
    Ok(DMatrix::from_fn(rows.len(), expected, |i, j| rows[i][j]))
}

impl From<model::Covariances> for Covariances {
    fn from(covariances: model::Covariances) -> Self {
        match covariances {
            model::Covariances::Full(all) => Self::Full(all.iter().map(rows).collect()),
            model::Covariances::Tied(one) => Self::Tied(rows(&one)),
            model::Covariances::Diagonal(variances) => Self::Diagonal(rows(&variances)),
            model::Covariances::Spherical(variances) => Self::Spherical(variances),
        }
    }
}

impl TryFrom<Covariances> for model::Covariances {
    type Error = Error;

    fn try_from(covariances: Covariances) -> Result<Self, Error> {
        Ok(match covariances {
            Covariances::Full(all) => Self::Full(all.iter().map(matrix).collect::<Result<_, _>>()?),
            Covariances::Tied(one) => Self::Tied(matrix(&one)?),
            Covariances::Diagonal(variances) => Self::Diagonal(matrix(&variances)?),
            Covariances::Spherical(variances) => Self::Spherical(variances),
        })
    }
}

impl From<GaussianMixture> for Mixture {
    fn from(mixture: GaussianMixture) -> Self {
        let (means, covariances) = (rows(mixture.means()), mixture.covariances().clone());
        Self { weights: mixture.weights().clone(), means, covariances }
    }
}

impl TryFrom<Mixture> for GaussianMixture {
    type Error = Error;

    fn try_from(Mixture { weights, means, covariances }: Mixture) -> Result<Self, Error> {
        Self::weighted(weights, &matrix(&means)?, covariances)
    }
}

impl From<GaussianComponents> for Components {
    fn from(components: GaussianComponents) -> Self {
        Self { means: rows(components.means()), covariances: components.covariances().clone() }
    }
}

impl TryFrom<Components> for GaussianComponents {
    type Error = Error;

    fn try_from(Components { means, covariances }: Components) -> Result<Self, Error> {
        Self::new(&matrix(&means)?, covariances)
    }
}
