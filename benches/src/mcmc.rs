//! Markov chain Monte Carlo: five targets, and every sampler on them in the same words.
//!
//! The targets are those on which samplers are commonly compared: without and with correlation, with a
//! hierarchy, with a neck, and with data enough for the gradient to cost something.

mod autoregression;
mod funnel;
mod logistic;
mod logistic_data;
mod measured;
mod numpyro;
mod nuts_rs;
mod ours;
mod stan;
mod standard_normal;
mod targets;

pub use autoregression::Autoregression;
pub use funnel::Funnel;
pub use logistic::Logistic;
pub use logistic_data::LogisticData;
pub use measured::{Counted, Measured};
pub use numpyro::NumPyro;
pub use nuts_rs::{Adaptation, with_nuts_rs};
pub use ours::with_ours;
pub use stan::{StanChain, StanCompiler};
pub use standard_normal::StandardNormal;
pub use targets::{Named, five_targets};
