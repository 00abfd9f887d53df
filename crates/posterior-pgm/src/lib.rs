//! Discrete models on graphs: Bayesian networks, Markov random fields, their tables, evidence and files.
//!
//! | type | is |
//! |---|---|
//! | [`Variables`] | names and states of the variables of a model |
//! | [`Table`] | numbers for every joint state of some variables, over a [`Semiring`] |
//! | [`BayesianNetwork`] | p(x) = ∏ᵥ p(xᵥ \| parents of v) |
//! | [`NetworkBuilder`] | a Bayesian network row by row, by names |
//! | [`MarkovRandomField`] | p(x) ∝ ∏ₛ fₛ(xₛ) |
//! | [`Records`], [`FamilyCounts`], [`CptPosterior`] | data, their counts, and what they say of the conditional tables |
//! | [`LogLinear`] | p(x) ∝ exp(∑ₖ wₖ fₖ(x)), a field by features and weights |
//! | [`Evidence`] | what was seen: states, or likelihoods of states |
//! | [`bif`], `xmlbif`, [`net`], [`uai`] | the files of models; [`read_model`] tells them apart |
//!
//! Both models are a [`GraphicalModel`], which is what the engines of `posterior-inference` read.
//!
//! ```
//! use posterior_pgm::{BayesianNetwork, GraphicalModel, Table, Variables};
//!
//! let variables = Variables::new([("rain", ["no", "yes"]), ("grass", ["dry", "wet"])])?;
//! let [rain, grass] = [variables.require("rain")?, variables.require("grass")?];
//! let network = BayesianNetwork::new(
//!     variables,
//!     vec![
//!         Table::new(vec![rain], vec![2], vec![0.8, 0.2])?,
//!         Table::new(vec![rain, grass], vec![2, 2], vec![0.9, 0.1, 0.05, 0.95])?,
//!     ],
//! )?;
//! assert_eq!(network.factors().len(), 2);
//! # Ok::<(), posterior_pgm::Error>(())
//! ```
//!
//! *Not here:* inference, which is in `posterior-inference`.
//!
//! # Features
//! | feature | by default | gives |
//! |---|---|---|
//! | `xmlbif` | no | files in the format XMLBIF: `xmlbif`, and [`read_model`] of them |

mod bayesian_network;
mod error;
mod evidence;
mod format;
mod forward;
mod graphical_model;
mod information;
mod learning;
mod log_linear;
mod markov_random_field;
mod network_builder;
mod parse_error;
mod semiring;
mod table;
mod variables;

// Crates whose types stand in the signatures of this one: whoever adds it needs no other.
#[doc(no_inline)]
pub use {posterior_dist as dist, posterior_graph as graph, posterior_math as math};

pub use bayesian_network::{BayesianNetwork, Renormalized};
pub use error::Error;
pub use evidence::{Evidence, Finding};
#[cfg(feature = "xmlbif")]
pub use format::xmlbif;
pub use format::{Model, ModelFile, NetworkFile, Properties, bif, net, read_model, read_model_from, uai};
pub use graphical_model::GraphicalModel;
pub use learning::{CptPosterior, CptPrior, FamilyCounts, Records, Unseen, Weighted};
pub use log_linear::LogLinear;
pub use markov_random_field::MarkovRandomField;
pub use network_builder::NetworkBuilder;
pub use parse_error::{Format, ParseError};
pub use semiring::{
    Counting, ExpectationSemiring, LogSumProduct, MaxProduct, MaxSum, MinSum, Semiring, SumProduct,
};
pub use table::{Contraction, Table};
pub use variables::Variables;

pub use posterior_graph::VarId;
