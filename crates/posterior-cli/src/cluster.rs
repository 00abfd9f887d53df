//! `posterior cluster`: groups of rows.

mod answer;
mod artefacts;
pub(crate) mod fit;
mod gaussian;
mod k_means;
mod report;
mod sampled;
mod text;
