//! Losses: which action to take when outcomes are uncertain.
//!
//! a* = argmin E l(x, a) over what is known of x. Three forms of the question:
//!
//! - [`LossTable`]: one unknown state of the world, a loss for every action in every state. Expected losses,
//!   admissible actions, regret, minimax, the value of information.
//! - [`Prospects`]: every action has its own distribution of outcomes, and outcomes have losses. Which
//!   action, for which losses: dominance, and the line of indifference.
//! - draws of a posterior: [`point_estimate`] for the usual losses of an estimate, and [`compare_by_draws`]
//!   for any actions, with the standard error of the difference, which is what decides.
//!
//! ```
//! use posterior_decision::loss::Prospects;
//!
//! let treatments = Prospects::new(
//!     &["death", "recovery", "side effects"],
//!     &[("A", [0.1, 0.2, 0.7].as_slice()), ("B", &[0.2, 0.01, 0.79])],
//! )?;
//! let decision = treatments.decide(&[1.0, 0.0, 0.5])?;
//! assert_eq!(decision.best, [0]);
//! assert!((decision.expected[0] - 0.45).abs() < 1e-15 && (decision.expected[1] - 0.595).abs() < 1e-15);
//! // A is never worse, whatever the losses, as long as recovery is the best that can happen.
//! assert!(treatments.never_worse_if_best(0, 1, 1)?);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # References
//! J. O. Berger, Statistical Decision Theory and Bayesian Analysis, 1985, chapters 1, 2, 5. H. Raiffa, R.
//! Schlaifer, Applied Statistical Decision Theory, 1961.

mod draws;
mod estimate;
mod game;
mod information;
mod linear_program;
mod prospects;
mod table;

pub use draws::{ComparedByDraws, compare_by_draws};
pub use estimate::{PointEstimate, PointLoss, binomial_risk, point_estimate};
pub use game::{Dominance, Minimax};
pub use prospects::{Indifference, Prospects};
pub use table::{LossTable, OptimalActions};
