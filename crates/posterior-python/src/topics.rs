//! Topic models of counts of words, and what is asked of them: what `python/posterior_rs/topics` calls.

mod features;
mod fits;
mod informed;
mod kernel;
mod known;
mod learned;
mod model;
mod quality;
mod special;

pub(crate) use features::{apply_features, learn_features};
pub(crate) use fits::{bigram_fit, document_mixture_fit, hdp_fit, pitman_yor_fit, plsa_fit, unigram_fit};
pub(crate) use informed::{
    dynamic_fit, kernel_fit, labelled_fit, structural_fit, supervised_fit, topic_regression_fit,
};
pub(crate) use model::TopicFit;
pub(crate) use special::{
    kernel_curves, label_proportions, predict_response, topic_constants, topic_labels, topic_parameters,
    words_after,
};
