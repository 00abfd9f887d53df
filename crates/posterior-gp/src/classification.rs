//! Classification, and every other likelihood that is not Gaussian: Laplace's method, expectation
//! propagation.
//!
//! The function f has a Gaussian process as its prior; of f(xᵢ) one sees yᵢ by a
//! [likelihood](crate::likelihood). The posterior of f is then not Gaussian, and two Gaussians stand in for
//! it:
//!
//! - [`laplace`]: the Gaussian at the mode with the curvature there. Fast, for every likelihood; of
//!   probabilities it is biased towards the mode, which lies nearer to 0 than the mean.
//! - [`expectation_propagation`]: the Gaussian whose marginals have the moments of the tilted ones. For
//!   log-concave likelihoods; nearly exact for two classes, at some ten times the cost.
//!
//! Both give the evidence ln p(y | X) with its gradient in the parameters of kernel, mean function and
//! likelihood, and the [`LatentMoments`] distribution of f at new places. More than two classes are
//! [`softmax`]'s. To learn the parameters, give a [`LaplaceEvidence`], [`PropagationEvidence`] or
//! [`SoftmaxEvidence`] to [`fit`](crate::hyperparameters::fit).
//!
//! ```
//! use posterior_gp::{GaussianProcess, Kernel};
//! use posterior_gp::classification::{ModeOptions, ObservationModel, laplace};
//! use posterior_gp::likelihood::LogisticLikelihood;
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//!
//! let inputs = DMatrix::from_column_slice(4, 1, &[-1.5, -0.5, 0.3, 1.2]);
//! let observations = ObservationModel::new(inputs, &[-1.0, -1.0, 1.0, 1.0], LogisticLikelihood)?;
//! let prior = GaussianProcess::new(4.0 * Kernel::rbf(1.0)?);
//! let posterior = laplace(&observations, &prior, &ModeOptions::default(), &mut Silent)?.model;
//! assert!((posterior.ln_evidence() + 2.7686395030691076).abs() < 1e-12);
//!
//! let latent = posterior.latent(&DMatrix::from_element(1, 1, 2.0))?;
//! let (averaged, plugged_in) = (latent.mean_response(&LogisticLikelihood)[0], latent.plug_in_response(&LogisticLikelihood)[0]);
//! assert!((averaged - 0.6338494543568237).abs() < 1e-12);
//! assert!(plugged_in > averaged);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, MIT Press 2006, chapters 3
//! and 5.

mod approximation;
mod curvature;
mod expectation_propagation;
mod laplace;
mod latent;
mod learnable;
mod observations;
mod softmax;

pub use approximation::{EvidenceGradient, LatentApproximation};
pub use expectation_propagation::{ExpectationPropagation, PropagationOptions, expectation_propagation};
pub use laplace::{LaplaceFit, ModeOptions, laplace};
pub use latent::LatentMoments;
pub(crate) use learnable::LearnedPrior;
pub use learnable::{LaplaceEvidence, PropagationEvidence, SoftmaxEvidence};
pub use observations::ObservationModel;
pub(crate) use observations::check_inputs;
pub use softmax::{SoftmaxLaplace, SoftmaxLatent, SoftmaxObservations, softmax};
