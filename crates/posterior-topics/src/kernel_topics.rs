//! Kernel topic models: Gaussian processes over what is known of a document (Hennig et al. 2012).
//!
//! Topics come and go with time, and depend on who speaks. Of each topic `k` the proportion is a function of
//! what is known of a document: `eta_k(x) = m_k + f_k(time) + offsets of labels + noise`, each term a
//! Gaussian process, and `theta = softmax(eta)`. [`laplace_bridge`] carries Dirichlet distributions of
//! proportions over to Gaussian distributions of `eta` and back, so that regression with Gaussian processes
//! does the rest.
//!
//! [`bands`] draws the curves of any fitted topic model over time, with their uncertainty. [`fit`] lets them
//! be the prior of the proportions: documents with few words lean on their time and their labels, and
//! documents of years that nobody has read yet are predicted.
//!
//! # References
//! P. Hennig, D. Stern, R. Herbrich, T. Graepel, Kernel topic models, AISTATS 2012.

mod bands;
mod concentration_prior;
mod covariates;
mod curves;
mod expectation;
mod fit;
pub mod laplace_bridge;
mod model;
mod options;
mod pseudo_data;
mod scales;

pub use bands::{BandOptions, bands};
pub use covariates::Covariates;
pub use curves::{Curves, Effect};
pub use fit::{Bounds, KernelReport, fit};
pub use model::KernelTopics;
pub use options::{ConcentrationUpdate, KernelTopicsOptions};
pub use scales::{Scales, Sharing, TimeKernel};

/// What regression with Gaussian processes refused.
fn refused(error: posterior_gp::Error) -> crate::Error {
    crate::Error::Model(Box::new(error))
}
