//! `posterior classify`: classes of texts and rows by naive Bayes and logistic regression.

mod answer;
mod bayes;
mod calibration;
mod data_input;
mod features;
pub(crate) mod fit;
mod labels;
mod logistic;
mod model;
mod model_file;
pub(crate) mod predict;
mod recipe;
mod reliability;
mod report;
mod scores;
mod telling;
pub(crate) mod update;
