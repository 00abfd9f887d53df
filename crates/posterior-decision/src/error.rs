//! Why a decision could not be made.

use posterior_math::check::{DimensionError, ParamError};

/// Why data or a problem were refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that can't be.
    #[error(transparent)]
    Parameter(#[from] ParamError),
    /// Things whose sizes do not go together.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// An influence diagram that is none.
    #[error("{variable:?} {reason}")]
    Diagram {
        /// The variable that does not fit.
        variable: String,
        /// Why.
        reason: &'static str,
    },
    /// What was seen has probability zero.
    #[error("what was seen has probability 0")]
    Impossible,
    /// A network of chances that is none.
    #[error(transparent)]
    Model(#[from] posterior_pgm::Error),
    /// An elimination that was refused.
    #[error(transparent)]
    Network(#[from] posterior_inference::Error),
    /// A Gaussian process that could not be fitted.
    #[error(transparent)]
    GaussianProcess(#[from] posterior_gp::Error),
    /// A regression that could not be fitted.
    #[error(transparent)]
    Regression(#[from] posterior_regression::Error),
    /// A rule of choice that cannot be applied to a surrogate.
    #[error("{name} {reason}")]
    Acquisition {
        /// The rule.
        name: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// Every point has been tried, and outcomes are exact.
    #[error("every point of the space has been tried, and trying one again tells nothing")]
    Exhausted,
    /// A decision process without a discount, in which a policy has no end.
    #[error("without a discount every state must lead to an end, and it must not pay to go on for ever")]
    NeverEnds,
    /// No trial has given a value yet.
    #[error("no trial has given a value yet")]
    NoValue,
    /// No trial satisfies the constraints of outcomes.
    #[error("no trial so far keeps the bounds of all its outcomes")]
    NoFeasible,
    /// A policy that nobody knows.
    #[error("{text:?} is no policy: expected {expected}")]
    Policy {
        /// What was written.
        text: String,
        /// What may be written.
        expected: &'static str,
    },
}

impl Error {
    /// A variable of an influence diagram, and why it does not fit.
    pub(crate) fn diagram(variable: &str, reason: &'static str) -> Self {
        Self::Diagram { variable: variable.to_owned(), reason }
    }
}
