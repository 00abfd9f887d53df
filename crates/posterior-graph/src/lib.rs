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
mod cells;
mod chordality;
mod components;
mod dag;
mod elimination_order;
mod enumeration;
mod error;
mod factor_graph;
mod greedy_order;
mod junction_tree;
mod marks;
mod moral;
mod names;
mod order_search;
mod primal;
mod separation;
mod subgraph;
mod treewidth;
mod triangulation;
mod un_graph;
mod var_id;
mod var_lists;

pub use chordality::{Chordality, chordality, is_perfect, max_cardinality_order};
pub use dag::Dag;
pub use elimination_order::EliminationOrder;
pub use error::Error;
pub use factor_graph::FactorGraph;
pub use greedy_order::{GreedyOptions, Heuristic, Ties, greedy_order};
pub use junction_tree::{JunctionTree, Schedule, TreeCells};
pub use moral::Immorality;
pub use names::Names;
pub use order_search::{BestOrder, SearchOptions, best_order};
pub use separation::{ActivePath, Collider, Link, Requisite, Separation};
pub use treewidth::{ExactTreewidth, treewidth};
pub use triangulation::{Triangulation, triangulate};
pub use un_graph::UnGraph;
pub use var_id::VarId;
