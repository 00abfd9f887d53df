//! Distributions that follow from a mixture: of some coordinates, given others; and draws.

use posterior_dist::Mixture;
use posterior_gaussian::Gaussian;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::DMatrix;
use rand::Rng;
use rand::distr::Distribution;

use super::model::{Covariances, GaussianMixture};
use crate::error::Error;

impl GaussianMixture {
    /// Component k alone.
    ///
    /// # Errors
    /// If there is no such component.
    pub fn distribution(&self, k: usize) -> Result<Gaussian, ParamError> {
        check::require(
            k < self.components(),
            "GaussianMixture",
            "component",
            k as f64,
            "below their number",
        )?;
        let mean: Vec<f64> = self.means().row(k).iter().copied().collect();
        Gaussian::new(&mean, &self.covariance(k))
    }

    /// The same distribution as a mixture of distributions.
    ///
    /// # Errors
    /// If a covariance is not that of a [`Gaussian`].
    pub fn to_mixture(&self) -> Result<Mixture<Gaussian>, ParamError> {
        let distributions = (0..self.components()).map(|k| self.distribution(k)).collect::<Result<_, _>>()?;
        Mixture::new(self.weights().clone(), distributions)
    }

    /// The distribution of the coordinates `indices`, in this order.
    ///
    /// # Errors
    /// If an index is not below the dimension or there twice, or there is none.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, Error> {
        self.of_distributions(self.weights().probabilities(), |distribution| distribution.marginal(indices))
    }

    /// The distribution of the other coordinates, in order, given that the coordinates `indices` have these
    /// `values`: each component is conditioned, and the weights become the probabilities of the components
    /// given the values.
    ///
    /// # Errors
    /// As for [`Gaussian::condition`], or if the values are impossible under every component.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, Error> {
        let known = self.marginal(indices)?.to_mixture()?.responsibilities(values)?;
        self.of_distributions(known.probabilities(), |distribution| distribution.condition(indices, values))
    }

    /// The mixture of what `f` makes of the components.
    fn of_distributions(
        &self,
        weights: &[f64],
        f: impl Fn(Gaussian) -> Result<Gaussian, ParamError>,
    ) -> Result<Self, Error> {
        let distributions =
            (0..self.components()).map(|k| f(self.distribution(k)?).map_err(|error| error.at(k)));
        let distributions: Vec<Gaussian> = distributions.collect::<Result<_, _>>()?;
        let d = distributions[0].dimension();
        let means = DMatrix::from_fn(distributions.len(), d, |k, j| distributions[k].mean()[j]);
        let covariances =
            distributions.iter().map(|distribution| distribution.covariance().clone()).collect();
        Self::new(weights, &means, Covariances::Full(covariances))
    }
}

/// A component by its weight, then a point of it.
impl Distribution<Vec<f64>> for GaussianMixture {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<f64> {
        let k = self.weights().sample(rng);
        self.fast()[k].sample(rng)
    }
}
