//! Knots that are there. The list only shrinks: a knot that is mended leaves it, and no other joins.

/// Package, path of the parent (empty for the root of the crate), and the members in the order of their
/// names.
pub(super) type Known = (&'static str, &'static str, &'static str);

/// The list.
pub(super) const KNOTS: &[Known] = &[];
