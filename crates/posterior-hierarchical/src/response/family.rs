//! The families of generalised linear models as responses.

use posterior_dist::{Binomial, NegativeBinomial, Poisson, Univariate as _};
use posterior_math::ParamError;
use posterior_math::special::{
    digamma_difference, gamma_pq, inverse_mills, normal_cdf, stirling_remainder_derivative,
};
use posterior_regression::glm::{Family, ResponseDistribution as _};

use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;
use crate::written::WrittenResponse;

/// A response of one of the families of generalised linear models.
///
/// | made by | responses | hyperparameter, with its prior |
/// |---|---|---|
/// | [`gaussian`](Self::gaussian), [`gaussian_with_sd`](Self::gaussian_with_sd) | real, variance σ² / weight | σ: flat in ln σ |
/// | [`poisson`](Self::poisson) | counts with mean e^η | |
/// | [`binomial`](Self::binomial), [`probit`](Self::probit), [`complementary_log_log`](Self::complementary_log_log) | proportions of successes in as many trials as the weight says, 1 by default | |
/// | [`negative_binomial`](Self::negative_binomial) | counts with mean μ = e^η and variance μ + μ²/s | size s: 1/√s has P(1/√s > 1) = 0.1 |
/// | [`gamma`](Self::gamma) | positive, mean e^η, variance μ²/a | shape a: flat in ln a |
///
/// The weight of counts, and of positive responses, is a number of equal rows.
#[derive(Debug, Clone)]
pub struct FamilyResponse {
    family: Family,
    prior: HyperparameterPrior,
    start: f64,
    /// Whether the start is the hyperparameter itself.
    known: bool,
}

impl FamilyResponse {
    /// y ~ N(η, σ² / weight). `start` is a σ from which the search begins: that of the responses will do.
    ///
    /// # Errors
    /// Unless the start is positive and finite.
    pub fn gaussian(start: f64) -> Result<Self, Error> {
        posterior_math::check::positive("FamilyResponse", "start", start)?;
        Ok(Self { family: Family::Gaussian, prior: HyperparameterPrior::reciprocal(), start, known: false })
    }

    /// y ~ N(η, σ² / weight) with a σ that is known: estimates with their standard errors, as in a
    /// meta-analysis, have σ = 1 and the weights 1 / error².
    ///
    /// # Errors
    /// Unless σ is positive and finite.
    pub fn gaussian_with_sd(sd: f64) -> Result<Self, Error> {
        Ok(Self { known: true, ..Self::gaussian(sd)? })
    }

    /// Counts with mean e^η.
    pub fn poisson() -> Self {
        Self::without_parameter(Family::Poisson)
    }

    /// Proportions of successes, with probability 1 / (1 + e^-η).
    pub fn binomial() -> Self {
        Self::without_parameter(Family::Logit)
    }

    /// Proportions of successes, with probability Φ(η).
    pub fn probit() -> Self {
        Self::without_parameter(Family::Probit)
    }

    /// Proportions of successes, with probability 1 - exp(-e^η).
    pub fn complementary_log_log() -> Self {
        Self::without_parameter(Family::ComplementaryLogLog)
    }

    /// Counts with mean μ = e^η and variance μ + μ²/s.
    pub fn negative_binomial() -> Self {
        let prior = HyperparameterPrior::inverse_root(-(0.1_f64).ln());
        Self { family: Family::NegativeBinomial { size: 1.0 }, prior, start: 5.0, known: false }
    }

    /// Positive responses with mean μ = e^η and variance μ²/a.
    pub fn gamma() -> Self {
        Self { family: Family::GammaLog, prior: HyperparameterPrior::reciprocal(), start: 2.0, known: false }
    }

    fn without_parameter(family: Family) -> Self {
        Self { family, prior: HyperparameterPrior::flat(), start: 1.0, known: false }
    }

    /// With another prior of the hyperparameter, on its natural scale.
    #[must_use]
    pub fn with_prior(self, prior: HyperparameterPrior) -> Self {
        Self { prior, ..self }
    }

    /// The family at a hyperparameter, and its dispersion.
    fn at(&self, parameters: &[f64]) -> (Family, f64) {
        match self.family {
            Family::Gaussian if self.known => (self.family, self.start * self.start),
            Family::Gaussian => (self.family, parameters[0] * parameters[0]),
            Family::GammaLog => (self.family, parameters[0].recip()),
            Family::NegativeBinomial { .. } => (Family::NegativeBinomial { size: parameters[0] }, 1.0),
            other => (other, 1.0),
        }
    }

    /// The third derivative by η, for dispersion 1 and weight 1.
    fn third(&self, y: f64, predictor: f64, slope: f64, curvature: f64, size: f64) -> f64 {
        match self.family {
            Family::Poisson => -curvature,
            Family::Logit => -curvature * (0.5 * -predictor).tanh(),
            Family::Probit => {
                let side = |x: f64| {
                    let m = inverse_mills(x);
                    m * ((m + x) * (2.0 * m + x) - 1.0)
                };
                let (up, down) = (if y > 0.0 { side(predictor) } else { 0.0 }, side(-predictor));
                y * up - (1.0 - y) * if y < 1.0 { down } else { 0.0 }
            }
            Family::ComplementaryLogLog => cloglog_third(y, predictor),
            Family::NegativeBinomial { .. } => {
                let mean = predictor.exp();
                -curvature * ((size - mean) / (size + mean))
            }
            Family::GammaLog => slope + 1.0,
            _ => 0.0,
        }
    }
}

/// Of y ln(1 - e^-r) - (1 - y) r with r = e^η: with u = r / (e^r - 1) the slope of the first part and
/// u (r + u - 1) minus its derivative.
fn cloglog_third(y: f64, predictor: f64) -> f64 {
    let rate = predictor.exp();
    let failures = if y < 1.0 { (1.0 - y) * rate } else { 0.0 };
    if rate > 700.0 {
        return -failures;
    }
    let single = Family::ComplementaryLogLog.term(1.0, predictor);
    let (up, fall) = (single.slope, single.observed);
    let excess = fall / up;
    y * (fall * excess - up * (rate - fall)) - failures
}

impl Response for FamilyResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let name = match self.family {
            Family::Gaussian if !self.known => "sd",
            Family::GammaLog => "shape",
            Family::NegativeBinomial { .. } => "size",
            _ => return Vec::new(),
        };
        let (start, prior) = (self.start, self.prior.clone());
        vec![Hyperparameter { name: name.to_owned(), scale: HyperScale::Positive, start, prior }]
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let (family, dispersion) = self.at(parameters);
        let term = family.term(y, predictor);
        let factor = weight / dispersion;
        let size = parameters.first().copied().unwrap_or(1.0);
        // Every family of the library has a density.
        let best = family.ln_best(y, weight, dispersion).unwrap_or(f64::NAN);
        ResponseTerm {
            ln_likelihood: factor * term.ln_likelihood + best,
            slope: factor * term.slope,
            curvature: factor * term.observed,
            third: factor * self.third(y, predictor, term.slope, term.observed, size),
        }
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        _parameter: usize,
    ) -> TermSlopes {
        let value = parameters.first().copied().unwrap_or(1.0);
        let (family, dispersion) = self.at(parameters);
        let term = family.term(y, predictor);
        let factor = weight / dispersion;
        match self.family {
            Family::Gaussian => {
                let by = -2.0 * factor / value;
                let ln_likelihood = by * term.ln_likelihood - value.recip();
                TermSlopes { ln_likelihood, slope: by * term.slope, curvature: by * term.observed }
            }
            Family::GammaLog => TermSlopes {
                ln_likelihood: weight
                    * (term.ln_likelihood + 0.5 / value - stirling_remainder_derivative(value)),
                slope: weight * term.slope,
                curvature: weight * term.observed,
            },
            Family::NegativeBinomial { .. } => size_slopes(value, y, weight, predictor),
            _ => TermSlopes { ln_likelihood: 0.0, slope: 0.0, curvature: 0.0 },
        }
    }

    fn mean(&self, predictor: f64, _parameters: &[f64]) -> f64 {
        self.family.mean(predictor)
    }

    fn variance(&self, weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        let (family, dispersion) = self.at(parameters);
        let mean = family.mean(predictor);
        match family {
            Family::Gaussian => dispersion / weight,
            Family::GammaLog => dispersion * mean * mean,
            Family::NegativeBinomial { size } => mean + mean * mean / size,
            Family::Poisson => mean,
            _ => mean * (1.0 - mean) / weight,
        }
    }

    fn support(&self) -> ResponseSupport {
        match self.family {
            Family::Gaussian => ResponseSupport::Real,
            Family::GammaLog => ResponseSupport::Positive,
            Family::NegativeBinomial { .. } | Family::Poisson => ResponseSupport::Counts,
            _ => ResponseSupport::Proportions,
        }
    }

    fn cumulative(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        let (family, dispersion) = self.at(parameters);
        let mean = family.mean(predictor);
        let both = |below: f64| [below, below];
        match family {
            Family::Gaussian => both(normal_cdf((y - mean) / (dispersion / weight).sqrt())),
            Family::GammaLog => both(gamma_pq(dispersion.recip(), y / (mean * dispersion)).0),
            Family::Poisson => count_ends(y, Poisson::new(mean).map(|own| move |k: f64| own.cdf(k))),
            Family::NegativeBinomial { size } => count_ends(
                y,
                NegativeBinomial::mean_dispersion(mean, size).map(|own| move |k: f64| own.cdf(k)),
            ),
            _ => {
                let (successes, trials) = ((y * weight).round(), weight.round());
                if trials == 1.0 {
                    // Rows of classes are many, and the general sum costs a hundred times as much.
                    let cdf = |k: f64| {
                        if k < 0.0 {
                            0.0
                        } else if k < 1.0 {
                            1.0 - mean
                        } else {
                            1.0
                        }
                    };
                    return count_ends(successes, Ok::<_, ParamError>(cdf));
                }
                let binomial = Binomial::new(trials as u64, mean);
                count_ends(successes, binomial.map(|own| move |k: f64| own.cdf(k)))
            }
        }
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        self.family.requirement(y)
    }

    fn written(&self) -> Option<WrittenResponse> {
        const COUNTS: &str = "array[N] int<lower=0>";
        const BINARY: &str = "array[N] int<lower=0, upper=1>";
        let sd = self.start;
        let (outcome, density, arguments, parameters): (_, _, Vec<String>, &'static [_]) = match self.family {
            Family::Gaussian if self.known => {
                ("vector[N]", "normal", vec!["{eta}".to_owned(), format!("{sd}{{noise}}")], &[])
            }
            Family::Gaussian => {
                let arguments = ["{eta}", "sigma{noise}"].map(str::to_owned);
                ("vector[N]", "normal", arguments.to_vec(), &["sigma"])
            }
            Family::Poisson => (COUNTS, "poisson_log", vec!["{eta}".to_owned()], &[]),
            Family::Logit => (BINARY, "bernoulli_logit", vec!["{eta}".to_owned()], &[]),
            Family::Probit => (BINARY, "bernoulli", vec!["Phi({eta})".to_owned()], &[]),
            Family::ComplementaryLogLog => (BINARY, "bernoulli", vec!["inv_cloglog({eta})".to_owned()], &[]),
            Family::NegativeBinomial { .. } => {
                (COUNTS, "neg_binomial_2_log", vec!["{eta}".to_owned(), "phi".to_owned()], &["phi"])
            }
            Family::GammaLog => {
                let arguments = ["shape", "shape * exp(-{eta})"].map(str::to_owned);
                ("vector<lower=0>[N]", "gamma", arguments.to_vec(), &["shape"])
            }
            _ => return None,
        };
        Some(WrittenResponse { outcome, density, arguments, parameters })
    }

    fn start(&self, y: f64) -> f64 {
        self.family.start(y)
    }

    fn ascent(&self, y: f64) -> Ascent {
        self.family.ascent(y)
    }
}

/// P(Y < y) and P(Y ≤ y) of a count; NaN where there is no such distribution.
pub(super) fn count_ends<E>(y: f64, cdf: Result<impl Fn(f64) -> f64, E>) -> [f64; 2] {
    match cdf {
        Ok(cdf) => [if y > 0.0 { cdf(y - 1.0) } else { 0.0 }, cdf(y)],
        Err(_) => [f64::NAN; 2],
    }
}

/// Derivatives by the size s of negative binomial counts.
fn size_slopes(size: f64, y: f64, weight: f64, predictor: f64) -> TermSlopes {
    let mean = predictor.exp();
    let sum = size + mean;
    let ln_likelihood = digamma_difference(size, y) - (mean / size).ln_1p() + (mean - y) / sum;
    let (stable, spread) = (size / sum, mean / sum);
    // Of (y - μ) s / (s + μ), and of μ s (y + s) / (s + μ)².
    let slope = (y - mean) * spread / sum;
    let curvature = spread * (stable + (y + size) / sum - 2.0 * stable * (y + size) / sum);
    TermSlopes { ln_likelihood: weight * ln_likelihood, slope: weight * slope, curvature: weight * curvature }
}
