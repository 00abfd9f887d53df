//! The approximate posterior of a mixture.

use posterior_dist::{Conjugate, KlDivergence, Mixture, Stats};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check::ParamError;

use super::expectation::Assigned;
use super::weights::WeightFactor;
use crate::error::Error;

/// q(z) q(π) Π q(w_k): the factors of a mixture's approximate posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct VariationalMixture<F: Conjugate<P>, P> {
    pub(super) weights: WeightFactor,
    pub(super) components: Vec<ConjugateFactor<F, P>>,
    pub(super) assigned: Assigned<F>,
    /// Whether q(π) is the posterior of these assignments.
    pub(super) weights_current: bool,
    /// Whether the q(w_k) are.
    pub(super) components_current: bool,
}

impl<F: Conjugate<P>, P> VariationalMixture<F, P> {
    /// The factor q(π) of the weights.
    pub const fn weights(&self) -> &WeightFactor {
        &self.weights
    }

    /// q(w_k) of each component.
    pub fn components(&self) -> &[ConjugateFactor<F, P>] {
        &self.components
    }

    /// q(z) as the other factors see it.
    pub const fn assigned(&self) -> &Assigned<F> {
        &self.assigned
    }

    /// N_k, the expected number of points of each component.
    pub fn counts(&self) -> Vec<f64> {
        self.assigned.counts()
    }

    /// The components that expect more than `count` points, the largest first: the others have fallen back to
    /// the prior, of which they keep less than that number of points would change.
    pub fn occupied(&self, count: f64) -> Vec<usize> {
        let counts = self.counts();
        let mut occupied: Vec<usize> = (0..counts.len()).filter(|&k| counts[k] > count).collect();
        occupied.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]));
        occupied
    }

    /// The distribution of the next point: predictive distributions of the components, with their expected
    /// weights.
    ///
    /// # Errors
    /// If a component has none in f64.
    pub fn predictive(&self) -> Result<Mixture<F::Predictive>, ParamError> {
        let distribution =
            |factor: &ConjugateFactor<F, P>| F::predictive(factor.posterior(), factor.statistics().fixed());
        let distributions = self.components.iter().map(distribution).collect::<Result<_, _>>()?;
        Mixture::from_weights(&self.weights.expected(), distributions)
    }

    /// The statistics of each component.
    pub fn statistics(&self) -> &[Stats<F>] {
        &self.assigned.statistics
    }
}

/// Updates of the factors that need no data.
impl<F: Conjugate<P>, P: KlDivergence + Clone> VariationalMixture<F, P> {
    /// Updates the weights, after components were sorted if they have an order.
    pub(super) fn update_weights(&mut self) -> Result<(), Error> {
        let counts = self.counts();
        if let WeightFactor::Sticks(sticks) = &self.weights {
            let mut order: Vec<usize> = (0..counts.len()).collect();
            order.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]));
            let sorted: Vec<f64> = order.iter().map(|&k| counts[k]).collect();
            if sticks.prefers(&sorted, &counts)? {
                self.relabel(&order);
            }
        }
        self.weights.update(&self.counts())?;
        self.weights_current = true;
        Ok(())
    }

    /// Changes the names of the components: the k-th is what was `order[k]`.
    fn relabel(&mut self, order: &[usize]) {
        self.components = order.iter().map(|&k| self.components[k].clone()).collect();
        self.assigned.statistics = order.iter().map(|&k| self.assigned.statistics[k].clone()).collect();
    }

    /// Updates the components.
    pub(super) fn update_components(&mut self) -> Result<(), Error> {
        for (component, statistics) in self.components.iter_mut().zip(&self.assigned.statistics) {
            component.update(statistics.clone())?;
        }
        self.components_current = true;
        Ok(())
    }

    /// L(q), whatever was updated last.
    pub(super) fn bound(&self) -> Result<f64, Error> {
        Ok(self.assigned.entropy + self.bound_of_weights()? + self.bound_of_components()?)
    }

    /// E ln p(z | π) - KL(q(π) ‖ p(π)).
    fn bound_of_weights(&self) -> Result<f64, Error> {
        let counts = self.counts();
        if self.weights_current {
            Ok(self.weights.ln_evidence(&counts)?)
        } else {
            Ok(self.weights.expected_ln_assignments(&counts) - self.weights.divergence()?)
        }
    }

    /// E ln p(x | z, w) - KL(q(w) ‖ p(w)).
    fn bound_of_components(&self) -> Result<f64, Error> {
        let mut sum = if self.components_current { 0.0 } else { self.assigned.expected_fit };
        for (component, statistics) in self.components.iter().zip(&self.assigned.statistics) {
            // Of the posterior of these statistics the difference is their evidence, in which nothing large
            // cancels.
            sum += if self.components_current {
                F::ln_evidence(component.prior(), statistics)?
            } else {
                -component.posterior().kl_divergence(component.prior())
            };
        }
        Ok(sum)
    }
}
