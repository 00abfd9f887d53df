//! Markov decision processes with finitely many states: rewards that come after later decisions.
//!
//! In each state there are actions; an action gives a reward and leads to a next state with known
//! probabilities. The best values fulfil Bellman's equation v(s) = max over a of r(s, a) + γ Σ P(s' | s, a)
//! v(s'). A state without actions ends everything: it is worth 0.
//!
//! | you want | call |
//! |---|---|
//! | the best policy to machine precision, up to some thousand states | [`DecisionProcess::policy_iteration`] |
//! | the same for many states, to a tolerance that is certain | [`DecisionProcess::value_iteration`] |
//! | the best for a number of steps | [`DecisionProcess::finite_horizon`] |
//! | what a policy brings | [`DecisionProcess::values_of`] |
//! | how far some values are from the best at most | [`DecisionProcess::bounds`] |
//! | the same where transitions were only counted | [`ProcessCounts`] |
//!
//! # Example
//! A machine is new or old; it may be run or replaced.
//! ```
//! use posterior_decision::decision_process::{DecisionProcess, ProcessAction};
//!
//! let run = |reward, wear: f64| ProcessAction::new(reward, vec![(0, 1.0 - wear), (1, wear)]);
//! let process = DecisionProcess::new(vec![
//!     vec![run(10.0, 0.3)?],
//!     vec![run(4.0, 1.0)?, ProcessAction::new(-5.0, vec![(0, 1.0)])?],
//! ])?;
//! let best = process.policy_iteration(0.9)?;
//! assert_eq!(best.policy, [Some(0), Some(1)]);
//! // v(new) = (10 - 0.27 · 5) / (1 - 0.63 - 0.27 · 0.9), v(old) = -5 + 0.9 v(new).
//! assert!((best.values[0] - 8.65 / 0.127).abs() < 1e-10);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # References
//! R. Howard, Dynamic programming and Markov processes, 1960; J. MacQueen, A modified dynamic programming
//! method for Markovian decision problems, J. Math. Anal. Appl. 14 (1966); M. Puterman, Markov decision
//! processes, 1994; D. Bertsekas, J. Tsitsiklis, An analysis of stochastic shortest path problems, Math.
//! Oper. Res. 16 (1991).

mod counts;
mod horizon;
mod process;
mod solution;

pub use counts::{ActionBelief, ProcessCounts, ProcessOutcome};
pub use horizon::FiniteHorizon;
pub use process::{DecisionProcess, ProcessAction};
pub use solution::SolvedProcess;
