//! A study as it stands.

use posterior::decision::optimization::{Optimizer, Surrogate};

use super::history::History;
use super::study::Study;

/// A study as it stands.
pub(super) struct Standing {
    pub(super) source: String,
    pub(super) study: Study,
    pub(super) history: History,
    pub(super) optimizer: Optimizer,
    /// What is known once there is an outcome.
    pub(super) found: Option<Found>,
}

/// What the outcomes say; in units and direction of the study.
pub(super) struct Found {
    pub(super) surrogate: Surrogate,
    /// The best outcome: its trial, value and point.
    pub(super) best: (Option<u64>, f64, Vec<f64>),
    /// The best of the fitted function: its trial, mean, standard deviation and point.
    pub(super) recommended: (Option<u64>, f64, f64, Vec<f64>),
    /// Of each input.
    pub(super) importance: Vec<f64>,
}

/// The names of the columns of [`Standing::rows`].
pub(super) const HEADER: [&str; 4] = ["input", "of the best outcome", "of the best expected", "importance"];
