//! Have the chains met, and how many digits do they give?
//!
//! After Vehtari, Gelman, Simpson, Carpenter and Bürkner, "Rank-normalization, folding, and localization: an
//! improved R̂ for assessing convergence of MCMC", Bayesian Analysis 16 (2021). The functions take one
//! quantity: for each chain its draws, in their order.
//!
//! - [`rhat`]: do the chains say the same? [`rhat_bulk`], [`rhat_folded`], [`rhat_split`], [`rhat_classic`],
//!   [`rhat_nested`].
//! - `ess_*`: as many independent draws would do as well, for the mean ([`ess_mean`]), the middle
//!   ([`ess_bulk`]), the tails ([`ess_tail`]), a quantile ([`ess_quantile`]), the standard deviation
//!   ([`ess_sd`]).
//! - `mcse_*`: how far off a figure may be because the draws are few: [`mcse_mean`], [`mcse_sd`],
//!   [`mcse_quantile`].
//! - [`e_bfmi`]: do the momenta of a Hamiltonian sampler reach all energies? [`autocorrelation`],
//!   [`geweke_z`].
//! - [`Draws::summary`](crate::Draws::summary): all of it for all parameters, and warnings that say what to
//!   do.
//!
//! ```
//! use posterior_sampling::diagnostics::{Undefined, ess_bulk, mcse_mean, rhat, rhat_classic};
//!
//! assert_eq!(rhat_classic(&[[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0, 6.0]]), Ok(1.0));
//!
//! let chains: Vec<Vec<f64>> = (0..4).map(|c| (0..100).map(|i| f64::from((37 * i + 11 * c) % 101)).collect()).collect();
//! assert!(rhat(&chains)? < 1.01);
//! assert!(ess_bulk(&chains)? > 100.0 && mcse_mean(&chains)? < 3.0);
//! assert_eq!(rhat(&[[1.0; 100]]), Err(Undefined::Constant { value: 1.0 }));
//! # Ok::<(), Undefined>(())
//! ```
//!
//! # What has no value
//! A figure that the draws do not determine is an [`Undefined`], which says why; it is never NaN.
//!
//! - **One chain** is split in two, so that R̂ still sees a drift, but not what other chains would have
//!   found. [`rhat_classic`] needs two.
//! - **All draws the same**: [`Undefined::Constant`]. Nothing tells a parameter that is fixed from chains
//!   that are stuck.
//! - **Each chain stuck at a value of its own**: R̂ is +∞, and the effective draws are at most about one for
//!   each half of a chain.
//! - **Few draws**: R̂ needs 4 for each chain (two for each half), an effective sample size 12: the first two
//!   pairs of autocorrelations of each half must be there. Fewer is [`Undefined::TooFew`].
//! - **NaN or infinite draws**: [`Undefined::NotFinite`], with the place of the first.
//! - **Chains of different lengths**: [`Undefined::Unequal`].
//! - **A part that says nothing**: where the folded draws are all the same (draws of ±1), [`rhat`] is that of
//!   the bulk; where one of the two tails is all draws (of a coin, the upper one), [`ess_tail`] is that of
//!   the other. Else it is [`Undefined::Alike`].
//! - A chain of odd length loses its middle draw when it is split.

mod autocovariance;
mod energy;
mod ess;
mod figures;
mod geweke;
mod mcse;
mod rank;
mod rhat;
mod sample;
mod sampler;
mod scores;
mod summary;
mod table;
mod undefined;
mod warning;

pub use autocovariance::autocorrelation;
pub use energy::e_bfmi;
pub use ess::{ess_bulk, ess_mean, ess_median, ess_quantile, ess_sd, ess_tail};
pub use figures::{highest_density, mean, quantile, sd};
pub use geweke::geweke_z;
pub use mcse::{mcse_mean, mcse_quantile, mcse_sd};
pub use rank::{RankHistogram, rank_histogram};
pub use rhat::{rhat, rhat_bulk, rhat_classic, rhat_folded, rhat_limit, rhat_nested, rhat_split};
pub use sampler::SamplerReport;
pub use summary::{ChainSummary, ParameterSummary};
pub use undefined::Undefined;
pub use warning::{FEWEST_EFFECTIVE, LARGEST_RHAT, SMALLEST_E_BFMI, Warning};
