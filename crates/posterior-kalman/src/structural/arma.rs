//! Autoregressions with moving averages, from their stationary distribution.

use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};

use super::part::{Blocks, Part, Start, Timing};
use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// y(t) = Σ φᵢ y(t-i) + ε(t) + Σ θⱼ ε(t-j).
///
/// Its parameters are partial autocorrelations, which are free in (-1, 1) exactly where y is stationary;
/// those of the moving average likewise, where it is invertible. For orders of one they are φ and θ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arma {
    pub(super) autoregressive: usize,
    pub(super) moving_average: usize,
    /// (-1, 1).
    pub(super) correlation: ParameterScale,
}

impl Arma {
    /// φ and θ of the parameters.
    pub(super) fn coefficients<R: Real>(&self, values: &[R]) -> (Vec<R>, Vec<R>) {
        let (ar, rest) = values.split_at(self.autoregressive);
        let negative: Vec<R> = rest[..self.moving_average].iter().map(|&value| -value).collect();
        (from_partial(ar), from_partial(&negative).into_iter().map(|theta| -theta).collect())
    }

    /// The companion matrix, column by column, and the responses 1, θ₁, … to ε.
    fn matrices<R: Real>(&self, values: &[R]) -> (Vec<R>, Vec<R>) {
        let n = self.states(Timing::Regular);
        let (ar, ma) = self.coefficients(values);
        let mut transition = vec![R::constant(0.0); n * n];
        for i in 1..n {
            transition[i * n + i - 1] = R::constant(1.0);
        }
        transition[..ar.len()].copy_from_slice(&ar);
        let mut response = vec![R::constant(0.0); n];
        response[0] = R::constant(1.0);
        response[1..=ma.len()].copy_from_slice(&ma);
        (transition, response)
    }
}

/// Coefficients from partial autocorrelations: the recursion of Durbin and Levinson.
fn from_partial<R: Real>(partial: &[R]) -> Vec<R> {
    let mut coefficients: Vec<R> = Vec::with_capacity(partial.len());
    for &last in partial {
        let before = coefficients.clone();
        for (coefficient, &mirrored) in coefficients.iter_mut().zip(before.iter().rev()) {
            *coefficient = *coefficient - last * mirrored;
        }
        coefficients.push(last);
    }
    coefficients
}

/// Partial autocorrelations from coefficients, by the same recursion backwards: refused where not stationary.
pub(super) fn partial(coefficients: &[f64], name: &'static str) -> Result<Vec<f64>, ParamError> {
    let mut left = coefficients.to_vec();
    let mut partial = vec![0.0; left.len()];
    while let Some(last) = left.pop() {
        let requirement = "such that the series is stationary, and the moving average invertible";
        check::require(last.abs() < 1.0, "arma", name, last, requirement)?;
        partial[left.len()] = last;
        let after = left.clone();
        for (coefficient, mirrored) in left.iter_mut().zip(after.iter().rev()) {
            *coefficient = (*coefficient + last * mirrored) / (1.0 - last * last);
        }
    }
    Ok(partial)
}

impl Part for Arma {
    fn name(&self) -> &'static str {
        "arma"
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        let named = |name: &str, count: usize| -> Vec<(String, ParameterScale)> {
            (1..=count).map(|i| (format!("{name}[{i}]"), self.correlation)).collect()
        };
        let mut parameters = named("ar", self.autoregressive);
        parameters.extend(named("ma", self.moving_average));
        parameters.push(("variance".to_owned(), ParameterScale::Positive));
        parameters
    }

    fn states(&self, _: Timing) -> usize {
        self.autoregressive.max(self.moving_average + 1)
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        let requirement = "0 at irregular times: an autoregression needs regular steps";
        timing.only_regular("arma order", self.autoregressive, requirement)
    }

    fn step<R: Real>(&self, values: &[R], _: Timing, _: (f64, f64), mut to: Blocks<'_, R>) {
        let n = self.states(Timing::Regular);
        let (companion, response) = self.matrices(values);
        let variance = values[values.len() - 1];
        for j in 0..n {
            for i in 0..n {
                to.transition.set(i, j, companion[j * n + i]);
                to.noise.set(i, j, response[i] * response[j] * variance);
            }
        }
    }

    /// P = A P Aᵀ + Q, by doubling: P(2k) = A(k) P(k) A(k)ᵀ + P(k), A(2k) = A(k)².
    fn start<R: Real>(&self, values: &[R], _: f64, mut covariance: Block<'_, R>) -> Start {
        let n = self.states(Timing::Regular);
        let (mut power, response) = self.matrices(values);
        let variance = values[values.len() - 1];
        let mut distribution = vec![R::constant(0.0); n * n];
        for j in 0..n {
            for i in 0..n {
                distribution[j * n + i] = response[i] * response[j] * variance;
            }
        }
        // After 60 doublings, powers of a matrix whose spectral radius is below 1 - 2⁻⁵³ are gone.
        for _ in 0..60 {
            let half = product(n, &power, &distribution);
            let transposed: Vec<R> = (0..n * n).map(|k| power[k % n * n + k / n]).collect();
            let moved = product(n, &half, &transposed);
            let mut change = 0.0_f64;
            let mut size = 0.0_f64;
            for (entry, moved) in distribution.iter_mut().zip(moved) {
                *entry += moved;
                change = change.max(moved.value().abs());
                size = size.max(entry.value().abs());
            }
            if change <= 1e-3 * f64::EPSILON * size {
                break;
            }
            power = product(n, &power, &power);
        }
        for j in 0..n {
            for i in 0..=j {
                covariance.set_both(i, j, (distribution[j * n + i] + distribution[i * n + j]) * 0.5);
            }
        }
        Start::Known
    }
}

/// A B of square matrices, column by column.
fn product<R: Real>(n: usize, a: &[R], b: &[R]) -> Vec<R> {
    (0..n * n).map(|place| (0..n).map(|k| a[k * n + place % n] * b[place / n * n + k]).sum()).collect()
}
