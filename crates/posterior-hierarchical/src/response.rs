//! Distributions of responses given a linear predictor, with their derivatives.

mod family;

pub use family::FamilyResponse;

use std::fmt::Debug;

pub use posterior_regression::glm::Ascent;

use crate::hyperparameter::Hyperparameter;

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

/// A distribution of responses given a linear predictor η.
///
/// [`FamilyResponse`] has the families of the library. Where ln p(y | η) is not concave in η, the search for
/// the mode may end at a point where the curvature of the whole is not positive definite, which is an error.
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

    /// The mean of the response at η.
    fn mean(&self, predictor: f64) -> f64;

    /// P(Y < y) and P(Y ≤ y) at η.
    fn cumulative(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2];

    /// What `y` would have to be, if it can't be a response: a text that completes "must be".
    fn requirement(&self, y: f64) -> Option<&'static str>;

    /// A finite η from which the search may begin, as if `y` were all that is known.
    fn start(&self, y: f64) -> f64;

    /// Where ln p(y | η) has no maximum at a finite η, which way it rises.
    fn ascent(&self, y: f64) -> Ascent;
}
