//! Latent Dirichlet allocation through the public API.

mod exact;
mod fitting;
mod reference;
mod stationarity;
mod toy;
