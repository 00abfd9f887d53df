//! Graphs of probabilistic models: independence, triangulation, junction trees. There is no floating-point
//! number in this crate.
//!
//! A graph says which variables are independent, whatever the numbers are. The student of Koller and Friedman
//! (2009, figure 3.3): the difficulty of a course and the intelligence of a student are independent, until
//! the grade is known.
//!
//! ```
//! use posterior_graph::Dag;
//!
//! let student = Dag::named(
//!     ["Difficulty", "Intelligence", "Grade", "SAT", "Letter"],
//!     [
//!         ("Difficulty", "Grade"),
//!         ("Intelligence", "Grade"),
//!         ("Intelligence", "SAT"),
//!         ("Grade", "Letter"),
//!     ],
//! )?;
//! let id = |name| student.names().require(name);
//! let (difficulty, intelligence) = ([id("Difficulty")?], [id("Intelligence")?]);
//!
//! assert!(student.separation(&difficulty, &intelligence, &[])?.is_separated());
//! let answer = student.separation(&difficulty, &intelligence, &[id("Grade")?])?;
//! let path = answer.path().expect("they are dependent now");
//! assert_eq!(path.to_string(), "Difficulty -> Grade <- Intelligence (Grade is observed)");
//!
//! // A query for the difficulty that knows the intelligence needs neither the SAT nor its table.
//! let needed = student.requisite(&difficulty, &[id("Intelligence")?, id("Grade")?, id("SAT")?])?;
//! assert_eq!(needed.observations, [id("Intelligence")?, id("Grade")?]);
//! # Ok::<(), posterior_graph::Error>(())
//! ```
//!
//! Variables are dense ids ([`VarId`]) with [`Names`]; every answer comes in the order of the ids, and
//! depends on nothing but the graph.
//!
//! | what | where |
//! |---|---|
//! | Bayesian networks, Markov random fields, factor graphs | [`Dag`], [`UnGraph`], [`FactorGraph`] |
//! | who is independent of whom, and a path if not | [`Dag::separation`], [`UnGraph::separation`], [`ActivePath`] |
//! | what a query needs | [`Dag::requisite`], [`Dag::barren`], [`Dag::d_connected_to`] |
//! | Markov blankets and properties | [`Dag::markov_blanket`], [`Dag::local_independencies`], [`UnGraph::pairwise_independencies`] |
//! | all independencies; perfect maps | [`Dag::independencies`], [`Independence`], [`MapCheck`] |
//! | graphs that say the same | [`Dag::is_equivalent`], [`Dag::essential_graph`], [`Dag::immoralities`] |
//! | one kind into another, with what is lost | [`Dag::to_un_graph`], [`UnGraph::to_dag`], [`Dag::to_factor_graph`], [`Conversion`] |
//! | cliques | [`UnGraph::maximal_cliques`] |
//! | order, width, cost of exact inference | [`best_order`], [`greedy_order`], [`triangulate`], [`CliqueTree`] |
//! | chordal graphs, holes, treewidth | [`chordality`](fn@chordality), [`treewidth`](fn@treewidth), [`max_cardinality_order`] |
//! | parts and kinds of graphs | [`Dag::ancestral_graph`], [`UnGraph::induced`], [`UnGraph::components`], [`Dag::is_polytree`] |
//! | a model drawn once and copied | [`Plates`] |
//! | all graphs over few variables | [`Dag::all_over`], [`UnGraph::all_over`] |
//! | pictures for Graphviz | [`Dag::to_dot`], [`Drawing`] |
//!
//! *Not here:* probabilities, and algorithms that need them: see `posterior-pgm` and `posterior-inference`.

mod adjacency;
mod ancestry;
mod cells;
mod chordality;
mod clique_tree;
mod cliques;
mod components;
mod conversion;
mod dag;
mod dot;
mod elimination_order;
mod enumeration;
mod equivalence;
mod error;
mod factor_graph;
mod greedy_order;
mod independence;
mod markov;
mod marks;
mod moral;
mod names;
mod order_search;
mod plates;
mod primal;
mod separation;
mod subgraph;
mod treewidth;
mod triangulation;
mod un_graph;
mod var_id;
mod var_lists;

pub use chordality::{Chordality, chordality, is_perfect, max_cardinality_order};
pub use clique_tree::{CliqueTree, RootedCliqueTree, TreeCells};
pub use cliques::MaximalCliques;
pub use conversion::Conversion;
pub use dag::Dag;
pub use dot::Drawing;
pub use elimination_order::EliminationOrder;
pub use equivalence::EssentialGraph;
pub use error::Error;
pub use factor_graph::FactorGraph;
pub use greedy_order::{GreedyOptions, Heuristic, Ties, greedy_order};
pub use independence::{Independence, MapCheck};
pub use moral::Immorality;
pub use names::Names;
pub use order_search::{BestOrder, SearchOptions, best_order};
pub use plates::{Mark, Plate, PlateVariable, Plates, Unrolled};
pub use separation::{ActivePath, Collider, Link, Requisite, Separation};
pub use treewidth::{ExactTreewidth, treewidth};
pub use triangulation::{Triangulation, triangulate};
pub use un_graph::UnGraph;
pub use var_id::VarId;
