//! `posterior cluster`: groups of rows.

mod answer;
mod artefacts;
mod data_input;
pub(crate) mod fit;
mod gaussian;
mod k_means;
mod report;
mod sampled;
mod text;
