//! Logistic regression, with vector instructions.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use std::f64::consts::LOG2_E;

use posterior_dist::target::{EvalError, GradTarget, Target};
use pulp::{Arch, Simd, WithSimd};

use super::logistic_data::LogisticData;

/// Rows that are worked on at once.
const ROWS: usize = 32;
/// Lanes of a sum over rows.
const LANES: usize = 8;

/// The posterior of the weights of a logistic regression with independent standard normal priors.
///
/// A label is folded into its row as a sign, s = ±1: the likelihood of a row is 1 / (1 + e^(-m)) with the
/// margin m = s xᵀ β. Rows lie in blocks, column by column: the margins of a block, their losses and the
/// gradient are loops over rows without branches, which the compiler turns into vector instructions, and a
/// block is read from memory once.
#[derive(Debug, Clone, PartialEq)]
pub struct Logistic {
    features: usize,
    rows: usize,
    /// For each block its columns, of [`ROWS`] numbers each; the last block is filled up with zeros.
    blocks: Vec<f64>,
}

impl Logistic {
    /// The posterior of these data.
    pub fn new(data: &LogisticData) -> Self {
        let (features, rows) = (data.features, data.labels.len());
        let mut blocks = vec![0.0; rows.div_ceil(ROWS) * ROWS * features];
        for (i, (row, label)) in data.rows.chunks_exact(features).zip(&data.labels).enumerate() {
            for (j, x) in row.iter().enumerate() {
                blocks[(i / ROWS * features + j) * ROWS + i % ROWS] = (2.0 * label - 1.0) * x;
            }
        }
        Self { features, rows, blocks }
    }

    #[inline(always)]
    fn evaluate(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut square = 0.0;
        for (slope, w) in gradient.iter_mut().zip(weights) {
            *slope = -w;
            square += w * w;
        }
        let mut loss = [0.0; LANES];
        let mut left = self.rows;
        for block in self.blocks.chunks_exact(self.features * ROWS) {
            let (columns, _) = block.as_chunks::<ROWS>();
            let mut margins = [0.0; ROWS];
            for (column, w) in columns.iter().zip(weights) {
                for (margin, x) in margins.iter_mut().zip(column) {
                    *margin += w * x;
                }
            }
            let (mut losses, mut pulls) = ([0.0; ROWS], [0.0; ROWS]);
            for ((&margin, loss), pull) in margins.iter().zip(&mut losses).zip(&mut pulls) {
                (*loss, *pull) = loss_and_pull(margin);
            }
            losses[left.min(ROWS)..].fill(0.0);
            left = left.saturating_sub(ROWS);
            for lanes in losses.as_chunks::<LANES>().0 {
                add(&mut loss, lanes);
            }
            for (column, slope) in columns.iter().zip(gradient.iter_mut()) {
                let mut sums = [0.0; LANES];
                for (x, pull) in column.as_chunks::<LANES>().0.iter().zip(pulls.as_chunks::<LANES>().0) {
                    for ((sum, x), pull) in sums.iter_mut().zip(x).zip(pull) {
                        *sum += x * pull;
                    }
                }
                *slope += total(sums);
            }
        }
        -0.5 * square - total(loss)
    }
}

impl Target for Logistic {
    fn dim(&self) -> usize {
        self.features
    }

    fn ln_density(&self, weights: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(weights, &mut vec![0.0; weights.len()])
    }
}

impl GradTarget for Logistic {
    fn ln_density_grad(&self, weights: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let value = Arch::new().dispatch(Evaluate { model: self, weights, gradient });
        if value.is_nan() { Err(EvalError::reject("ln p(x) is NaN")) } else { Ok(value) }
    }
}

struct Evaluate<'a> {
    model: &'a Logistic,
    weights: &'a [f64],
    gradient: &'a mut [f64],
}

impl WithSimd for Evaluate<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        self.model.evaluate(self.weights, self.gradient)
    }
}

#[inline(always)]
fn add(sums: &mut [f64; LANES], terms: &[f64; LANES]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

#[inline(always)]
fn total([s0, s1, s2, s3, s4, s5, s6, s7]: [f64; LANES]) -> f64 {
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}

/// ln(1 + e^(-m)), and minus its derivative 1 / (1 + e^m), each to a few units in the last place.
#[inline(always)]
fn loss_and_pull(margin: f64) -> (f64, f64) {
    let small = exp_of_negative(-margin.abs());
    // ln(1 + e) = ln c + 2 artanh((1 + e - c) / (1 + e + c)) with c = 1 where e is small, so that no digit is
    // lost, else 1.6.
    let (above, ln_c) = if small < 0.3 { (0.0, 0.0) } else { (0.6, 0.470_003_629_245_735_55) };
    let (one_and, both) = (1.0 + small, small + (2.0 + above));
    let reciprocal = 1.0 / (one_and * both);
    let ratio = (small - above) * one_and * reciprocal;
    let square = ratio * ratio;
    let series = polynomial(
        square,
        &[
            1.0 / 19.0,
            1.0 / 17.0,
            1.0 / 15.0,
            1.0 / 13.0,
            1.0 / 11.0,
            1.0 / 9.0,
            1.0 / 7.0,
            1.0 / 5.0,
            1.0 / 3.0,
            1.0,
        ],
    );
    let ln_one_and = ln_c + 2.0 * ratio * series;
    let of_one = both * reciprocal;
    let (hinge, numerator) = if margin < 0.0 { (-margin, 1.0) } else { (0.0, small) };
    (hinge + ln_one_and, numerator * of_one)
}

/// e^x for x ≤ 0, not smaller than e^(-708): 2^k e^r with |r| ≤ ln 2 / 2.
#[inline(always)]
fn exp_of_negative(x: f64) -> f64 {
    /// 1.5 · 2⁵²: a number of this size has no digits after the point.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// ln 2 in two parts, the first with zeros at its end.
    const HIGH: f64 = 0.693_147_180_369_123_816_49;
    const LOW: f64 = 1.908_214_929_270_587_700_02e-10;
    let x = if x < -708.0 { -708.0 } else { x };
    let shifted = x * LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * HIGH) - k * LOW;
    let series = polynomial(
        r,
        &[
            1.0 / 6_227_020_800.0,
            1.0 / 479_001_600.0,
            1.0 / 39_916_800.0,
            1.0 / 3_628_800.0,
            1.0 / 362_880.0,
            1.0 / 40_320.0,
            1.0 / 5_040.0,
            1.0 / 720.0,
            1.0 / 120.0,
            1.0 / 24.0,
            1.0 / 6.0,
            0.5,
            1.0,
            1.0,
        ],
    );
    series * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

/// Horner's rule, the highest power first.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::{Logistic, LogisticData, loss_and_pull};
    use posterior_dist::target::{GradTarget, Target};
    use posterior_math::log_space::{ln_1p_exp, logistic};

    #[test]
    fn losses_have_all_their_digits() {
        /// Some ten roundings on our way, and some five on the other.
        const MOST: f64 = 1.2e-15;
        for k in -8000..=8000 {
            let margin = f64::from(k) * 0.093;
            let (loss, pull) = loss_and_pull(margin);
            let (exact, slope) = (ln_1p_exp(-margin), logistic(-margin));
            // Beyond e^-700 the pull is a constant that nobody sees.
            assert!((loss - exact).abs() <= MOST * exact + 1e-300, "{margin}: {loss} {exact}");
            assert!((pull - slope).abs() <= MOST * slope + 1e-300, "{margin}: {pull} {slope}");
        }
        assert!(loss_and_pull(f64::NAN).0.is_nan());
        assert_eq!(loss_and_pull(f64::NEG_INFINITY), (f64::INFINITY, 1.0));
    }

    #[test]
    fn vectors_and_scalars_agree() {
        for rows in [1, 31, 32, 33, 1000] {
            let data = LogisticData::generate(rows, 25, 3);
            let model = Logistic::new(&data);
            let weights: Vec<f64> = (0..25).map(|i| (f64::from(i) * 0.37).sin()).collect();
            let mut gradient = vec![0.0; 25];
            let value = model.ln_density_grad(&weights, &mut gradient).unwrap();
            let (mut exact, mut slopes) = (0.0, vec![0.0; 25]);
            for (slope, w) in slopes.iter_mut().zip(&weights) {
                exact -= 0.5 * w * w;
                *slope = -w;
            }
            for (row, label) in data.rows.chunks_exact(25).zip(&data.labels) {
                let eta: f64 = row.iter().zip(&weights).map(|(x, w)| x * w).sum();
                exact += label * eta - ln_1p_exp(eta);
                for (slope, x) in slopes.iter_mut().zip(row) {
                    *slope += (label - logistic(eta)) * x;
                }
            }
            assert!((value - exact).abs() <= 1e-13 * exact.abs(), "{rows}: {value} {exact}");
            let size = slopes.iter().fold(1.0_f64, |size, g| size.max(g.abs()));
            for (a, b) in gradient.iter().zip(&slopes) {
                assert!((a - b).abs() <= 1e-13 * size, "{rows}: {a} {b}");
            }
            assert_eq!(model.ln_density(&weights).unwrap(), value);
        }
    }
}
