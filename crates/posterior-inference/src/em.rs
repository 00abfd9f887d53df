//! Expectation maximisation: fits of models with hidden variables, by turns of inference and of fitting to
//! what it expects.
//!
//! ln p(x | θ) = L(q, θ) + KL(q ‖ p(z | x, θ)), where the bound L = E_q ln p(x, z | θ) + H(q) is what EM
//! climbs: the **E step** makes the bound tight (q is the posterior of the hidden z), the **M step** raises
//! it by moving θ. Neither ever lowers ln p(x | θ) + ln p(θ), the objective.
//!
//! A [`Problem`] is what stays the same while the model moves: the data, the prior, the settings. Implement
//! its two steps, and every variant is there:
//!
//! | variant | what it needs | driver |
//! |---|---|---|
//! | EM, with a prior MAP-EM | [`Problem`] | [`expectation_maximization`] |
//! | generalised EM | an M step that only improves | [`expectation_maximization`] |
//! | hard EM (Viterbi training, k-means) | [`Classify`] | [`expectation_maximization`] of [`Hard`] |
//! | accelerated EM (SQUAREM) | [`Accelerate`] | [`accelerated_em`] |
//! | incremental EM | [`Batched`] | [`incremental_em`] |
//! | online EM, for large data | [`Batched`] | [`online_em`] |
//! | stochastic EM | [`Impute`] | [`stochastic_em`] |
//!
//! EM finds a local maximum or a saddle, depending on where it starts: components that start equal stay
//! equal. [`best_of`](crate::best_of) tries several starts. It creeps where much is hidden, so that a small
//! change of the objective does not mean that the maximum is near: [`accelerated_em`] is the remedy.
//!
//! # Example
//! Two coins, one of them drawn in secret (with probability λ the first) for every three tosses:
//! ```
//! use posterior_inference::em::{EmOptions, Expected, Problem, expectation_maximization};
//! use posterior_math::iteration::Silent;
//! use posterior_math::log_space::softmax_in_place;
//!
//! /// λ, and the probabilities of heads.
//! type Coins = (f64, [f64; 2]);
//!
//! struct Tosses {
//!     heads_of_three: Vec<f64>,
//! }
//!
//! impl Problem for Tosses {
//!     type Model = Coins;
//!     /// For each coin: how often it is expected to be drawn, and the heads expected of it.
//!     type Statistics = [(f64, f64); 2];
//!     type Error = std::convert::Infallible;
//!
//!     fn e_step(&self, &(first, heads): &Coins) -> Result<Expected<Self::Statistics>, Self::Error> {
//!         let (mut sums, mut ln_likelihood) = ([(0.0, 0.0); 2], 0.0);
//!         for &h in &self.heads_of_three {
//!             let joint = |prior: f64, p: f64| prior.ln() + h * p.ln() + (3.0 - h) * (1.0 - p).ln();
//!             let mut proportions = [joint(first, heads[0]), joint(1.0 - first, heads[1])];
//!             ln_likelihood += softmax_in_place(&mut proportions);
//!             for (sum, proportion) in sums.iter_mut().zip(proportions) {
//!                 *sum = (sum.0 + proportion, sum.1 + proportion * h);
//!             }
//!         }
//!         Ok(Expected::new(sums, ln_likelihood))
//!     }
//!
//!     fn m_step(&self, &[a, b]: &Self::Statistics, _: &Coins) -> Result<Coins, Self::Error> {
//!         Ok((a.0 / (a.0 + b.0), [a.1 / (3.0 * a.0), b.1 / (3.0 * b.0)]))
//!     }
//! }
//!
//! let tosses = Tosses { heads_of_three: vec![3.0, 1.0, 1.0, 2.0, 1.0] };
//! let start = (0.3, [0.8, 0.5]);
//! let fitted = expectation_maximization(&tosses, start, &EmOptions::default(), &mut Silent)?;
//! assert!(fitted.report.falls.is_empty());
//! assert!((fitted.report.trace.last().unwrap() + 10.2804834).abs() < 1e-6);
//! # Ok::<(), std::convert::Infallible>(())
//! ```
//!
//! # References
//! A. Dempster, N. Laird, D. Rubin, Maximum likelihood from incomplete data via the EM algorithm, JRSS B
//! 39, 1977.

mod accelerated;
mod batches;
mod climb;
mod driver;
mod hard;
mod incremental;
mod online;
mod options;
mod problem;
mod stochastic;

pub use accelerated::{Accelerate, accelerated_em};
pub use batches::Batched;
pub use driver::expectation_maximization;
pub use hard::{Classify, Hard};
pub use incremental::incremental_em;
pub use online::{OnlineOptions, online_em};
pub use options::EmOptions;
pub use problem::{Expected, Problem};
pub use stochastic::{Impute, stochastic_em};
