//! Gaussian algebra: one distribution of vectors in three forms, and inference with it as linear algebra.
//!
//! [`Gaussian`] is the distribution: positive definite, factored, with a density. [`MomentGaussian`] is what
//! one computes with: mean and covariance, which may be singular, and nothing factored.
//! [`InformationGaussian`] has precisions, which add up over independent observations and may be improper.
//! [`LinearGaussian`] is the distribution of y given x that leads from one Gaussian to the next.

mod algebra;
mod bayes;
mod distribution;
mod divergence;
mod family;
mod independence;
mod information;
mod known_covariance;
mod known_mean;
mod linear;
mod moment;
mod noise;
mod rows;
mod sampler;
mod truncation;

pub use bayes::BayesForm;
pub use distribution::Gaussian;
pub use information::InformationGaussian;
pub use known_covariance::GaussianKnownCovariance;
pub use known_mean::GaussianKnownMean;
pub use linear::LinearGaussian;
pub use moment::MomentGaussian;
pub use sampler::GaussianSampler;
pub use truncation::{BoxOptions, BoxProbability, TruncatedGaussian, TruncatedMoments};
