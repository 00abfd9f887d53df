//! Bayesian neural networks by Laplace approximation.
//!
//! A [`Network`] is a function of inputs and parameters, [`NetworkData`] say what was seen and what its
//! outputs mean, and [`Joint`] is ln p(y, w | x) under a normal prior. [`fit`] finds the most probable
//! parameters, [`NetworkLaplace`] puts a Gaussian there.
//!
//! | for | use |
//! |---|---|
//! | up to some thousand parameters | [`HessianKind::GaussNewton`] |
//! | more | [`HessianKind::Kronecker`], or [`HessianKind::LastLayer`] |
//! | whether the approximation is any good | a sampler on [`Joint`], which is a target with its gradient |
//! | the precision of the prior, and the noise | [`tune`]: by the evidence |
//! | classes where the data say little | [`ScaleMixture`]: an average over the precision |
//! | predictions | [`NetworkLaplace::latent`]: the network linearised at the mode |

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
pub use curvature::HessianKind;
pub use head::Head;
pub use hyperparameters::NetworkHyperparameters;
pub use joint::Joint;
pub use laplace::NetworkLaplace;
pub use latent::{NetworkOutputs, averaged_logistic};
pub use observations::NetworkData;
pub use scales::ScaleMixture;
pub use train::{NetworkFitOptions, NetworkOptimizer, TrainedMode, fit, train_from};
pub use tune::{TuneOptions, tune};
