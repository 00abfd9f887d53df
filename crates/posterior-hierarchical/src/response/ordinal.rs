//! Levels in an order: grades, stages, answers from never to always.

use posterior_dist::{Exponential, Normal};
use posterior_math::check;

use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// Levels 0, 1, …, K - 1 with P(Y ≤ j) = 1 / (1 + e^(η - cⱼ)): the cumulative logit model, in which e^β is
/// the ratio of the odds of higher levels.
///
/// | hyperparameter | is | prior |
/// |---|---|---|
/// | `threshold` | c₀, between the first two levels | normal, mean 0, standard deviation 5 |
/// | `gap[1]`, …, `gap[K - 2]` | cⱼ - cⱼ₋₁ | exponential, mean 2 |
///
/// The thresholds are in place of an intercept: a model has none beside them. The weight is a number of equal
/// rows.
///
/// # References
/// P. McCullagh, Regression models for ordinal data, J. R. Stat. Soc. B 42 (1980).
#[derive(Debug, Clone)]
pub struct OrdinalResponse {
    levels: usize,
    threshold: HyperparameterPrior,
    gap: HyperparameterPrior,
}

impl OrdinalResponse {
    /// So many levels in their order.
    ///
    /// # Errors
    /// Fewer than two.
    pub fn new(levels: usize) -> Result<Self, Error> {
        check::enough("levels", 2, levels)?;
        let threshold = HyperparameterPrior::density(Normal::mean_sd(0.0, 5.0)?);
        let gap = HyperparameterPrior::density(Exponential::new(0.5)?);
        Ok(Self { levels, threshold, gap })
    }

    /// With other priors of the first threshold, and of each gap.
    #[must_use]
    pub fn with_priors(self, threshold: HyperparameterPrior, gap: HyperparameterPrior) -> Self {
        Self { threshold, gap, ..self }
    }

    /// The ends of a level less η; infinite for the outer ones.
    fn ends(&self, y: f64, predictor: f64, parameters: &[f64]) -> [End; 2] {
        let level = y as usize;
        let below =
            if level == 0 { f64::NEG_INFINITY } else { parameters[..level].iter().sum::<f64>() - predictor };
        let above = if level + 1 == self.levels {
            f64::INFINITY
        } else {
            parameters[..=level].iter().sum::<f64>() - predictor
        };
        [below, above].map(End::new)
    }
}

/// A threshold less η, with the logistic distribution there.
struct End {
    at: f64,
    /// The probability of less, and of more.
    below: f64,
    above: f64,
}

impl End {
    fn new(at: f64) -> Self {
        Self { at, below: (1.0 + (-at).exp()).recip(), above: (1.0 + at.exp()).recip() }
    }

    fn density(&self) -> f64 {
        self.below * self.above
    }

    fn density_slope(&self) -> f64 {
        self.density() * (self.above - self.below)
    }
}

/// ln(1 / (1 + e^-x)).
fn ln_logistic(x: f64) -> f64 {
    if x < 0.0 { x - x.exp().ln_1p() } else { -(-x).exp().ln_1p() }
}

impl Response for OrdinalResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let own = |name: String, scale: HyperScale, start: f64, prior: &HyperparameterPrior| Hyperparameter {
            name,
            scale,
            start,
            prior: prior.clone(),
        };
        let first = own("threshold".to_owned(), HyperScale::Real, 0.0, &self.threshold);
        let gaps =
            (1..self.levels - 1).map(|j| own(format!("gap[{j}]"), HyperScale::Positive, 1.0, &self.gap));
        std::iter::once(first).chain(gaps).collect()
    }

    /// P(a < c ≤ b) = F(b) (1 - F(a)) (1 - e^(a - b)), of which the last factor does not depend on η.
    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let [low, high] = self.ends(y, predictor, parameters);
        let ln_gap = (-(low.at - high.at).exp()).ln_1p();
        ResponseTerm {
            ln_likelihood: ln_logistic(high.at) + ln_logistic(-low.at) + ln_gap,
            slope: low.below - high.above,
            curvature: low.density() + high.density(),
            third: low.density_slope() + high.density_slope(),
        }
        .times(weight)
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        parameter: usize,
    ) -> TermSlopes {
        let [low, high] = self.ends(y, predictor, parameters);
        let level = y as usize;
        // The first threshold, and all gaps up to a threshold, move it.
        let (moves_low, moves_high) = (parameter < level, parameter <= level && level + 1 < self.levels);
        let part = |moves: bool, value: f64| if moves { value } else { 0.0 };
        let squeeze = (high.at - low.at).exp_m1().recip();
        TermSlopes {
            ln_likelihood: part(moves_high, high.above + squeeze) - part(moves_low, low.below + squeeze),
            slope: part(moves_low, low.density()) + part(moves_high, high.density()),
            curvature: part(moves_low, low.density_slope()) + part(moves_high, high.density_slope()),
        }
        .times(weight)
    }

    /// The mean level.
    fn mean(&self, predictor: f64, parameters: &[f64]) -> f64 {
        (1..self.levels)
            .map(|level| End::new(parameters[..level].iter().sum::<f64>() - predictor).above)
            .sum()
    }

    fn variance(&self, _weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        // E Y² = Σ (2 j - 1) P(Y ≥ j).
        let square: f64 = (1..self.levels)
            .map(|level| {
                let above = End::new(parameters[..level].iter().sum::<f64>() - predictor).above;
                (2 * level - 1) as f64 * above
            })
            .sum();
        square - self.mean(predictor, parameters).powi(2)
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Levels(self.levels)
    }

    fn cumulative(&self, y: f64, _weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        self.ends(y, predictor, parameters).map(|end| end.below)
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        let possible = y >= 0.0 && y.fract() == 0.0 && y < self.levels as f64;
        (!possible).then_some("a level: 0, 1, …, one less than there are levels")
    }

    fn start(&self, _y: f64) -> f64 {
        0.0
    }

    fn ascent(&self, y: f64) -> Ascent {
        if y == 0.0 {
            Ascent::Down
        } else if y + 1.0 == self.levels as f64 {
            Ascent::Up
        } else {
            Ascent::Bounded
        }
    }
}
