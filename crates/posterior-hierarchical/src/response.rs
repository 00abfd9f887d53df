//! Distributions of responses given a linear predictor, with their derivatives.

mod beta;
mod family;
mod log_normal;
mod ordinal;
mod student;
mod survival;
mod zero_inflated;

pub use beta::BetaResponse;
pub use family::FamilyResponse;
pub use log_normal::LogNormalResponse;
pub use ordinal::OrdinalResponse;
pub use student::StudentResponse;
pub use survival::SurvivalResponse;
pub use zero_inflated::ZeroInflatedResponse;

use std::fmt::Debug;

pub use posterior_regression::glm::Ascent;

use crate::hyperparameter::Hyperparameter;
use crate::written::WrittenResponse;

/// What one row says about its linear predictor η.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResponseTerm {
    /// ln p(y | η), with all constants.
    pub ln_likelihood: f64,
    /// Its derivative by η.
    pub slope: f64,
    /// Minus its second derivative by η.
    pub curvature: f64,
    /// Its third derivative by η.
    pub third: f64,
}

impl ResponseTerm {
    /// What stands for a negative curvature: never negative, and of the size of what the curvature is close
    /// by.
    pub(crate) fn upward(&self) -> f64 {
        if self.curvature > 0.0 { self.curvature } else { (-self.curvature).max(self.slope * self.slope) }
    }

    /// Of so many equal rows.
    fn times(self, weight: f64) -> Self {
        Self {
            ln_likelihood: weight * self.ln_likelihood,
            slope: weight * self.slope,
            curvature: weight * self.curvature,
            third: weight * self.third,
        }
    }
}

/// Derivatives of a [`ResponseTerm`] by a hyperparameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermSlopes {
    /// Of the log-likelihood.
    pub ln_likelihood: f64,
    /// Of its slope.
    pub slope: f64,
    /// Of its curvature.
    pub curvature: f64,
}

impl TermSlopes {
    /// Of so many equal rows.
    fn times(self, weight: f64) -> Self {
        Self {
            ln_likelihood: weight * self.ln_likelihood,
            slope: weight * self.slope,
            curvature: weight * self.curvature,
        }
    }
}

/// Which numbers responses can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseSupport {
    /// All numbers.
    Real,
    /// Positive numbers.
    Positive,
    /// Numbers between 0 and 1.
    Unit,
    /// 0, 1, 2, …
    Counts,
    /// 0, 1, …, one less than this.
    Levels(usize),
    /// Proportions of successes: multiples of 1 / weight, from 0 to 1.
    Proportions,
}

impl ResponseSupport {
    pub(crate) fn ends(self) -> [f64; 2] {
        match self {
            Self::Real => [f64::NEG_INFINITY, f64::INFINITY],
            Self::Positive | Self::Counts => [0.0, f64::INFINITY],
            Self::Unit | Self::Proportions => [0.0, 1.0],
            Self::Levels(count) => [0.0, count as f64 - 1.0],
        }
    }

    /// The distance of responses of a row with a weight, where they are steps apart.
    pub(crate) fn step(self, weight: f64) -> Option<f64> {
        match self {
            Self::Real | Self::Positive | Self::Unit => None,
            Self::Counts | Self::Levels(_) => Some(1.0),
            Self::Proportions => Some(weight.recip()),
        }
    }
}

/// A distribution of responses given a linear predictor η.
///
/// The families of generalised linear models are [`FamilyResponse`]; others are [`StudentResponse`],
/// [`ZeroInflatedResponse`], [`SurvivalResponse`], [`BetaResponse`], [`LogNormalResponse`] and
/// [`OrdinalResponse`].
///
/// ln p(y | η) need not be concave in η. The search for the mode then goes up by curvatures that are positive
/// in place of those that are not, and the approximation is around a mode with its own curvature; of several
/// modes it is the one that is found from the responses, or from the mode at hyperparameters close by.
pub trait Response: Debug + Send + Sync {
    /// Hyperparameters of its own, as a standard deviation. None by default.
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        Vec::new()
    }

    /// What the response `y` says about η, at a weight and at hyperparameters on their natural scale.
    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm;

    /// Derivatives of the term by the natural value of a hyperparameter.
    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        parameter: usize,
    ) -> TermSlopes;

    /// The mean of the response at η, or its centre where there is no mean, at hyperparameters on their
    /// natural scale.
    fn mean(&self, predictor: f64, parameters: &[f64]) -> f64;

    /// The variance of the response of a row with a weight at η; infinite where there is none.
    fn variance(&self, weight: f64, predictor: f64, parameters: &[f64]) -> f64;

    /// Which numbers responses can be.
    fn support(&self) -> ResponseSupport;

    /// P(Y < y) and P(Y ≤ y) at η.
    fn cumulative(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2];

    /// What `y` would have to be, if it can't be a response: a text that completes "must be".
    fn requirement(&self, y: f64) -> Option<&'static str>;

    /// How it is written in Stan's language, for [`StanProgram`](crate::StanProgram). Not at all by default.
    fn written(&self) -> Option<WrittenResponse> {
        None
    }

    /// A finite η from which the search may begin, as if `y` were all that is known.
    fn start(&self, y: f64) -> f64;

    /// Where ln p(y | η) has no maximum at a finite η, which way it rises.
    fn ascent(&self, y: f64) -> Ascent;
}
