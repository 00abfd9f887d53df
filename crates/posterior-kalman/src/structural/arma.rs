//! Autoregressions with moving averages of a series or of its differences, from their stationary
//! distribution.

use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};

use super::ArimaOrder;
use super::part::{Blocks, Part, Start, Timing};
use crate::continuous::block::Block;
use crate::learning::ParameterScale;

/// w(t) = Σ φᵢ w(t-i) + ε(t) + Σ θⱼ ε(t-j) of the differences w of y, with factors for the season.
///
/// Its parameters are partial autocorrelations, which are free in (-1, 1) exactly where w is stationary;
/// those of the moving average likewise, where it is invertible. For orders of one they are φ and θ. The
/// states are those of w, the constant, and y(t-1), y(t-2), … as far as the differences reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arma {
    pub(super) name: &'static str,
    pub(super) order: ArimaOrder,
    /// (-1, 1).
    pub(super) correlation: ParameterScale,
}

/// The coefficients of the four factors: 1 - Σ φ Bⁱ, 1 + Σ θ Bʲ, and those of the season.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factors<R> {
    pub(super) ar: Vec<R>,
    pub(super) ma: Vec<R>,
    pub(super) seasonal_ar: Vec<R>,
    pub(super) seasonal_ma: Vec<R>,
}

impl Arma {
    /// The coefficients of the parameters.
    pub(super) fn factors<R: Real>(&self, values: &[R]) -> Factors<R> {
        let mut rest = values;
        let mut next = |count: usize| {
            let (own, others) = rest.split_at(count);
            rest = others;
            own
        };
        let averaged = |values: &[R]| {
            let negative: Vec<R> = values.iter().map(|&value| -value).collect();
            from_partial(&negative).into_iter().map(|theta| -theta).collect()
        };
        let order = &self.order;
        Factors {
            ar: from_partial(next(order.autoregressive)),
            ma: averaged(next(order.moving_average)),
            seasonal_ar: from_partial(next(order.seasonal_autoregressive)),
            seasonal_ma: averaged(next(order.seasonal_moving_average)),
        }
    }

    /// How many states the stationary part has.
    fn stationary_states(&self) -> usize {
        let order = &self.order;
        let ar = order.autoregressive + order.period * order.seasonal_autoregressive;
        let ma = order.moving_average + order.period * order.seasonal_moving_average;
        ar.max(ma + 1)
    }

    /// The companion matrix, column by column, and the responses 1, θ₁, … to ε.
    fn matrices<R: Real>(&self, values: &[R]) -> (Vec<R>, Vec<R>) {
        let n = self.stationary_states();
        let factors = self.factors(values);
        let negative = |coefficients: &[R]| coefficients.iter().map(|&c| -c).collect::<Vec<R>>();
        let period = self.order.period;
        let ar = multiplied(&negative(&factors.ar), &negative(&factors.seasonal_ar), period);
        let ma = multiplied(&factors.ma, &factors.seasonal_ma, period);
        let mut transition = vec![R::constant(0.0); n * n];
        for i in 1..n {
            transition[i * n + i - 1] = R::constant(1.0);
        }
        for (entry, coefficient) in transition.iter_mut().zip(ar) {
            *entry = -coefficient;
        }
        let mut response = vec![R::constant(0.0); n];
        response[0] = R::constant(1.0);
        response[1..=ma.len()].copy_from_slice(&ma);
        (transition, response)
    }

    /// δ with y(t) = w(t) + Σ δⱼ y(t-j).
    fn lags(&self) -> Vec<f64> {
        let order = &self.order;
        let simple = std::iter::repeat_n(1, order.differences);
        let seasonal = std::iter::repeat_n(order.period, order.seasonal_differences);
        let polynomial =
            simple.chain(seasonal).fold(Vec::new(), |before, lag| multiplied(&before, &[-1.0], lag));
        polynomial.into_iter().map(|coefficient: f64| -coefficient).collect()
    }
}

/// The coefficients after the first of (1 + Σ aᵢ Bⁱ) (1 + Σ bⱼ B^(j period)).
fn multiplied<R: Real>(a: &[R], b: &[R], period: usize) -> Vec<R> {
    let mut product = vec![R::constant(0.0); a.len() + period * b.len()];
    product[..a.len()].copy_from_slice(a);
    for (j, &b) in b.iter().enumerate() {
        let lag = (j + 1) * period;
        product[lag - 1] += b;
        for (i, &a) in a.iter().enumerate() {
            product[lag + i] += a * b;
        }
    }
    product
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
fn partial(coefficients: &[f64], name: &'static str) -> Result<Vec<f64>, ParamError> {
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

/// The parameters of coefficients: autoregressive, of the moving average, and those of the season.
pub(super) fn partials([ar, ma, seasonal_ar, seasonal_ma]: [&[f64]; 4]) -> Result<Vec<f64>, ParamError> {
    let averaged = |coefficients: &[f64]| {
        let negative: Vec<f64> = coefficients.iter().map(|theta| -theta).collect();
        let partial = partial(&negative, "moving-average coefficients")?;
        Ok::<_, ParamError>(partial.into_iter().map(|value| -value))
    };
    let mut values = partial(ar, "autoregressive coefficients")?;
    values.extend(averaged(ma)?);
    values.extend(partial(seasonal_ar, "seasonal autoregressive coefficients")?);
    values.extend(averaged(seasonal_ma)?);
    Ok(values)
}

impl Part for Arma {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> Vec<(String, ParameterScale)> {
        let order = &self.order;
        let groups = [
            ("ar", order.autoregressive),
            ("ma", order.moving_average),
            ("seasonal_ar", order.seasonal_autoregressive),
            ("seasonal_ma", order.seasonal_moving_average),
        ];
        let named = |(name, count): (&'static str, usize)| {
            (1..=count).map(move |i| (format!("{name}[{i}]"), self.correlation))
        };
        let mut parameters: Vec<_> = groups.into_iter().flat_map(named).collect();
        parameters.push(("variance".to_owned(), ParameterScale::Positive));
        parameters
    }

    fn states(&self, _: Timing) -> usize {
        self.stationary_states() + usize::from(self.order.has_constant) + self.order.lost()
    }

    fn write_row(&self, _: usize, row: &mut [f64]) {
        let lags = self.lags();
        row[0] = 1.0;
        let past = row.len() - lags.len();
        if self.order.has_constant {
            row[past - 1] = 1.0;
        }
        row[past..].copy_from_slice(&lags);
    }

    fn check(&self, timing: Timing) -> Result<(), ParamError> {
        let requirement = "0 at irregular times: an autoregression needs regular steps";
        timing.only_regular("arma order", self.states(timing), requirement)
    }

    fn step<R: Real>(&self, values: &[R], timing: Timing, _: (f64, f64), mut to: Blocks<'_, R>) {
        let (n, states) = (self.stationary_states(), self.states(timing));
        let (companion, response) = self.matrices(values);
        let variance = values[values.len() - 1];
        for j in 0..n {
            for i in 0..n {
                to.transition.set(i, j, companion[j * n + i]);
                to.noise.set(i, j, response[i] * response[j] * variance);
            }
        }
        let past = states - self.order.lost();
        if past > n {
            to.transition.set(n, n, R::constant(1.0));
        }
        if past < states {
            let mut row = vec![0.0; states];
            self.write_row(0, &mut row);
            for (j, &entry) in row.iter().enumerate().filter(|&(_, &entry)| entry != 0.0) {
                to.transition.set(past, j, R::constant(entry));
            }
        }
        for i in past + 1..states {
            to.transition.set(i, i - 1, R::constant(1.0));
        }
    }

    /// P = A P Aᵀ + Q, by doubling: P(2k) = A(k) P(k) A(k)ᵀ + P(k), A(2k) = A(k)².
    fn start<R: Real>(&self, values: &[R], _: f64, mut covariance: Block<'_, R>) -> Start {
        let n = self.stationary_states();
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
        if self.states(Timing::Regular) > n { Start::DiffuseFrom(n) } else { Start::Known }
    }
}

/// A B of square matrices, column by column.
fn product<R: Real>(n: usize, a: &[R], b: &[R]) -> Vec<R> {
    (0..n * n).map(|place| (0..n).map(|k| a[k * n + place % n] * b[place / n * n + k]).sum()).collect()
}
