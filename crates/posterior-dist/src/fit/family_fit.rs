//! What a fit of a family by its name returns.

use super::ParameterFit;
use crate::catalogue::AnyUnivariate;

/// A fit of a family.
#[derive(Debug, Clone)]
pub struct FamilyFit {
    /// The distribution.
    pub distribution: AnyUnivariate,
    /// Its parameters; without intervals if none were asked for.
    pub parameters: Vec<ParameterFit>,
    /// The logarithm of the likelihood.
    pub ln_likelihood: f64,
    /// Akaike's criterion: low is good.
    pub aic: f64,
    /// The Bayesian information criterion: low is good.
    pub bic: f64,
}
