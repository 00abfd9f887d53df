//! Additive models: the posterior of each term of the kernel.

use posterior_math::check::DimensionError;
use posterior_math::linalg::{DMatrix, gram_of_columns, transpose_multiply};

use super::{GaussianProcessPosterior, PathSampler, Prediction};
use crate::{Error, Kernel};

/// One function of a sum f = f₁ + f₂ + …, given outputs of the sum.
///
/// The terms are independent beforehand and not afterwards: where one is larger another one must be smaller.
///
/// ```
/// use posterior_gp::{GaussianProcess, Kernel, Noise};
/// use posterior_math::linalg::DMatrix;
///
/// let prior = GaussianProcess::new(Kernel::rbf(1.0)? + Kernel::rbf(5.0)?);
/// let x = DMatrix::from_column_slice(3, 1, &[-1.0, 0.0, 2.0]);
/// let posterior = prior.condition(&x, &[0.5, 1.0, -0.3], &Noise::variance(0.1)?)?;
/// let terms = posterior.components();
/// let (fast, slow) = (&terms[0], &terms[1]);
/// let sum = fast.latent(&x)?.mean + slow.latent(&x)?.mean;
/// assert!((sum - posterior.mean(&x)?).amax() < 1e-14);
/// assert!(fast.cross_covariance(&x, slow, &x)?[(1, 1)] < 0.0);
/// # Ok::<(), posterior_gp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct AdditiveComponent<'a> {
    posterior: &'a GaussianProcessPosterior,
    /// The places of its terms in the sum.
    terms: Vec<usize>,
    kernel: Kernel,
}

impl GaussianProcessPosterior {
    /// The terms of the kernel, as functions of their own; a kernel that is no sum has one.
    pub fn components(&self) -> Vec<AdditiveComponent<'_>> {
        let terms = self.process.kernel().terms();
        terms
            .into_iter()
            .enumerate()
            .map(|(i, kernel)| AdditiveComponent { posterior: self, terms: vec![i], kernel })
            .collect()
    }

    /// The sum of some terms of the kernel, by their places; a place that is there twice counts once.
    ///
    /// # Errors
    /// If there is no place, or no such one.
    pub fn component(&self, places: &[usize]) -> Result<AdditiveComponent<'_>, Error> {
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        let terms = self.process.kernel().terms();
        if let Some(&place) = places.iter().find(|&&place| place >= terms.len()) {
            let what = "terms of the kernel, where one with this number is wanted (it counts from 0)";
            return Err(DimensionError::new(what, place + 1, terms.len()).into());
        }
        let chosen = places.iter().map(|&place| terms[place].clone());
        let Some(kernel) = chosen.reduce(|sum, term| sum + term) else {
            return Err(DimensionError::new("terms of a component, at least", 1, 0).into());
        };
        Ok(AdditiveComponent { posterior: self, terms: places, kernel })
    }
}

impl AdditiveComponent<'_> {
    /// Its kernel.
    pub const fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Mean and variance at each row of `inputs`. The mean function is in no component.
    ///
    /// # Errors
    /// As [`GaussianProcessPosterior::mean`].
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        self.posterior.check(inputs)?;
        let (mean, variance) = self.posterior.distribution_of_part(&self.kernel, inputs);
        Ok(Prediction { mean, variance })
    }

    /// The covariances at the rows of `inputs`.
    ///
    /// # Errors
    /// As [`GaussianProcessPosterior::mean`].
    pub fn covariance(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let explained = self.explained(inputs)?;
        Ok(self.kernel.gram(inputs) - gram_of_columns(&explained))
    }

    /// The covariances of this function at the rows of `inputs` with another one at the rows of `others`.
    ///
    /// # Errors
    /// As [`GaussianProcessPosterior::mean`]; or if the other one is of another posterior.
    pub fn cross_covariance(
        &self,
        inputs: &DMatrix<f64>,
        other: &AdditiveComponent<'_>,
        others: &DMatrix<f64>,
    ) -> Result<DMatrix<f64>, Error> {
        if !std::ptr::eq(self.posterior, other.posterior) {
            return Err(Error::Foreign { what: "component" });
        }
        let explained = transpose_multiply(&self.explained(inputs)?, &other.explained(others)?);
        let all = self.posterior.process.kernel().terms();
        let shared = self.terms.iter().filter(|term| other.terms.contains(term));
        let prior = shared.map(|&term| all[term].cross(inputs, others)).reduce(|sum, term| sum + term);
        Ok(prior.unwrap_or_else(|| DMatrix::zeros(inputs.nrows(), others.nrows())) - explained)
    }

    /// What draws this function at the rows of `inputs` jointly.
    ///
    /// # Errors
    /// As [`GaussianProcessPosterior::mean`].
    pub fn sampler(&self, inputs: &DMatrix<f64>) -> Result<PathSampler, Error> {
        let scale = self.kernel.diagonal(inputs).amax();
        let terms = self.posterior.sites() + inputs.nrows();
        PathSampler::new(self.latent(inputs)?.mean, &self.covariance(inputs)?, scale, terms)
    }

    fn explained(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        self.posterior.check(inputs)?;
        Ok(self.posterior.explained(&self.kernel, inputs))
    }
}
