//! Why a query was refused.

use std::fmt;

use crate::{Budget, Cost};

/// Why a query was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Something about the model or the evidence.
    Model(posterior_pgm::Error),
    /// An option that can't be.
    Parameter(posterior_math::check::ParamError),
    /// A graph cut that was refused.
    GraphCut(crate::cut_error::Error),
    /// The evidence has probability zero: nothing can be said given it.
    ImpossibleEvidence,
    /// A belief in a state of probability zero: no evidence makes it probable.
    ImpossibleBelief {
        /// The variable.
        name: String,
        /// The state.
        state: String,
    },
    /// The query would need more memory than it may take. Nothing was allocated.
    TooLarge {
        /// What it would take.
        cost: Cost,
        /// What it may take.
        budget: Budget,
        /// What to do instead.
        alternatives: &'static str,
    },
    /// The query would take too long. Nothing was computed.
    TooLong {
        /// What it would take.
        operations: u64,
        /// What it may take.
        limit: u64,
    },
    /// A variable that the query does not ask for, or that this engine has no answer about.
    NotATarget {
        /// The variable.
        name: String,
    },
    /// A joint posterior that this engine can't tell.
    NoJoint {
        /// The variables.
        names: Vec<String>,
        /// Why not.
        reason: &'static str,
    },
    /// A loop, where only a forest will do.
    Loop {
        /// The variables of the loop, the first one again at the end.
        cycle: Vec<String>,
    },
    /// A factor or variable for which a minimum cut is not the most probable state.
    NoCut {
        /// The variables of the factor.
        names: Vec<String>,
        /// Why not.
        reason: &'static str,
    },
    /// No draw agrees with the evidence: it may be impossible, or only rare.
    NoDraw {
        /// How many were tried.
        tried: usize,
        /// What to do instead.
        alternatives: &'static str,
    },
    /// A chain found no joint state of positive probability to start from.
    NoStart {
        /// How many dead ends were met.
        tried: usize,
    },
    /// An engine for Bayesian networks was given a field.
    NotDirected {
        /// The engine.
        engine: &'static str,
    },
    /// A plan that was made for another model.
    OtherModel {
        /// What does not fit.
        reason: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::Parameter(error) => error.fmt(f),
            Self::GraphCut(error) => error.fmt(f),
            Self::ImpossibleEvidence => f.write_str("the evidence is impossible: it has probability 0"),
            Self::ImpossibleBelief { name, state } => {
                write!(f, "{name:?} cannot be believed to be in state {state:?}, which has probability 0")
            }
            Self::TooLarge { cost, budget, alternatives } => {
                write!(f, "this query needs {cost}, and may take {budget}; {alternatives}")
            }
            Self::TooLong { operations, limit } => write!(
                f,
                "this query needs about {operations:.1e} operations, and may take {limit:.1e}; \
                 allow more, or ask an approximate engine"
            ),
            Self::NotATarget { name } => write!(f, "{name:?} is not a target of this plan"),
            Self::NoJoint { names, reason } => {
                write!(f, "no joint posterior of {}: {reason}", names.join(", "))
            }
            Self::Loop { cycle } => write!(f, "these factors form a loop: {}", cycle.join(" - ")),
            Self::NoCut { names, reason } => write!(f, "no cut for {}: {reason}", names.join(", ")),
            Self::NoDraw { tried, alternatives } => write!(
                f,
                "none of {tried} draws agrees with the evidence: it is too rare, or impossible; {alternatives}"
            ),
            Self::NoStart { tried } => write!(
                f,
                "no joint state of positive probability before {tried} dead ends, though there may be one: \
                 ask an exact engine, or likelihood weighting"
            ),
            Self::NotDirected { engine } => {
                write!(f, "{engine} draws parents before children: it needs a Bayesian network")
            }
            Self::OtherModel { reason } => write!(f, "this plan is of another model: {reason}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model(error) => error.source(),
            Self::Parameter(error) => error.source(),
            Self::GraphCut(error) => error.source(),
            _ => None,
        }
    }
}

impl From<posterior_pgm::Error> for Error {
    fn from(error: posterior_pgm::Error) -> Self {
        Self::Model(error)
    }
}

impl From<posterior_math::check::ParamError> for Error {
    fn from(error: posterior_math::check::ParamError) -> Self {
        Self::Parameter(error)
    }
}

impl From<crate::cut_error::Error> for Error {
    fn from(error: crate::cut_error::Error) -> Self {
        Self::GraphCut(error)
    }
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
