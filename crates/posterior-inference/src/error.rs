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
    Option(#[from] posterior_math::check::ParamError),
    /// A graph cut that was refused.
    #[error(transparent)]
    GraphCut(#[from] crate::graph_cut::Error),
    /// The evidence has probability zero: nothing can be said given it.
    #[error("the evidence is impossible: it has probability 0")]
    ImpossibleEvidence,
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

    /// Whether the query was refused for its size.
    pub const fn is_too_large(&self) -> bool {
        matches!(self, Self::TooLarge { .. })
    }
}
