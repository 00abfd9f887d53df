//! What is wrong with an energy or a network.

/// Why a graph cut was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A node that does not exist.
    #[error("node {node} does not exist: there are {nodes}")]
    UnknownNode {
        /// The node.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// An edge from a node to itself.
    #[error("node {node} is joined to itself")]
    SelfLoop {
        /// The node.
        node: usize,
    },
    /// A label that does not exist.
    #[error("label {label} of node {node} does not exist: there are {labels}")]
    UnknownLabel {
        /// The node.
        node: usize,
        /// The label.
        label: usize,
        /// How many labels there are.
        labels: usize,
    },
    /// A number that is not what it has to be.
    #[error("{what} {index} is {value}, and has to be {requirement}")]
    Invalid {
        /// What the number is.
        what: &'static str,
        /// Which one, from 0, in the order given.
        index: usize,
        /// The number.
        value: f64,
        /// What is asked of it.
        requirement: &'static str,
    },
    /// Lists whose lengths do not go together.
    #[error("{what}: {found} numbers where {expected} are needed")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// More nodes or edges than 32-bit numbers count.
    #[error("{what}: {count} are more than {limit}")]
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Finite numbers whose sum is not finite.
    #[error("the {what} add up to more than the largest number")]
    Overflow {
        /// What was added.
        what: &'static str,
    },
    /// A term of two variables for which a cut is not exact.
    #[error(
        "the term {term} of nodes {first} and {second} is not submodular: \
         E(0,0) + E(1,1) exceeds E(0,1) + E(1,0) by {excess}"
    )]
    NotSubmodular {
        /// The number of the term, in the order in which the terms were added.
        term: usize,
        /// Its first node.
        first: usize,
        /// Its second node.
        second: usize,
        /// By how much.
        excess: f64,
    },
    /// Every labelling has infinite energy.
    #[error("every labelling has infinite energy")]
    Infeasible,
    /// A distance of labels that is not what the algorithm needs.
    #[error("the distance of labels is not a {needed}: {violation}")]
    NotMetric {
        /// What the algorithm needs.
        needed: &'static str,
        /// Which labels break which distribution.
        violation: String,
    },
}
