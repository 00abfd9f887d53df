//! Engines of inference, and drivers of fits that need them.
//!
//! Every [`Engine`] plans first ([`Engine::plan`] tells what a query will cost, before a table is made), then
//! answers with [`Beliefs`]: marginals of all targets, the evidence and how far it can be trusted ([`LnZ`]),
//! and a report. What an engine cannot do, it does not implement: joint posteriors are [`JointEngine`], most
//! probable states [`MapEngine`].
//!
//! ```
//! use posterior_inference::{Engine, JunctionTree, Targets};
//! use posterior_pgm::{BayesianNetwork, Evidence, Table, Variables};
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
//! | approximate ones of large models | [`BeliefPropagation`], [`MeanField`] |
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
//! *Refuses:* Monte Carlo, which is `posterior-sampling`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod additive;
mod ascent;
mod assessment;
mod auto;
mod belief_propagation;
mod beliefs;
mod best_state;
pub mod bound;
mod budget;
mod conditioning;
mod conflict;
mod elimination;
pub mod em;
mod engine;
mod enumeration;
mod error;
mod explanation;
pub mod graph_cut;
mod impact;
mod influence;
mod jeffrey;
mod junction_tree;
mod k_best;
pub mod laplace;
pub mod learning;
mod mean_field;
mod relevant;
mod restarts;
mod sliced;
mod tree;
mod tree_reweighted;
mod variable_elimination;
pub mod variational;

pub use additive::Additive;
pub use assessment::{Assessment, Candidate, Exactness};
pub use auto::{Auto, AutoPlan, Fallback};
pub use belief_propagation::{BeliefPropagation, BeliefPropagationPlan, Damping, Schedule};
pub use beliefs::{Beliefs, BeliefsBuilder, LnZ, RunReport, Sampling};
pub use best_state::MarginalExplanation;
pub use budget::{Budget, Cost};
pub use conditioning::{Conditioning, ConditioningPlan};
pub use conflict::conflict;
pub use elimination::{OrderChoice, eliminate};
pub use engine::{Engine, FactorEngine, JointEngine, MapEngine, Targets};
pub use enumeration::{Enumeration, EnumerationPlan};
pub use error::Error;
pub use explanation::Explanation;
pub use impact::{Impact, Outcome, impact};
pub use influence::{Influence, influence};
pub use jeffrey::{Belief, JeffreyOptions, jeffrey};
pub use junction_tree::{JunctionTree, JunctionTreePlan, Propagation};
pub use mean_field::{Blocks, MeanField, MeanFieldPlan};
pub use relevant::{Need, Relevant, relevant};
pub use restarts::{BestOf, best_of};
pub use tree::{FactorTree, GaussianFactor, TreeMarginals, Valuation, Weights, pass_messages};
pub use tree_reweighted::{TreeReweighted, TreeReweightedPlan};
pub use variable_elimination::{VariableElimination, VariableEliminationPlan};
