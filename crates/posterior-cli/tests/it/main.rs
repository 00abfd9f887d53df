//! The binary as its users meet it.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bad_input;
mod bandit;
mod calibration;
mod classify;
mod classify_more;
mod cluster;
mod contract;
mod crf;
mod data_show;
mod decide;
mod dist;
mod dist_fit;
mod effects;
mod families;
mod forecasts;
mod formula;
mod gallery;
mod gp;
mod help_examples;
mod hmm;
mod levels;
mod mcmc;
mod model;
mod net;
mod net_draws;
mod optimize;
mod options;
mod outputs;
mod pca;
mod program;
mod regress;
mod regress_more;
mod resume;
mod saved_models;
mod sequence;
mod series;
mod series_likelihoods;
mod signals;
mod tables;
mod text;
mod topics;
mod walkthroughs;
