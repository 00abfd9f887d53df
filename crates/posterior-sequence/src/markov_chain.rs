//! Markov chains learned from sequences of symbols.
//!
//! In a chain of order m the next symbol depends on the last m. [`TransitionCounts`] are all that sequences
//! say about one; [`MarkovChain`] is the chain with known probabilities, by maximum likelihood
//! ([`MarkovChain::from_counts`]) or drawn from, or averaged over, the posterior ([`MarkovPosterior`]).
//! [`compare_orders`] says how long the memory is.
//!
//! Stationary distributions, mixing and hitting times are those of
//! [`posterior_sampling::markov_chain::TransitionMatrix`], which [`MarkovChain::transition_matrix`] makes.
//!
//! ```
//! use posterior_sequence::markov_chain::{MarkovChain, MarkovPrior, TransitionCounts};
//!
//! // Dry and wet days.
//! let days = [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0];
//! let counts = TransitionCounts::of(2, 1, &[days])?;
//! assert_eq!(counts.row(1), [2, 1]);
//! let chain = MarkovChain::from_counts(&counts)?;
//! assert_eq!(chain.probability(&[1], 0), 2.0 / 3.0);
//!
//! // With a uniform prior on the probabilities.
//! let posterior = MarkovPrior::symmetric(2, 1.0)?.posterior(&counts)?;
//! assert_eq!(posterior.predictive()?.probability(&[1], 0), 3.0 / 5.0);
//! # Ok::<(), posterior_sequence::Error>(())
//! ```
//!
//! # References
//! P. Billingsley, Statistical methods in Markov chains, Annals of Mathematical Statistics 32 (1961). D. J.
//! C. MacKay and L. C. Bauman Peto, A hierarchical Dirichlet language model, Natural Language Engineering 1
//! (1995).

mod contexts;
mod counts;
mod long_run;
mod model;
mod order;
mod posterior;

pub use counts::TransitionCounts;
pub use model::MarkovChain;
pub use order::{OrderComparison, OrderScore, OrderTest, compare_orders};
pub use posterior::{MarkovPosterior, MarkovPrior};
