//! What is wrong with an energy or a network.

use std::fmt;

/// Why a graph cut was refused.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A node that does not exist.
    UnknownNode {
        /// The node.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// An edge from a node to itself.
    SelfLoop {
        /// The node.
        node: usize,
    },
    /// A label that does not exist.
    UnknownLabel {
        /// The node.
        node: usize,
        /// The label.
        label: usize,
        /// How many labels there are.
        labels: usize,
    },
    /// A number that is not what it has to be.
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
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length it should have.
        expected: usize,
    },
    /// More nodes or edges than 32-bit numbers count.
    TooLarge {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Finite numbers whose sum is not finite.
    Overflow {
        /// What was added.
        what: &'static str,
    },
    /// A term of two variables for which a cut is not exact.
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
    Infeasible,
    /// A distance of labels that is not what the algorithm needs.
    NotMetric {
        /// What the algorithm needs.
        needed: &'static str,
        /// Which labels break which distribution.
        violation: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode { node, nodes } => write!(f, "node {node} does not exist: there are {nodes}"),
            Self::SelfLoop { node } => write!(f, "node {node} is joined to itself"),
            Self::UnknownLabel { node, label, labels } => {
                write!(f, "label {label} of node {node} does not exist: there are {labels}")
            }
            Self::Invalid { what, index, value, requirement } => {
                write!(f, "{what} {index} is {value}, and has to be {requirement}")
            }
            Self::Length { what, found, expected } => {
                write!(f, "{what}: {found} numbers where {expected} are needed")
            }
            Self::TooLarge { what, count, limit } => write!(f, "{what}: {count} are more than {limit}"),
            Self::Overflow { what } => write!(f, "the {what} add up to more than the largest number"),
            Self::NotSubmodular { term, first, second, excess } => write!(
                f,
                "the term {term} of nodes {first} and {second} is not submodular: \
                 E(0,0) + E(1,1) exceeds E(0,1) + E(1,0) by {excess}"
            ),
            Self::Infeasible => f.write_str("every labelling has infinite energy"),
            Self::NotMetric { needed, violation } => {
                write!(f, "the distance of labels is not a {needed}: {violation}")
            }
        }
    }
}

impl std::error::Error for Error {}
