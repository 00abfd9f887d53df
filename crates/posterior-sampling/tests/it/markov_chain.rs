//! Finite Markov chains.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arrival;
mod forgetting;
mod kernels;
mod random_chains;
mod structure;

use posterior_sampling::markov_chain::TransitionMatrix;

/// The chain of the book: π = (2/3, 1/3), second eigenvalue 0.7.
fn weather() -> TransitionMatrix {
    TransitionMatrix::from_rows(&[[0.9, 0.1], [0.2, 0.8]]).unwrap()
}

/// Two states that change places.
fn flip() -> TransitionMatrix {
    TransitionMatrix::from_rows(&[[0.0, 1.0], [1.0, 0.0]]).unwrap()
}

fn identity(n: usize) -> TransitionMatrix {
    TransitionMatrix::from_moves(n, |_| []).unwrap()
}

/// A walk on a circle of n states: one step on with probability `on`, one back with `back`.
fn circle(n: usize, on: f64, back: f64) -> TransitionMatrix {
    TransitionMatrix::from_moves(n, |i| [((i + 1) % n, on), ((i + n - 1) % n, back)]).unwrap()
}

/// The gambler who wins a unit with probability `win` until he has n or nothing.
fn gambler(n: usize, win: f64) -> TransitionMatrix {
    let moves = |i: usize| if i == 0 || i == n { vec![] } else { vec![(i + 1, win), (i - 1, 1.0 - win)] };
    TransitionMatrix::from_moves(n + 1, moves).unwrap()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "at {i}: {a} is not {b}");
    }
}
