//! Laws that follow from a mixture: of some coordinates, given others; and draws.

use posterior_dist::{Gaussian, Mixture};
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
    pub fn law(&self, k: usize) -> Result<Gaussian, ParamError> {
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

    /// The same law as a mixture of laws.
    ///
    /// # Errors
    /// If a covariance is not that of a [`Gaussian`].
    pub fn to_mixture(&self) -> Result<Mixture<Gaussian>, ParamError> {
        let laws = (0..self.components()).map(|k| self.law(k)).collect::<Result<_, _>>()?;
        Mixture::new(self.weights().clone(), laws)
    }

    /// The law of the coordinates `indices`, in this order.
    ///
    /// # Errors
    /// If an index is not below the dimension or there twice, or there is none.
    pub fn marginal(&self, indices: &[usize]) -> Result<Self, Error> {
        self.of_laws(self.weights().probabilities(), |law| law.marginal(indices))
    }

    /// The law of the other coordinates, in order, given that the coordinates `indices` have these `values`: each component is conditioned,
    /// and the weights become the probabilities of the components given the values.
    ///
    /// # Errors
    /// As for [`Gaussian::condition`], or if the values are impossible under every component.
    pub fn condition(&self, indices: &[usize], values: &[f64]) -> Result<Self, Error> {
        let known = self.marginal(indices)?.to_mixture()?.responsibilities(values)?;
        self.of_laws(known.probabilities(), |law| law.condition(indices, values))
    }

    /// The mixture of what `f` makes of the components.
    fn of_laws(
        &self,
        weights: &[f64],
        f: impl Fn(Gaussian) -> Result<Gaussian, ParamError>,
    ) -> Result<Self, Error> {
        let laws = (0..self.components()).map(|k| f(self.law(k)?).map_err(|error| error.at(k)));
        let laws: Vec<Gaussian> = laws.collect::<Result<_, _>>()?;
        let d = laws[0].dimension();
        let means = DMatrix::from_fn(laws.len(), d, |k, j| laws[k].mean()[j]);
        let covariances = laws.iter().map(|law| law.covariance().clone()).collect();
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
