//! Proportions that are not counts of successes: shares, fractions of an area.

use posterior_dist::{Beta, Univariate as _};
use posterior_math::special::{digamma, ln_gamma, polygamma, trigamma};

use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;
use crate::written::WrittenResponse;

/// y ~ Beta(μ φ, (1 - μ) φ) between 0 and 1, with mean μ = 1 / (1 + e^-η) and variance μ (1 - μ) / (1 + φ).
///
/// | hyperparameter | is | prior |
/// |---|---|---|
/// | `precision` | φ | P(1/√φ > 1) = 0.1, exponential |
///
/// The weight is a number of equal rows. Responses close to 0 or 1 may bend ln p(y | η) upwards, far from
/// their best η.
///
/// # References
/// S. Ferrari, F. Cribari-Neto, Beta regression for modelling rates and proportions, J. Appl. Stat. 31
/// (2004).
#[derive(Debug, Clone)]
pub struct BetaResponse {
    prior: HyperparameterPrior,
}

impl Default for BetaResponse {
    fn default() -> Self {
        Self::new()
    }
}

impl BetaResponse {
    /// Proportions with the mean 1 / (1 + e^-η).
    pub fn new() -> Self {
        Self { prior: HyperparameterPrior::inverse_root(-(0.1_f64).ln()) }
    }

    /// With another prior of φ.
    #[must_use]
    pub fn with_prior(self, prior: HyperparameterPrior) -> Self {
        Self { prior }
    }
}

/// A row at its mean, with derivatives of ln p by the mean: φ g, -φ² h and -φ³ k.
struct Row {
    mean: f64,
    other: f64,
    precision: f64,
    a: f64,
    b: f64,
    /// logit y - ψ(a) + ψ(b).
    g: f64,
    /// ψ₁(a) + ψ₁(b).
    h: f64,
    /// The derivatives of the mean by η.
    slope: f64,
    bend: f64,
}

impl Row {
    fn new(y: f64, predictor: f64, precision: f64) -> Self {
        let (mean, other) = ((1.0 + (-predictor).exp()).recip(), (1.0 + predictor.exp()).recip());
        let (a, b) = (mean * precision, other * precision);
        let slope = mean * other;
        Self {
            mean,
            other,
            precision,
            a,
            b,
            g: y.ln() - (-y).ln_1p() - digamma(a) + digamma(b),
            h: trigamma(a) + trigamma(b),
            slope,
            bend: slope * (other - mean),
        }
    }
}

impl Response for BetaResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let (scale, prior) = (HyperScale::Positive, self.prior.clone());
        vec![Hyperparameter { name: "precision".to_owned(), scale, start: 5.0, prior }]
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let row = Row::new(y, predictor, parameters[0]);
        let Row { precision, a, b, g, h, slope, bend, .. } = row;
        let third_of_mean = slope * (1.0 - 6.0 * slope);
        let k = polygamma(2, a) - polygamma(2, b);
        let (ln_y, ln_rest) = (y.ln(), (-y).ln_1p());
        let norm = ln_gamma(precision) - ln_gamma(a) - ln_gamma(b);
        ResponseTerm {
            ln_likelihood: norm + (a - 1.0) * ln_y + (b - 1.0) * ln_rest,
            slope: precision * g * slope,
            curvature: (precision * slope).powi(2) * h - precision * g * bend,
            third: -(precision * slope).powi(3) * k - 3.0 * precision * precision * h * slope * bend
                + precision * g * third_of_mean,
        }
        .times(weight)
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        _parameter: usize,
    ) -> TermSlopes {
        let row = Row::new(y, predictor, parameters[0]);
        let Row { mean, other, precision, a, b, g, h, slope, bend } = row;
        let by_slope = g + precision * (other * trigamma(b) - mean * trigamma(a));
        let by_h = mean * polygamma(2, a) + other * polygamma(2, b);
        TermSlopes {
            ln_likelihood: digamma(precision) - mean * digamma(a) - other * digamma(b)
                + mean * y.ln()
                + other * (-y).ln_1p(),
            slope: by_slope * slope,
            curvature: precision * slope * slope * (2.0 * h + precision * by_h) - by_slope * bend,
        }
        .times(weight)
    }

    fn written(&self) -> Option<WrittenResponse> {
        Some(WrittenResponse {
            outcome: "vector<lower=0, upper=1>[N]",
            density: "beta_proportion",
            arguments: ["inv_logit({eta})", "phi"].map(str::to_owned).to_vec(),
            parameters: &["phi"],
        })
    }

    fn mean(&self, predictor: f64, _parameters: &[f64]) -> f64 {
        (1.0 + (-predictor).exp()).recip()
    }

    fn variance(&self, _weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        let mean = self.mean(predictor, parameters);
        mean * (1.0 - mean) / (1.0 + parameters[0])
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Unit
    }

    fn cumulative(&self, y: f64, _weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        let Row { a, b, .. } = Row::new(y, predictor, parameters[0]);
        [Beta::new(a, b).map_or(f64::NAN, |own| own.cdf(y)); 2]
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        (!(y > 0.0 && y < 1.0)).then_some("strictly between 0 and 1")
    }

    fn start(&self, y: f64) -> f64 {
        y.ln() - (-y).ln_1p()
    }

    fn ascent(&self, _y: f64) -> Ascent {
        Ascent::Bounded
    }
}
