//! What stops a fit.

use std::error::Error;
use std::fmt;

use posterior_math::check::{DimensionError, ParamError};

/// Why a distribution was not fitted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// No observations.
    Empty,
    /// An observation that the sample or the distribution cannot have, by its place from 0.
    Observation {
        /// Its place.
        index: usize,
        /// What it must be.
        requirement: &'static str,
    },
    /// A parameter that is not estimated has to be given, such as the number of trials of a binomial.
    Wanted {
        /// Its name.
        parameter: &'static str,
    },
    /// A parameter has a prior and is not estimated.
    PriorOfKnown {
        /// Its name.
        parameter: &'static str,
    },
    /// The distribution has no parameter of this name.
    NoParameter {
        /// The name.
        name: String,
        /// Those that it has.
        parameters: &'static [&'static str],
    },
    /// No distribution that can be fitted has this name.
    NoDistribution {
        /// The name.
        name: String,
        /// One whose name is like it.
        closest: Option<&'static str>,
    },
    /// The likelihood has no maximum inside: it rises, or does not fall, as the parameter goes to its end. A
    /// simpler distribution fits as well, or there are too few values.
    NoMaximum {
        /// The parameter.
        parameter: &'static str,
        /// Where it was when the search ended.
        value: f64,
    },
    /// The likelihood has edges at the parameters: there is no estimate from data of this kind.
    Edges {
        /// What it cannot be estimated with.
        refused: &'static str,
    },
    /// There is a maximum, and neither standard errors nor intervals hold there.
    Irregular {
        /// Why.
        reason: &'static str,
    },
    /// All values are the same, and say nothing of how far others lie from them.
    OneValue,
    /// The search ended before it reached the maximum.
    NotConverged,
    /// A number that is not valid.
    Parameter(ParamError),
    /// Numbers that have to be as many, and are not.
    Dimension(DimensionError),
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there are no observations"),
            Self::Observation { index, requirement } => {
                write!(f, "observation {index} must be {requirement}")
            }
            Self::Wanted { parameter } => write!(f, "{parameter} is not estimated: give its value"),
            Self::PriorOfKnown { parameter } => {
                write!(f, "{parameter} is not estimated: a prior of it has no effect")
            }
            Self::NoParameter { name, parameters } => {
                write!(f, "there is no parameter {name:?}; there are {}", parameters.join(", "))
            }
            Self::NoDistribution { name, closest } => {
                write!(f, "no distribution {name:?} can be fitted")?;
                closest.map_or(Ok(()), |closest| write!(f, "; did you mean {closest:?}?"))
            }
            Self::NoMaximum { parameter, value } => {
                write!(f, "the likelihood has no maximum: it still rises with {parameter} at {value:.3e}")
            }
            Self::Edges { refused } => {
                write!(f, "the likelihood has edges: it is not estimated with {refused}")
            }
            Self::Irregular { reason } => f.write_str(reason),
            Self::OneValue => f.write_str("all values are the same: no width can be estimated from them"),
            Self::NotConverged => {
                f.write_str("the search ended before it reached the maximum of the likelihood")
            }
            Self::Parameter(error) => error.fmt(f),
            Self::Dimension(error) => error.fmt(f),
        }
    }
}

impl Error for FitError {}

impl From<ParamError> for FitError {
    fn from(error: ParamError) -> Self {
        Self::Parameter(error)
    }
}

impl From<DimensionError> for FitError {
    fn from(error: DimensionError) -> Self {
        Self::Dimension(error)
    }
}
