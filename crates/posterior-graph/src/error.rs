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
    /// A variable that is missing where each must come.
    #[error("{name:?} is missing in {context}")]
    MissingVariable {
        /// The variable.
        name: String,
        /// Where.
        context: &'static str,
    },
    /// A list that should have one entry for each variable.
    #[error("{what} must be {expected}, one for each variable, but there are {found}")]
    WrongLength {
        /// The list.
        what: &'static str,
        /// The number of variables.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A variable that has no state.
    #[error("{name:?} has no state")]
    NoStates {
        /// The variable.
        name: String,
    },
    /// A clique that does not exist.
    #[error("clique {index} does not exist: there are {len}")]
    UnknownClique {
        /// Its number.
        index: usize,
        /// How many cliques there are.
        len: usize,
    },
    /// A clique without a variable.
    #[error("clique {index} is empty")]
    EmptyClique {
        /// Its number.
        index: usize,
    },
    /// A clique all of whose variables are in another one.
    #[error("clique {inner} is inside clique {outer}")]
    NestedCliques {
        /// The number of the inner one.
        inner: usize,
        /// The number of the outer one.
        outer: usize,
    },
    /// An edge of a junction tree between cliques without a common variable.
    #[error("cliques {} and {} are joined, but share no variable", .edge.0, .edge.1)]
    NothingShared {
        /// The numbers of the cliques.
        edge: (usize, usize),
    },
    /// An edge of a junction tree between cliques that are connected already.
    #[error("the edge between cliques {} and {} closes a circle", .edge.0, .edge.1)]
    CircleOfCliques {
        /// The numbers of the cliques.
        edge: (usize, usize),
    },
    /// A variable whose cliques are not connected.
    #[error(
        "the cliques that hold {name:?} are not connected: no junction tree (running intersection property)"
    )]
    RunningIntersection {
        /// The variable.
        name: String,
    },
    /// Variables that no clique holds together.
    #[error("no clique holds all of {}", .names.join(", "))]
    NotInOneClique {
        /// The variables.
        names: Vec<String>,
    },
    /// A graph too large for an exact algorithm.
    #[error("{task} is exact for up to {limit} variables, but there are {len}")]
    TooManyVariables {
        /// What was asked for.
        task: &'static str,
        /// How many variables there are.
        len: usize,
        /// How many there may be.
        limit: usize,
    },
}
