//! `posterior regress`: what columns say about another one.

mod answer;
mod classes;
mod coding;
mod data_input;
pub(crate) mod fit;
mod generalized;
mod linear;
mod model;
mod network;
mod new_rows;
mod ordinal;
pub(crate) mod predict;
mod report;
mod standard;
mod text;
mod work;
