//! Stationary autoregressions of order 1.

use posterior_math::check;

use super::{EffectPrecision, LatentEffect};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// A stationary autoregression uₜ₊₁ = ρ uₜ + noise at equal steps of time, with the standard deviation σ of
/// each uₜ and the correlation ρ of neighbours.
///
/// Priors, unless others are given: P(σ > 1) = 0.01, and P(ρ > 0) = 0.9 with ρ = 1 as the simpler model.
#[derive(Debug, Clone)]
pub struct Autoregression {
    name: String,
    points: usize,
    deviation: HyperparameterPrior,
    correlation: HyperparameterPrior,
}

impl Autoregression {
    /// An autoregression at `points` times.
    ///
    /// # Errors
    /// No time.
    pub fn new(name: impl Into<String>, points: usize) -> Result<Self, Error> {
        check::at_least_one("Autoregression", "points", points)?;
        let deviation = HyperparameterPrior::deviation_above(1.0, 0.01)?;
        Ok(Self {
            name: name.into(),
            points,
            deviation,
            correlation: HyperparameterPrior::correlation_above(0.0, 0.9)?,
        })
    }
}

impl LatentEffect for Autoregression {
    fn name(&self) -> &str {
        &self.name
    }

    fn size(&self) -> usize {
        self.points
    }

    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let own = |what, scale, prior| Hyperparameter::of_effect(what, &self.name, scale, 0.5, prior);
        vec![
            own("sd", HyperScale::Positive, &self.deviation),
            own("correlation", HyperScale::Correlation, &self.correlation),
        ]
    }

    fn deviations(&self) -> Vec<Option<usize>> {
        vec![Some(0); self.size()]
    }

    fn pattern(&self) -> Vec<(usize, usize)> {
        (0..self.points).map(|t| (t, t)).chain((1..self.points).map(|t| (t, t - 1))).collect()
    }

    fn precision(&self, parameters: &[f64]) -> Result<EffectPrecision, Error> {
        let (sd, rho) = (parameters[0], parameters[1]);
        let n = self.points;
        let rest = (1.0 - rho) * (1.0 + rho);
        let scale = (sd * sd * rest).recip();
        // Q (1 - ρ²) σ² has 1 at both ends, 1 + ρ² between, and -ρ beside the diagonal.
        let inner = |t: usize| t > 0 && t + 1 < n;
        let diagonal = |t: usize| match n {
            1 => rest,
            _ if inner(t) => 1.0 + rho * rho,
            _ => 1.0,
        };
        let diagonal_slope = |t: usize| match n {
            1 => -2.0 * rho,
            _ if inner(t) => 2.0 * rho,
            _ => 0.0,
        };
        let beside = n - 1;
        let values: Vec<f64> =
            (0..n).map(|t| scale * diagonal(t)).chain((0..beside).map(|_| -scale * rho)).collect();
        let by_sd = values.iter().map(|value| -2.0 * value / sd).collect();
        let plain = (0..n).map(|t| scale * diagonal_slope(t)).chain((0..beside).map(|_| -scale));
        let by_rho = plain.zip(&values).map(|(own, value)| own + value * 2.0 * rho / rest).collect();
        let (count, steps) = (n as f64, beside as f64);
        Ok(EffectPrecision {
            ln_determinant: -2.0 * count * sd.ln() - steps * rest.ln(),
            derivatives: vec![(by_sd, -2.0 * count / sd), (by_rho, 2.0 * steps * rho / rest)],
            values,
        })
    }
}
