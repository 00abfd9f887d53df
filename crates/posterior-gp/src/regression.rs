//! Regression: a process, noisy values of it, and what they say about the rest; exactly, by one Cholesky
//! factor.
//!
//! | | |
//! |---|---|
//! | [`GaussianProcess`] | the prior: mean function and kernel |
//! | [`GaussianProcessPosterior`] | what [`condition`](GaussianProcess::condition) returns: predictions, draws, evidence and its gradient |
//! | [`LeftOutPredictions`] | what each observation would have been predicted to be |
//! | [`AdditiveComponent`], [`GaussianProcessPosterior::weights`] | the terms of a sum; the weights of linear features |
//!
//! # Numerics
//! Equal inputs are collapsed into one before anything is computed. Jitter is added only if the matrix has no
//! Cholesky factor without, the least that helps, and [`GaussianProcessPosterior::jitter`] tells how much and
//! why.
//!
//! # References
//! C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine Learning, 2006, chapters 2 and 5.

mod component;
mod data;
mod evidence;
mod factor;
mod leave_one_out;
mod posterior;
mod prediction;
mod process;
mod sampler;
mod weights;

pub use component::AdditiveComponent;
pub use evidence::MarginalLikelihood;
pub use factor::{Jitter, JitterCause};
pub use leave_one_out::LeftOutPredictions;
pub use posterior::GaussianProcessPosterior;
pub use prediction::Prediction;
pub use process::GaussianProcess;
pub use sampler::PathSampler;

pub(crate) use data::{Data, check_outputs};
