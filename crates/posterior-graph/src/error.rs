//! What is wrong with a graph.

use std::fmt;

/// Why a graph was refused, or a question about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A variable without a name.
    EmptyName {
        /// Its index.
        position: usize,
    },
    /// Two variables of one name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// No variable of that name.
    UnknownName {
        /// The name asked for.
        name: String,
        /// A known name that looks like it.
        nearest: Option<String>,
    },
    /// An id from another graph.
    UnknownVariable {
        /// The id.
        index: usize,
        /// How many variables there are.
        len: usize,
    },
    /// An edge from a variable to itself.
    SelfLoop {
        /// The variable.
        name: String,
    },
    /// Arrows that form a cycle: `A -> B -> A`.
    Cycle {
        /// The names along the cycle; the first comes again at the end.
        cycle: Vec<String>,
    },
    /// A variable in two of the sets of a question.
    OverlappingSets {
        /// The variable.
        name: String,
    },
    /// A variable that comes twice where each may come once.
    RepeatedVariable {
        /// The variable.
        name: String,
        /// Where.
        context: &'static str,
    },
    /// A question that would take too long or too much memory.
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        size: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A plate that cannot be unrolled.
    Plate {
        /// The plate.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A variable that is missing where each must come.
    MissingVariable {
        /// The variable.
        name: String,
        /// Where.
        context: &'static str,
    },
    /// A list that should have one entry for each variable.
    WrongLength {
        /// The list.
        what: &'static str,
        /// The number of variables.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A variable that has no state.
    NoStates {
        /// The variable.
        name: String,
    },
    /// A clique that does not exist.
    UnknownClique {
        /// Its number.
        index: usize,
        /// How many cliques there are.
        len: usize,
    },
    /// A clique without a variable.
    EmptyClique {
        /// Its number.
        index: usize,
    },
    /// A clique all of whose variables are in another one.
    NestedCliques {
        /// The number of the inner one.
        inner: usize,
        /// The number of the outer one.
        outer: usize,
    },
    /// An edge of a junction tree between cliques without a common variable.
    NothingShared {
        /// The numbers of the cliques.
        edge: (usize, usize),
    },
    /// An edge of a junction tree between cliques that are connected already.
    CircleOfCliques {
        /// The numbers of the cliques.
        edge: (usize, usize),
    },
    /// A variable whose cliques are not connected.
    RunningIntersection {
        /// The variable.
        name: String,
    },
    /// Variables that no clique holds together.
    NotInOneClique {
        /// The variables.
        names: Vec<String>,
    },
    /// A graph too large for an exact algorithm.
    TooManyVariables {
        /// What was asked for.
        task: &'static str,
        /// How many variables there are.
        len: usize,
        /// How many there may be.
        limit: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyName { position } => write!(f, "variable {position} has an empty name"),
            Self::DuplicateName { name } => write!(f, "two variables are called {name:?}"),
            Self::UnknownName { name, nearest } => write!(
                f,
                "there is no variable {name:?}{}",
                nearest.as_ref().map(|n| format!("; did you mean {n:?}?")).unwrap_or_default()
            ),
            Self::UnknownVariable { index, len } => {
                write!(f, "variable {index} does not exist: there are {len}")
            }
            Self::SelfLoop { name } => write!(f, "{name:?} is joined to itself"),
            Self::Cycle { cycle } => write!(f, "the arrows form a cycle: {}", cycle.join(" -> ")),
            Self::OverlappingSets { name } => write!(f, "{name:?} is in two of the sets"),
            Self::RepeatedVariable { name, context } => write!(f, "{name:?} comes twice in {context}"),
            Self::TooLarge { what, size, limit } => {
                write!(f, "{size} {what} are too many: the limit is {limit}")
            }
            Self::Plate { name, problem } => write!(f, "plate {name:?}: {problem}"),
            Self::MissingVariable { name, context } => write!(f, "{name:?} is missing in {context}"),
            Self::WrongLength { what, expected, found } => {
                write!(f, "{what} must be {expected}, one for each variable, but there are {found}")
            }
            Self::NoStates { name } => write!(f, "{name:?} has no state"),
            Self::UnknownClique { index, len } => write!(f, "clique {index} does not exist: there are {len}"),
            Self::EmptyClique { index } => write!(f, "clique {index} is empty"),
            Self::NestedCliques { inner, outer } => write!(f, "clique {inner} is inside clique {outer}"),
            Self::NothingShared { edge } => {
                write!(f, "cliques {} and {} are joined, but share no variable", edge.0, edge.1)
            }
            Self::CircleOfCliques { edge } => {
                write!(f, "the edge between cliques {} and {} closes a cycle", edge.0, edge.1)
            }
            Self::RunningIntersection { name } => write!(
                f,
                "the cliques that hold {name:?} are not connected: no junction tree (running intersection property)"
            ),
            Self::NotInOneClique { names } => write!(f, "no clique holds all of {}", names.join(", ")),
            Self::TooManyVariables { task, len, limit } => {
                write!(f, "{task} is exact for up to {limit} variables, but there are {len}")
            }
        }
    }
}

impl std::error::Error for Error {}
