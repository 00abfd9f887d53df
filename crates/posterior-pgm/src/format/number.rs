//! Numbers as text that reads back as the same number.

use std::fmt::Write;

/// Writes the shortest decimal that reads back as `value`.
pub(super) fn push(out: &mut String, value: f64) {
    let size = value.abs();
    // Writing to a string does not fail.
    let _ = if size != 0.0 && !(1e-5..1e16).contains(&size) {
        write!(out, "{value:e}")
    } else {
        write!(out, "{value}")
    };
}
