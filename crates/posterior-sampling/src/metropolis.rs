//! Metropolis-Hastings: propose, then accept or stay.
//!
//! | kernel | proposes |
//! |---|---|
//! | [`RandomWalk`] | a normal step; tuned by [`AdaptiveWalk`] |
//! | [`Langevin`] | a normal step that is pushed uphill (MALA); tuned by [`AdaptiveLangevin`] |
//! | [`IndependenceSampler`] | a draw from a distribution that does not look where the chain is |
//! | a [`Proposal`] of yours | what it says, on all coordinates or, with [`OnBlock`], on some |
//! | [`FiniteMetropolis`] | on finitely many states; its transition matrix can be looked at |
//!
//! All of them accept a move from x to x′ with probability min(1, a), where
//!
//! ln a = ln p(x′) - ln p(x) + ln q(x | x′) - ln q(x′ | x),
//!
//! and stay at x otherwise ([`acceptance`]), so that p(x) q(x′ | x) min(1, a) is the same with x and x′
//! exchanged: detailed balance. A proposal where the density has no value is refused like one of density
//! zero, and marked in the statistic `no_value`.
//!
//! # References
//! N. Metropolis et al., Equation of state calculations by fast computing machines, J. Chem. Phys. 21 (1953).
//! W. K. Hastings, Monte Carlo sampling methods using Markov chains and their applications, Biometrika 57
//! (1970).

mod acceptance;
mod adaptive_langevin;
mod adaptive_walk;
mod finite;
mod independence;
mod langevin;
mod proposal;
mod random_walk;
mod scale_search;
mod shape;
mod shape_learning;
mod walker;

pub(crate) use acceptance::accept;
pub use acceptance::acceptance;
pub use adaptive_langevin::{AdaptiveLangevin, LangevinProgress};
pub use adaptive_walk::{AdaptiveWalk, LearnedShape, WalkProgress};
pub use finite::FiniteMetropolis;
pub use independence::IndependenceSampler;
pub use langevin::{Drifter, Langevin};
pub use proposal::{OnBlock, Proposal};
pub use random_walk::RandomWalk;
pub use scale_search::ScaleSearch;
pub use shape::StepShape;
pub use shape_learning::ShapeLearning;
pub use walker::{Proposed, Walker};
