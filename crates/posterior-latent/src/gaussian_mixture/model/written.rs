//! Mixtures of Gaussians and their covariances, as they stand in files: matrices by their rows.

use posterior_dist::Categorical;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use serde::{Deserialize, Serialize};

use super::GaussianMixture;
use crate::error::Error;

pub(in super::super) type Rows = Vec<Vec<f64>>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mixture {
    weights: Categorical,
    means: Rows,
    covariances: super::Covariances,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Covariances {
    Full(Vec<Rows>),
    Tied(Rows),
    Diagonal(Rows),
    Spherical(Vec<f64>),
}

pub(in super::super) fn rows(matrix: &DMatrix<f64>) -> Rows {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

pub(in super::super) fn matrix(rows: &Rows) -> Result<DMatrix<f64>, Error> {
    let expected = rows.first().map_or(0, Vec::len);
    rows.iter().try_for_each(|row| check::dimension("numbers in a row", expected, row.len()))?;
    Ok(DMatrix::from_fn(rows.len(), expected, |i, j| rows[i][j]))
}

impl From<super::Covariances> for Covariances {
    fn from(covariances: super::Covariances) -> Self {
        match covariances {
            super::Covariances::Full(all) => Self::Full(all.iter().map(rows).collect()),
            super::Covariances::Tied(one) => Self::Tied(rows(&one)),
            super::Covariances::Diagonal(variances) => Self::Diagonal(rows(&variances)),
            super::Covariances::Spherical(variances) => Self::Spherical(variances),
        }
    }
}

impl TryFrom<Covariances> for super::Covariances {
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
