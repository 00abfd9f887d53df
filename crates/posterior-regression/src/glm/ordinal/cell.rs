//! The probability of an interval under the noise of an ordinal regression, with its derivatives by the ends.

use std::f64::consts::TAU;

use posterior_math::log_space::{ln_1m_exp, ln_logistic, logistic};
use posterior_math::special::{ln_normal_cdf, normal_quantile};

use super::OrdinalLink;

/// What a row says about the ends of its interval.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// ln (F(high) - F(low)); -∞ where the ends are not in order.
    pub(super) ln_probability: f64,
    /// Its derivative by the low end.
    pub(super) low_slope: f64,
    /// By the high end.
    pub(super) high_slope: f64,
    /// Minus the second derivative by the low end and a shift of both ends.
    pub(super) low_curvature: f64,
    /// Minus the second derivative by the high end and a shift of both ends.
    pub(super) high_curvature: f64,
    /// The second derivative by both ends, not negative.
    pub(super) tie: f64,
}

impl Cell {
    const IMPOSSIBLE: Self = Self {
        ln_probability: f64::NEG_INFINITY,
        low_slope: 0.0,
        high_slope: 0.0,
        low_curvature: 0.0,
        high_curvature: 0.0,
        tie: 0.0,
    };

    /// Of a row that counts so often.
    pub(super) fn times(self, weight: f64) -> Self {
        if weight == 1.0 {
            return self;
        }
        if weight == 0.0 {
            return Self { ln_probability: 0.0, ..Self::IMPOSSIBLE };
        }
        Self {
            ln_probability: self.ln_probability * weight,
            low_slope: self.low_slope * weight,
            high_slope: self.high_slope * weight,
            low_curvature: self.low_curvature * weight,
            high_curvature: self.high_curvature * weight,
            tie: self.tie * weight,
        }
    }
}

impl OrdinalLink {
    pub(super) fn quantile(self, proportion: f64) -> f64 {
        match self {
            Self::Logit => proportion.ln() - (-proportion).ln_1p(),
            Self::Probit => normal_quantile(proportion),
        }
    }

    pub(super) fn cell(self, low: f64, high: f64) -> Cell {
        if !(low < high) {
            return Cell::IMPOSSIBLE;
        }
        match self {
            Self::Logit => logit(low, high),
            Self::Probit if low + high > 0.0 => {
                // The other tail: with smaller numbers.
                let mirrored = probit(-high, -low);
                Cell {
                    low_slope: -mirrored.high_slope,
                    high_slope: -mirrored.low_slope,
                    low_curvature: mirrored.high_curvature,
                    high_curvature: mirrored.low_curvature,
                    ..mirrored
                }
            }
            Self::Probit => probit(low, high),
        }
    }
}

/// F(high) - F(low) = F(high) F(-low) (1 - e^(low - high)) for the logistic distribution.
fn logit(low: f64, high: f64) -> Cell {
    let width = high - low;
    let narrow = width.exp_m1().recip();
    Cell {
        ln_probability: ln_logistic(high) + ln_logistic(-low) + ln_1m_exp(-width),
        low_slope: -logistic(low) - narrow,
        high_slope: logistic(-high) + narrow,
        low_curvature: logistic(low) * logistic(-low),
        high_curvature: logistic(high) * logistic(-high),
        tie: narrow * (1.0 + narrow),
    }
}

/// For ends whose sum is not positive.
fn probit(low: f64, high: f64) -> Cell {
    let ln_high = ln_normal_cdf(high);
    let ln_probability = ln_high + ln_1m_exp(ln_normal_cdf(low) - ln_high);
    let density = |x: f64| (-0.5 * (x * x + TAU.ln()) - ln_probability).exp();
    let (at_low, at_high) = (density(low), density(high));
    let curvature = |at: f64, sum: f64| if at == 0.0 { 0.0 } else { at * sum };
    Cell {
        ln_probability,
        low_slope: -at_low,
        high_slope: at_high,
        low_curvature: curvature(at_low, at_low - at_high - low),
        high_curvature: curvature(at_high, at_high - at_low + high),
        tie: at_low * at_high,
    }
}
