//! Uncollapsed Gibbs sampling.

mod fitting;
mod stationarity;
