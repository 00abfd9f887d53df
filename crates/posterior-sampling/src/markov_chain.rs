//! Markov chains on finitely many states: does the chain forget its start, where does it go, and how fast?
//!
//! The theory behind every sampler of this crate, small enough to be computed exactly. A [`TransitionMatrix`]
//! has the distribution of the next state in its rows, so that distributions are rows too and one step is p ↦
//! p T. Its methods answer, in this order:
//!
//! | question | answer |
//! |---|---|
//! | which states reach which? | [`classes`](TransitionMatrix::classes), [`check_irreducible`](TransitionMatrix::check_irreducible) |
//! | does the start fade? | [`check_ergodic`](TransitionMatrix::check_ergodic): irreducible and aperiodic, or [`NotErgodic`] says why not |
//! | into what? | [`stationary`](TransitionMatrix::stationary) |
//! | how fast? | [`spectral_gap`](TransitionMatrix::spectral_gap), [`mixing_time`](TransitionMatrix::mixing_time) |
//! | what are dependent draws worth? | [`integrated_autocorrelation_time`](TransitionMatrix::integrated_autocorrelation_time) |
//! | is it reversible? | [`detailed_balance_residual`](TransitionMatrix::detailed_balance_residual), [`irreversible_cycle`](TransitionMatrix::irreversible_cycle) |
//! | when does it arrive? | [`hitting_times`](TransitionMatrix::hitting_times), [`absorption`](TransitionMatrix::absorption) |
//!
//! A sampler on a small discrete space becomes such a matrix by enumerating its moves
//! ([`from_moves`](TransitionMatrix::from_moves), [`metropolis_hastings`], [`gibbs_update`]): whether it
//! leaves the target alone is then no question of statistics.
//!
//! ```
//! use posterior_sampling::markov_chain::TransitionMatrix;
//!
//! let weather = TransitionMatrix::from_rows(&[[0.9, 0.1], [0.2, 0.8]])?;
//! weather.check_ergodic()?;
//! let distribution = weather.stationary()?;
//! assert!((distribution[0] - 2.0 / 3.0).abs() < 1e-15);
//! assert!((weather.spectral_gap()? - 0.3).abs() < 1e-15);
//! // A draw of this chain is worth 3/17 of an independent one.
//! let rain = [0.0, 1.0];
//! assert!((weather.integrated_autocorrelation_time(&rain)? - 17.0 / 3.0).abs() < 1e-13);
//! # Ok::<(), posterior_sampling::Error>(())
//! ```
//!
//! # Numerics
//! Stationary distributions, hitting times and absorption are found by elimination without subtraction
//! (Grassmann, Taksar & Heyman 1985; O'Cinneide 1993): each number is right to a few n ε relative to itself,
//! also where the chain almost falls into pieces. Eigenvalues have absolute errors of a few n ε, so a
//! spectral gap below that has no digits; mixing times have. All matrices are dense: O(n²) numbers, O(n³)
//! time.
//!
//! # References
//! D. A. Levin, Y. Peres, E. L. Wilmer, Markov Chains and Mixing Times, 2017. W. K. Grassmann, M. I. Taksar,
//! D. P. Heyman, Regenerative analysis and steady state distributions for Markov chains, Operations Research
//! 33 (1985).

mod autocorrelation;
mod classes;
mod elimination;
mod ergodicity;
mod hitting;
mod kernels;
mod mixing;
mod path;
mod reversibility;
mod spectrum;
mod stationary;
mod transition_matrix;

pub use crate::error::NotErgodic;
pub use classes::Class;
pub use hitting::Absorption;
pub use kernels::{gibbs_update, metropolis_hastings};
pub use posterior_math::linalg::Eigenvalue;
pub use reversibility::IrreversibleCycle;
pub use transition_matrix::TransitionMatrix;
