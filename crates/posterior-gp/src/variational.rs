//! Many observations through a likelihood that is not Gaussian: variational inference by inducing values, and
//! in one input by state-space models.
//!
//! Both find the Gaussian posterior of the function that is nearest to the true one, by natural gradients: an
//! observation y acts as one with Gaussian noise, whose precision is -E ∂² ln p(y | f)/∂f² and whose place
//! follows from E ∂ ln p(y | f)/∂f, expectations under the posterior itself. What they climb is a lower bound
//! of ln p(y), so that a higher one is a better approximation and hyperparameters may be fitted to it.
//!
//! | you have | look at | cost of a step |
//! |---|---|---|
//! | any inputs, any likelihood | [`variational_inducing`] | O(n m²) for m inducing inputs, O(b m² + m³) with mini-batches of b |
//! | one input, a Markov kernel, a log-concave likelihood | [`variational_markov`] | O(n) |
//!
//! ```
//! use posterior_gp::classification::ObservationModel;
//! use posterior_gp::likelihood::LogisticLikelihood;
//! use posterior_gp::sparse::inducing_by_variance;
//! use posterior_gp::variational::{NaturalGradientOptions, variational_inducing};
//! use posterior_gp::{GaussianProcess, Kernel};
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//!
//! let inputs = DMatrix::from_fn(400, 1, |i, _| i as f64 / 100.0);
//! let labels: Vec<f64> = inputs.iter().map(|x| if (3.0 * x).sin() > 0.0 { 1.0 } else { -1.0 }).collect();
//! let prior = GaussianProcess::new(4.0 * Kernel::rbf(0.5)?);
//! let inducing = inducing_by_variance(prior.kernel(), &inputs, 20);
//! let observations = ObservationModel::new(inputs, &labels, LogisticLikelihood)?;
//! let options = NaturalGradientOptions::default();
//! let fitted = variational_inducing(&observations, &prior, &inducing, &options, &mut Silent)?;
//! assert!(fitted.report.converged());
//! let latent = fitted.model.latent(&DMatrix::from_element(1, 1, 0.5))?;
//! assert!(latent.mean_response(&LogisticLikelihood)[0] > 0.95);
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! # References
//! J. Hensman, A. Matthews, Z. Ghahramani, Scalable variational Gaussian process classification, AISTATS
//! 2015. H. Salimbeni, S. Eleftheriadis, J. Hensman, Natural gradients in practice, AISTATS 2018. P. Chang,
//! W. Wilkinson, M. Khan, A. Solin, Fast variational learning in state-space Gaussian process models, MLSP
//! 2020.

mod batch;
mod evidence;
mod inducing;
mod markov;

pub use evidence::{InducingEvidence, MarkovEvidence};
pub use inducing::{MiniBatches, NaturalGradientOptions, VariationalInducing, variational_inducing};
pub use markov::{VariationalMarkov, variational_markov};
