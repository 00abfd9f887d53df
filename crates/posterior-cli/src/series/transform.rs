//! The scale on which a model is a sum: the values themselves, their logarithm, or a power.

use posterior::math::quadrature::GaussHermite;
use serde::{Deserialize, Serialize};

use super::moments::Moments;
use super::timeline::Timeline;
use crate::failure::Failure;
use crate::output::significant;

/// From values to the scale of a model.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Transform {
    #[default]
    None,
    Log,
    /// (yᴸ - 1) / L, with L from 0 to 2; the logarithm at 0.
    BoxCox(f64),
}

impl Transform {
    /// As the option has it.
    pub(super) fn name(self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Log => "log".to_owned(),
            Self::BoxCox(exponent) => format!("boxcox:{}", significant(exponent)),
        }
    }

    /// What a model is a sum of, for a column of this name.
    pub(super) fn of(self, column: &str) -> String {
        match self {
            Self::None => column.to_owned(),
            Self::Log => format!("ln {column}"),
            Self::BoxCox(_) => format!("{} of {column}", self.name()),
        }
    }

    pub(super) fn forward(self, y: f64) -> f64 {
        match self {
            Self::None => y,
            Self::Log | Self::BoxCox(0.0) => y.ln(),
            Self::BoxCox(exponent) => (exponent * y.ln()).exp_m1() / exponent,
        }
    }

    /// Zero below the least that there is.
    pub(super) fn back(self, z: f64) -> f64 {
        match self {
            Self::None => z,
            Self::Log | Self::BoxCox(0.0) => z.exp(),
            Self::BoxCox(exponent) => ((exponent * z).max(-1.0).ln_1p() / exponent).exp(),
        }
    }

    /// The logarithm of the slope of [`forward`](Self::forward).
    pub(super) fn ln_slope(self, y: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Log => -y.ln(),
            Self::BoxCox(exponent) => (exponent - 1.0) * y.ln(),
        }
    }

    /// Moments in the units of the values, of what has these and is normal on the scale of the model.
    pub(super) fn moments(self, own: Moments, rule: Option<&GaussHermite>) -> Moments {
        let Moments { mean, variance } = own;
        match (self, rule) {
            (Self::Log | Self::BoxCox(0.0), _) => Moments {
                mean: (mean + 0.5 * variance).exp(),
                variance: (2.0 * mean + variance).exp() * variance.exp_m1(),
            },
            (Self::BoxCox(_), Some(rule)) => {
                let back = rule.expectation(mean, variance, |z| self.back(z));
                let variance = rule.expectation(mean, variance, |z| (self.back(z) - back).powi(2));
                Moments { mean: back, variance }
            }
            (Self::None | Self::BoxCox(_), _) => own,
        }
    }

    /// The rule for [`moments`](Self::moments), if there is no formula.
    pub(super) fn rule(self) -> Option<GaussHermite> {
        // Exact where 2 / L is a whole number up to 39, and nothing is below the least.
        if matches!(self, Self::BoxCox(exponent) if exponent != 0.0) {
            GaussHermite::new(20).ok()
        } else {
            None
        }
    }

    /// Refuses values that have no logarithm.
    pub(super) fn check(
        self,
        source: &str,
        timeline: &Timeline,
        column: &str,
        values: &[f64],
    ) -> Result<(), Failure> {
        let Some(t) = values.iter().position(|&value| value <= 0.0).filter(|_| self != Self::None) else {
            return Ok(());
        };
        let (name, value, at) = (self.name(), values[t], timeline.label(t));
        let message = format!(
            "{source}: column {column}: --transform {name} needs positive numbers, found {value} at {at}"
        );
        Err(Failure::data(message).with_hint("--transform none takes any numbers"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_and_slopes_are_those_of_differences() {
        for transform in [Transform::None, Transform::Log]
            .into_iter()
            .chain([0.0, 0.3, 0.5, 1.0, 2.0].map(Transform::BoxCox))
        {
            for y in [0.02, 1.0, 3.5, 900.0] {
                assert!((transform.back(transform.forward(y)) / y - 1.0).abs() < 1e-12, "{transform:?} {y}");
                let h = 1e-5 * y;
                let slope = (transform.forward(y + h) - transform.forward(y - h)) / (2.0 * h);
                assert!((transform.ln_slope(y) - slope.ln()).abs() < 1e-8, "{transform:?} {y}");
            }
        }
        assert_eq!(Transform::BoxCox(0.5).back(-5.0), 0.0);
    }

    /// The square of a normal number, (1 + z / 2)², has moments of its own.
    #[test]
    fn moments_are_those_of_what_comes_back() {
        let own = Moments { mean: 3.0, variance: 0.4 };
        let transform = Transform::BoxCox(0.5);
        let found = transform.moments(own, transform.rule().as_ref());
        let (m, v) = (2.5_f64, 0.1_f64);
        assert!((found.mean - (m * m + v)).abs() < 1e-9, "{found:?}");
        assert!((found.variance - (4.0 * m * m * v + 2.0 * v * v)).abs() < 1e-9, "{found:?}");
        let found = Transform::Log.moments(own, None);
        assert_eq!(Transform::BoxCox(0.0).moments(own, None), found);
        let square = found.variance + found.mean * found.mean;
        assert!((found.mean.ln() - 3.2).abs() < 1e-12 && (square.ln() - 6.8).abs() < 1e-12);
        // A level of a hundred million deviations keeps its deviation.
        let parts = [1.0, 1.2].map(|mean| (0.5, Moments { mean: 1e8 + mean, variance: 0.25 }));
        let all = Moments::of(parts.into_iter());
        assert!((all.variance - 0.26).abs() < 1e-7, "{all:?}");
    }
}
