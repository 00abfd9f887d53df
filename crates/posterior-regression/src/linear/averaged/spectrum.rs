//! A standardised design by its singular values: what every scale of the coefficients shares.

use posterior_math::linalg::{DMatrix, DVector, MatrixError, triangularize};
use posterior_math::streaming::MeanVariance;

use crate::Error;

/// Singular values below this proportion of the largest are rounding.
const RANK: f64 = 1e-13;

/// Steps of the decomposition, for each row and column of the smaller side.
const STEPS: usize = 200;

/// Columns with mean 0 and standard deviation 1, X = U D Vᵀ, and the responses less their mean: each row
/// times the root of its weight. Without an intercept nothing is taken off.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(super) struct Spectrum {
    /// Of the columns.
    pub(super) means: Vec<f64>,
    pub(super) sds: Vec<f64>,
    /// Of the responses.
    pub(super) mean: f64,
    pub(super) sd: f64,
    /// n: the rows that have a weight.
    pub(super) rows: usize,
    /// Σ w.
    pub(super) total: f64,
    pub(super) intercept: bool,
    /// d, without those that are zero.
    pub(super) values: Vec<f64>,
    /// V, one column for each singular value.
    #[cfg_attr(feature = "serde", serde(with = "posterior_math::linalg::written"))]
    pub(super) right: DMatrix<f64>,
    /// Uᵀ y.
    pub(super) along: Vec<f64>,
    /// |y|² in directions that no column has, and at least what rounding leaves.
    pub(super) beyond: f64,
}

/// Weighted mean and standard deviation; around zero, if there is no intercept.
fn moments(values: &[f64], weights: Option<&[f64]>, intercept: bool) -> (f64, f64) {
    let weight = |row: usize| weights.map_or(1.0, |all| all[row]);
    let (mean, variance) = if intercept {
        // The mean of equal numbers is that number, to the last digit.
        let mut moments = MeanVariance::new();
        for (row, own) in values.iter().enumerate() {
            moments.push_weighted(*own, weight(row));
        }
        let rows = values.len() as f64;
        (moments.mean(), moments.variance() * rows / (rows - 1.0))
    } else {
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            values.iter().enumerate().map(|(row, own)| weight(row) * of(*own)).sum()
        };
        (0.0, sum(&|own| own.powi(2)) / sum(&|_| 1.0))
    };
    let sd = variance.sqrt();
    (mean, if sd > 0.0 { sd } else { 1.0 })
}

impl Spectrum {
    /// Costs 2 n p min(n, p) operations and the memory of a copy of the design: never that of a p × p matrix
    /// if p > n.
    ///
    /// All weights are positive.
    pub(super) fn new(
        mut standard: DMatrix<f64>,
        y: &[f64],
        weights: Option<&[f64]>,
        intercept: bool,
    ) -> Result<Self, Error> {
        let (rows, columns) = standard.shape();
        let root = |row: usize| weights.map_or(1.0, |all| all[row].sqrt());
        let moments = |values: &[f64]| moments(values, weights, intercept);
        let of_columns: Vec<(f64, f64)> =
            standard.column_iter().map(|column| moments(column.into_owned().as_slice())).collect();
        let (means, sds): (Vec<f64>, Vec<f64>) = of_columns.into_iter().unzip();
        let (mean, sd) = moments(y);
        let residual =
            DVector::from_iterator(rows, y.iter().enumerate().map(|(row, y)| root(row) * (y - mean)));
        for (j, mut column) in standard.column_iter_mut().enumerate() {
            column.iter_mut().enumerate().for_each(|(row, x)| *x = root(row) * ((*x - means[j]) / sds[j]));
        }
        let lost = usize::from(intercept);
        let (values, right, along, mut beyond) =
            if rows > columns { tall(standard, &residual)? } else { wide(&standard, &residual, lost)? };
        if values.len() + lost >= rows {
            beyond = 0.0;
        }
        let largest =
            y.iter().enumerate().fold(0.0_f64, |largest, (row, y)| largest.max(root(row) * y.abs()));
        // What rounding of the responses leaves of exact ones.
        let rounding =
            (rows.saturating_sub(values.len() + lost)) as f64 * (4.0 * f64::EPSILON * largest).powi(2);
        let total = weights.map_or(rows as f64, |all| all.iter().sum());
        let finite = values.iter().chain(&along).chain([&beyond]).all(|value| value.is_finite());
        if !finite {
            return Err(MatrixError::NotFinite.into());
        }
        let beyond = beyond.max(rounding);
        Ok(Self { means, sds, mean, sd, rows, total, intercept, values, right, along, beyond })
    }

    /// A spectrum that was written, if its sizes agree.
    #[cfg(feature = "serde")]
    pub(super) fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let own: Self = serde::Deserialize::deserialize(deserializer)?;
        let (columns, values) = own.right.shape();
        let fits = own.means.len() == columns
            && own.sds.len() == columns
            && own.values.len() == values
            && own.along.len() == values
            && own.rows >= values + usize::from(own.intercept)
            && own.rows > 1
            && own.total > 0.0
            && own.sds.iter().chain(&own.values).all(|value| *value > 0.0);
        fits.then_some(own).ok_or_else(|| serde::de::Error::custom("the sizes of a spectrum do not agree"))
    }

    /// Degrees of freedom of the responses less their mean, if there is an intercept.
    pub(super) fn degrees_of_freedom(&self) -> f64 {
        self.rows as f64 - f64::from(u8::from(self.intercept))
    }

    /// yᵀ (I + λ² X Xᵀ)⁻¹ y, for λ².
    pub(super) fn rest(&self, ratio: f64) -> f64 {
        let each = self.values.iter().zip(&self.along);
        self.beyond + each.map(|(value, along)| along * along / (1.0 + ratio * value * value)).sum::<f64>()
    }

    /// What the intercept adds to the variance of a mean response, per variance of the noise.
    pub(super) fn of_intercept(&self) -> f64 {
        if self.intercept { self.total.recip() } else { 0.0 }
    }

    /// Whether the columns can have any responses: nothing is left for the noise.
    pub(super) fn is_saturated(&self) -> bool {
        self.values.len() + usize::from(self.intercept) >= self.rows
    }

    /// A row in standard units.
    pub(super) fn standard(&self, row: impl Iterator<Item = f64>) -> Vec<f64> {
        row.enumerate().map(|(j, x)| (x - self.means[j]) / self.sds[j]).collect()
    }

    /// Vᵀ a, and the square of what is left of a: 0 if the columns span everything.
    pub(super) fn project(&self, a: &[f64]) -> (Vec<f64>, f64) {
        let along: Vec<f64> =
            self.right.column_iter().map(|v| v.iter().zip(a).map(|(v, a)| v * a).sum()).collect();
        if self.values.len() == a.len() {
            return (along, 0.0);
        }
        let mut left = a.to_vec();
        for (v, along) in self.right.column_iter().zip(&along) {
            left.iter_mut().zip(v.iter()).for_each(|(left, v)| *left -= along * v);
        }
        (along, left.iter().map(|left| left * left).sum())
    }
}

type Parts = (Vec<f64>, DMatrix<f64>, Vec<f64>, f64);

/// By an orthogonal reduction to p rows.
fn tall(standard: DMatrix<f64>, residual: &DVector<f64>) -> Result<Parts, Error> {
    let columns = standard.ncols();
    let mut beside = standard.insert_column(columns, 0.0);
    beside.set_column(columns, residual);
    let triangle = triangularize(beside);
    let beyond = triangle[(columns, columns)].powi(2);
    let target = triangle.view((0, columns), (columns, 1)).column(0).into_owned();
    let (left, values, right) = decompose(triangle.view((0, 0), (columns, columns)).into_owned())?;
    let along = left.tr_mul(&target);
    let right = right.transpose();
    let (mut rest, mut kept) = (beyond, Vec::new());
    let largest = values.iter().fold(0.0_f64, |largest, &value| largest.max(value));
    for (j, &value) in values.iter().enumerate() {
        if value > RANK * largest { kept.push(j) } else { rest += along[j] * along[j] }
    }
    let values = kept.iter().map(|&j| values[j]).collect();
    Ok((values, right.select_columns(&kept), kept.iter().map(|&j| along[j]).collect(), rest))
}

/// By the rows: V = Xᵀ U / D. So many directions of the rows are lost to the intercept.
fn wide(standard: &DMatrix<f64>, residual: &DVector<f64>, lost: usize) -> Result<Parts, Error> {
    let triangle = triangularize(standard.transpose());
    // X = Rᵀ Qᵀ, so that the left vectors of Rᵀ are those of X.
    let (left, values, _) = decompose(triangle.transpose())?;
    let along = left.tr_mul(residual);
    let largest = values.iter().fold(0.0_f64, |largest, &value| largest.max(value));
    // Beside an intercept the rows add up to zero: one singular value is rounding.
    let most = standard.nrows().saturating_sub(lost);
    let mut kept: Vec<usize> = (0..values.len()).filter(|&j| values[j] > 1e-11 * largest).collect();
    kept.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    kept.truncate(most);
    let mut right = standard.tr_mul(&left.select_columns(&kept));
    let mut rest = residual.clone();
    for (place, &j) in kept.iter().enumerate() {
        right.column_mut(place).scale_mut(values[j].recip());
        rest.axpy(-along[j], &left.column(j), 1.0);
    }
    let values = kept.iter().map(|&j| values[j]).collect();
    Ok((values, right, kept.iter().map(|&j| along[j]).collect(), rest.norm_squared()))
}

/// U, D and Vᵀ.
type Decomposed = (DMatrix<f64>, Vec<f64>, DMatrix<f64>);

fn decompose(matrix: DMatrix<f64>) -> Result<Decomposed, Error> {
    let size = matrix.nrows();
    if size == 0 {
        return Ok((matrix.clone(), Vec::new(), matrix));
    }
    if matrix.iter().any(|entry| !entry.is_finite()) {
        return Err(MatrixError::NotFinite.into());
    }
    let found = matrix.try_svd(true, true, f64::EPSILON, STEPS * size).ok_or(MatrixError::NoConvergence)?;
    let (Some(left), Some(right)) = (found.u, found.v_t) else {
        return Err(MatrixError::NoConvergence.into());
    };
    Ok((left, found.singular_values.as_slice().to_vec(), right))
}
