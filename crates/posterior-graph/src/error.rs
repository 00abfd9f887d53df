//! What is wrong with a graph.

/// Why a graph was refused, or a question about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A variable without a name.
    #[error("variable {position} has an empty name")]
    EmptyName {
        /// Its index.
        position: usize,
    },
    /// Two variables of one name.
    #[error("two variables are called {name:?}")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// No variable of that name.
    #[error("there is no variable {name:?}{}", .nearest.as_ref().map(|n| format!("; did you mean {n:?}?")).unwrap_or_default())]
    UnknownName {
        /// The name asked for.
        name: String,
        /// A known name that looks like it.
        nearest: Option<String>,
    },
    /// An id from another graph.
    #[error("variable {index} does not exist: there are {len}")]
    UnknownVariable {
        /// The id.
        index: usize,
        /// How many variables there are.
        len: usize,
    },
    /// An edge from a variable to itself.
    #[error("{name:?} is joined to itself")]
    SelfLoop {
        /// The variable.
        name: String,
    },
    /// Arrows that lead in a circle: `A -> B -> A`.
    #[error("the arrows lead in a circle: {}", .cycle.join(" -> "))]
    Cycle {
        /// The names along the cycle; the first comes again at the end.
        cycle: Vec<String>,
    },
    /// A variable in two of the sets of a question.
    #[error("{name:?} is in two of the sets")]
    OverlappingSets {
        /// The variable.
        name: String,
    },
    /// A variable that comes twice where each may come once.
    #[error("{name:?} comes twice in {context}")]
    RepeatedVariable {
        /// The variable.
        name: String,
        /// Where.
        context: &'static str,
    },
    /// A question that would take too long or too much memory.
    #[error("{size} {what} are too many: the limit is {limit}")]
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        size: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A plate that cannot be unrolled.
    #[error("plate {name:?}: {problem}")]
    Plate {
        /// The plate.
        name: String,
        /// What is wrong.
        problem: String,
    },
}
