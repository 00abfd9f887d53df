//! The bound, term by term.

use posterior_dist::{Conjugate, Entropy, KlDivergence};

use super::posterior::VariationalMixture;
use crate::error::Error;

/// The terms of L(q) = E ln p(x, z, π, w) - E ln q(z, π, w), as in Bishop 2006, equations 10.71 to 10.77.
///
/// The concentration of a process, where it is fitted, belongs to the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ElboTerms {
    /// E ln p(x | z, w), 10.71.
    pub likelihood: f64,
    /// E ln p(z | π), 10.72.
    pub assignment_prior: f64,
    /// E ln p(π), 10.73.
    pub weight_prior: f64,
    /// E ln p(w), 10.74.
    pub component_prior: f64,
    /// E ln q(z), 10.75: minus the entropy.
    pub assignment_posterior: f64,
    /// E ln q(π), 10.76: minus the entropy.
    pub weight_posterior: f64,
    /// E ln q(w), 10.77: minus the entropy.
    pub component_posterior: f64,
}

impl ElboTerms {
    /// L(q), 10.70.
    pub const fn total(&self) -> f64 {
        self.likelihood + self.assignment_prior + self.weight_prior + self.component_prior
            - self.assignment_posterior
            - self.weight_posterior
            - self.component_posterior
    }
}

impl<F: Conjugate<P>, P: KlDivergence + Entropy> VariationalMixture<F, P> {
    /// The terms of the bound. The densities of `P` are those of its own coordinates: a covariance has other
    /// terms than a precision, and the same sum.
    ///
    /// Each is what it says and no difference, so that for data far from the origin digits go where terms
    /// cancel; the bound of the fit's report has none of that.
    ///
    /// # Errors
    /// If numbers leave the range of f64.
    pub fn elbo_terms(&self) -> Result<ElboTerms, Error> {
        let (mut likelihood, mut component_posterior, mut divergence) = (0.0, 0.0, 0.0);
        for (component, statistics) in self.components.iter().zip(&self.assigned.statistics) {
            likelihood += component.expected().ln_likelihood(statistics);
            component_posterior -= component.posterior().entropy();
            divergence += component.posterior().kl_divergence(component.prior());
        }
        let weight_posterior = -self.weights.entropy();
        Ok(ElboTerms {
            likelihood,
            assignment_prior: self.weights.expected_ln_assignments(&self.counts()),
            weight_prior: weight_posterior - self.weights.divergence()?,
            component_prior: component_posterior - divergence,
            assignment_posterior: -self.assigned.entropy,
            weight_posterior,
            component_posterior,
        })
    }
}
