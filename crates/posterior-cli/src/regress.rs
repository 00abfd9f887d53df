//! `posterior regress`: what columns say about another one.

mod answer;
mod changes;
mod checks;
mod classes;
pub(crate) mod coding;
mod data_input;
mod effects;
mod errors;
pub(crate) mod fit;
mod generalized;
mod linear;
mod model;
mod naming;
mod network;
mod new_rows;
mod ordinal;
mod own_rows;
mod penalty_path;
mod points;
pub(crate) mod predict;
mod report;
mod sparse;
mod standard;
mod text;
mod work;
