//! Collapsed Gibbs sampling.

mod exact;
mod fitting;
mod reference;
mod stationarity;
pub(crate) mod toy;
