//! What is wrong with a table, a model or evidence.

use std::fmt;

/// Why a table, a model or evidence was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// Something about the graph: names, cycles.
    Graph(posterior_graph::Error),
    /// A variable with no state.
    NoStates {
        /// The variable.
        name: String,
    },
    /// Two states of one name.
    DuplicateState {
        /// The variable.
        name: String,
        /// The state.
        state: String,
    },
    /// No state of that name.
    UnknownState {
        /// The variable.
        name: String,
        /// The state asked for.
        state: String,
        /// The states that there are.
        states: Vec<String>,
    },
    /// A table whose numbers don't fill its shape, or whose parts disagree.
    Shape {
        /// The variables of the table.
        scope: String,
        /// What is wrong.
        reason: String,
    },
    /// A number that can't be in a table.
    Value {
        /// The table.
        table: String,
        /// The place of the number.
        index: usize,
        /// The number.
        value: f64,
        /// What it must be.
        requirement: &'static str,
    },
    /// A row of a conditional table that is no distribution.
    Row {
        /// The child.
        name: String,
        /// The states of its parents.
        parents: String,
        /// What the row adds up to.
        sum: f64,
    },
    /// A row of a conditional table that was not given.
    MissingRow {
        /// The child.
        name: String,
        /// The states of its parents.
        parents: String,
    },
    /// A variable with no conditional table, or two.
    Tables {
        /// The variable.
        name: String,
        /// How many there are.
        count: usize,
    },
    /// More numbers than a computer can count.
    TooLarge {
        /// How many variables.
        variables: usize,
    },
    /// Evidence that says that no state is possible, or that is no likelihood.
    Evidence {
        /// The variable.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// An observation that can't be.
    Record {
        /// The number of the record, from 0.
        record: usize,
        /// What is wrong.
        reason: String,
    },
    /// A parameter of a distribution.
    Parameter(posterior_math::ParamError),
    /// A name, or other text, that a format of files has no way to hold.
    Unwritable {
        /// The name or text.
        name: String,
        /// The format.
        format: crate::Format,
    },
    /// A file that is no model.
    Parse(crate::ParseError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Graph(error) => error.fmt(f),
            Self::NoStates { name } => write!(f, "{name:?} has no states"),
            Self::DuplicateState { name, state } => write!(f, "{name:?} has two states called {state:?}"),
            Self::UnknownState { name, state, states } => {
                write!(f, "{name:?} has no state {state:?}; its states are {}", states.join(", "))
            }
            Self::Shape { scope, reason } => write!(f, "a table over {scope}: {reason}"),
            Self::Value { table, index, value, requirement } => {
                write!(f, "{table}: entry {index} is {value}, and must be {requirement}")
            }
            Self::Row { name, parents, sum } => write!(f, "p({name} | {parents}): the row adds up to {sum}"),
            Self::MissingRow { name, parents } => write!(f, "p({name} | {parents}): the row is missing"),
            Self::Tables { name, count } => {
                write!(f, "{name:?} has {count} conditional tables, and needs one")
            }
            Self::TooLarge { variables } => {
                write!(f, "a table over {variables} variables has more entries than fit in memory")
            }
            Self::Evidence { name, reason } => write!(f, "evidence on {name}: {reason}"),
            Self::Record { record, reason } => write!(f, "record {record}: {reason}"),
            Self::Parameter(error) => error.fmt(f),
            Self::Unwritable { name, format } => write!(f, "{format} files cannot hold {name:?}"),
            Self::Parse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Graph(error) => error.source(),
            Self::Parameter(error) => error.source(),
            Self::Parse(error) => error.source(),
            _ => None,
        }
    }
}

impl From<posterior_graph::Error> for Error {
    fn from(error: posterior_graph::Error) -> Self {
        Self::Graph(error)
    }
}

impl From<posterior_math::ParamError> for Error {
    fn from(error: posterior_math::ParamError) -> Self {
        Self::Parameter(error)
    }
}

impl From<crate::ParseError> for Error {
    fn from(error: crate::ParseError) -> Self {
        Self::Parse(error)
    }
}
