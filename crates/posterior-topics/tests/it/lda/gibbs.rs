//! Collapsed Gibbs sampling.

mod calibration;
mod concentrations;
mod exact;
mod fitting;
mod reference;
mod ring;
mod seeds;
mod stationarity;
pub(crate) mod toy;
