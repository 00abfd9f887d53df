//! ln Σ exp(vᵢ), of a slice and of a stream.

/// ln Σ exp(vᵢ): -∞ for no terms, +∞ if a term is +∞, NaN if a term is NaN.
///
/// The largest term is taken out exactly, so that the error is that of the answer and not that of the terms.
///
/// ```
/// use posterior_math::log_space::ln_sum_exp;
///
/// assert!((ln_sum_exp(&[-1000.0, -1000.0]) - (2_f64.ln() - 1000.0)).abs() < 1e-12);
/// assert_eq!(ln_sum_exp(&[]), f64::NEG_INFINITY);
/// ```
pub fn ln_sum_exp(terms: &[f64]) -> f64 {
    let (at, largest) = largest_term(terms);
    if !largest.is_finite() {
        return largest;
    }
    let others = |slice: &[f64]| slice.iter().map(|&term| (term - largest).exp()).sum::<f64>();
    largest + (others(&terms[..at]) + others(&terms[at + 1..])).ln_1p()
}

/// The largest term and its index: -∞ if there is none, NaN if one is NaN.
pub(super) fn largest_term(terms: &[f64]) -> (usize, f64) {
    largest_of(terms.iter().copied())
}

/// As [`largest_term`], of terms that come one by one.
pub(crate) fn largest_of(terms: impl Iterator<Item = f64>) -> (usize, f64) {
    let mut at = 0;
    let mut largest = f64::NEG_INFINITY;
    for (index, term) in terms.enumerate() {
        if term.is_nan() {
            return (index, term);
        }
        if term > largest {
            (at, largest) = (index, term);
        }
    }
    (at, largest)
}

/// ln Σ exp(vᵢ) of terms that come one by one, in one pass; two streams merge.
///
/// It holds the largest term m and Σ exp(vᵢ - m) over the others.
///
/// ```
/// use posterior_math::log_space::LnSumExp;
///
/// let mut sum = LnSumExp::new();
/// sum.push(-1000.0);
/// sum.push(-1000.0);
/// assert!((sum.value() - (2_f64.ln() - 1000.0)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LnSumExp {
    largest: f64,
    others: f64,
}

impl LnSumExp {
    /// The empty sum: ln 0 = -∞.
    pub const fn new() -> Self {
        Self { largest: f64::NEG_INFINITY, others: 0.0 }
    }

    /// Adds exp(term) to the sum.
    pub fn push(&mut self, term: f64) {
        self.merge(&Self { largest: term, others: 0.0 });
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        if self.largest.is_nan() || other.largest.is_nan() {
            *self = Self { largest: f64::NAN, others: 0.0 };
            return;
        }
        let (high, low) = if self.largest >= other.largest { (*self, *other) } else { (*other, *self) };
        self.largest = high.largest;
        self.others = if high.largest.is_infinite() {
            0.0
        } else {
            high.others + (1.0 + low.others) * (low.largest - high.largest).exp()
        };
    }

    /// ln of the sum so far.
    pub fn value(&self) -> f64 {
        self.largest + self.others.ln_1p()
    }
}

impl Default for LnSumExp {
    fn default() -> Self {
        Self::new()
    }
}

impl Extend<f64> for LnSumExp {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        for term in terms {
            self.push(term);
        }
    }
}

impl FromIterator<f64> for LnSumExp {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::new();
        sum.extend(terms);
        sum
    }
}
