//! What is wrong with a table, a model or evidence.

/// Why a table, a model or evidence was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something about the graph: names, cycles.
    #[error(transparent)]
    Graph(#[from] posterior_graph::Error),
    /// A variable with no state.
    #[error("{name:?} has no states")]
    NoStates {
        /// The variable.
        name: String,
    },
    /// Two states of one name.
    #[error("{name:?} has two states called {state:?}")]
    DuplicateState {
        /// The variable.
        name: String,
        /// The state.
        state: String,
    },
    /// No state of that name.
    #[error("{name:?} has no state {state:?}; its states are {}", .states.join(", "))]
    UnknownState {
        /// The variable.
        name: String,
        /// The state asked for.
        state: String,
        /// The states that there are.
        states: Vec<String>,
    },
    /// A table whose numbers don't fill its shape, or whose parts disagree.
    #[error("a table over {scope}: {reason}")]
    Shape {
        /// The variables of the table.
        scope: String,
        /// What is wrong.
        reason: String,
    },
    /// A number that can't be in a table.
    #[error("{table}: entry {index} is {value}, and must be {requirement}")]
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
    #[error("p({name} | {parents}): the row adds up to {sum}")]
    Row {
        /// The child.
        name: String,
        /// The states of its parents.
        parents: String,
        /// What the row adds up to.
        sum: f64,
    },
    /// A variable with no conditional table, or two.
    #[error("{name:?} has {count} conditional tables, and needs one")]
    Tables {
        /// The variable.
        name: String,
        /// How many there are.
        count: usize,
    },
    /// More numbers than a computer can count.
    #[error("a table over {variables} variables has more entries than fit in memory")]
    TooLarge {
        /// How many variables.
        variables: usize,
    },
    /// Evidence that says that no state is possible, or that is no likelihood.
    #[error("evidence on {name}: {reason}")]
    Evidence {
        /// The variable.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// An observation that can't be.
    #[error("record {record}: {reason}")]
    Record {
        /// The number of the record, from 0.
        record: usize,
        /// What is wrong.
        reason: String,
    },
    /// A parameter of a distribution.
    #[error(transparent)]
    Parameter(#[from] posterior_math::ParamError),
    /// A name, or other text, that a format of files has no way to hold.
    #[error("{format} files cannot hold {name:?}")]
    Unwritable {
        /// The name or text.
        name: String,
        /// The format.
        format: crate::Format,
    },
    /// A file that is no model.
    #[error(transparent)]
    Parse(#[from] crate::ParseError),
}
