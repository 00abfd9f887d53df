//! `posterior hmm`: the states behind sequences.

mod answer;
pub(crate) mod apply;
mod chain;
mod families;
pub(crate) mod fit;
mod kind;
mod labels;
mod learned;
mod learning;
mod observations;
mod report;
mod said;
mod segments;
mod sticky;
mod text;
mod windows;
