//! What was tried.

/// What came out of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TrialOutcome {
    /// A value.
    Value(f64),
    /// Nothing: the run broke off.
    Failed,
}

/// A point and what came out there.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trial {
    /// The point.
    pub point: Vec<f64>,
    /// What came out.
    pub outcome: TrialOutcome,
    /// The outcomes with a bound, in the order of the constraints; none of a trial that failed.
    #[cfg_attr(feature = "serde", serde(default))]
    pub constrained: Vec<f64>,
}

impl Trial {
    /// The value, if there is one.
    pub const fn value(&self) -> Option<f64> {
        match self.outcome {
            TrialOutcome::Value(value) => Some(value),
            TrialOutcome::Failed => None,
        }
    }
}

/// A point to settle on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Recommendation {
    /// The point, one that was tried.
    pub point: Vec<f64>,
    /// The posterior mean of the function there.
    pub mean: f64,
    /// Its posterior standard deviation.
    pub sd: f64,
}
