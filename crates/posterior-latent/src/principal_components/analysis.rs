//! Principal component analysis.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, multiply, multiply_transpose};

use super::centred::{Centred, MISSING, orient};
use super::choice::ComponentChoice;
use super::singular::Singular;
use crate::error::Error;
use crate::observations::Observations;

/// What is subtracted from the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Centring {
    /// Their mean. The default.
    #[default]
    Mean,
    /// Nothing: components of second moments about 0.
    Zero,
}

/// How to analyse.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PcaOptions {
    /// How many components to keep: all by default.
    pub choice: ComponentChoice,
    /// What is subtracted from the rows: the mean by default.
    pub centring: Centring,
}

/// Directions of most variance: the k-dimensional space that loses the least squared distance of the rows.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct PrincipalComponents {
    mean: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))]
    components: DMatrix<f64>,
    variances: Vec<f64>,
    dropped: f64,
}

/// Components as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    mean: Vec<f64>,
    #[serde(with = "posterior_math::linalg::written")]
    components: DMatrix<f64>,
    variances: Vec<f64>,
    dropped: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for PrincipalComponents {
    type Error = Error;

    fn try_from(Unchecked { mean, components, variances, dropped }: Unchecked) -> Result<Self, Error> {
        check::dimension("coordinates of the components", mean.len(), components.nrows())?;
        check::dimension("variances", components.ncols(), variances.len())?;
        Ok(Self { mean, components, variances, dropped })
    }
}

/// The principal components of complete rows.
///
/// By the singular values of the centred rows, never by the squares of their covariance matrix: small
/// variances keep their digits. Variances are Σ w (·)²/(Σ w - 1) about the mean and Σ w (·)²/Σ w about 0;
/// those that are rounding alone, below the largest times (ε max(n, d))², count as 0, and their components
/// are never kept: there are at most n - 1 about the mean. O(n d min(n, d)).
///
/// # Errors
/// If a value is missing, a proportion is not in (0, 1], a variance is beyond the range of f64, or, about the
/// mean, the weights sum to no more than 1.
pub fn fit(data: &Observations, options: &PcaOptions) -> Result<PrincipalComponents, Error> {
    let data = data.counted();
    let total = data.total_weight();
    let (centred, denominator) = match options.centring {
        Centring::Mean => (Centred::about_mean(&data)?, total - 1.0),
        Centring::Zero => (Centred::about_zero(&data)?, total),
    };
    if !(denominator > 0.0) {
        return Err(Error::TooFew { what: "a variance", needed: 2, found: 1 });
    }
    let Singular { values, right } = Singular::of(&centred.rows)?;
    let squares: Vec<f64> = values.iter().map(|value| value * value / denominator).collect();
    let likely: Vec<f64> = values.iter().map(|value| value * value / total).collect();
    let kept = options.choice.count(&likely, data.dimension(), total)?;
    let mut components = right.columns(0, kept).into_owned();
    orient(&mut components);
    let variance = |(j, &square): (usize, &f64)| {
        let variance = centred.square_outside(square);
        check::positive("PrincipalComponents", "variance", variance).map_err(|error| error.at(j))
    };
    let variances = squares[..kept].iter().enumerate().map(variance).collect::<Result<_, _>>()?;
    let dropped = centred.square_outside(squares[kept..].iter().sum());
    check::finite("PrincipalComponents", "dropped variance", dropped)?;
    Ok(PrincipalComponents { components, variances, dropped, mean: centred.mean })
}

impl PrincipalComponents {
    /// What is subtracted from rows: their mean, or 0.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The directions: orthonormal columns, in descending order of variance. The largest number of each is
    /// positive.
    pub const fn components(&self) -> &DMatrix<f64> {
        &self.components
    }

    /// The variance along each component.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }

    /// The variance along all directions that were dropped, together.
    pub const fn dropped_variance(&self) -> f64 {
        self.dropped
    }

    /// The proportion of each component in the whole variance.
    pub fn explained(&self) -> Vec<f64> {
        let total = self.variances.iter().sum::<f64>() + self.dropped;
        self.variances.iter().map(|variance| variance / total).collect()
    }

    /// The coordinates of rows along the components: rows by components.
    ///
    /// # Errors
    /// If rows have another length, or a value is missing.
    pub fn scores(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        data.require_complete(MISSING)?;
        check::dimension("coordinates of an observation", self.mean.len(), data.dimension())?;
        let mut rows = data.values().clone();
        for (mut column, mean) in rows.column_iter_mut().zip(&self.mean) {
            column.add_scalar_mut(-mean);
        }
        Ok(multiply(&rows, &self.components))
    }

    /// The scores in units of their standard deviation.
    ///
    /// # Errors
    /// As for [`scores`](Self::scores).
    pub fn whitened(&self, data: &Observations) -> Result<DMatrix<f64>, Error> {
        let mut scores = self.scores(data)?;
        for (mut column, variance) in scores.column_iter_mut().zip(&self.variances) {
            column /= variance.sqrt();
        }
        Ok(scores)
    }

    /// The rows that have these scores: of the scores of data, the nearest rows in the space of the
    /// components.
    ///
    /// # Errors
    /// If there is not one score for each component.
    pub fn reconstruct(&self, scores: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        check::dimension("scores of a row", self.variances.len(), scores.ncols())?;
        let mut rows = multiply_transpose(scores, &self.components);
        for (mut column, mean) in rows.column_iter_mut().zip(&self.mean) {
            column.add_scalar_mut(*mean);
        }
        Ok(rows)
    }
}
