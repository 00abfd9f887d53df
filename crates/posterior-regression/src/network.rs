//! Bayesian neural networks by Laplace approximation.
//!
//! A [`Network`] is a function of inputs and parameters, [`Observations`] say what was seen and what its
//! outputs mean, and [`Joint`] is ln p(y, w | x) under a normal prior. [`train`] finds the most probable
//! parameters, [`Laplace`] puts a Gaussian there.
//!
//! | for | use |
//! |---|---|
//! | up to some thousand parameters | [`Curvature::GaussNewton`] |
//! | more | [`Curvature::Kronecker`], or [`Curvature::LastLayer`] |
//! | whether the approximation is any good | a sampler on [`Joint`], which is a target with its gradient |
//! | the precision of the prior, and the noise | [`tune`]: by the evidence |
//! | classes where the data say little | [`Scales`]: an average over the precision |
//! | predictions | [`Laplace::latent`]: the network linearised at the mode |

mod activation;
mod architecture;
mod curvature;
mod forward;
mod head;
mod hessian;
mod hyperparameters;
mod joint;
mod laplace;
mod latent;
mod observations;
mod precision;
mod scales;
mod train;
mod tune;
#[cfg(feature = "serde")]
mod written;

pub use activation::Activation;
pub use architecture::{Layer, Network};
pub use curvature::Curvature;
pub use head::Head;
pub use hyperparameters::Hyperparameters;
pub use joint::Joint;
pub use laplace::Laplace;
pub use latent::{Latent, averaged_logistic};
pub use observations::Observations;
pub use scales::Scales;
pub use train::{Method, Mode, TrainOptions, train, train_from};
pub use tune::{TuneOptions, tune};
