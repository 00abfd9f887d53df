//! Several coefficients for each group, with a covariance.

use posterior_math::bijection::{Bijector as _, CorrelationFactor};
use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::sparse::SparseMatrix;

use super::{EffectPrecision, LatentEffect, PlaceEffect, PlacedEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;
use crate::written::WrittenEffect;

/// q coefficients for each group, as an intercept and slopes, with one covariance of them for all groups: q
/// standard deviations, and correlations with the prior of Lewandowski, Kurowicka and Joe.
///
/// The hyperparameters of the correlations are canonical partial correlations; of two coefficients this is
/// the correlation itself. The value of coefficient j of group g has the index g q + j.
///
/// Priors, unless others are given: P(σ > 1) = 0.01 for each, and the shape η = 1.
#[derive(Debug, Clone)]
pub struct CorrelatedGroups {
    name: String,
    groups: usize,
    columns: Vec<String>,
    deviation: HyperparameterPrior,
    /// Of the partial correlations, row by row below the diagonal.
    correlations: Vec<HyperparameterPrior>,
}

impl CorrelatedGroups {
    /// Coefficients with these names for each of `groups` groups.
    ///
    /// # Errors
    /// No group, or fewer than two coefficients: [`FieldEffect::groups`](super::FieldEffect::groups) is for
    /// one.
    pub fn new<S: Into<String>>(
        name: impl Into<String>,
        groups: usize,
        columns: impl IntoIterator<Item = S>,
    ) -> Result<Self, Error> {
        let columns: Vec<String> = columns.into_iter().map(Into::into).collect();
        check::at_least_one("CorrelatedGroups", "groups", groups)?;
        check::enough("coefficients of correlated groups", 2, columns.len())?;
        let deviation = HyperparameterPrior::deviation_above(1.0, 0.01)?;
        let correlations = partial_correlations(columns.len(), 1.0)?;
        Ok(Self { name: name.into(), groups, columns, deviation, correlations })
    }

    /// With the shape η of the prior of the correlations, 1 by default: the larger, the nearer they are to 0.
    ///
    /// # Errors
    /// An η that is not positive and finite.
    pub fn with_shape(self, shape: f64) -> Result<Self, Error> {
        Ok(Self { correlations: partial_correlations(self.columns.len(), shape)?, ..self })
    }

    /// Row i sees Σⱼ `columns[j][i]` times coefficient j of its group `groups[i]`.
    ///
    /// # Errors
    /// Other numbers of columns than of coefficients, of different lengths; a group that is not there; a
    /// number that is not finite.
    pub fn with_columns(self, groups: &[usize], columns: &[&[f64]]) -> Result<PlacedEffect, Error> {
        let count = self.columns.len();
        check::dimension("columns of correlated groups", count, columns.len())?;
        for column in columns {
            check::dimension("rows of a column of correlated groups", groups.len(), column.len())?;
        }
        let entries = groups.iter().enumerate().flat_map(|(row, group)| {
            columns.iter().enumerate().map(move |(j, column)| (row, group * count + j, column[row]))
        });
        let rows = SparseMatrix::from_triplets(groups.len(), self.size(), entries)?;
        self.through(rows)
    }

    /// The factor of the correlations.
    fn factor(&self, partial: &[f64]) -> DMatrix<f64> {
        let q = self.columns.len();
        let free: Vec<f64> = partial.iter().map(|z| z.atanh()).collect();
        let mut factor = DMatrix::zeros(q, q);
        CorrelationFactor::new(q).forward(&free, factor.as_mut_slice());
        factor
    }

    /// The correlations below the diagonal, row by row, with the names of both coefficients.
    fn named_correlations(&self, partial: &[f64]) -> Vec<(String, f64)> {
        let factor = self.factor(partial);
        let matrix = &factor * factor.transpose();
        self.pairs().map(|(i, j)| (self.pair_name(i, j, "correlation"), matrix[(i, j)])).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        pairs(self.columns.len())
    }

    fn pair_name(&self, i: usize, j: usize, what: &str) -> String {
        format!("{what}({}: {}, {})", self.name, self.columns[j], self.columns[i])
    }
}

impl LatentEffect for CorrelatedGroups {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.groups * self.columns.len()
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let q = self.columns.len();
        let deviation = |j: usize| Hyperparameter {
            name: format!("sd({}: {})", self.name, self.columns[j]),
            scale: HyperScale::Positive,
            start: 0.5,
            prior: self.deviation.clone(),
        };
        let what = if q == 2 { "correlation" } else { "partial correlation" };
        let partial = |((i, j), prior): ((usize, usize), &HyperparameterPrior)| Hyperparameter {
            name: self.pair_name(i, j, what),
            scale: HyperScale::Correlation,
            start: 0.0,
            prior: prior.clone(),
        };
        (0..q).map(deviation).chain(self.pairs().zip(&self.correlations).map(partial)).collect()
    }

    fn written(&self) -> WrittenEffect {
        WrittenEffect::Correlated(self.columns.len())
    }

    fn deviations(&self) -> Vec<Option<usize>> {
        (0..self.size()).map(|index| Some(index % self.columns.len())).collect()
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        let q = self.columns.len();
        let block = |g: usize| (0..q).flat_map(move |i| (0..=i).map(move |j| (g * q + i, g * q + j)));
        (0..self.groups).flat_map(block).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let q = self.columns.len();
        let (deviations, partial) = parameters.split_at(q);
        let factor = self.factor(partial);
        let scaled = DMatrix::from_fn(q, q, |i, j| deviations[i] * factor[(i, j)]);
        let inverse = Cholesky::decompose(&scaled * scaled.transpose())?.inverse();
        let ln_diagonal: f64 = (0..q).map(|i| scaled[(i, i)].ln()).sum();
        let groups = self.groups as f64;
        let repeated = |matrix: &DMatrix<f64>| -> Vec<f64> {
            let block: Vec<f64> =
                (0..q).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|at| matrix[at]).collect();
            block.iter().copied().cycle().take(block.len() * self.groups).collect()
        };
        // d Σ⁻¹ = -Σ⁻¹ (dL Lᵀ + L dLᵀ) Σ⁻¹, and d ln |Σ⁻¹| = -tr(Σ⁻¹ dΣ).
        let along = |change: &DMatrix<f64>| {
            let half = change * scaled.transpose();
            let both = &half + half.transpose();
            let trace = inverse.component_mul(&both).sum();
            (repeated(&(-&inverse * both * &inverse)), -groups * trace)
        };
        let by_deviation =
            (0..q).map(|k| along(&DMatrix::from_fn(q, q, |i, j| if i == k { factor[(i, j)] } else { 0.0 })));
        let by_partial = self.pairs().map(|(row, column)| {
            along(&DMatrix::from_fn(q, q, |i, j| {
                if i == row { deviations[i] * factor_slope(&factor, partial, (row, column), j) } else { 0.0 }
            }))
        });
        Ok(EffectPrecision {
            values: repeated(&inverse),
            ln_determinant: -2.0 * groups * ln_diagonal,
            derivatives: by_deviation.chain(by_partial).collect(),
        })
    }

    fn labels(&self) -> Vec<String> {
        (1..=self.groups)
            .flat_map(|group| self.columns.iter().map(move |column| format!("{group}: {column}")))
            .collect()
    }

    fn derived(&self, parameters: &[f64]) -> Vec<(String, f64)> {
        let q = self.columns.len();
        if q == 2 { Vec::new() } else { self.named_correlations(&parameters[q..]) }
    }
}

/// Rows and columns below the diagonal, row by row.
fn pairs(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..size).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// The priors of all partial correlations.
fn partial_correlations(size: usize, shape: f64) -> Result<Vec<HyperparameterPrior>, Error> {
    Ok(pairs(size)
        .map(|(_, j)| HyperparameterPrior::partial_correlation(shape, size, j))
        .collect::<Result<_, _>>()?)
}

/// The derivative of entry (row, j) of the factor by the partial correlation z of (row, column): the entry
/// itself is z √(…), and those after it have the factor √(1 - z²).
fn factor_slope(factor: &DMatrix<f64>, partial: &[f64], (row, column): (usize, usize), j: usize) -> f64 {
    let begin = row * (row - 1) / 2;
    let z = partial[begin + column];
    match j.cmp(&column) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => {
            partial[begin..begin + column].iter().map(|z| (1.0 - z * z).sqrt()).product()
        }
        std::cmp::Ordering::Greater => -factor[(row, j)] * z / (1.0 - z * z),
    }
}
