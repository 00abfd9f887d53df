//! The nine definitions of a sample's quantile.

/// A definition of the quantile of n values (R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages,
/// The American Statistician 50, 1996), with its number there, which is that of R and of NumPy.
///
/// With values in order x₁ ≤ … ≤ x_n, the last six are on the straight lines between the points (p_k, x_k).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuantileType {
    /// 1: the least value up to which there are n p, the inverse of the distribution function.
    Inverse,
    /// 2: the same, and the mean of two values where it jumps.
    AveragedInverse,
    /// 3: the value whose number is nearest to n p, the even one of two.
    Nearest,
    /// 4: p_k = k / n.
    InterpolatedInverse,
    /// 5: p_k = (k - 1/2) / n, Hazen's.
    Hazen,
    /// 6: p_k = k / (n + 1), Weibull's.
    Weibull,
    /// 7: p_k = (k - 1) / (n - 1), the usual one.
    Linear,
    /// 8: p_k = (k - 1/3) / (n + 1/3), about the median of x_k whatever the distribution.
    MedianUnbiased,
    /// 9: p_k = (k - 3/8) / (n + 1/4), about the mean of x_k of a normal distribution.
    NormalUnbiased,
}

impl QuantileType {
    /// The quantile at p of n values, where `value` has that of each rank from 1 on.
    pub(super) fn of(self, p: f64, n: usize, value: impl Fn(usize) -> f64) -> f64 {
        let count = n as f64;
        let at = |rank: f64| value((rank as usize).clamp(1, n));
        let line = |place: f64| {
            // n p that is a whole number but for its rounding.
            let near = place.round();
            let place = if (place - near).abs() < 4.0 * f64::EPSILON * near.max(1.0) { near } else { place };
            let (below, weight) = (place.floor(), place.fract());
            let (low, high) = (at(below.max(0.0)), at(below + 1.0));
            if weight > 0.0 && low != high { low * (1.0 - weight) + high * weight } else { low }
        };
        let between = |alpha: f64, beta: f64| line(alpha + p * (count + 1.0 - alpha - beta));
        let place = count * p;
        match self {
            Self::AveragedInverse if place.fract() == 0.0 => 0.5 * at(place) + 0.5 * at(place + 1.0),
            Self::Inverse | Self::AveragedInverse => at(place.ceil()),
            Self::Nearest => at(place.round_ties_even()),
            Self::InterpolatedInverse => between(0.0, 1.0),
            Self::Hazen => between(0.5, 0.5),
            Self::Weibull => between(0.0, 0.0),
            Self::Linear => between(1.0, 1.0),
            Self::MedianUnbiased => between(1.0 / 3.0, 1.0 / 3.0),
            Self::NormalUnbiased => between(0.375, 0.375),
        }
    }
}
