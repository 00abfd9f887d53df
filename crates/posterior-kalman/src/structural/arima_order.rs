//! The order of an ARIMA model.

use posterior_math::check::{self, ParamError};

/// The order (p, d, q)(P, D, Q) of an ARIMA model, with its period: φ(B) Φ(Bˢ) (1 - B)ᵈ (1 - Bˢ)ᴰ y(t) = c +
/// θ(B) Θ(Bˢ) ε(t), where B y(t) = y(t-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ArimaOrder {
    /// p, the number of coefficients φ.
    pub autoregressive: usize,
    /// d, how often the series is differenced.
    pub differences: usize,
    /// q, the number of coefficients θ.
    pub moving_average: usize,
    /// P, the number of coefficients Φ at multiples of the period.
    pub seasonal_autoregressive: usize,
    /// D, how often the differences from a period ago are taken.
    pub seasonal_differences: usize,
    /// Q, the number of coefficients Θ at multiples of the period.
    pub seasonal_moving_average: usize,
    /// s, the number of steps of a season. 1 by default, which is no season.
    pub period: usize,
    /// Whether the differenced series has a mean, of which nothing is known: the mean of the series itself
    /// without differences, a drift with one.
    pub has_constant: bool,
}

impl Default for ArimaOrder {
    /// White noise.
    fn default() -> Self {
        Self {
            autoregressive: 0,
            differences: 0,
            moving_average: 0,
            seasonal_autoregressive: 0,
            seasonal_differences: 0,
            seasonal_moving_average: 0,
            period: 1,
            has_constant: false,
        }
    }
}

impl ArimaOrder {
    /// The order (p, d, q) without seasons.
    pub fn new(autoregressive: usize, differences: usize, moving_average: usize) -> Self {
        Self { autoregressive, differences, moving_average, ..Self::default() }
    }

    /// The same with the seasonal order (P, D, Q) at this period.
    #[must_use]
    pub fn with_season(self, [ar, differences, ma]: [usize; 3], period: usize) -> Self {
        Self {
            seasonal_autoregressive: ar,
            seasonal_differences: differences,
            seasonal_moving_average: ma,
            period,
            ..self
        }
    }

    /// The same with a mean of the differenced series.
    #[must_use]
    pub fn with_constant(self) -> Self {
        Self { has_constant: true, ..self }
    }

    /// How many values the differences use up: d + D s.
    pub fn lost(&self) -> usize {
        self.differences + self.period * self.seasonal_differences
    }

    /// p, q, P and Q.
    pub(super) fn counts(&self) -> [usize; 4] {
        [self.autoregressive, self.moving_average, self.seasonal_autoregressive, self.seasonal_moving_average]
    }

    /// How many coefficients there are.
    pub(super) fn coefficients(&self) -> usize {
        self.counts().iter().sum()
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        let seasonal =
            [self.seasonal_autoregressive, self.seasonal_differences, self.seasonal_moving_average];
        let least = if seasonal.iter().any(|&count| count > 0) { 2 } else { 1 };
        let requirement = "at least 1, and at least 2 with seasonal terms";
        check::require(self.period >= least, "ArimaOrder", "period", self.period as f64, requirement)?;
        let reach = |own: usize, seasonal: usize| own.saturating_add(seasonal.saturating_mul(self.period));
        let states = reach(
            self.autoregressive.saturating_add(self.moving_average).saturating_add(self.differences),
            self.seasonal_autoregressive
                .saturating_add(self.seasonal_moving_average)
                .saturating_add(self.seasonal_differences),
        );
        check::at_least_one("ArimaOrder", "arma order", states)?;
        let requirement = "10,000 at most in all, seasonal terms times the period";
        check::require(states <= 10_000, "ArimaOrder", "arma order", states as f64, requirement).map(drop)
    }
}
