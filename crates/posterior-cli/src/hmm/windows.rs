//! Parts of sequences.

use std::ops::Range;

/// A part of a sequence.
pub(super) type Window = (usize, Range<usize>);

/// These parts of lists.
pub(super) fn cut<X: Clone>(all: &[Vec<X>], parts: &[Window]) -> Vec<Vec<X>> {
    parts.iter().map(|(own, range)| all[*own][range.clone()].to_vec()).collect()
}
