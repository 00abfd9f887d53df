//! Decisions under uncertainty: expected loss, influence diagrams, bandits, Bayesian optimisation.
//!
//! ```
//! use posterior_decision::loss::LossTable;
//!
//! // An umbrella: two actions, to leave and to take it, in two states, dry and rain.
//! let losses = LossTable::from_rows(&[&[0.0, 10.0], &[3.0, 1.0]])?;
//! assert_eq!(losses.decide(&[0.9, 0.1])?.best, [0]);
//! assert_eq!(losses.decide(&[0.6, 0.4])?.best, [1]);
//! assert!((losses.value_of_perfect_information(&[0.6, 0.4])? - 1.8).abs() < 1e-14);
//! # Ok::<(), posterior_decision::Error>(())
//! ```
//!
//! | you have | look at |
//! |---|---|
//! | actions, outcomes and losses | [`loss`] |
//! | several decisions, with observations between them | [`influence_diagram`] |
//! | states, actions, and rewards that come after later decisions | [`decision_process`] |
//! | arms to try one at a time | [`bandit`] |
//! | arms with features | [`contextual`], with estimates of what another policy would have earned |
//! | candidates that come one after another | [`stopping`] |
//! | a number of trials to plan | [`concentration`] |
//! | a costly function to minimise | [`optimization`] |
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `rayon` | no | runs of a simulation on several threads |
//! | `serde` | no | histories, policies and optimisers as JSON and the like |

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bandit;
pub mod concentration;
pub mod contextual;
pub mod decision_process;
mod error;
pub mod influence_diagram;
pub mod loss;
pub mod optimization;
pub mod stopping;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {
    posterior_dist as dist, posterior_gp as gp, posterior_graph as graph, posterior_inference as inference,
    posterior_math as math, posterior_pgm as pgm, posterior_regression as regression,
    posterior_sampling as sampling,
};

pub use error::Error;
