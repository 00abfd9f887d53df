//! Why data or a model were refused.

use posterior_dist::target::EvalError;
use posterior_dist::text::TextError;
use posterior_math::check::{DimensionError, ParamError};
use posterior_math::linalg::MatrixError;

/// Why data or a model were refused.
///
/// Not errors: fits that have not converged, and separated classes under a proper prior; both are in the
/// reports.
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
        /// An input, a response, a weight, an offset.
        what: &'static str,
        /// The row, counted from 0.
        row: usize,
        /// The value.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// Columns of which one is a combination of the others, where the prior does not tell them apart.
    #[error(
        "column {column} is a combination of the ones before it: leave it out, or give the weights a proper prior"
    )]
    Collinear {
        /// The column, by its name where it has one.
        column: String,
    },
    /// A column that is not there.
    #[error("there is no column {name:?}: the columns are {columns}")]
    NoColumn {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        columns: String,
    },
    /// A formula that cannot be read, or does not go with a table, with the place in its text.
    #[error(transparent)]
    Formula(#[from] TextError),
    /// A term of a formula that has no value in a row.
    #[error("{}{term} of row {row} is {found}: it must be {expected}", if *.column > 0 { format!("column {column}: ") } else { String::new() })]
    Term {
        /// Where the term is in the text of the formula, counted from 1; 0 for a product.
        column: usize,
        /// The term.
        term: String,
        /// The row, counted from 0.
        row: usize,
        /// What it is.
        found: String,
        /// What it must be.
        expected: String,
    },
    /// Responses that some columns separate, where the prior does not hold the coefficients back: no finite
    /// coefficient is the best one.
    #[error(
        "the responses are {} separated, most by column {column} ({rows} rows): no finite coefficient is the most likely one; \
         leave the column out, or give its coefficient a proper prior",
        if *.complete { "completely" } else { "quasi-completely" }
    )]
    Separated {
        /// The column that separates most, by its name.
        column: String,
        /// Whether no row lies on the plane between them.
        complete: bool,
        /// How many rows lie off the plane.
        rows: usize,
        /// The direction of the coefficients along which the likelihood rises for ever.
        direction: Vec<f64>,
    },
    /// A fit that got nowhere: the first matrix of second derivatives is not positive definite, or the
    /// density has no value.
    #[error("no fit: {why}")]
    NoFit {
        /// What went wrong.
        why: &'static str,
    },
    /// A density that could not be evaluated.
    #[error(transparent)]
    Density(#[from] EvalError),
    /// A sampler that was refused or ended.
    #[error(transparent)]
    Sampling(#[from] posterior_sampling::Error),
}
