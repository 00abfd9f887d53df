//! `posterior hmm`: the states behind sequences.

mod answer;
pub(crate) mod apply;
pub(crate) mod fit;
mod kind;
mod observations;
mod report;
mod text;
