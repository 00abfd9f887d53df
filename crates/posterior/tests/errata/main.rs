//! Formulas that are often printed wrong, each beside the right one: `erratum_NN` shows by numbers that the
//! first fails and the second holds, by what this library computes (22 by matrices alone).
//!
//! No test is possible for slips that change no number, and for claims that no computation can settle: 2
//! (indices of sums), 18 (letters swapped in a text), 24 and 47 (names), 26 (an index), 55, 64, 71, 77, 78,
//! 83, 87, 88 and 91 (indices and names), 67 (classes of complexity), 68 (a limit of infinite data), 69 (a
//! threshold that is strict).
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gaussian;
mod graph;
mod latent;
mod monte_carlo;
mod probability;
mod processes;
mod sequence;
mod text;

/// Equality to `digits` decimals, relative where numbers are larger than one.
#[track_caller]
fn close(found: f64, right: f64, digits: i32) {
    let allowed = 10.0_f64.powi(-digits) * right.abs().max(1.0);
    assert!((found - right).abs() <= allowed, "{found} is not {right}");
}

/// A printed value that is wrong by more than one part in a hundred.
#[track_caller]
fn differs(printed: f64, right: f64) {
    assert!((printed - right).abs() > 0.01 * right.abs().max(0.1), "{printed} is {right}");
}
