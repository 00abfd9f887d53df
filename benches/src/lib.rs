//! What the benchmarks and the comparisons with other crates share.
//!
//! [`functions`] and [`distributions`] are the catalogues: ours beside those of other crates; [`ulps`] counts
//! errors, [`mod@guarded`] calls what may panic or hang; [`workloads`] are the arguments of what [`timing`]
//! times, [`comparison`] has the tables that are printed, [`grids`] the images that are cut, [`networks`] the
//! networks that are asked, [`clusters`] the rows in groups, [`sequences`] and [`labels`] what is learned
//! from sequences, [`texts`] what topics are found in, [`mcmc`] the samplers and what they sample,
//! [`least_values`] the functions that are minimised, [`hierarchies`] the tables of latent Gaussian models.

pub mod clusters;
pub mod comparison;
pub mod distributions;
pub mod functions;
pub mod gaussian_processes;
pub mod grids;
pub mod guarded;
pub mod hierarchies;
pub mod labels;
pub mod least_values;
pub mod mcmc;
pub mod networks;
pub mod peers;
pub mod sequences;
pub mod state_space;
pub mod texts;
pub mod timing;
pub mod ulps;
pub mod workloads;
