//! The inner loop: q(z) of each pair of a document and a word in turn, with all counts kept up to date.
//!
//! Equal tokens of a document share one q(z). What a token meets are the counts without itself; the
//! normaliser of its update is, but for `1 / (N_d - 1 + alpha_0)`, how well all others predict it.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

use posterior_math::elementwise;
use pulp::{Simd, WithSimd};

use super::blocks::{Block, Moments, Storage};
use crate::lanes::{LANES, Lane, ZERO, lane_sum};

/// Priors as the loop reads them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prior {
    /// Padded with zeros.
    pub(super) alpha: Vec<Lane>,
    pub(super) beta: f64,
    /// `V beta`.
    pub(super) smoothing: f64,
}

/// Whether the loop changes what it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Update,
    Look,
}

/// One block, with the counts that its pairs are part of. Returns for each pair the logarithm of its
/// normaliser.
pub(super) struct Sweep<'a, S> {
    pub(super) block: &'a mut Block<S>,
    pub(super) documents: &'a mut Moments,
    pub(super) words: &'a mut Moments,
    pub(super) totals: &'a mut Moments,
    pub(super) prior: &'a Prior,
    pub(super) mode: Mode,
}

/// The rows of one pair.
struct Rows<'a> {
    means: [&'a mut [Lane]; 3],
    variances: [&'a mut [Lane]; 3],
}

impl<S: Storage> WithSimd for Sweep<'_, S> {
    /// The normalisers, and logarithms of what they are to be multiplied by.
    type Output = (Vec<f64>, Vec<f64>);

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) -> Self::Output {
        let Self { block, documents, words, totals, prior, mode } = self;
        let width = prior.alpha.len();
        let second = !totals.variances.is_empty();
        let mut weights = vec![ZERO; width];
        let mut exponents = vec![ZERO; if second { width } else { 0 }];
        let mut normalizers = Vec::with_capacity(block.words.len());
        let mut shifts = Vec::with_capacity(if second { block.words.len() } else { 0 });
        for span in &block.spans {
            let document = span.document * width;
            for entry in span.entries.clone() {
                let word = block.words[entry] as usize * width;
                let own = &mut block.proportions[entry * width..][..width];
                let mut rows = Rows {
                    means: [
                        &mut documents.means[document..][..width],
                        &mut words.means[word..][..width],
                        &mut totals.means[..width],
                    ],
                    variances: if second {
                        [
                            &mut documents.variances[document..][..width],
                            &mut words.variances[word..][..width],
                            &mut totals.variances[..width],
                        ]
                    } else {
                        [&mut [], &mut [], &mut []]
                    },
                };
                let normalizer = if second {
                    let (normalizer, shift) = weigh_second(&rows, own, prior, &mut weights, &mut exponents);
                    shifts.push(shift);
                    normalizer
                } else {
                    weigh(&rows, own, prior, &mut weights)
                };
                normalizers.push(normalizer);
                if mode == Mode::Update {
                    let count = f64::from(block.counts[entry]);
                    let scale = normalizer.recip();
                    if second {
                        change_variances(&mut rows, own, &weights, scale, count);
                    }
                    change(&mut rows, own, &weights, scale, count);
                }
            }
        }
        (normalizers, shifts)
    }
}

/// What is left of a count without a token; rounding may make it less than nothing.
#[inline(always)]
fn without(count: f64, own: f64) -> f64 {
    let left = count - own;
    if left > 0.0 { left } else { 0.0 }
}

/// `(alpha + n_dk)(beta + n_kw) / (V beta + n_k)` without the token, and the sum over topics.
#[inline(always)]
fn weigh<S: Storage>(rows: &Rows<'_>, own: &[[S; LANES]], prior: &Prior, weights: &mut [Lane]) -> f64 {
    let width = own.len();
    let [document, word, total] = rows.means.each_ref().map(|row| &row[..width]);
    let (alpha, weights) = (&prior.alpha[..width], &mut weights[..width]);
    let mut sums = ZERO;
    for j in 0..width {
        for i in 0..LANES {
            let own = own[j][i].number();
            let a = without(document[j][i], own) + alpha[j][i];
            let b = without(word[j][i], own) + prior.beta;
            let c = without(total[j][i], own) + prior.smoothing;
            weights[j][i] = a * b / c;
            sums[i] += weights[j][i];
        }
    }
    lane_sum(&sums)
}

/// The same times `exp(-Var n_dk / 2a² - Var n_kw / 2b² + Var n_k / 2c²)`, divided by the largest of these
/// exponentials, whose logarithm is the second number.
#[inline(always)]
fn weigh_second<S: Storage>(
    rows: &Rows<'_>,
    own: &[[S; LANES]],
    prior: &Prior,
    weights: &mut [Lane],
    exponents: &mut [Lane],
) -> (f64, f64) {
    let width = own.len();
    let [document, word, total] = rows.means.each_ref().map(|row| &row[..width]);
    let [document_variance, word_variance, total_variance] =
        rows.variances.each_ref().map(|row| &row[..width]);
    let (alpha, weights, exponents) = (&prior.alpha[..width], &mut weights[..width], &mut exponents[..width]);
    let mut largest = [f64::NEG_INFINITY; LANES];
    for j in 0..width {
        for i in 0..LANES {
            let own = own[j][i].number();
            let spread = own * (1.0 - own);
            let a = without(document[j][i], own) + alpha[j][i];
            let b = without(word[j][i], own) + prior.beta;
            let c = without(total[j][i], own) + prior.smoothing;
            weights[j][i] = a * b / c;
            let first = without(document_variance[j][i], spread) / (a * a);
            let second = without(word_variance[j][i], spread) / (b * b);
            let third = without(total_variance[j][i], spread) / (c * c);
            // The padding has a = 0 and therefore no weight.
            let exponent =
                if weights[j][i] > 0.0 { 0.5 * (third - first - second) } else { f64::NEG_INFINITY };
            exponents[j][i] = exponent;
            largest[i] = if exponent > largest[i] { exponent } else { largest[i] };
        }
    }
    let shift = largest.iter().fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    for lane in &mut *exponents {
        for exponent in lane {
            *exponent -= shift;
        }
    }
    elementwise::exp(exponents.as_flattened_mut());
    let mut sums = ZERO;
    for j in 0..width {
        for i in 0..LANES {
            weights[j][i] *= exponents[j][i];
            sums[i] += weights[j][i];
        }
    }
    (lane_sum(&sums), shift)
}

/// Moves the means of the counts to the new q(z), and keeps it.
#[inline(always)]
fn change<S: Storage>(rows: &mut Rows<'_>, own: &mut [[S; LANES]], weights: &[Lane], scale: f64, count: f64) {
    let width = own.len();
    let [document, word, total] = rows.means.each_mut().map(|row| &mut row[..width]);
    let weights = &weights[..width];
    for j in 0..width {
        for i in 0..LANES {
            let next = S::rounded(weights[j][i] * scale);
            let by = count * (next.number() - own[j][i].number());
            own[j][i] = next;
            document[j][i] += by;
            word[j][i] += by;
            total[j][i] += by;
        }
    }
}

/// Moves the variances of the counts to the new q(z).
#[inline(always)]
fn change_variances<S: Storage>(
    rows: &mut Rows<'_>,
    own: &[[S; LANES]],
    weights: &[Lane],
    scale: f64,
    count: f64,
) {
    let width = own.len();
    let [document, word, total] = rows.variances.each_mut().map(|row| &mut row[..width]);
    let weights = &weights[..width];
    for j in 0..width {
        for i in 0..LANES {
            let (next, old) = (S::rounded(weights[j][i] * scale).number(), own[j][i].number());
            let by = count * (next * (1.0 - next) - old * (1.0 - old));
            document[j][i] += by;
            word[j][i] += by;
            total[j][i] += by;
        }
    }
}
