//! Why data or a model were refused.

use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why data or a model were refused, or an approximation does not exist.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that can't be.
    #[error(transparent)]
    Parameter(#[from] ParamError),
    /// A matrix that an algorithm cannot take.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Things whose sizes do not go together.
    #[error(transparent)]
    Dimension(#[from] DimensionError),
    /// An observation that can't be.
    #[error("{what} of row {row} is {value}: it must be {requirement}")]
    Observation {
        /// A response, a weight, an offset, the value of a column.
        what: String,
        /// The row, counted from 0.
        row: usize,
        /// The value.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// A row that sees the same latent value by itself and as a copy.
    #[error("row {row} sees the same latent value twice, with and without the factor of a copy")]
    SeenTwice {
        /// The row, counted from 0.
        row: usize,
    },
    /// A name that two parts of a model have.
    #[error("two parts of the model are named {name:?}: rename one of them")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// Columns of which one is a combination of the others, where the prior does not tell them apart.
    #[error(
        "column {column} is a combination of the ones before it: leave it out, or give the fixed effects a proper prior"
    )]
    Collinear {
        /// The column.
        column: String,
    },
    /// Responses that some columns separate: the likelihood rises for ever along a direction that the prior
    /// leaves free.
    #[error(
        "the responses are separated, most by column {column} ({rows} rows): its coefficient has no finite best value; \
         leave the column out, or give the fixed effects a proper prior"
    )]
    Separated {
        /// The column that separates most.
        column: String,
        /// How many rows lie off the plane of separation.
        rows: usize,
    },
    /// A model without a row that says something.
    #[error("no row has a response and a positive weight: there is nothing to learn from")]
    NoRows,
    /// Latent values for which no mode was found.
    #[error("no mode of the latent values was found at {at}: {why}")]
    NoMode {
        /// The hyperparameters.
        at: String,
        /// What went wrong.
        why: String,
    },
    /// Hyperparameters for which no mode was found.
    #[error("no mode of the hyperparameters was found, the last point is {at}: {why}")]
    NoHyperparameters {
        /// The last point.
        at: String,
        /// What went wrong, and what to do.
        why: &'static str,
    },
    /// A group of rows without which something has no distribution.
    #[error(
        "row {row} and the {others} others of its group alone decide on something with a flat prior: \
         leave out smaller groups, or give the fixed effects a proper prior"
    )]
    Undetermined {
        /// The first row of the group, counted from 0.
        row: usize,
        /// How many others there are.
        others: usize,
    },
    /// A part of the model that is not there.
    #[error("the model has no {what} {name:?}: it has {known}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        known: String,
    },
    /// A part of a model that has no form in Stan's language here.
    #[error("{what} {name:?} is not written in Stan's language")]
    Unwritten {
        /// What kind of part it is.
        what: String,
        /// Its name.
        name: String,
    },
    /// A formula that does not go with a table, or a row that a term cannot take.
    #[error(transparent)]
    Formula(#[from] posterior_regression::Error),
    /// Draws or weights that a sampler refused.
    #[error(transparent)]
    Sampling(#[from] posterior_sampling::Error),
}

impl Error {
    /// That a part of a model is not written in Stan's language.
    pub(crate) fn unwritten(what: &str, name: &str) -> Self {
        Self::Unwritten { what: what.to_owned(), name: name.to_owned() }
    }

    /// That a part of a model is not there, with the names that there are.
    pub(crate) fn unknown<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<&str> = known.collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Self::Unknown { what, name: name.to_owned(), known }
    }
}

impl From<posterior_dist::text::TextError> for Error {
    fn from(error: posterior_dist::text::TextError) -> Self {
        Self::Formula(error.into())
    }
}
