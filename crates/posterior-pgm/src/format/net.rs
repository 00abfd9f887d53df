//! NET, the format of Hugin: networks of discrete variables, read only.
//!
//! ```text
//! net { }
//! node rain { states = ("no" "yes"); }
//! node grass { states = ("dry" "wet"); }
//! potential (rain) { data = (0.8 0.2); }
//! potential (grass | rain) { data = ((0.9 0.1) (0.05 0.95)); }
//! ```
//!
//! - `data` has **the child fastest, then the last parent**; how its parentheses nest does not matter. A
//!   potential without data says that all states are equally probable.
//! - Comments go from `%` to the end of the line. Nodes and potentials come in any order, in a `class` or
//!   not.
//! - Other attributes, such as labels and positions, are kept as properties.
//!
//! *Refuses:* continuous, decision, utility and function nodes, instances of classes, tables given by a
//! `model_data`.

mod reader;

pub use reader::read;
