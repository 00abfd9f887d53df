//! Hamiltonian Monte Carlo, and the No-U-Turn sampler that chooses its path itself.
//!
//! A point x gets a random momentum p, and moves as a frictionless body would in the potential -ln p(x): far,
//! and at nearly constant energy H = ½ pᵀ S p - ln p(x), so that the end of the path is a draw that depends
//! little on its start. The flow is followed by [`Leapfrog`] steps, which are reversible and keep volumes;
//! what they err in energy is paid by a random choice with weights e^-H. Nothing else is needed for the
//! distribution of x to stay p, whatever the step size and the [`Metric`] S; those decide how fast.
//!
//! [`Hmc`] follows paths of given length and accepts their end with probability min(1, e^-ΔH)
//! ([`FixedPath`]). [`Nuts`] is the default for anything with a gradient:
//! - **Trajectory.** From x the trajectory grows to 2, 4, 8, ... points, each time forward or back in time by
//!   the toss of a coin, until it turns back: until the sum ρ of its momenta no longer points along the
//!   momenta at both ends, in itself, or from one of its halves to the next point of the other. A new half
//!   that turns back within, or diverges, is given up. From each point of the final trajectory the same
//!   trajectory is as probable.
//! - **Draw.** Within a half a point is drawn with weights e^-H, as points come; of old and new half the new
//!   one is taken with probability min(1, ratio of their weights), which favours points that are far.
//! - **Divergences.** A step whose energy error is 1,000 or that has no density ends the trajectory, and is
//!   kept with its place ([`DivergentTransition`](crate::DivergentTransition)): draws may lack this region.
//! - **Warm-up.** The step size is tuned by [`DualAveraging`] for a mean acceptance rate of 0.8; the metric
//!   ([`MetricChoice`]) is learned from draws and gradients in windows that forget the start. Then both stay.
//!
//! A trajectory takes no memory beyond what its chain holds already: it is grown without recursion, and of
//! its points only the two ends, the draws, and two marks for each doubling are kept.
//!
//! # References
//! - M. D. Hoffman, A. Gelman, The No-U-Turn Sampler, JMLR 15 (2014): doubling, dual averaging.
//! - M. Betancourt, A conceptual introduction to Hamiltonian Monte Carlo, arXiv:1701.02434 (2017): draws by
//!   weight, the criterion with ρ.
//! - The additional criteria between halves are Stan's (version 2.21).
//! - A. Seyboldt and others, nuts-rs: metrics from draws and gradients that minimise the Fisher divergence,
//!   and
//!   the schedule of the windows (<https://github.com/pymc-devs/nuts-rs>).

mod dual_averaging;
mod hmc;
mod leapfrog;
mod loops;
mod metric;
mod no_u_turn;
mod nuts;
mod particle;
mod step;
mod warm_up;

pub use dual_averaging::DualAveraging;
pub use hmc::{FixedPath, Hmc, PathLength};
pub use leapfrog::{Leapfrog, Phase};
pub use metric::Metric;
pub use no_u_turn::NoUTurn;
pub use nuts::Nuts;
pub use particle::Particle;
pub use step::Travelled;
pub use warm_up::{MetricChoice, Tuning};
