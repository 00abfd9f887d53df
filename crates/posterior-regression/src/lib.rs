//! Regression: what inputs say about an output, with coefficients that are known only so well.

pub mod coefficients;
mod error;
pub mod evidence;
pub mod features;
pub mod glm;
pub mod ladder;
pub mod learnt_features;
pub mod linear;
pub mod network;
pub mod polya_gamma;
pub mod truth_table;
pub mod variational_logistic;

pub use error::Error;
