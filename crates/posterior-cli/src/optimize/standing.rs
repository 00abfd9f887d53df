//! A study as it stands.

use posterior::decision::optimization::{Optimizer, Surrogate};

use super::history::History;
use super::outcome_bound::OutcomeBound;
use super::study::Study;

/// A study as it stands.
pub(super) struct Standing {
    pub(super) source: String,
    pub(super) study: Study,
    pub(super) history: History,
    pub(super) optimizer: Optimizer,
    pub(super) bounds: Vec<OutcomeBound>,
    /// What is known once there is an outcome that keeps all bounds.
    pub(super) found: Option<Found>,
}

impl Standing {
    /// Why there is nothing to settle on.
    pub(super) fn nothing(&self) -> &'static str {
        let values = self.optimizer.trials().iter().filter(|trial| trial.value().is_some()).count();
        match (values, self.optimizer.best()) {
            (0, _) => "no outcome yet",
            (_, None) => "no outcome keeps all bounds yet",
            (_, Some(_)) => "no point keeps all bounds, as far as is known: those that did were lucky",
        }
    }

    /// Of each outcome with a bound, how many trials kept it.
    pub(super) fn kept(&self) -> Vec<usize> {
        let trials = &self.history.trials;
        let kept = |(place, bound): (usize, &OutcomeBound)| {
            trials
                .iter()
                .filter_map(|own| own.constrained.get(place))
                .filter(|own| bound.is_kept(**own))
                .count()
        };
        self.bounds.iter().enumerate().map(kept).collect()
    }
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
