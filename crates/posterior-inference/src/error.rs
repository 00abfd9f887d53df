//! Why a query was refused.

use crate::{Budget, Cost};

/// Why a query was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something about the model or the evidence.
    #[error(transparent)]
    Model(#[from] posterior_pgm::Error),
    /// An option that can't be.
    #[error(transparent)]
    Parameter(#[from] posterior_math::check::ParamError),
    /// A graph cut that was refused.
    #[error(transparent)]
    GraphCut(#[from] crate::cut_error::Error),
    /// The evidence has probability zero: nothing can be said given it.
    #[error("the evidence is impossible: it has probability 0")]
    ImpossibleEvidence,
    /// A belief in a state of probability zero: no evidence makes it probable.
    #[error("{name:?} cannot be believed to be in state {state:?}, which has probability 0")]
    ImpossibleBelief {
        /// The variable.
        name: String,
        /// The state.
        state: String,
    },
    /// The query would need more memory than it may take. Nothing was allocated.
    #[error("this query needs {cost}, and may take {budget}; {alternatives}")]
    TooLarge {
        /// What it would take.
        cost: Cost,
        /// What it may take.
        budget: Budget,
        /// What to do instead.
        alternatives: &'static str,
    },
    /// The query would take too long. Nothing was computed.
    #[error(
        "this query needs about {operations:.1e} operations, and may take {limit:.1e}; \
         allow more, or ask an approximate engine"
    )]
    TooLong {
        /// What it would take.
        operations: u64,
        /// What it may take.
        limit: u64,
    },
    /// A variable that the query does not ask for, or that this engine has no answer about.
    #[error("{name:?} is not a target of this plan")]
    NotATarget {
        /// The variable.
        name: String,
    },
    /// A joint posterior that this engine can't tell.
    #[error("no joint posterior of {}: {reason}", .names.join(", "))]
    NoJoint {
        /// The variables.
        names: Vec<String>,
        /// Why not.
        reason: &'static str,
    },
    /// A loop, where only a forest will do.
    #[error("these factors form a loop: {}", .cycle.join(" - "))]
    Loop {
        /// The variables of the loop, the first one again at the end.
        cycle: Vec<String>,
    },
    /// A factor or variable for which a minimum cut is not the most probable state.
    #[error("no cut for {}: {reason}", .names.join(", "))]
    NoCut {
        /// The variables of the factor.
        names: Vec<String>,
        /// Why not.
        reason: &'static str,
    },
    /// No draw agrees with the evidence: it may be impossible, or only rare.
    #[error("none of {tried} draws agrees with the evidence: it is too rare, or impossible; {alternatives}")]
    NoDraw {
        /// How many were tried.
        tried: usize,
        /// What to do instead.
        alternatives: &'static str,
    },
    /// A chain found no joint state of positive probability to start from.
    #[error(
        "no joint state of positive probability before {tried} dead ends, though there may be one: \
         ask an exact engine, or likelihood weighting"
    )]
    NoStart {
        /// How many dead ends were met.
        tried: usize,
    },
    /// An engine for Bayesian networks was given a field.
    #[error("{engine} draws parents before children: it needs a Bayesian network")]
    NotDirected {
        /// The engine.
        engine: &'static str,
    },
    /// A plan that was made for another model.
    #[error("this plan is of another model: {reason}")]
    OtherModel {
        /// What does not fit.
        reason: &'static str,
    },
}

impl Error {
    /// Whether the evidence has probability zero.
    pub const fn is_impossible_evidence(&self) -> bool {
        matches!(self, Self::ImpossibleEvidence)
    }

    /// Whether the query was refused for the memory or the time that it would take.
    pub const fn is_too_large(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::TooLong { .. })
    }
}
