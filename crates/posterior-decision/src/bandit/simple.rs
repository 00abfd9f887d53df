//! The textbook's baselines.

mod epsilon_greedy;
mod explore_then_commit;
mod successive_elimination;

pub use epsilon_greedy::{EpsilonGreedy, Exploration};
pub use explore_then_commit::ExploreThenCommit;
pub use successive_elimination::SuccessiveElimination;
