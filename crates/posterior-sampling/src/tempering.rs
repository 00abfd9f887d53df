//! From the prior to the posterior in steps: annealed importance sampling, sequential Monte Carlo, parallel tempering.

mod path;

pub use path::{Ratio, Tempered};
