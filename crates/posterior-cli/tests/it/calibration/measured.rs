//! What is counted, and how far it is from what was stated.

use rayon::prelude::*;
use serde_json::Value;

use super::simulation::Simulation;

/// Counts of one data set: sums over its intervals or its events.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counted {
    /// What was stated: levels of intervals, or probabilities.
    pub(super) stated: f64,
    /// What happened: intervals that hold the truth, or events.
    pub(super) found: f64,
    /// How many there were.
    pub(super) of: f64,
}

impl Counted {
    /// One interval at 90 %.
    pub(super) fn interval([low, high]: [f64; 2], truth: f64) -> Self {
        Self { stated: 0.9, found: f64::from(u8::from((low..=high).contains(&truth))), of: 1.0 }
    }

    /// An event of stated probability.
    pub(super) fn event(probability: f64, happened: bool) -> Self {
        Self { stated: probability, found: f64::from(u8::from(happened)), of: 1.0 }
    }

    /// What a saved model's scores say of the intervals of new rows.
    pub(super) fn scores(answer: &Value, coverage: &str, level: f64) -> Self {
        let scores = &answer["scores"];
        let of = scores["rows"].as_f64().unwrap();
        Self { stated: level * of, found: scores[coverage].as_f64().unwrap() * of, of }
    }

    pub(super) fn sum(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), |a, b| Self {
            stated: a.stated + b.stated,
            found: a.found + b.found,
            of: a.of + b.of,
        })
    }
}

/// Means over all data sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    pub(super) stated: f64,
    pub(super) found: f64,
    /// The standard error of their difference, by the differences between data sets.
    pub(super) error: f64,
    pub(super) sets: u64,
}

impl Measured {
    fn of(sets: &[Counted]) -> Self {
        let all = Counted::sum(sets.iter().copied());
        let (stated, found) = (all.stated / all.of, all.found / all.of);
        let residual = |own: &Counted| own.found - own.stated - (found - stated) * own.of;
        let squares: f64 = sets.iter().map(|own| residual(own).powi(2)).sum();
        let (n, floor) = (sets.len() as f64, (stated * (1.0 - stated)).max(0.0) / all.of);
        // All data sets alike, as where each interval holds: no less than the error of independent events.
        let error = (squares * n / (n - 1.0)).sqrt().max(floor.sqrt() * all.of) / all.of;
        Self { stated, found, error, sets: sets.len() as u64 }
    }

    /// How many standard errors the difference is beyond the tolerance, which is relative for rare events.
    pub(super) fn excess(&self, tolerance: f64) -> f64 {
        let allowed = tolerance * self.stated.max(0.05);
        ((self.found - self.stated).abs() - allowed).max(0.0) / self.error
    }
}

/// Draws a data set, runs the program on it, and counts.
type Simulate = Box<dyn Fn(&mut Simulation) -> Counted + Sync + Send>;

/// A way of making data, and what the program states about them.
pub(super) struct Scenario {
    pub(super) area: &'static str,
    /// What is stated: "the slope", "a new outcome".
    pub(super) what: &'static str,
    /// The data.
    pub(super) on: String,
    /// What the program says of itself that makes intervals too short, in a word: the page shows what that
    /// costs.
    pub(super) admitted: Option<&'static str>,
    /// A data set takes seconds: the page has it, and the weekly tests.
    pub(super) is_slow: bool,
    pub(super) simulate: Simulate,
}

impl Scenario {
    pub(super) fn new(
        area: &'static str,
        what: &'static str,
        on: impl Into<String>,
        simulate: impl Fn(&mut Simulation) -> Counted + Sync + Send + 'static,
    ) -> Self {
        Self { area, what, on: on.into(), admitted: None, is_slow: false, simulate: Box::new(simulate) }
    }

    /// The program says that it takes fitted parameters as known.
    pub(super) fn parameters_known(self) -> Self {
        Self { admitted: Some("known"), ..self }
    }

    /// The program says that intervals are those of an approximation, and too short.
    pub(super) fn approximated(self) -> Self {
        Self { admitted: Some("approximated"), ..self }
    }

    /// A data set takes seconds.
    pub(super) fn slow(self) -> Self {
        Self { is_slow: true, ..self }
    }

    /// So many data sets, each by a seed of its own.
    pub(super) fn measure(&self, sets: u64) -> Measured {
        let one = |seed: u64| (self.simulate)(&mut Simulation::new(seed));
        Measured::of(&(0..sets).into_par_iter().map(one).collect::<Vec<_>>())
    }
}
