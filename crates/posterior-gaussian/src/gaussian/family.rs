//! The Gaussian as an exponential family, and what its data leave behind.

use posterior_math::linalg::{Cholesky, DVector};
use posterior_math::special::LN_TAU;
use posterior_math::streaming::StreamingCovariance;

use super::Gaussian;
use crate::matrix_check;
use crate::packed;
use crate::prelude::*;

/// The statistic T(x) = (x, -x xᵀ / 2) goes with the natural parameters (Σ⁻¹ μ, Σ⁻¹). Of the symmetric
/// matrices the lower triangle is kept, column by column, with what is below the diagonal twice in the
/// statistic.
impl ExponentialFamily for Gaussian {
    /// The dimension.
    type Fixed = usize;
    /// Mean and scatter, which keep their digits however far from zero the data are.
    type Summary = StreamingCovariance;

    fn fixed(&self) -> usize {
        self.dimension()
    }

    fn statistic_len(&dimension: &usize) -> usize {
        dimension + packed::length(dimension)
    }

    fn check_point(&dimension: &usize, x: &[f64]) -> Result<(), ParamError> {
        matrix_check::length("Gaussian", "length", x.len(), dimension)?;
        matrix_check::finite("Gaussian", "point", x)
    }

    /// The statistic (x, -x xᵀ / 2).
    fn add_statistic(&dimension: &usize, x: &[f64], weight: f64, sum: &mut [f64]) {
        let (first, second) = sum.split_at_mut(dimension);
        for (total, x) in first.iter_mut().zip(x) {
            *total += weight * x;
        }
        let terms = packed::places(dimension).map(|(i, j)| -packed::multiplicity((i, j)) * x[i] * x[j]);
        for (total, term) in second.iter_mut().zip(terms) {
            *total += weight * term;
        }
    }

    /// The log partition function (n ln 2π - ln |Λ| + ηᵀ Λ⁻¹ η) / 2.
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let (eta, precision) = unpack(*natural.fixed(), natural.as_slice());
        let size = eta.len() as f64;
        Cholesky::decompose(precision).map_or(f64::NAN, |factor| {
            0.5 * (size * LN_TAU - factor.ln_determinant() + factor.quadratic_form(&eta))
        })
    }

    /// The natural parameters (Σ⁻¹ μ, Σ⁻¹).
    fn natural(&self) -> Natural<Self> {
        let eta = self.cholesky().solve_vector(self.mean());
        Self::natural_of(&eta, &self.precision())
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let (eta, precision) = unpack(*natural.fixed(), natural.as_slice());
        let factor =
            Cholesky::decompose(precision).map_err(|error| error.of_parameter("Gaussian", "precision"))?;
        Self::new(factor.solve_vector(&eta).as_slice(), &factor.inverse())
    }

    /// The expectation of the statistic (μ, -(Σ + μ μᵀ) / 2).
    fn expectation(&self) -> Expectation<Self> {
        Expectation::of(self.dimension(), raw_moments(self.mean(), self.covariance()))
    }

    /// The covariance is what the second moments have beyond the squares of the first: where the mean is
    /// large, take [`maximum_likelihood`](ExponentialFamily::maximum_likelihood), which has no such
    /// difference.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let dimension = *expectation.fixed();
        let (first, second) = expectation.as_slice().split_at(dimension);
        let mean = DVector::from_column_slice(first);
        let covariance = packed::of_statistic(dimension, second) - &mean * mean.transpose();
        Self::new(first, &covariance)
    }

    /// Mean and scatter over the weight, from the summary: no digits are lost far from zero.
    fn maximum_likelihood(stats: &Stats<Self>) -> Result<Self, ParamError> {
        check::positive("Stats", "weight", stats.weight())?;
        let summary = stats.summary();
        Self::new(summary.mean().as_slice(), &summary.covariance())
    }
}

impl FisherInformation for Gaussian {
    fn fisher_information(&self) -> DMatrix<f64> {
        let n = self.dimension();
        let (mean, covariance) = (self.mean(), self.covariance());
        let pairs: Vec<(usize, usize)> = packed::places(n).collect();
        let multiplicity = packed::multiplicity;
        let with_one = |i: usize, (k, l): (usize, usize)| {
            -multiplicity((k, l)) * (covariance[(i, k)] * mean[l] + covariance[(i, l)] * mean[k])
        };
        let size = Self::statistic_len(&n);
        DMatrix::from_fn(size, size, |row, column| match (row.checked_sub(n), column.checked_sub(n)) {
            (None, None) => covariance[(row, column)],
            (None, Some(pair)) => with_one(row, pairs[pair]),
            (Some(pair), None) => with_one(column, pairs[pair]),
            (Some(first), Some(second)) => {
                let ((i, j), (k, l)) = (pairs[first], pairs[second]);
                let pairing = |a: usize, b: usize, c: usize, d: usize| {
                    covariance[(a, b)] * (covariance[(c, d)] + mean[c] * mean[d])
                        + mean[a] * mean[b] * covariance[(c, d)]
                };
                multiplicity((i, j)) * multiplicity((k, l)) * (pairing(i, k, j, l) + pairing(i, l, j, k))
            }
        })
    }
}

impl Gaussian {
    /// The statistics of vectors with this weight, mean and scatter Σ w (x - mean)(x - mean)ᵀ, of which the
    /// lower triangle is read. A weight of 0 is that of no vectors, whatever the others are.
    ///
    /// ```
    /// use posterior_dist::Stats;
    /// use posterior_gaussian::Gaussian;
    /// use posterior_math::linalg::DMatrix;
    ///
    /// let scatter = DMatrix::from_row_slice(2, 2, &[2.0, -2.0, -2.0, 2.0]);
    /// let counted = Gaussian::stats_from_moments(2.0, &[3.0, 1.0], &scatter)?;
    /// assert_eq!(counted, Stats::of(2, [[2.0, 2.0], [4.0, 0.0]].iter().map(|x| &x[..]))?);
    /// # Ok::<(), posterior_math::ParamError>(())
    /// ```
    ///
    /// # Errors
    /// If the sizes differ, the weight is negative or infinite, or, with a weight, mean or scatter are not
    /// finite or a diagonal entry of the scatter is negative.
    pub fn stats_from_moments(
        weight: f64,
        mean: &[f64],
        scatter: &DMatrix<f64>,
    ) -> Result<Stats<Self>, ParamError> {
        matrix_check::length("Stats", "rows of the scatter", scatter.nrows(), mean.len())?;
        matrix_check::length("Stats", "columns of the scatter", scatter.ncols(), mean.len())?;
        if check::non_negative("Stats", "weight", weight)? > 0.0 {
            matrix_check::finite("Stats", "mean", mean)?;
            matrix_check::finite("Stats", "scatter", scatter.as_slice())?;
            check::each(&scatter.diagonal(), |square| {
                check::non_negative("Stats", "sum of squares", square)
            })?;
        }
        Ok(Stats::from_summary(mean.len(), StreamingCovariance::from_moments(weight, mean, scatter), 0.0))
    }
}

impl Summary<Gaussian> for StreamingCovariance {
    fn empty(&dimension: &usize) -> Self {
        Self::new(dimension)
    }

    fn add(&mut self, _: &usize, x: &[f64], weight: f64) {
        if weight < 0.0 {
            self.remove_weighted(x, -weight);
        } else {
            self.push_weighted(x, weight);
        }
    }

    fn merge(&mut self, other: &Self) {
        Self::merge(self, other);
    }

    fn scale(&mut self, factor: f64) {
        Self::scale(self, factor);
    }

    fn weight(&self) -> f64 {
        Self::weight(self)
    }

    fn total(&self, fixed: &usize) -> Vec<f64> {
        let weight = Self::weight(self);
        if weight == 0.0 {
            return vec![0.0; Gaussian::statistic_len(fixed)];
        }
        raw_moments(&self.mean(), &self.covariance()).iter().map(|mean| weight * mean).collect()
    }
}

impl Gaussian {
    /// The natural parameters with this Σ⁻¹ μ and Σ⁻¹.
    pub(crate) fn natural_of(eta: &DVector<f64>, precision: &DMatrix<f64>) -> Natural<Self> {
        Natural::of(eta.len(), eta.iter().copied().chain(packed::triangle(precision)).collect())
    }
}

/// E (x, -x xᵀ / 2) from a mean and a covariance.
fn raw_moments(mean: &DVector<f64>, covariance: &DMatrix<f64>) -> Vec<f64> {
    let second = covariance + mean * mean.transpose();
    mean.iter().copied().chain(packed::statistic(&second)).collect()
}

/// The vector and the symmetric matrix of natural parameters.
fn unpack(dimension: usize, coordinates: &[f64]) -> (DVector<f64>, DMatrix<f64>) {
    let (vector, entries) = coordinates.split_at(dimension);
    (DVector::from_column_slice(vector), packed::of_triangle(dimension, entries))
}
