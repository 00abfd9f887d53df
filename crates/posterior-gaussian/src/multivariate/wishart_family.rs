//! Wishart and inverse Wishart distributions as exponential families.

use posterior_math::linalg::Cholesky;
use posterior_math::optimize::{RootOptions, find_root};
use posterior_math::special::{digamma, trigamma};

use super::{InverseWishart, Wishart, wishart};
use crate::matrix_check;
use crate::packed;
use crate::prelude::*;

/// T(X) = (ln |X|, -X / 2) and w = ((ν - p - 1) / 2, W⁻¹). Of the symmetric matrices the lower triangle is
/// kept, column by column, with what is below the diagonal twice in the statistic.
impl ExponentialFamily for Wishart {
    /// p.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.dimension()
    }

    fn statistic_len(&dimension: &usize) -> usize {
        1 + packed::length(dimension)
    }

    fn check_point(&dimension: &usize, x: &DMatrix<f64>) -> Result<(), ParamError> {
        matrix_check::length("Wishart", "rows of the point", x.nrows(), dimension)?;
        matrix_check::positive_definite("Wishart", "point", x).map(|_| ())
    }

    /// The statistic (ln |X|, -X / 2).
    fn add_statistic(_: &usize, x: &DMatrix<f64>, weight: f64, sum: &mut [f64]) {
        add(sum, weight, x, x);
    }

    /// The log partition function ν (p ln 2 - ln |W⁻¹|) / 2 + ln Γ_p(ν / 2).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let p = *natural.fixed();
        let (first, matrix) = split(p, natural.as_slice());
        ln_partition(2.0 * first + p as f64 + 1.0, matrix)
    }

    /// The natural parameters ((ν - p - 1) / 2, W⁻¹).
    fn natural(&self) -> Natural<Self> {
        let first = 0.5 * (self.degrees_of_freedom() - self.dimension() as f64 - 1.0);
        Natural::of(self.dimension(), join(first, packed::triangle(self.inverse_scale())))
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let p = *natural.fixed();
        let (first, matrix) = split(p, natural.as_slice());
        Self::from_inverse_scale(2.0 * first + p as f64 + 1.0, &matrix)
    }

    /// The expectation of the statistic (E ln |X|, -ν W / 2).
    fn expectation(&self) -> Expectation<Self> {
        let mean = self.scale() * self.degrees_of_freedom();
        Expectation::of(self.dimension(), join(self.expected_ln_determinant(), packed::statistic(&mean)))
    }

    /// ν is the root of Σ ψ((ν + 1 - i) / 2) - p ln(ν / 2) = E ln |X| - ln |E X|.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let p = *expectation.fixed();
        let mean = packed::of_statistic(p, &expectation.as_slice()[1..]);
        let nu = degrees_of_freedom("Wishart", &mean, expectation.as_slice()[0])?;
        Self::new(nu, &(mean / nu))
    }
}

impl FisherInformation for Wishart {
    fn fisher_information(&self) -> DMatrix<f64> {
        fisher_information(self.degrees_of_freedom(), 1.0, self.scale())
    }
}

/// T(X) = (ln |X|, -X⁻¹ / 2) and w = (-(ν + p + 1) / 2, Ψ), packed as for [`Wishart`].
impl ExponentialFamily for InverseWishart {
    /// p.
    type Fixed = usize;
    type Summary = Sums;

    fn fixed(&self) -> usize {
        self.dimension()
    }

    fn statistic_len(&dimension: &usize) -> usize {
        1 + packed::length(dimension)
    }

    fn check_point(&dimension: &usize, x: &DMatrix<f64>) -> Result<(), ParamError> {
        matrix_check::length("InverseWishart", "rows of the point", x.nrows(), dimension)?;
        let (_, factor) = matrix_check::positive_definite("InverseWishart", "point", x)?;
        matrix_check::finite("InverseWishart", "inverse of the point", factor.inverse().as_slice())
    }

    /// The statistic (ln |X|, -X⁻¹ / 2).
    fn add_statistic(_: &usize, x: &DMatrix<f64>, weight: f64, sum: &mut [f64]) {
        let inverse = Cholesky::new(x).map_or_else(|_| x * f64::NAN, |factor| factor.inverse());
        add(sum, weight, x, &inverse);
    }

    /// The log partition function ν (p ln 2 - ln |Ψ|) / 2 + ln Γ_p(ν / 2).
    fn ln_partition(natural: &Natural<Self>) -> f64 {
        let p = *natural.fixed();
        let (first, matrix) = split(p, natural.as_slice());
        ln_partition(-2.0 * first - p as f64 - 1.0, matrix)
    }

    /// The natural parameters (-(ν + p + 1) / 2, Ψ).
    fn natural(&self) -> Natural<Self> {
        let first = -0.5 * (self.degrees_of_freedom() + self.dimension() as f64 + 1.0);
        Natural::of(self.dimension(), join(first, packed::triangle(self.scale())))
    }

    fn from_natural(natural: &Natural<Self>) -> Result<Self, ParamError> {
        let p = *natural.fixed();
        let (first, matrix) = split(p, natural.as_slice());
        Self::new(-2.0 * first - p as f64 - 1.0, &matrix)
    }

    /// The expectation of the statistic (E ln |X|, -ν Ψ⁻¹ / 2).
    fn expectation(&self) -> Expectation<Self> {
        let mean = self.expected_inverse();
        Expectation::of(self.dimension(), join(self.expected_ln_determinant(), packed::statistic(&mean)))
    }

    /// As for the inverses, which are Wishart.
    fn from_expectation(expectation: &Expectation<Self>) -> Result<Self, ParamError> {
        let p = *expectation.fixed();
        let mean = packed::of_statistic(p, &expectation.as_slice()[1..]);
        let nu = degrees_of_freedom("InverseWishart", &mean, -expectation.as_slice()[0])?;
        let (_, factor) = matrix_check::positive_definite("InverseWishart", "mean of the inverse", &mean)?;
        Self::new(nu, &(factor.inverse() * nu))
    }
}

impl FisherInformation for InverseWishart {
    fn fisher_information(&self) -> DMatrix<f64> {
        fisher_information(self.degrees_of_freedom(), -1.0, &self.cholesky().inverse())
    }
}

fn split(dimension: usize, coordinates: &[f64]) -> (f64, DMatrix<f64>) {
    (coordinates[0], packed::of_triangle(dimension, &coordinates[1..]))
}

fn join(first: f64, rest: impl Iterator<Item = f64>) -> Vec<f64> {
    std::iter::once(first).chain(rest).collect()
}

/// Adds weight · (ln |X|, -M / 2).
fn add(sum: &mut [f64], weight: f64, x: &DMatrix<f64>, matrix: &DMatrix<f64>) {
    let ln_determinant = Cholesky::new(x).map_or(f64::NAN, |factor| factor.ln_determinant());
    sum[0] += weight * ln_determinant;
    for (total, term) in sum[1..].iter_mut().zip(packed::statistic(matrix)) {
        *total += weight * term;
    }
}

/// NaN outside the domain.
fn ln_partition(nu: f64, inverse_scale: DMatrix<f64>) -> f64 {
    let p = inverse_scale.nrows();
    match Cholesky::decompose(inverse_scale) {
        Ok(factor) if nu > p as f64 - 1.0 => wishart::ln_norm(nu, p, -factor.ln_determinant()),
        _ => f64::NAN,
    }
}

/// ν of a Wishart distribution with this mean and E ln |X|; on a logarithmic scale above p - 1, where the
/// function rises from -∞ to 0.
fn degrees_of_freedom(
    type_name: &'static str,
    mean: &DMatrix<f64>,
    expected_ln_determinant: f64,
) -> Result<f64, ParamError> {
    let p = mean.nrows();
    let (_, factor) = matrix_check::positive_definite(type_name, "mean", mean)?;
    let target = expected_ln_determinant - factor.ln_determinant();
    // Jensen's inequality: what is not below zero by more than rounding has no spread.
    let spread = target < -4.0 * f64::EPSILON * (1.0 + expected_ln_determinant.abs());
    let requirement = "below ln |E X| (the value is the difference)";
    check::require(spread, type_name, "E ln |X|", target, requirement)?;
    let at = |ln_excess: f64| p as f64 - 1.0 + ln_excess.exp();
    let excess = |ln_excess: f64| {
        let nu = at(ln_excess);
        let terms = (0..p).map(|i| digamma(0.5 * (nu - i as f64)) - (0.5 * nu).ln());
        terms.sum::<f64>() - target
    };
    let root = find_root(excess, -30.0, 40.0, &RootOptions::default()).point;
    check::require(root.is_finite(), type_name, "E ln |X|", target, requirement)?;
    Ok(at(root))
}

/// The covariance of (± ln |X|, -X / 2) for X ~ Wishart(ν, W).
fn fisher_information(nu: f64, sign: f64, scale: &DMatrix<f64>) -> DMatrix<f64> {
    let p = scale.nrows();
    let size = 1 + packed::length(p);
    let mut information = DMatrix::zeros(size, size);
    information[(0, 0)] = (0..p).map(|i| trigamma(0.5 * (nu - i as f64))).sum();
    for (index, term) in packed::statistic(scale).enumerate() {
        let covariance = sign * 2.0 * term;
        (information[(0, index + 1)], information[(index + 1, 0)]) = (covariance, covariance);
    }
    let matrices = packed::statistic_covariance(scale) * nu;
    information.view_mut((1, 1), (size - 1, size - 1)).copy_from(&matrices);
    information
}
