//! `posterior classify`: classes of texts and rows by naive Bayes.

mod answer;
mod classifier;
mod data_input;
pub(crate) mod fit;
mod model_file;
pub(crate) mod predict;
mod report;
mod scores;
