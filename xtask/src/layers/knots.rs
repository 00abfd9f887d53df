//! Knots: sibling modules of a crate that use each other, directly or around some corners.
//!
//! A module and its children are read together and may name each other; modules that stand beside each other
//! have an order. A name that one module passes on from another counts for both.

mod known;
mod order;
mod resolve;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use self::resolve::Tree;
use crate::modules::Module;

/// The uses of one module by another, both named by the last part of their paths: file and line of each.
type Uses = BTreeMap<(String, String), BTreeSet<(String, usize)>>;

/// Modules with the same parent each of which needs each other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Knot {
    package: String,
    /// The path of the parent; empty for the root of the crate.
    parent: String,
    members: Vec<String>,
    /// Uses against the order in which the fewest are against it, as `a uses b: FILE:LINE ...`.
    closing: Vec<String>,
}

impl fmt::Display for Knot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parent = if self.parent.is_empty() { "its root" } else { &self.parent };
        write!(f, "{}: in {parent} the modules {} use each other", self.package, self.members.join(", "))?;
        self.closing.iter().try_for_each(|line| write!(f, "\n    {line}"))
    }
}

/// What the list of known knots says of those that were found.
pub(super) struct Verdict {
    /// Knots that are not on the list, and lines of the list that are no knot any more.
    pub(super) findings: Vec<String>,
    pub(super) known: usize,
}

/// Holds the knots against the list of those that are known.
pub(super) fn judge(found: &[Knot]) -> Verdict {
    judge_by(known::KNOTS, found)
}

fn judge_by(list: &[known::Known], found: &[Knot]) -> Verdict {
    let same = |known: &known::Known, knot: &Knot| {
        let (package, parent, members) = *known;
        knot.package == package && knot.parent == parent && knot.members.join(" ") == members
    };
    let fresh = found.iter().filter(|knot| !list.iter().any(|known| same(known, knot)));
    let mut findings: Vec<String> = fresh
        .map(|knot| {
            format!("{knot}\n    as a line of KNOTS: (\"{}\", \"{}\", \"{}\"),", knot.package, knot.parent, {
                knot.members.join(" ")
            })
        })
        .collect();
    let gone = list.iter().filter(|known| !found.iter().any(|knot| same(known, knot)));
    findings.extend(gone.map(|(package, parent, members)| {
        format!(
            "{package}: the modules {members} of {parent:?} are no knot any more; take the line off KNOTS"
        )
    }));
    Verdict { findings, known: list.len() }
}

/// The knots of one crate, which is named `package`.
pub(super) fn of(package: &str, modules: &[Module]) -> Vec<Knot> {
    let tree = Tree::new(modules);
    let mut by_parent: BTreeMap<String, Uses> = BTreeMap::new();
    for (from, to, file, line) in tree.uses() {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // A parent and what is below it.
        if shared == from.len() || shared == to.len() {
            continue;
        }
        let uses = by_parent.entry(from[..shared].join("::")).or_default();
        let pair = (from[shared].clone(), to[shared].clone());
        uses.entry(pair).or_default().insert((file.to_owned(), line));
    }
    let mut knots = Vec::new();
    for (parent, uses) in by_parent {
        for members in order::knots(&uses) {
            let closing = order::closing(&members, &uses);
            knots.push(Knot { package: package.to_owned(), parent: parent.clone(), members, closing });
        }
    }
    knots
}
