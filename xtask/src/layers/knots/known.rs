//! Knots that are there. The list only shrinks: a knot that is mended leaves it, and no other joins.

/// Package, path of the parent (empty for the root of the crate), and the members in the order of their
/// names.
pub(super) type Known = (&'static str, &'static str, &'static str);

/// The list.
pub(super) const KNOTS: &[Known] = &[
    ("posterior-math", "autodiff", "elementary real"),
    ("posterior-math", "special", "gamma stirling"),
    ("posterior-stories", "two_classes", "compare network"),
    ("posterior-testkit", "edges", "subjects vectors"),
];
