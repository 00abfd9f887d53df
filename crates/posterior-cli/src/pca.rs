//! `posterior pca`: the few numbers behind many.

mod data_input;
pub(crate) mod fit;
mod method;
mod report;
