//! Topic models of counts of words, and what is asked of them: what `python/posterior_rs/topics` calls.

mod fits;
mod known;
mod model;
mod quality;

pub(crate) use fits::{dynamic_fit, hdp_fit, structural_fit};
pub(crate) use model::TopicFit;
