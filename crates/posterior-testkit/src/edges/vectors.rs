//! What the search checks of distributions of vectors and matrices.

use super::subjects::Subject;

/// The kinds.
pub(super) const SUBJECTS: &[Subject] = &[];
