//! Messages along chains: worked numbers, enumeration, identities, and chains that underflow.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod enumeration;
mod paths;
mod properties;
mod reference;
mod underflow;
mod worked_numbers;

use posterior_math::linalg::DMatrix;
use posterior_sequence::chain::{Edges, LinearChain, Transitions};

/// The scores of a chain with the same steps everywhere.
#[derive(Debug, Clone)]
struct Scores {
    states: usize,
    initial: Vec<f64>,
    /// Row by row.
    edges: Vec<f64>,
    nodes: Vec<f64>,
}

impl Scores {
    fn transitions(&self) -> Transitions {
        Transitions::from_ln(&DMatrix::from_row_slice(self.states, self.states, &self.edges)).unwrap()
    }

    fn chain<'a>(&'a self, transitions: &'a Transitions) -> LinearChain<'a> {
        LinearChain::new(&self.initial, Edges::Same(transitions), &self.nodes).unwrap()
    }

    fn length(&self) -> usize {
        self.nodes.len() / self.states
    }

    /// The scores of steps, once for each.
    fn repeated_edges(&self) -> Vec<f64> {
        self.edges.repeat(self.length().saturating_sub(1))
    }
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found == expected || (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(same, "number {i}: {found} is not {expected}");
    }
}
