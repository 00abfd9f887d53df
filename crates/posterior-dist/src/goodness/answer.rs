//! What a test of goodness of fit answers.

/// A statistic, and the probability that it is as large as this by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoodnessOfFit {
    /// How far the values are from the distribution; the larger, the worse.
    pub statistic: f64,
    /// The probability of a statistic of this size or above, where the values are draws of the distribution.
    pub p_value: f64,
    /// How the p-value was obtained.
    pub method: PValueMethod,
}

/// How a p-value was obtained.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PValueMethod {
    /// From the exact distribution of the statistic for this number of values.
    Exact,
    /// From its distribution for many values, corrected for their number where a correction is known.
    Limit,
    /// From the chi-squared distribution with so many degrees of freedom, which is that for many values.
    ChiSquared {
        /// The number of cells less one.
        degrees_of_freedom: f64,
    },
    /// From simulated samples, each fitted anew.
    Simulated {
        /// How many were fitted.
        simulations: usize,
        /// How many could not be fitted, and were left out.
        not_fitted: usize,
    },
}
