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
mod cliques;
mod components;
mod dag;
mod dot;
mod elimination_order;
mod enumeration;
mod equivalence;
mod error;
mod factor_graph;
mod greedy_order;
mod independence;
mod junction_tree;
mod markov;
mod marks;
mod moral;
mod names;
mod order_search;
mod plates;
mod primal;
mod separation;
mod subgraph;
mod triangulation;
mod un_graph;
mod var_id;
mod var_lists;

pub use cliques::MaximalCliques;
pub use dag::Dag;
pub use dot::Drawing;
pub use elimination_order::EliminationOrder;
pub use equivalence::EssentialGraph;
pub use error::Error;
pub use factor_graph::FactorGraph;
pub use greedy_order::{GreedyOptions, Heuristic, Ties, greedy_order};
pub use independence::{Independence, MapCheck};
pub use junction_tree::{JunctionTree, Schedule, TreeCells};
pub use moral::Immorality;
pub use names::Names;
pub use order_search::{BestOrder, SearchOptions, best_order};
pub use plates::{Mark, Plate, PlateVariable, Plates, Unrolled};
pub use separation::{ActivePath, Collider, Link, Requisite, Separation};
pub use triangulation::{Triangulation, triangulate};
pub use un_graph::UnGraph;
pub use var_id::VarId;
