//! Inference in discrete graphical models, exact and approximate, and drivers of EM and variational fits.
//!
//! Every [`Engine`] plans first ([`Engine::plan`] estimates the cost of a query before a table is made), then
//! answers with [`Beliefs`]: marginals of all targets, the evidence and how far it can be trusted ([`LnZ`]),
//! and a report. What an engine cannot do, it does not implement: joint posteriors are [`JointEngine`], most
//! probable states [`MapEngine`].
//!
//! ```
//! use posterior_inference::{Engine, JunctionTree, Targets};
//! use posterior_inference::pgm::{BayesianNetwork, Evidence, Table, Variables};
//!
//! // The grass is wet. Did it rain?
//! let variables = Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])])?;
//! let [rain, grass] = [variables.require("rain")?, variables.require("grass")?];
//! let network = BayesianNetwork::new(
//!     variables,
//!     vec![
//!         Table::new(vec![rain], vec![2], vec![0.8, 0.2])?,
//!         Table::new(vec![rain, grass], vec![2, 2], vec![0.9, 0.1, 0.05, 0.95])?,
//!     ],
//! )?;
//! let beliefs = JunctionTree::default().query(&network, &Targets::All, &Evidence::of([(grass, 1)]))?;
//! assert!((beliefs.marginal(rain).unwrap()[1] - 0.19 / 0.27).abs() < 1e-15);
//! assert!((beliefs.ln_z().value() - 0.27_f64.ln()).abs() < 1e-15);
//! # Ok::<(), posterior_inference::Error>(())
//! ```
//!
//! | question | answer |
//! |---|---|
//! | what will this query take, and which engine is best? | [`Auto::assess`]; [`Auto`] then runs it |
//! | posteriors of a few variables, or of a set together | [`VariableElimination`] |
//! | posteriors of all variables, again and again | [`JunctionTree`], [`Propagation`] |
//! | exact posteriors with little memory | [`Conditioning`] |
//! | approximate ones of large models | [`JoinGraph`], [`BeliefPropagation`], [`MeanField`] |
//! | bounds on ln Z | [`JoinGraph`], [`TreeReweighted`], [`MeanField`] |
//! | the most probable states, of all variables or some; the k best | [`MapEngine`], [`VariableElimination::most_probable_of`], [`VariableElimination::k_best`] |
//! | what should I find out next? | [`impact`] |
//! | "I am 70 % sure that ..." | [`jeffrey`] |
//! | what a query does not need | [`relevant`] |
//! | sums over any semiring: counts, energies | [`eliminate`] |
//!
//! The modes of fields whose neighbours rather agree are minimum cuts: [`graph_cut`].
//!
//! Drivers of iterative fits, for models of every crate: [`em`] (EM and its variants), [`variational`]
//! (coordinate ascent), [`laplace`] (a Gaussian at the mode), [`best_of`] (several starts), and [`bound`],
//! the identity that the first two rest on.
//!
//! *Not here:* Monte Carlo methods, which are in `posterior-sampling`.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `networks` | yes | the engines on networks and fields; without it, the drivers of fits only |
//! | `linalg` | no | what takes matrices: [`laplace`], and [`GaussianFactor`] on trees |
//! | `rayon` | no | independent subtrees of junction trees on several threads |

#![cfg_attr(docsrs, feature(doc_cfg))]

mod additive;
mod ascent;
#[cfg(feature = "networks")]
mod assessment;
#[cfg(feature = "networks")]
mod auto;
#[cfg(feature = "networks")]
mod belief_propagation;
#[cfg(feature = "networks")]
mod beliefs;
#[cfg(feature = "networks")]
mod best_state;
pub mod bound;
#[cfg(feature = "networks")]
mod budget;
#[cfg(feature = "networks")]
mod conditioning;
#[cfg(feature = "networks")]
mod conflict;
#[cfg(feature = "networks")]
mod cut_error;
#[cfg(feature = "networks")]
mod elimination;
pub mod em;
#[cfg(feature = "networks")]
mod engine;
#[cfg(feature = "networks")]
mod enumeration;
#[cfg(feature = "networks")]
mod error;
#[cfg(feature = "networks")]
mod explanation;
#[cfg(feature = "networks")]
pub mod graph_cut;
#[cfg(feature = "networks")]
mod impact;
#[cfg(feature = "networks")]
mod influence;
#[cfg(feature = "networks")]
mod jeffrey;
#[cfg(feature = "networks")]
mod join_graph;
#[cfg(feature = "networks")]
mod junction_tree;
#[cfg(feature = "networks")]
mod k_best;
#[cfg(feature = "linalg")]
pub mod laplace;
#[cfg(feature = "networks")]
pub mod learning;
#[cfg(feature = "networks")]
mod mean_field;
#[cfg(feature = "networks")]
mod relevant;
mod restarts;
#[cfg(feature = "networks")]
mod sliced;
#[cfg(feature = "networks")]
mod tree;
#[cfg(feature = "networks")]
mod tree_reweighted;
#[cfg(feature = "networks")]
mod variable_elimination;
pub mod variational;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[cfg(feature = "linalg")]
#[doc(no_inline)]
pub use posterior_gaussian as gaussian;
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_math as math};
#[cfg(feature = "networks")]
#[doc(no_inline)]
pub use {posterior_graph as graph, posterior_pgm as pgm};

pub use additive::Additive;
#[cfg(feature = "networks")]
pub use assessment::{Assessment, EngineCost, Exactness};
#[cfg(feature = "networks")]
pub use auto::{Auto, AutoPlan, Fallback};
#[cfg(feature = "networks")]
pub use belief_propagation::{BeliefPropagation, Damping, Schedule};
#[cfg(feature = "networks")]
pub use beliefs::{Beliefs, BeliefsBuilder, LnZ, RunReport, Sampling};
#[cfg(feature = "networks")]
pub use best_state::MarginalExplanation;
#[cfg(feature = "networks")]
pub use budget::{Budget, Cost};
#[cfg(feature = "networks")]
pub use conditioning::{Conditioning, ConditioningPlan};
#[cfg(feature = "networks")]
pub use conflict::conflict;
#[cfg(feature = "networks")]
pub use elimination::{OrderChoice, eliminate};
#[cfg(feature = "networks")]
pub use engine::{Engine, FactorEngine, JointEngine, MapEngine, QueryPlan, Targets};
#[cfg(feature = "networks")]
pub use enumeration::Enumeration;
#[cfg(feature = "networks")]
pub use error::Error;
#[cfg(feature = "networks")]
pub use explanation::Explanation;
#[cfg(feature = "networks")]
pub use impact::{Impact, ImpactOutcome, impact};
#[cfg(feature = "networks")]
pub use influence::{Influence, influence};
#[cfg(feature = "networks")]
pub use jeffrey::{Belief, JeffreyOptions, jeffrey};
#[cfg(feature = "networks")]
pub use join_graph::JoinGraph;
#[cfg(feature = "networks")]
pub use junction_tree::{JunctionTree, JunctionTreePlan, Propagation};
#[cfg(feature = "networks")]
pub use mean_field::{DependentBlocks, MeanField};
#[cfg(feature = "networks")]
pub use relevant::{Need, Relevant, relevant};
pub use restarts::{BestOf, best_of, best_of_short_runs};
#[cfg(all(feature = "linalg", feature = "networks"))]
pub use tree::GaussianFactor;
#[cfg(feature = "networks")]
pub use tree::{FactorTree, TreeMarginals, Valuation, Weights, pass_messages};
#[cfg(feature = "networks")]
pub use tree_reweighted::TreeReweighted;
#[cfg(feature = "networks")]
pub use variable_elimination::VariableElimination;
