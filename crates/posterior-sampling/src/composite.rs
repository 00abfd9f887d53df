//! Cycles and mixtures of kernels: each leaves the distribution alone, and so do both.
//!
//! Kernels may be composites themselves. They share the point of the chain and its log-density; a kernel that
//! keeps a gradient computes it anew where the other one has moved the chain. The numbers of a step are those
//! of both kernels; where both have one of the same name, their mean. A divergence is that of the first
//! kernel that had one. A target that ends the run between two moves leaves the chain where the first one
//! led.
//!
//! ```
//! use posterior_dist::target::FromFn;
//! use posterior_sampling::composite::Cycle;
//! use posterior_sampling::metropolis::AdaptiveWalk;
//! use posterior_sampling::slice::AdaptiveSlice;
//! use posterior_sampling::{Run, Start};
//!
//! let target = FromFn::new(2, |x: &[f64]| -0.5 * (x[0] * x[0] + x[1] * x[1]));
//! let sampler = Cycle::new(AdaptiveWalk::default(), AdaptiveSlice::default());
//! let sampled = Run { draws: 100, ..Run::default() }.sample(&target, &sampler, &Start::default())?;
//! assert!(sampled.draws.statistic("acceptance_rate").is_some() && sampled.draws.statistic("expansions").is_some());
//! # Ok::<(), posterior_sampling::Error>(())
//! ```

mod cycle;
mod mixture;
pub(crate) mod names;
mod pair;

pub use cycle::Cycle;
pub use mixture::{Blend, KernelMixture};
pub use pair::{Both, Pair};
