//! One face for the posteriors of all routes.

use posterior_math::linalg::DMatrix;

use crate::iterative::IterativePosterior;
use crate::kernel::KernelParameter;
use crate::markov::MarkovProcessPosterior;
use crate::regression::Prediction;
use crate::sparse::SparsePosterior;
use crate::{Error, GaussianProcess, GaussianProcessPosterior, Noise};

/// A posterior by one of the routes: what all of them can do. What only one can, it does itself.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyPosterior {
    /// By a dense factor.
    Dense(Box<GaussianProcessPosterior>),
    /// By filter and smoother.
    Markov(Box<MarkovProcessPosterior>),
    /// By inducing inputs.
    Sparse(Box<SparsePosterior>),
    /// By conjugate gradients.
    Iterative(Box<IterativePosterior>),
}

impl AnyPosterior {
    /// The prior.
    pub const fn prior(&self) -> &GaussianProcess {
        match self {
            Self::Dense(posterior) => posterior.prior(),
            Self::Markov(posterior) => posterior.prior(),
            Self::Sparse(posterior) => posterior.prior(),
            Self::Iterative(posterior) => posterior.prior(),
        }
    }

    /// The noise of the observations.
    pub const fn noise(&self) -> &Noise {
        match self {
            Self::Dense(posterior) => posterior.noise(),
            Self::Markov(posterior) => posterior.noise(),
            Self::Sparse(posterior) => posterior.noise(),
            Self::Iterative(posterior) => posterior.noise(),
        }
    }

    /// The parameters that a fit may move: those of the kernel, of the mean function, of the noise.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        match self {
            Self::Dense(posterior) => posterior.parameters(),
            Self::Markov(posterior) => posterior.parameters(),
            Self::Sparse(posterior) => posterior.parameters(),
            Self::Iterative(posterior) => posterior.parameters(),
        }
    }

    /// ln p(y): exact, a lower bound, or an estimate, as the route says.
    pub fn ln_evidence(&self) -> f64 {
        match self {
            Self::Dense(posterior) => posterior.ln_evidence(),
            Self::Markov(posterior) => posterior.ln_evidence(),
            Self::Sparse(posterior) => posterior.ln_evidence(),
            Self::Iterative(posterior) => posterior.ln_evidence().value,
        }
    }

    /// The derivatives of it by the [`parameters`](Self::parameters) on their free scales.
    ///
    /// # Errors
    /// If numbers leave the range of f64 on the way.
    pub fn gradient(&self) -> Result<Vec<f64>, Error> {
        match self {
            Self::Dense(posterior) => Ok(posterior.gradient()),
            Self::Markov(posterior) => posterior.gradient(),
            Self::Sparse(posterior) => Ok(posterior.gradient()),
            Self::Iterative(posterior) => Ok(posterior.gradient()),
        }
    }

    /// Mean and variance of the function at each row of `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or are not finite.
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        match self {
            Self::Dense(posterior) => posterior.latent(inputs),
            Self::Markov(posterior) => posterior.latent(inputs),
            Self::Sparse(posterior) => posterior.latent(inputs),
            Self::Iterative(posterior) => posterior.latent(inputs),
        }
    }

    /// Mean and variance of each term of the kernel at each row of `inputs`; the mean function is in none of
    /// them.
    ///
    /// # Errors
    /// As [`predict`](Self::latent).
    pub fn latent_components(&self, inputs: &DMatrix<f64>) -> Result<Vec<Prediction>, Error> {
        match self {
            Self::Dense(posterior) => {
                posterior.components().iter().map(|component| component.latent(inputs)).collect()
            }
            Self::Markov(posterior) => posterior.latent_components(inputs),
            Self::Sparse(posterior) => posterior.latent_components(inputs),
            Self::Iterative(posterior) => posterior.latent_components(inputs),
        }
    }
}
