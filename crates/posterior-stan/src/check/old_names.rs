//! Functions that were renamed or removed, and how they are written today.

use super::Checker;
use crate::ast::Name;
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::Dialect;
use crate::signatures::signatures;

/// The name of today for one of before, where the arguments are the same.
const RENAMED: [(&str, &str); 4] = [
    ("multiply_log", "lmultiply"),
    ("binomial_coefficient_log", "lchoose"),
    ("cov_exp_quad", "gp_exp_quad_cov"),
    ("fabs", "abs"),
];

/// What was taken out, with what does it now.
const REMOVED: [(&str, &str); 3] = [
    ("increment_log_prob", "today: `target += ...;`"),
    ("get_lp", "today: `target()`"),
    ("if_else", "today: `condition ? a : b`"),
];

/// What a program of before has to write now.
pub(super) fn today(name: &str) -> Option<String> {
    if let Some((_, today)) = REMOVED.iter().find(|(old, _)| *old == name) {
        return Some((*today).to_owned());
    }
    renamed(name).map(|today| format!("today: `{today}`"))
}

fn renamed(name: &str) -> Option<String> {
    if let Some((_, today)) = RENAMED.iter().find(|(old, _)| *old == name) {
        return Some((*today).to_owned());
    }
    let (stem, suffixes): (_, &[&str]) = if let Some(stem) = name.strip_suffix("_ccdf_log") {
        (stem, &["_lccdf"])
    } else if let Some(stem) = name.strip_suffix("_cdf_log") {
        (stem, &["_lcdf"])
    } else {
        (name.strip_suffix("_log")?, &["_lpdf", "_lpmf"])
    };
    suffixes.iter().map(|suffix| format!("{stem}{suffix}")).find(|today| signatures(today).is_some())
}

impl Checker {
    /// A density of the user that ends in `_log`, as before `_lpdf`; a note says so.
    pub(super) fn old_density(&mut self, distribution: &Name) -> Option<String> {
        let old = format!("{}_log", distribution.text);
        if !self.functions.contains_key(&old) {
            return None;
        }
        let note =
            Diagnostic::new(Severity::Note, distribution.span, format!("the density is named `{old}`"));
        let stem = &distribution.text;
        self.error(note.with_help(format!("today: `{stem}_lpdf`, or `{stem}_lpmf` of integers")));
        Some(old)
    }

    /// The name under which a called function is known today; a note if it is an old one.
    pub(super) fn current_name(&mut self, function: &Name) -> String {
        let name = function.text.as_str();
        let known = self.functions.contains_key(name) || signatures(name).is_some();
        if known || self.dialect == Dialect::Current {
            return name.to_owned();
        }
        let Some(today) = renamed(name).filter(|today| signatures(today).is_some()) else {
            return name.to_owned();
        };
        let note = Diagnostic::new(Severity::Note, function.span, format!("the old name `{name}`"));
        self.error(note.with_help(format!("today: `{today}`")));
        today
    }
}
