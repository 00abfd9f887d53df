//! Policies that live by the posterior of each arm.

mod bayes_ucb;
mod gittins;
mod mean_plus_sd;
mod thompson;

pub use bayes_ucb::BayesUcb;
pub use gittins::{Gittins, gittins_index};
pub use mean_plus_sd::{MeanPlusSd, Width};
pub use thompson::Thompson;
