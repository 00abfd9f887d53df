//! Kernel topic models: the bridge, the curves, their bands, the fit.

mod bands;
mod fit;
mod laplace_bridge;
mod simulated;
