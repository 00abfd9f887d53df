//! Knots that are there. The list only shrinks: a knot that is mended leaves it, and no other joins.

/// Package, path of the parent (empty for the root of the crate), and the members in the order of their
/// names.
pub(super) type Known = (&'static str, &'static str, &'static str);

/// The list.
pub(super) const KNOTS: &[Known] = &[
    ("posterior-cli", "decide", "ab ab_report"),
    ("posterior-cli", "gp", "answer auto_kernel learning many prior regression settings"),
    ("posterior-cli", "optimize", "show show_report"),
    ("posterior-cli", "regress", "coding data_input"),
    ("posterior-cli", "series", "analysis mixture transform"),
    ("posterior-cli", "series", "candidates specification"),
    ("posterior-cli", "series", "report smooth"),
    ("posterior-gp", "hyperparameters", "integration learnable start"),
    ("posterior-kalman", "disturbances", "adjoint forward"),
    ("posterior-kalman", "learning", "score sweep"),
    ("posterior-regression", "formula", "arguments evaluate expression"),
    ("posterior-regression", "formula", "map written"),
];
