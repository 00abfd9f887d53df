//! The families of the library, each with its links.

mod binomial;
mod continuous;
mod counts;

use posterior_math::check::{self, ParamError};

use super::response_distribution::{Ascent, Curvature, ResponseDistribution, Term, Terms, one_by_one};

/// A family with its link.
///
/// | family | responses | variance at weight w | links |
/// |---|---|---|---|
/// | Gaussian | real | φ / w | identity |
/// | binomial | proportions of successes in w trials: 0 or 1 where w = 1 | μ (1 - μ) / w | logit, probit, complementary log-log |
/// | Poisson | 0, 1, 2, … | μ | logarithm |
/// | negative binomial of size θ | 0, 1, 2, … | μ + μ²/θ | logarithm |
/// | gamma | positive | φ μ² | logarithm, reciprocal |
///
/// A weight multiplies the log-likelihood of its row. For counts and gammas it is a number of equal rows;
/// binomial and Gaussian rows may also be read as means of w trials, and their log-likelihood is that of the
/// mean, as in R.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Family {
    /// y ~ N(η, φ / w).
    Gaussian,
    /// μ = 1 / (1 + e^-η).
    Logit,
    /// μ = Φ(η).
    Probit,
    /// μ = 1 - exp(-e^η).
    ComplementaryLogLog,
    /// y ~ Poisson(e^η).
    Poisson,
    /// y ~ negative binomial with mean e^η; see [`Family::negative_binomial`].
    NegativeBinomial {
        /// θ.
        size: f64,
    },
    /// y ~ gamma with mean e^η.
    GammaLog,
    /// y ~ gamma with mean 1/η.
    GammaInverse,
}

impl Family {
    /// Counts with variance μ + μ²/θ: Poisson counts whose rates are gamma variates of shape θ.
    ///
    /// # Errors
    /// A size that is not positive and finite.
    pub fn negative_binomial(size: f64) -> Result<Self, ParamError> {
        check::positive("Family", "size", size)?;
        Ok(Self::NegativeBinomial { size })
    }

    /// The name: `gaussian`, `logit`, `probit`, `cloglog`, `poisson`, `negative_binomial`, `gamma_log`,
    /// `gamma_inverse`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Gaussian => "gaussian",
            Self::Logit => "logit",
            Self::Probit => "probit",
            Self::ComplementaryLogLog => "cloglog",
            Self::Poisson => "poisson",
            Self::NegativeBinomial { .. } => "negative_binomial",
            Self::GammaLog => "gamma_log",
            Self::GammaInverse => "gamma_inverse",
        }
    }
}

impl ResponseDistribution for Family {
    fn mean(&self, predictor: f64) -> f64 {
        match self {
            Self::Gaussian => predictor,
            Self::Logit => binomial::logit_mean(predictor),
            Self::Probit => binomial::probit_mean(predictor),
            Self::ComplementaryLogLog => binomial::cloglog_mean(predictor),
            Self::Poisson | Self::NegativeBinomial { .. } | Self::GammaLog => predictor.exp(),
            Self::GammaInverse => predictor.recip(),
        }
    }

    fn term(&self, y: f64, predictor: f64) -> Term {
        match *self {
            Self::Gaussian => continuous::gaussian(y, predictor),
            Self::Logit => binomial::logit(y, predictor),
            Self::Probit => binomial::probit(y, predictor),
            Self::ComplementaryLogLog => binomial::cloglog(y, predictor),
            Self::Poisson => counts::poisson(y, predictor),
            Self::NegativeBinomial { size } => counts::negative_binomial(size, y, predictor),
            Self::GammaLog => continuous::gamma_log(y, predictor),
            Self::GammaInverse => continuous::gamma_inverse(y, predictor),
        }
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        let (allowed, requirement) = match self {
            Self::Gaussian => (y.is_finite(), "finite"),
            Self::Logit | Self::Probit | Self::ComplementaryLogLog => {
                ((0.0..=1.0).contains(&y), "a proportion of successes, in [0, 1]")
            }
            Self::Poisson | Self::NegativeBinomial { .. } => {
                (y >= 0.0 && y.is_finite() && y.fract() == 0.0, "a count: 0, 1, 2, …")
            }
            Self::GammaLog | Self::GammaInverse => (y > 0.0 && y.is_finite(), "positive and finite"),
        };
        (!allowed).then_some(requirement)
    }

    fn start(&self, y: f64) -> f64 {
        match self {
            Self::Gaussian => y,
            Self::Logit => binomial::logit_start(y),
            Self::Probit => binomial::probit_start(y),
            Self::ComplementaryLogLog => binomial::cloglog_start(y),
            Self::Poisson => (y + 0.1).ln(),
            Self::NegativeBinomial { .. } => y.max(1.0 / 6.0).ln(),
            Self::GammaLog => y.ln(),
            Self::GammaInverse => y.recip().clamp(f64::MIN_POSITIVE, f64::MAX),
        }
    }

    fn known_dispersion(&self) -> Option<f64> {
        match self {
            Self::Gaussian | Self::GammaLog | Self::GammaInverse => None,
            _ => Some(1.0),
        }
    }

    fn ln_best(&self, y: f64, weight: f64, dispersion: f64) -> Option<f64> {
        Some(match *self {
            Self::Gaussian => continuous::gaussian_ln_best(weight, dispersion),
            Self::Logit | Self::Probit | Self::ComplementaryLogLog => binomial::ln_best(y, weight),
            Self::Poisson => weight * counts::poisson_ln_best(y),
            Self::NegativeBinomial { size } => weight * counts::negative_binomial_ln_best(size, y),
            Self::GammaLog | Self::GammaInverse => weight * continuous::gamma_ln_best(y, dispersion),
        })
    }

    fn weights_count_rows(&self) -> bool {
        !matches!(self, Self::Gaussian | Self::Logit | Self::Probit | Self::ComplementaryLogLog)
    }

    fn ascent(&self, y: f64) -> Ascent {
        match self {
            Self::Logit | Self::Probit | Self::ComplementaryLogLog if y == 1.0 => Ascent::Up,
            Self::Gaussian | Self::GammaLog | Self::GammaInverse => Ascent::Bounded,
            _ if y == 0.0 => Ascent::Down,
            _ => Ascent::Bounded,
        }
    }

    fn terms(&self, y: &[f64], predictors: &[f64], curvature: Curvature, mut out: Terms<'_>) {
        match self {
            Self::Logit => binomial::logit_terms(y, predictors, out),
            _ => one_by_one(self, y, predictors, curvature, &mut out),
        }
    }
}
