//! What the crate promises, through its public API.

mod comparison;
mod evidence;
mod features;
#[cfg(feature = "serde")]
mod fitted_models;
mod formula;
mod glm;
mod horseshoe;
mod learned_features;
mod linear;
mod network;
mod polya_gamma;
mod propagation;
mod sparse_softmax;
mod truth_table;
mod variational_logistic;
