//! `posterior pca`: the few numbers behind many.

mod artefacts;
mod data_input;
pub(crate) mod fit;
mod method;
mod report;
