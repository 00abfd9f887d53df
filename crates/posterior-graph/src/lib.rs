//! Graphs of probabilistic models, and nothing but graphs: there is no floating-point number in this crate.
//!
//! Variables are dense ids ([`VarId`]) with [`Names`]; every answer comes in the order of the ids.
//!
//! ```
//! use posterior_graph::{Dag, VarId};
//!
//! let alarm = Dag::named(
//!     ["burglary", "earthquake", "alarm", "radio"],
//!     [("burglary", "alarm"), ("earthquake", "alarm"), ("earthquake", "radio")],
//! )?;
//! let parents = alarm.parents(VarId::new(2)).iter().map(|&v| alarm.names().get(v));
//! assert_eq!(parents.collect::<Vec<_>>(), ["burglary", "earthquake"]);
//! # Ok::<(), posterior_graph::Error>(())
//! ```
//!
//! *Refuses:* probabilities, and any algorithm that needs them.

mod adjacency;
mod ancestry;
mod components;
mod dag;
mod enumeration;
mod error;
mod factor_graph;
mod marks;
mod moral;
mod names;
mod separation;
mod subgraph;
mod un_graph;
mod var_id;

pub use dag::Dag;
pub use error::Error;
pub use factor_graph::FactorGraph;
pub use moral::Immorality;
pub use names::Names;
pub use separation::{ActivePath, Collider, Link, Requisite, Separation};
pub use un_graph::UnGraph;
pub use var_id::VarId;
