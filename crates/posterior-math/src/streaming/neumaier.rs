//! Neumaier's compensated sum.

/// A sum whose error is one rounding of the result, plus a term of second order in ε · Σ|xᵢ|.
///
/// ```
/// use posterior_math::streaming::NeumaierSum;
///
/// let sum: NeumaierSum = [1.0, 1e100, 1.0, -1e100].into_iter().collect();
/// assert_eq!(sum.value(), 2.0);
/// ```
///
/// # References
/// A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54, 1974.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NeumaierSum {
    sum: f64,
    compensation: f64,
}

impl NeumaierSum {
    /// The empty sum.
    pub const fn new() -> Self {
        Self { sum: 0.0, compensation: 0.0 }
    }

    /// Adds a term.
    pub fn push(&mut self, term: f64) {
        let total = self.sum + term;
        self.compensation +=
            if self.sum.abs() >= term.abs() { (self.sum - total) + term } else { (term - total) + self.sum };
        self.sum = total;
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.push(other.sum);
        self.compensation += other.compensation;
    }

    /// The sum so far; as an ordinary sum, infinite or NaN, where that is not finite.
    pub fn value(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.compensation } else { self.sum }
    }
}

impl Extend<f64> for NeumaierSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        for term in terms {
            self.push(term);
        }
    }
}

impl FromIterator<f64> for NeumaierSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::new();
        sum.extend(terms);
        sum
    }
}
