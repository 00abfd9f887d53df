//! Learning the parameters of kernels, mean functions and noise: by maximum marginal likelihood, with priors
//! (MAP), by weighted points of their posterior, or by sampling.
//!
//! [`fit`] climbs the evidence of anything [`Learnable`]; [`Regression`] is exact regression as such a thing.
//!
//! ```
//! use posterior_gp::hyperparameters::{HyperparameterOptions, Regression, fit};
//! use posterior_gp::{GaussianProcess, Kernel, Noise};
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//!
//! let x = DMatrix::from_fn(40, 1, |i, _| 0.25 * i as f64);
//! let y: Vec<f64> = x.iter().map(|x| 3.0 * x.sin() + 0.1 * (17.0 * x).cos()).collect();
//! let prior = GaussianProcess::new(1.0 * Kernel::rbf(1.0)?);
//! let problem = Regression::new(prior, Noise::variance(0.1)?, &x, &y)?;
//! let fitted = fit(&problem, &HyperparameterOptions { restarts: 2, ..HyperparameterOptions::default() }, &mut Silent)?;
//! assert!(fitted.report.search.converged());
//! println!("{}", fitted.report); // a table of parameters
//! let posterior = fitted.model;
//! assert!(posterior.noise().learned().is_some_and(|variance| variance < 0.02));
//! # Ok::<(), posterior_gp::Error>(())
//! ```
//!
//! The evidence prefers the simplest model that suffices, but with few data it is flat or has several peaks:
//! look at [`EvidenceCurvature`], ask for restarts, average over the parameters with [`integrate`], or sample
//! them under priors of your own with [`HyperparameterTarget`].
//!
//! # References
//! Rasmussen, Williams, chapter 5; D. J. C. MacKay, Neural Computation 11 (1999).

mod comparison;
mod coordinates;
mod curvature;
mod fit;
mod integration;
mod kernel_search;
mod learnable;
mod options;
mod prior;
mod refinement;
mod report;
pub(crate) mod start;
mod target;
mod weak_prior;

pub use comparison::{ComparedModel, compare};
pub use coordinates::AtLimit;
pub use curvature::{EvidenceCurvature, curvature};
pub use fit::{FittedModel, fit};
pub use integration::{
    IntegrationMethod, IntegrationOptions, MixturePrediction, ParameterPoint, ParameterPosterior, integrate,
};
pub use kernel_search::{
    KernelBase, KernelSearch, KernelSearchOptions, TriedKernel, kernel_bases, search_kernel,
};
pub use learnable::{Learnable, Regression};
pub use options::HyperparameterOptions;
pub use prior::Prior;
pub use refinement::{Refined, refine};
pub use report::{FitReport, FittedParameter, StartReport};
pub use target::HyperparameterTarget;
pub use weak_prior::WeakPrior;
