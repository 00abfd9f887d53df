//! What f64 cannot represent: the documented limits, with reasons. What falls under one is counted, not reported.

use super::trial::Finding;

/// A finding that is expected.
#[derive(Debug)]
pub struct Limit {
    /// The kind of distribution; `*` for any.
    pub name: &'static str,
    /// The check.
    pub check: &'static str,
    /// What the message of such a finding holds.
    pub message: &'static str,
    /// Why no other answer can be given, and where this is documented.
    pub reason: &'static str,
}

/// All of them.
pub const LIMITS: &[Limit] = &[];

/// The limit that a finding falls under.
pub(super) fn of(finding: &Finding) -> Option<&'static Limit> {
    LIMITS.iter().find(|limit| {
        (limit.name == "*" || limit.name == finding.name)
            && limit.check == finding.check
            && finding.message.contains(limit.message)
    })
}
