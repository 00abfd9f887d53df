//! Bandits: which arm to play next, when only the arm that is played shows its reward.
//!
//! | policy | plays | text |
//! |---|---|---|
//! | [`MeanPlusSd`] | posterior mean plus c standard deviations | `ucb-sd:C` |
//! | [`Ucb1`], [`Ucb1Tuned`], [`UcbV`], [`Moss`] | the largest mean that Hoeffding, or the variance, leaves open | `ucb1`, `ucb1-tuned`, `ucb-v`, `moss` |
//! | [`KlUcb`] | the same by the divergence of coins: Lai and Robbins' constant | `kl-ucb` |
//! | [`BayesUcb`] | the largest upper quantile of the posterior | `bayes-ucb` |
//! | [`Thompson`] | an arm as often as it is probably best | `thompson` |
//! | [`Gittins`] | what is best for discounted rewards, exactly | `gittins:DISCOUNT` |
//! | [`EpsilonGreedy`], [`ExploreThenCommit`], [`SuccessiveElimination`] | the textbook's baselines | `epsilon-greedy:E`, `explore-then-commit:M`, `successive-elimination:DELTA` |
//! | [`Exp3`], [`Exp3Ix`] | for rewards that an adversary picks | `exp3:GAMMA`, `exp3-ix:ETA` |
//! | [`DiscountedUcb`], [`SlidingWindowUcb`] | for rewards that change | `discounted-ucb:G`, `sliding-window-ucb:W` |
//!
//! A [`Policy`] is a value; its [`Agent`] plays one game. [`advise`] replays a [`History`] and says which arm
//! is next and why; [`simulate`] plays policies against each other on the same luck, and [`theory`] holds
//! what can be said beforehand.
//!
//! ```
//! use posterior_decision::bandit::{History, Ucb1, advise};
//! use posterior_dist::stream::stream;
//!
//! let mut history = History::new(2)?;
//! for reward in [1.0, 0.0, 1.0] {
//!     history.push(0, reward)?;
//! }
//! history.push(1, 0.0)?;
//! let advice = advise(&Ucb1::default(), &history, &mut stream(0, &[]))?;
//! // 2/3 + √(2 ln 4/3) against 0 + √(2 ln 4).
//! assert_eq!(advice.choice, 1);
//! assert!((advice.reasons[1].index - 1.6651092223153954).abs() < 1e-15);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! # How regret is checked
//! For two arms of zeros and ones and 20 plays the expected regret of nine policies is known exactly, over
//! all that can happen; two implementations agree to ten digits, and 20,000 simulated games come within 2 %,
//! and for UCB1 and Thompson with 100 plays as well. In 10,000 plays KL-UCB and Thompson grow at the rate of
//! Lai and Robbins to within 40 %, and UCB1 stays below its bound.
//!
//! # References
//! T. Lattimore, C. Szepesvári, Bandit Algorithms, 2020.

mod arm;
mod bayesian;
mod belief;
mod changing;
mod exponential_weights;
mod history;
mod index_rule;
mod policy;
mod rewards;
mod scaled;
mod simple;
mod simulation;
mod text;
pub mod theory;
mod upper_confidence;

pub use arm::Arm;
pub use bayesian::{BayesUcb, Gittins, MeanPlusSd, Thompson, Width, gittins_index};
pub use belief::{ArmModel, Marginal};
pub use changing::{DiscountedUcb, SlidingWindowUcb};
pub use exponential_weights::{Exp3, Exp3Ix};
pub use history::{History, Play};
pub use index_rule::{IndexRule, Round};
pub use policy::{Advice, Agent, Policy, Reason, advise};
pub(crate) use policy::{largest, unit_reward};
pub(crate) use rewards::Rewards;
pub use scaled::Scaled;
pub use simple::{EpsilonGreedy, Exploration, ExploreThenCommit, SuccessiveElimination};
pub use simulation::{Curve, Environment, RewardDistribution, SimulatedGames, SimulationOptions, simulate};
pub use text::parse_policy;
pub use upper_confidence::{KlUcb, Moss, Ucb1, Ucb1Tuned, UcbV};
